"""A server of OpenAI's chat protocol that answers each request after a while, to see what asking costs."""

import asyncio
import sys
from itertools import count

_TEXT = '{"role":"assistant","content":"```python\\nx = 1\\n```"}'
_BODY = (
    '{"id":"c%d","object":"chat.completion","created":1,"model":"slow","choices":[{"index":0,"message":' + _TEXT + ","
    '"finish_reason":"stop"}],"usage":{"prompt_tokens":11,"completion_tokens":5,"total_tokens":16}}'
)
_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


class SlowAnswers(asyncio.Protocol):
    """One connection; requests are not read further than to their end, so that the server costs next to nothing."""

    numbers = count()

    def __init__(self, wait: float) -> None:
        self._wait = wait
        self._read = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer every whole request after the wait."""
        self._read += data
        while (head := self._read.find(b"\r\n\r\n")) >= 0:
            end = head + 4 + _length(self._read[:head])
            if len(self._read) < end:
                return
            self._read = self._read[end:]
            asyncio.get_running_loop().call_later(self._wait, self._answer)

    def _answer(self) -> None:
        if self._transport and not self._transport.is_closing():
            body = (_BODY % next(self.numbers)).encode()
            self._transport.write((_HEAD % len(body)).encode() + body)


def _length(head: bytes) -> int:
    _, found, rest = head.lower().partition(b"content-length:")
    return int(rest.split(b"\r\n")[0]) if found else 0


async def main(wait: float) -> None:
    """Serve on a free port of this machine, which is printed, until the process is ended."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SlowAnswers(wait), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
