"""Sessions of browsers, each with a system of its own per pool; the oldest is given up first."""

import secrets
import threading
from collections import OrderedDict

from apigap.benchmarks.apibank.registry import Pool
from apigap.benchmarks.apibank.serve.user_session import ServedData, UserSession

MOST = 64


class BrowserSession:
    """The sessions of one browser; `lock` is held while one of them is used."""

    def __init__(self, served: ServedData) -> None:
        self.lock = threading.Lock()
        self._served = served
        self._user_sessions: dict[Pool, UserSession] = {}

    def user_session(self, pool: Pool) -> UserSession:
        """The session of a pool."""
        if pool not in self._user_sessions:
            self._user_sessions[pool] = self._served.user_session(pool)
        return self._user_sessions[pool]

    def reset(self) -> None:
        """Give all databases back as they were."""
        self._user_sessions.clear()


class BrowserSessions:
    """The sessions of all browsers, by their keys."""

    def __init__(self, served: ServedData) -> None:
        self.served = served
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, BrowserSession] = OrderedDict()

    def of(self, key: str) -> tuple[str, BrowserSession]:
        """The session of a key, and its key: a new one where there is none of that key."""
        with self._lock:
            if key not in self._sessions:
                key = secrets.token_urlsafe(24)
                self._sessions[key] = BrowserSession(self.served)
            self._sessions.move_to_end(key)
            while len(self._sessions) > MOST:
                self._sessions.popitem(last=False)
            return key, self._sessions[key]
