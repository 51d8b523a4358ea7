"""The APIs in a browser: one page, and addresses that answer in JSON; each browser has a system of its own per pool.

Only a program with starlette and uvicorn (the extra `serve`) imports this module.
"""

import json
import secrets
import shlex
import threading
from collections import OrderedDict
from dataclasses import asdict
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from apigap.benchmarks.apibank.registry import Pool
from apigap.benchmarks.apibank.serve.checks import ErrorKind
from apigap.benchmarks.apibank.serve.domains import DOMAINS
from apigap.benchmarks.apibank.serve.examples import examples
from apigap.benchmarks.apibank.serve.user_session import POOLS, Called, ServedData, UserSession, plain
from apigap.records.parsing.json_shapes import is_object
from apigap.reporting.local_server import LocalServer, as_answer, post

MOST = 64
"""Sessions of browsers; the oldest is given up first."""
MOST_ROWS = 100
STATUS: dict[ErrorKind, int] = {
    "unknown API": 404, "unknown argument": 422, "missing argument": 422, "wrong type": 422, "refused by the API": 409,
}  # fmt: skip
_COOKIE = "apibank"


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


def web_server(served: ServedData, port: int) -> LocalServer:
    """The server, bound to this machine; port 0 takes a free one.

    Raises:
        InfrastructureError: when the port is taken.
    """
    sessions = BrowserSessions(served)
    told = {"mode": served.mode, "pools": apis(served)}

    def list_apis(request: Request) -> Response:
        return as_answer(told)

    def list_rows(request: Request) -> Response:
        key, session = sessions.of(request.cookies.get(_COOKIE, ""))
        asked = request.query_params
        with session.lock:
            rows = session.user_session(_pool(asked.get("pool"))).rows(asked.get("api", ""))
        return _answer(_first(rows), key)

    def call(request: Request, body: dict[str, Any]) -> Response:
        key, session = sessions.of(request.cookies.get(_COOKIE, ""))
        with session.lock:
            called = _called(session, body)
        return _answer(_told(called), key, STATUS[called.error.kind] if called.error else 200)

    def reset(request: Request, body: dict[str, Any]) -> Response:
        key, session = sessions.of(request.cookies.get(_COOKIE, ""))
        with session.lock:
            session.reset()
        return _answer({}, key)

    routes = [Route("/apis", list_apis), Route("/rows", list_rows), post("/call", call), post("/reset", reset)]
    return LocalServer("apigap.benchmarks.apibank.serve", routes, port)


def first_call(server: LocalServer) -> str:
    """A command that makes a call."""
    body = json.dumps({"pool": "level-1-2", "api": "Calculator", "arguments": {"formula": "(1 + 2) * 3"}})
    token = f"Authorization: Bearer {server.token}"
    return shlex.join(["curl", "--header", token, "--json", body, f"{server.address}call"])


def _answer(value: Any, key: str, status: int = 200) -> Response:
    """A value as JSON, for the browser that keeps the session `key`."""
    response = as_answer(plain(value), status)
    response.set_cookie(_COOKIE, key, httponly=True, samesite="strict")
    return response


def apis(served: ServedData) -> dict[str, Any]:
    """All that the page needs to draw a form for every API, by pool, in the order of their domains."""
    places = {name: (domain, place) for domain, names in DOMAINS.items() for place, name in enumerate(names)}
    order = list(DOMAINS)
    shown = examples(served)

    def place(item: tuple[str, Any]) -> tuple[int, int]:
        domain, number = places[item[0]]
        return order.index(domain), number

    return {
        pool: [
            {
                "name": name,
                "domain": places[name][0],
                "example": shown[pool][name],
                "description": told["description"],
                "database": registry.apis[name].database,
                "inputs": [
                    {
                        "name": given.name, "type": given.type, "required": given.required,
                        "description": told["input_parameters"].get(given.name, {}).get("description", ""),
                    }
                    for given in registry.apis[name].inputs
                ],
            }
            for name, told in sorted(served.interfaces_of(pool).items(), key=place)
        ]
        for pool, registry in POOLS.items()
    }  # fmt: skip


def _pool(name: Any) -> Pool:
    for pool in POOLS:
        if pool == name:
            return pool
    raise HTTPException(404, f"there is no pool of that name; there are {', '.join(POOLS)}")


def _called(session: BrowserSession, body: dict[str, Any]) -> Called:
    arguments: Any = body.get("arguments", {})
    if not isinstance(body.get("api"), str) or not is_object(arguments):
        raise HTTPException(400, "a call has a pool and an api (texts) and arguments (an object)")
    return session.user_session(_pool(body.get("pool"))).call(body["api"], arguments)


def _told(called: Called) -> dict[str, Any]:
    """An outcome as JSON; of an error its words as `error`, and what is wrong and what to do beside them."""
    told = {key: value for key, value in asdict(called).items() if key != "error"}
    if called.error is None:
        return told
    found = {key: value for key, value in asdict(called.error).items() if value is not None}
    return {"error": found.pop("message"), **found, **told}


def _first(rows: Any) -> dict[str, Any]:
    """The first rows of a database, and how many there are."""
    if rows is None:
        return {"rows": None, "count": 0}
    cut: Any = dict(list(rows.items())[:MOST_ROWS]) if is_object(rows) else rows[:MOST_ROWS]
    return {"rows": cut, "count": len(rows)}
