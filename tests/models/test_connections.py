"""The connections below OpenAI's client do what httpx2's own do, and hand answers on a few at a time."""

import asyncio
import gc
import gzip
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from inspect_ai.model import get_model

from apigap.models.connections import TOGETHER, Connections, quicken
from apigap.models.generate import Generator
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.records.model_providers import ACCESS
from tests.models.scripted_server import KEY, MODEL, Scripted, said, serving

ZIPPED = gzip.compress(b"written small")
OK = b"HTTP/1.1 200 OK\r\n"
REPLIES: dict[str, bytes] = {
    "plain": OK + b"Content-Type: text/plain\r\nContent-Length: 3\r\n\r\nyes",
    "chunks": OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nye\r\n1\r\ns\r\n0\r\n\r\n",
    "until the end": OK + b"Connection: close\r\n\r\nyes",
    "zipped": OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(ZIPPED) + ZIPPED,
    "nothing": b"HTTP/1.1 204 No Content\r\n\r\n",
    "elsewhere": b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
    "busy": b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nbusy",
    "long header": OK + b"X-Long: " + b"x" * 20_000 + b"\r\nContent-Length: 0\r\n\r\n",
    "two of a name": OK + b"X-Two: 1\r\nX-Two: 2\r\nContent-Length: 0\r\n\r\n",
    "cut": OK + b"Content-Length: 9\r\n\r\nyes",
    "hung up": b"",
    "no HTTP": b"SSH-2.0-none\r\n\r\n",
    "silent": b"silent",
}


@asynccontextmanager
async def answering(serve: Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]) -> AsyncIterator[str]:
    """A server that hands each request's head to `serve`, which writes and may hang up."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await serve(head, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


async def exchange(transport: httpx2.AsyncBaseTransport, reply: bytes) -> tuple[Any, list[bytes]]:
    """What a client made of the reply, or the error's type, and the heads that the server saw."""
    heads: list[bytes] = []

    async def serve(head: bytes, writer: asyncio.StreamWriter) -> None:
        heads.append(head)
        if reply == b"silent":
            return
        writer.write(reply)
        if reply in (b"", REPLIES["cut"], REPLIES["until the end"], REPLIES["no HTTP"]):
            writer.close()

    patience = 0.3 if reply == b"silent" else 10
    async with answering(serve) as address, httpx2.AsyncClient(transport=transport, timeout=patience) as client:
        try:
            sent = {"X-Own": "1", "Cookie": "a=b"}
            url = f"{address.replace('//', '//user:pass%40word@')}/v1/a%2Fb?c=%20d"
            found = await client.post(url, headers=sent, content=b"{}")
        except httpx2.TransportError as error:
            return type(error), heads
        return (found.status_code, found.reason_phrase, found.headers.multi_items(), found.content), heads


def shape(heads: list[bytes]) -> list[list[bytes]]:
    """The heads without the server's port, which differs; names of headers in any case and order."""
    found: list[list[bytes]] = []
    for head in heads:
        first, *lines = head.strip().split(b"\r\n")
        pairs = [line.split(b": ", 1) for line in lines]
        found.append([first, *sorted(n.lower() + b": " + v for n, v in pairs if n.lower() != b"host")])
    return found


@pytest.mark.parametrize("name", REPLIES)
def test_a_reply_is_what_it_is_by_other_connections(name: str) -> None:
    ours, seen = asyncio.run(exchange(Connections(httpx2.Limits()), REPLIES[name]))
    theirs, expected = asyncio.run(exchange(httpx2.AsyncHTTPTransport(), REPLIES[name]))
    assert ours == theirs
    assert shape(seen) == shape(expected) and seen


def test_nobody_there_is_said_as_before() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"

        async def ask(transport: httpx2.AsyncBaseTransport) -> None:
            async with httpx2.AsyncClient(transport=transport) as client:
                await client.get(address)

        for transport in (Connections(httpx2.Limits()), httpx2.AsyncHTTPTransport()):
            with pytest.raises(httpx2.ConnectError):
                asyncio.run(ask(transport))


@pytest.mark.parametrize(
    "make", [lambda: Connections(httpx2.Limits()), httpx2.AsyncHTTPTransport], ids=["ours", "theirs"]
)
def test_a_server_that_does_not_read_is_given_up_in_time(make: Callable[[], httpx2.AsyncBaseTransport]) -> None:
    """What is sent is larger than all that the machine keeps for whoever does not read."""
    ended = asyncio.Event()

    async def never_reads(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await ended.wait()
        writer.transport.abort()

    async def run() -> None:
        server = await asyncio.start_server(never_reads, "127.0.0.1", 0)
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with httpx2.AsyncClient(transport=make(), timeout=0.1) as client:
            with pytest.raises(httpx2.WriteTimeout):
                await asyncio.wait_for(client.post(address, content=bytes(32_000_000)), 5)
        ended.set()
        server.close()

    asyncio.run(run())


def test_a_wait_for_a_connection_ends_in_time() -> None:
    """So does the look-up of a name, which aiohttp holds against the same limit."""

    async def run() -> None:
        async def silent(head: bytes, writer: asyncio.StreamWriter) -> None:
            return

        async with answering(silent) as address:
            transport = Connections(httpx2.Limits(max_connections=1))
            async with httpx2.AsyncClient(transport=transport) as client:
                first = asyncio.create_task(client.get(address, timeout=60))
                await asyncio.sleep(0.05)
                with pytest.raises(httpx2.TimeoutException):
                    await asyncio.wait_for(client.get(address, timeout=httpx2.Timeout(30, connect=0.1, pool=0.1)), 5)
                first.cancel()

    asyncio.run(run())


@pytest.mark.parametrize(("retries", "found"), [(0, None), (3, 200)])
def test_a_server_that_comes_late_is_found_by_another_try(retries: int, found: int | None) -> None:
    async def run() -> int | None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(REPLIES["plain"])
            writer.close()

        with socket.socket() as later:
            later.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{later.getsockname()[1]}"
            async with httpx2.AsyncClient(transport=Connections(httpx2.Limits(), retries=retries)) as client:
                asked = asyncio.create_task(client.get(address))
                await asyncio.sleep(0.1)
                server = await asyncio.start_server(serve, sock=later)
                try:
                    return (await asked).status_code
                except httpx2.ConnectError:
                    return None
                finally:
                    server.close()

    assert asyncio.run(run()) == found


def test_no_cookie_comes_back() -> None:
    async def run() -> list[bytes]:
        heads: list[bytes] = []

        async def serve(head: bytes, writer: asyncio.StreamWriter) -> None:
            heads.append(head)
            writer.write(OK + b"Set-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n")

        async with answering(serve) as address:
            transport = Connections(httpx2.Limits())
            for _ in range(2):
                await transport.handle_async_request(httpx2.Request("GET", address))
            await transport.aclose()
        return heads

    first, second = asyncio.run(run())
    assert first == second and b"cookie" not in second.lower()


def test_answers_that_come_at_once_are_handed_on_a_few_at_a_time() -> None:
    """So a request goes out before most of the others' answers are read."""
    count, order = 32, []

    async def run() -> None:
        waiting: list[asyncio.StreamWriter] = []

        async def serve(head: bytes, writer: asyncio.StreamWriter) -> None:
            waiting.append(writer)
            if len(waiting) == count:
                for each in waiting:
                    each.write(REPLIES["plain"])

        async with answering(serve) as address:
            transport = Connections(httpx2.Limits())

            async def ask() -> None:
                await transport.handle_async_request(httpx2.Request("GET", address))
                order.append("read")
                await asyncio.sleep(0)
                order.append("sent")

            await asyncio.gather(*(ask() for _ in range(count)))
            await transport.aclose()

    asyncio.run(run())
    ahead = [order[:end].count("read") - order[:end].count("sent") for end in range(len(order))]
    assert len(order) == 2 * count and 1 < max(ahead) <= TOGETHER


def test_whoever_gives_up_takes_no_turn_with_him() -> None:
    """Answers that nobody waits for any more do not keep those of others."""

    async def run() -> int:
        async def serve(head: bytes, writer: asyncio.StreamWriter) -> None:
            writer.write(REPLIES["plain"])

        async with answering(serve) as address:
            transport = Connections(httpx2.Limits())

            async def ask() -> int:
                return (await transport.handle_async_request(httpx2.Request("GET", address))).status_code

            for pause in (0, 0.001, 0.002, 0.004, 0.008):
                asked = [asyncio.create_task(ask()) for _ in range(3 * TOGETHER)]
                await asyncio.sleep(pause)
                for task in asked:
                    task.cancel()
                await asyncio.gather(*asked, return_exceptions=True)
            found = await asyncio.wait_for(asyncio.gather(*(ask() for _ in range(3 * TOGETHER))), 5)
            await transport.aclose()
        return found.count(200)

    assert asyncio.run(run()) == 3 * TOGETHER


PROVIDERS = [name for name, access in ACCESS.items() if access.module == "openai" and not access.here]


@pytest.mark.parametrize("provider", [*PROVIDERS, "openai-api"])
def test_clients_of_openai_have_these_connections_and_keep_their_times(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, model = ("local", f"{provider}/local/m") if provider == "openai-api" else (provider, f"{provider}/m")
    word = service.upper().replace("-", "_")
    monkeypatch.setenv(f"{word}_API_KEY", KEY)
    monkeypatch.setenv(f"{word}_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("INSPECT_HTTP_CONNECT_RETRIES", "4")
    loaded = get_model(model, memoize=False)
    api: Any = loaded.api
    before = api.http_client.timeout
    quick = quicken(loaded)
    assert quick and api.client._client is api.http_client
    assert api.client._client._transport is quick and api.http_client.timeout == before
    assert quick._retries == 4


def test_nothing_stays_open_and_the_collector_looks_at_nothing_that_was_there(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    frozen: list[int] = []

    def note(key: str, sample: int, answer: Answer) -> None:
        if key == "t0":
            frozen.append(gc.get_freeze_count())

    with serving(Scripted({}, said("yes"))) as server, caplog.at_level(logging.WARNING):
        monkeypatch.setenv("LOCAL_BASE_URL", server.address)
        monkeypatch.setenv("LOCAL_API_KEY", KEY)
        with Generator(f"openai-api/local/{MODEL}", Decoding(max_tokens=4), connections=8, cache=False) as generator:
            for count in (100, 2):  # each in an event loop of its own
                generator.generate([GenerationRequest(key=f"t{number}", prompt="x") for number in range(count)], note)
                assert generator._quick and generator._quick._pools == {}
                assert server.left_alone(within=5.0)
    many, few = frozen
    assert many > 10_000 and few == gc.get_freeze_count() < many
    assert "nclosed" not in caplog.text


def test_a_proxy_of_the_environment_is_asked_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Scripted({}, said("by the proxy"))) as proxy:
        for name in ("http_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, proxy.address.removesuffix("/v1"))
        for name in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("LOCAL_BASE_URL", "http://nowhere.invalid/v1")
        monkeypatch.setenv("LOCAL_API_KEY", KEY)
        with Generator(f"openai-api/local/{MODEL}", Decoding(max_tokens=4), cache=False) as generator:
            (answer,) = generator.answer(GenerationRequest(key="a", prompt="x"))
    assert answer.text == "by the proxy"
