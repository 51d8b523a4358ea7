"""A page for a browser on this machine: static files, and addresses that answer in JSON.

It listens on this machine only, and answers only to that name and to its own page, so that no page of another site can
use it; and only to who sends the token that it shows at its start, so that no other user of the machine can. The files
of a folder have the token in their address. Nothing is written into HTML here: a page's script puts texts where they
belong as text.
"""

import json
import secrets
import socket
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, DispatchFunction, RequestResponseEndpoint
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from apigap.records.errors import ApigapError, InfrastructureError
from apigap.records.parsing.json_shapes import is_object

ADDRESS = "127.0.0.1"
MOST_BYTES = 2_000_000
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}

Endpoint = Callable[[Request], Awaitable[Response]]


def _local_app(files: Sequence[BaseRoute], routes: Sequence[Route], token: str) -> Starlette:
    """An application with the `routes`, which ask for `token`, and files that do not."""
    return Starlette(
        routes=[*routes, *files],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=_guard(token, frozenset(route.path for route in routes)))],
        exception_handlers={HTTPException: _refused, ApigapError: _refused},
    )


def _page_of(package: str) -> list[BaseRoute]:
    """The files of the folder `static` of `package`, and those that all such pages share."""
    return [
        Mount("/shared", StaticFiles(packages=[("apigap.reporting", "static")])),
        Mount("/", StaticFiles(packages=[(package, "static")], html=True)),
    ]


def as_answer(value: object, status: int = 200) -> Response:
    """A value as JSON in plain ASCII, so that half a surrogate pair harms nobody."""
    return Response(json.dumps(value), status, media_type="application/json")


def post(path: str, respond: Callable[[Request, dict[str, Any]], Response]) -> Route:
    """The route of a POST whose body is a JSON object; `respond` runs in a thread, as it may read files."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(respond, request, await _json_object(request))

    return Route(path, endpoint, methods=["POST"])


class LocalServer:
    """The `routes` and the page of `files` at a port of this machine. Use it as a context manager.

    The routes ask for `token` (`Authorization: Bearer TOKEN`). The page of a package and its script are for everybody;
    a folder is for who knows the token.
    """

    def __init__(self, files: str | Path, routes: Sequence[Route], port: int) -> None:
        """Bind the port; 0 takes a free one.

        Raises:
            InfrastructureError: when the port is taken.
        """
        try:
            self._socket = socket.create_server((ADDRESS, port))
        except OSError as error:
            raise InfrastructureError(
                f"port {port} cannot be used ({error.strerror}); choose another with --port"
            ) from None
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        self._folder = isinstance(files, Path)
        served = [Mount(f"/{self.token}", StaticFiles(directory=files, html=True))] if self._folder else None
        app = _local_app(served or _page_of(str(files)), routes, self.token)
        self._server = uvicorn.Server(
            uvicorn.Config(app, loop="asyncio", http="h11", ws="none", lifespan="off", log_level="error",
                           server_header=False, timeout_graceful_shutdown=2)
        )  # fmt: skip

    @property
    def address(self) -> str:
        """The address of the routes and of the page."""
        return f"http://{ADDRESS}:{self.port}/"

    @property
    def page(self) -> str:
        """The address to open in a browser, with the token: of a package's page in the part that no server is sent."""
        return f"{self.address}{self.token}/" if self._folder else f"{self.address}#token={self.token}"

    def __enter__(self) -> "LocalServer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def serve(self) -> None:
        """Answer until `stop` or Ctrl+C."""
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """End `serve`, which runs in another thread."""
        self._server.should_exit = True


def _guard(token: str, paths: frozenset[str]) -> DispatchFunction:
    async def guarded(request: Request, call_next: RequestResponseEndpoint) -> Response:
        try:
            _check(request)
            if request.url.path in paths:
                _check_token(request, token)
            response = await call_next(request)
        except HTTPException as refusal:
            response = _refused(request, refusal)
        response.headers.update(_HEADERS)
        return response

    return guarded


def _check_token(request: Request, token: str) -> None:
    """Refuse who does not know the token, in a time that tells nothing of it."""
    kind, _, sent = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not secrets.compare_digest(sent.strip().encode(), token.encode()):
        raise HTTPException(
            401, "the token is missing or wrong; send the one that was shown at the start, as Authorization: Bearer "
            "TOKEN, or open the page by the address that was shown", {"WWW-Authenticate": "Bearer"},
        )  # fmt: skip


def _check(request: Request) -> None:
    """Refuse what the page of this server would not send: another host's name, another site's page, no JSON."""
    port = request.scope["server"][1]
    own = [f"{ADDRESS}:{port}", f"localhost:{port}"]
    if request.headers.get("Host") not in own:
        raise HTTPException(403, "this server answers only under its own name")
    origin = request.headers.get("Origin")
    if origin is not None and origin not in [f"http://{host}" for host in own]:
        raise HTTPException(403, "this server answers only to its own page")
    if request.method == "POST":
        _check_body(request)


def _check_body(request: Request) -> None:
    if request.headers.get("Content-Type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "send JSON")
    length = request.headers.get("Content-Length")
    if length is None:
        raise HTTPException(411, "the length of the request is missing")
    if int(length) > MOST_BYTES:
        raise HTTPException(413, f"a request may have {MOST_BYTES} bytes")


async def _json_object(request: Request) -> dict[str, Any]:
    try:
        body = await request.json()
    except (ValueError, RecursionError):
        raise HTTPException(400, "this is no JSON") from None
    except ClientDisconnect:
        raise HTTPException(400, "the request ended before its end") from None
    if not is_object(body):
        raise HTTPException(400, "this is no JSON object")
    return body


def _refused(request: Request, error: Exception) -> Response:
    """The reason as JSON, which the page shows; data that is not there is told in this way too."""
    if isinstance(error, HTTPException):
        answer = as_answer({"error": error.detail}, error.status_code)
        answer.headers.update(error.headers or {})
        return answer
    return as_answer({"error": str(error)}, 500)
