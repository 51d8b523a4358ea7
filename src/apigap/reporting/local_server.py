"""A small server for a page in a browser on this machine: static files, and addresses that answer in JSON.

It listens on this machine only, and answers only to that name, so that no page of another site can use it. Nothing is
written into HTML here: a page's script puts texts where they belong as text.
"""

import json
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from apigap.records.errors import ApigapError, InfrastructureError
from apigap.records.json_shapes import is_object

ADDRESS = "127.0.0.1"
_SHARED = files("apigap.reporting").joinpath("local_page.css")  # colours and the frame of every page
MOST_BYTES = 2_000_000
_FILES = {
    "/": ("page.html", "text/html"), "/page.js": ("page.js", "text/javascript"), "/page.css": ("page.css", "text/css"),
}  # fmt: skip
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class Refusal(Exception):
    """A request that is answered with an HTTP status and a reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class LocalHandler(BaseHTTPRequestHandler):
    """Answers one connection. `package` holds `page.html`, `page.js` and `page.css`; `get` and `post` do the rest."""

    package = ""
    timeout = 30

    def get(self) -> None:
        """Answer a GET of anything but the page."""
        raise Refusal(404, "there is nothing here")

    def post(self) -> None:
        """Answer a POST, whose body is JSON."""
        raise Refusal(404, "there is nothing here")

    def do_GET(self) -> None:
        """The page and what belongs to it, or what `get` gives."""
        self._answer(self._get)

    def do_POST(self) -> None:
        """What `post` gives."""
        self._answer(self._post)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged: the page shows what was done."""

    def body(self) -> dict[str, Any]:
        """The JSON object that was sent; anything else is refused."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > 12:
            raise Refusal(411, "the length of the request is missing")
        if int(length) > MOST_BYTES:
            self.close_connection = True
            raise Refusal(413, f"a request may have {MOST_BYTES} bytes")
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise Refusal(400, "this is no JSON") from None
        if not is_object(body):
            raise Refusal(400, "this is no JSON object")
        return body

    def send(self, status: int, text: str, kind: str, further: Mapping[str, str] | None = None) -> None:
        """Send an answer; `further` are headers beside the usual ones."""
        data = text.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in {**_HEADERS, **(further or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _answer(self, respond: Callable[[], None]) -> None:
        try:
            self._check_host()
            respond()
        except Refusal as refusal:
            self.send(refusal.status, json.dumps({"error": str(refusal)}), "application/json")
        except ApigapError as error:  # data that is not there, told in the page
            self.send(500, json.dumps({"error": str(error)}), "application/json")

    def _check_host(self) -> None:
        port: int = self.connection.getsockname()[1]
        if self.headers.get("Host") not in (f"{ADDRESS}:{port}", f"localhost:{port}"):
            raise Refusal(403, "this server answers only under its own name")

    def _get(self) -> None:
        path = urlsplit(self.path).path
        if path in _FILES:
            name, kind = _FILES[path]
            own = files(self.package).joinpath(name).read_text("utf-8")
            self.send(200, _SHARED.read_text("utf-8") + own if kind == "text/css" else own, kind)
        else:
            self.get()

    def _post(self) -> None:
        if self.headers.get_content_type() != "application/json":
            raise Refusal(415, "send JSON")
        self.post()


def listen(handler: type[LocalHandler], port: int) -> ThreadingHTTPServer:
    """The server, bound to this machine; port 0 takes a free one.

    Raises:
        InfrastructureError: when the port is taken.
    """
    try:
        server = ThreadingHTTPServer((ADDRESS, port), handler)
    except OSError as error:
        raise InfrastructureError(
            f"port {port} cannot be used ({error.strerror}); choose another with --port"
        ) from None
    server.daemon_threads = True
    return server
