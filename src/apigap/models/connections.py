"""Quicker connections to servers of OpenAI's protocol: aiohttp below the provider's own client.

Only where such a model is asked is this imported. What stays the client's or Inspect's: keys, headers, timeouts, tries,
redirects, the ways through proxies. Only `INSPECT_HTTP_POOL_KEEPALIVE_CONNECTIONS` has no effect here: aiohttp keeps an
idle connection until it expires.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import aiohttp
import httpx2
from openai import DefaultAsyncHttpxClient
from yarl import URL

if TYPE_CHECKING:
    from inspect_ai.model import Model

_ERRORS: tuple[tuple[type[Exception], type[httpx2.TransportError]], ...] = (
    (aiohttp.SocketTimeoutError, httpx2.ReadTimeout),
    (aiohttp.ServerTimeoutError, httpx2.ConnectTimeout),
    (aiohttp.ClientConnectorError, httpx2.ConnectError),
    (aiohttp.ServerDisconnectedError, httpx2.RemoteProtocolError),
    (aiohttp.ClientPayloadError, httpx2.RemoteProtocolError),
    (aiohttp.ClientResponseError, httpx2.RemoteProtocolError),
    (aiohttp.InvalidURL, httpx2.UnsupportedProtocol),
    (aiohttp.ClientError, httpx2.ReadError),
    (TimeoutError, httpx2.WriteTimeout),
)
"""Exceptions of aiohttp, and those that the client expects in their place; the first that fits.

aiohttp bounds all but the writing of a request, so a time that is over without a word of aiohttp's was spent on that.
"""
_NOT_CONNECTED = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
"""Nothing of a request is sent then, so that another try cannot ask twice."""
_PAUSE = 0.5
"""Seconds before the second of the further tries, doubled before each later one; the first comes at once."""
_LONGEST_HEADER = 65_536
TOGETHER = 4
"""Answers that are handed on at once: one is slower where memory is, since every step then comes with cold caches."""
_ROUNDS = 2
"""Of the event loop, from an answer to the next request: on the way Inspect lets others go first once."""
_SECONDS_UNTIL_PROBED, _TRIES = 60, 5
"""An answer may take half an hour, for which a router on the way keeps no silent connection."""


def quicken(model: "Model") -> "Connections | None":
    """Give the client of `model` these connections, and return them; None where it is not OpenAI's."""
    from inspect_ai._util.http_defaults_httpx2 import default_client_kwargs

    api: Any = model.api
    client = getattr(api, "http_client", None)
    if not isinstance(client, DefaultAsyncHttpxClient):
        return None
    settings = default_client_kwargs(timeout=client.timeout)
    retries = settings["transport"]._kwargs["retries"]
    settings["transport"] = connections = Connections(settings["limits"], settings.get("verify", True), retries)
    api.http_client = DefaultAsyncHttpxClient(**settings)
    api.initialize()
    return connections


class Connections(httpx2.AsyncBaseTransport):
    """HTTP/1.1 by aiohttp. Each event loop that asks has a pool of its own, which it closes by `aclose`.

    Answers that come at once are handed on a few at a time, so that whoever has one sends the next request before the
    others are read. Else all requests would go out together after the last answer was read, and their answers come
    together again. `retries` are the further tries where no connection came about.
    """

    def __init__(self, limits: httpx2.Limits, verify: ssl.SSLContext | bool = True, retries: int = 0) -> None:
        self._limits = limits
        self._verify = verify
        self._retries = retries
        self._pools: dict[asyncio.AbstractEventLoop, _Pool] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send the request, and return what came with its body still to be read.

        Raises:
            TransportError: of httpx2, as its own connections do.
        """
        pool = self._pool()
        with _as_the_client_expects():
            response = await self._begin(pool.session, request, await request.aread())
        try:
            await pool.turns.acquire()
        except BaseException:  # whoever asked has gone
            response.close()
            raise
        _after(_ROUNDS, pool.turns.release)
        return httpx2.Response(
            response.status,
            headers=response.raw_headers,
            stream=_Body(response),
            extensions={"http_version": b"HTTP/1.1", "reason_phrase": (response.reason or "").encode("latin-1")},
        )

    async def _begin(
        self, session: aiohttp.ClientSession, request: httpx2.Request, body: bytes
    ) -> aiohttp.ClientResponse:
        """The response when its head is there, after as many tries to connect as are allowed."""
        phases = request.extensions.get("timeout", {})
        for pause in [0.0, *(_PAUSE * 2**number for number in range(self._retries - 1))][: self._retries]:
            try:
                return await _once(session, request, body, phases)
            except _NOT_CONNECTED:
                await asyncio.sleep(pause)
        return await _once(session, request, body, phases)

    async def aclose(self) -> None:
        """Close the connections of the running loop; another request opens new ones."""
        if pool := self._pools.pop(asyncio.get_running_loop(), None):
            await pool.session.close()

    def _pool(self) -> "_Pool":
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            connector = aiohttp.TCPConnector(
                limit=self._limits.max_connections or 0,
                keepalive_timeout=self._limits.keepalive_expiry,
                ssl=self._verify if isinstance(self._verify, ssl.SSLContext) else httpx2.create_ssl_context(),
                socket_factory=_socket,
            )
            session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                skip_auto_headers=("User-Agent", "Content-Type", "Accept", "Accept-Encoding"),
                max_line_size=_LONGEST_HEADER,
                max_field_size=_LONGEST_HEADER,
            )
            self._pools[loop] = _Pool(session, asyncio.Semaphore(TOGETHER))
        return self._pools[loop]


class _Pool(NamedTuple):
    """The connections of one event loop, and the turns in which their answers are handed on."""

    session: aiohttp.ClientSession
    turns: asyncio.Semaphore


class _Body(httpx2.AsyncByteStream):
    """The body of a response as it comes."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_the_client_expects():
            async for piece in self._response.content.iter_any():
                yield piece

    async def aclose(self) -> None:
        """Give the connection back, or close it where something is still to come on it."""
        self._response.release()


async def _once(
    session: aiohttp.ClientSession, request: httpx2.Request, body: bytes, phases: Mapping[str, float | None]
) -> aiohttp.ClientResponse:
    async with asyncio.timeout(_sum(phases, "pool", "connect", "write", "read")):
        return await session.request(
            request.method,
            _address(request.url),
            headers=request.headers.multi_items(),
            data=body or None,
            allow_redirects=False,
            timeout=_timeout(phases),
        )


@contextmanager
def _as_the_client_expects() -> Generator[None]:
    try:
        yield
    except (aiohttp.ClientError, TimeoutError) as error:
        expected = next(to for of, to in _ERRORS if isinstance(error, of))
        raise expected(str(error) or type(error).__name__) from error


def _after(rounds: int, do: Callable[[], None]) -> None:
    """Call `do` when the running loop has gone round so many times."""
    loop = asyncio.get_running_loop()
    loop.call_soon(_after, rounds - 1, do) if rounds else do()


def _address(url: httpx2.URL) -> URL:
    """The URL without a name and password, which aiohttp refuses beside the header that the client made of them."""
    return URL(str(url.copy_with(userinfo=b"") if url.userinfo else url), encoded=True)


def _timeout(phases: Mapping[str, float | None]) -> aiohttp.ClientTimeout:
    """The limits of aiohttp; its `connect` bounds the wait for a connection and the look-up of a name as well."""
    return aiohttp.ClientTimeout(
        total=None,
        connect=_sum(phases, "pool", "connect"),
        sock_connect=phases.get("connect"),
        sock_read=phases.get("read"),
    )


def _sum(phases: Mapping[str, float | None], *names: str) -> float | None:
    """Seconds for these phases together; None where one of them has no limit."""
    seconds = [each for name in names if (each := phases.get(name)) is not None]
    return sum(seconds) if len(seconds) == len(names) else None


def _socket(address: tuple[Any, ...]) -> socket.socket:
    """A socket whose silence is probed every minute."""
    family, kind, protocol, *_ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, True)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, _SECONDS_UNTIL_PROBED)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, _SECONDS_UNTIL_PROBED)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, _TRIES)
    return made
