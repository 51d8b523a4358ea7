"""The APIs in a browser: one page, its script and style, and three addresses that answer in JSON.

It listens on this machine only, and answers only to that name, so that no page of another site can use it.
"""

import json
from dataclasses import asdict
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from apigap.benchmarks.apibank.registry import Pool
from apigap.benchmarks.apibank_serve.desk import POOLS, Office, as_json
from apigap.benchmarks.apibank_serve.sessions import Session, Sessions
from apigap.benchmarks.shapes import is_object
from apigap.records.errors import ApigapError, InfrastructureError

ADDRESS = "127.0.0.1"
MOST_BYTES = 2_000_000
MOST_ROWS = 100
_COOKIE = "apibank"
_FILES = {
    "/": ("page.html", "text/html"), "/page.js": ("page.js", "text/javascript"), "/page.css": ("page.css", "text/css"),
}  # fmt: skip
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class _Refusal(Exception):
    """A request that is answered with an HTTP status and a reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def web_server(office: Office, port: int) -> ThreadingHTTPServer:
    """The server, bound to this machine; port 0 takes a free one.

    Raises:
        InfrastructureError: when the port is taken.
    """
    sessions = Sessions(office)

    class Handler(_Handler):
        def __init__(self, *given: Any) -> None:
            self.sessions = sessions
            super().__init__(*given)

    try:
        server = ThreadingHTTPServer((ADDRESS, port), Handler)
    except OSError as error:
        raise InfrastructureError(
            f"port {port} cannot be used ({error.strerror}); choose another with --port"
        ) from None
    server.daemon_threads = True
    return server


class _Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    sessions: Sessions
    timeout = 30

    def do_GET(self) -> None:
        """The page and what belongs to it, the APIs, a database."""
        self._answer(self._get)

    def do_POST(self) -> None:
        """A call, or all databases as they were."""
        self._answer(self._post)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged: the page shows what was done."""

    def _answer(self, respond: Any) -> None:
        try:
            self._check_host()
            respond()
        except _Refusal as refusal:
            self._send(refusal.status, as_json({"error": str(refusal)}), "application/json")
        except ApigapError as error:  # data that is not there, told in the page
            self._send(500, as_json({"error": str(error)}), "application/json")

    def _check_host(self) -> None:
        port: int = self.connection.getsockname()[1]
        if self.headers.get("Host") not in (f"{ADDRESS}:{port}", f"localhost:{port}"):
            raise _Refusal(403, "this server answers only under its own name")

    def _get(self) -> None:
        parts = urlsplit(self.path)
        if parts.path in _FILES:
            name, kind = _FILES[parts.path]
            self._send(200, files("apigap.benchmarks.apibank_serve").joinpath(name).read_text("utf-8"), kind)
        elif parts.path == "/apis":
            self._send_json(apis(self.sessions.office))
        elif parts.path == "/rows":
            asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
            key, session = self._session()
            with session.lock:
                rows = session.desk(_pool(asked.get("pool"))).rows(asked.get("api", ""))
            self._send_json(_first(rows), key)
        else:
            raise _Refusal(404, "there is nothing here")

    def _post(self) -> None:
        if self.headers.get_content_type() != "application/json":
            raise _Refusal(415, "send JSON")
        key, session = self._session()
        body = self._body()
        with session.lock:
            if self.path == "/call":
                self._send_json(_called(session, body), key)
            elif self.path == "/reset":
                session.reset()
                self._send_json({}, key)
            else:
                raise _Refusal(404, "there is nothing here")

    def _body(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > 12:
            raise _Refusal(411, "the length of the request is missing")
        if int(length) > MOST_BYTES:
            self.close_connection = True
            raise _Refusal(413, f"a request may have {MOST_BYTES} bytes")
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise _Refusal(400, "this is no JSON") from None
        if not is_object(body):
            raise _Refusal(400, "this is no JSON object")
        return body

    def _session(self) -> tuple[str, Session]:
        try:
            cookies = SimpleCookie(self.headers.get("Cookie", ""))
        except CookieError:
            cookies = SimpleCookie()
        return self.sessions.of(cookies[_COOKIE].value if _COOKIE in cookies else "")

    def _send_json(self, value: Any, key: str | None = None) -> None:
        self._send(200, as_json(value), "application/json", key)

    def _send(self, status: int, text: str, kind: str, key: str | None = None) -> None:
        data = text.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        if key is not None:
            self.send_header("Set-Cookie", f"{_COOKIE}={key}; HttpOnly; SameSite=Strict; Path=/")
        self.end_headers()
        self.wfile.write(data)


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
    raise _Refusal(404, f"there is no pool of that name; there are {', '.join(POOLS)}")


def _called(session: Session, body: dict[str, Any]) -> Any:
    arguments: Any = body.get("arguments", {})
    if not isinstance(body.get("api"), str) or not is_object(arguments):
        raise _Refusal(400, "a call has an api (text) and arguments (an object)")
    return asdict(session.desk(_pool(body.get("pool"))).call(body["api"], arguments))


def _first(rows: Any) -> dict[str, Any]:
    """The first rows of a database, and how many there are."""
    if rows is None:
        return {"rows": None, "count": 0}
    cut: Any = dict(list(rows.items())[:MOST_ROWS]) if is_object(rows) else rows[:MOST_ROWS]
    return {"rows": cut, "count": len(rows)}
