"""Sessions of browsers, each with a system of its own per pool; the oldest is given up first."""

import secrets
import threading
from collections import OrderedDict

from apigap.benchmarks.apibank.registry import Pool
from apigap.benchmarks.apibank.serve.user_session import Desk, Office

MOST = 64


class Session:
    """The desks of one browser; `lock` is held while one of them is used."""

    def __init__(self, office: Office) -> None:
        self.lock = threading.Lock()
        self._office = office
        self._desks: dict[Pool, Desk] = {}

    def desk(self, pool: Pool) -> Desk:
        """The desk of a pool."""
        if pool not in self._desks:
            self._desks[pool] = self._office.desk(pool)
        return self._desks[pool]

    def reset(self) -> None:
        """Give all databases back as they were."""
        self._desks.clear()


class Sessions:
    """Sessions by their keys."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def of(self, key: str) -> tuple[str, Session]:
        """The session of a key, and its key: a new one where there is none of that key."""
        with self._lock:
            if key not in self._sessions:
                key = secrets.token_urlsafe(24)
                self._sessions[key] = Session(self.office)
            self._sessions.move_to_end(key)
            while len(self._sessions) > MOST:
                self._sessions.popitem(last=False)
            return key, self._sessions[key]
