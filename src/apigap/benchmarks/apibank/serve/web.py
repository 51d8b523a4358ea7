"""The APIs in a browser: one page, and three addresses that answer in JSON."""

from dataclasses import asdict
from http.cookies import CookieError, SimpleCookie
from http.server import ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from apigap.benchmarks.apibank.registry import Pool
from apigap.benchmarks.apibank.serve.sessions import Session, Sessions
from apigap.benchmarks.apibank.serve.user_session import POOLS, Office, as_json
from apigap.records.json_shapes import is_object
from apigap.reporting.local_server import ADDRESS as ADDRESS
from apigap.reporting.local_server import LocalHandler, Refusal, listen

MOST_ROWS = 100
_COOKIE = "apibank"


def web_server(office: Office, port: int) -> ThreadingHTTPServer:
    """The server, bound to this machine; port 0 takes a free one.

    Raises:
        InfrastructureError: when the port is taken.
    """
    sessions_ = Sessions(office)

    class Handler(_Handler):
        sessions = sessions_

    return listen(Handler, port)


class _Handler(LocalHandler):
    """Answers one connection."""

    package = "apigap.benchmarks.apibank.serve"
    sessions: Sessions

    def get(self) -> None:
        """The APIs, or a database."""
        parts = urlsplit(self.path)
        if parts.path == "/apis":
            self._send_json(apis(self.sessions.office))
        elif parts.path == "/rows":
            asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
            key, session = self._session()
            with session.lock:
                rows = session.desk(_pool(asked.get("pool"))).rows(asked.get("api", ""))
            self._send_json(_first(rows), key)
        else:
            super().get()

    def post(self) -> None:
        """A call, or all databases as they were."""
        key, session = self._session()
        body = self.body()
        with session.lock:
            if self.path == "/call":
                self._send_json(_called(session, body), key)
            elif self.path == "/reset":
                session.reset()
                self._send_json({}, key)
            else:
                super().post()

    def _session(self) -> tuple[str, Session]:
        try:
            cookies = SimpleCookie(self.headers.get("Cookie", ""))
        except CookieError:
            cookies = SimpleCookie()
        return self.sessions.of(cookies[_COOKIE].value if _COOKIE in cookies else "")

    def _send_json(self, value: Any, key: str | None = None) -> None:
        cookie = {} if key is None else {"Set-Cookie": f"{_COOKIE}={key}; HttpOnly; SameSite=Strict; Path=/"}
        self.send(200, as_json(value), "application/json", cookie)


def apis(office: Office) -> dict[str, Any]:
    """All that the page needs to draw a form for every API, by pool."""
    return {
        pool: [
            {
                "name": name,
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
            for name, told in office.told(pool).items()
        ]
        for pool, registry in POOLS.items()
    }  # fmt: skip


def _pool(name: Any) -> Pool:
    for pool in POOLS:
        if pool == name:
            return pool
    raise Refusal(404, f"there is no pool of that name; there are {', '.join(POOLS)}")


def _called(session: Session, body: dict[str, Any]) -> Any:
    arguments: Any = body.get("arguments", {})
    if not isinstance(body.get("api"), str) or not is_object(arguments):
        raise Refusal(400, "a call has an api (text) and arguments (an object)")
    return asdict(session.desk(_pool(body.get("pool"))).call(body["api"], arguments))


def _first(rows: Any) -> dict[str, Any]:
    """The first rows of a database, and how many there are."""
    if rows is None:
        return {"rows": None, "count": 0}
    cut: Any = dict(list(rows.items())[:MOST_ROWS]) if is_object(rows) else rows[:MOST_ROWS]
    return {"rows": cut, "count": len(rows)}
