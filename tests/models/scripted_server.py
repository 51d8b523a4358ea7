"""A server of OpenAI's chat protocol on this machine, whose replies are scripted by a word of the prompt."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

KEY = "sk-planted-0123456789"
MODEL = "scripted"


@dataclass(frozen=True)
class Reply:
    """A reply: a status with a body, after `wait` seconds; `drop` closes the connection in the middle of it."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0
    drop: bool = False


def said(text: str | None, finish: str = "stop", **message: Any) -> Reply:
    """A completion; `message` holds further fields of the message, as `tool_calls` or `reasoning_content`."""
    return Reply(body=completion(text, finish, **message))


def completion(text: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    told = {"role": "assistant", "content": text, **message}
    return {
        "id": "c1", "object": "chat.completion", "created": 1, "model": MODEL,
        "choices": [{"index": 0, "message": told, "finish_reason": finish}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16},
    }  # fmt: skip


def refused(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    """An error in the protocol's own form."""
    return Reply(status, {"error": {"message": message, "type": "error", "code": code, "param": None}}, headers)


class Scripted:
    """What the server does: a list of replies for each word; the last one is given again and again.

    A prompt with none of the words is answered by `otherwise`. `asked` counts the requests that came, by word. The key
    has to be right, unless any is.
    """

    def __init__(
        self, script: Mapping[str, Sequence[Reply]], otherwise: Reply | None = None, *, any_key: bool = False
    ) -> None:
        self.any_key = any_key
        self.script = {word: list(replies) for word, replies in script.items()}
        self.otherwise = otherwise or said("ok")
        self.asked: dict[str, int] = {}
        self.bodies: list[dict[str, Any]] = []
        self.address = ""
        self._lock = Lock()
        self._open = 0

    def count(self, change: int) -> None:
        """Note a connection that was opened (1) or has ended (-1)."""
        with self._lock:
            self._open += change

    def left_alone(self, within: float) -> bool:
        """True when all connections have ended, or do so within these seconds."""
        until = time.monotonic() + within
        while self._open and time.monotonic() < until:
            time.sleep(0.01)
        return not self._open

    def reply(self, body: dict[str, Any], key: str) -> Reply:
        if key != KEY and not self.any_key:
            return refused(401, "Incorrect API key provided", "invalid_api_key")
        if body.get("model") != MODEL:
            return refused(404, f"The model {body.get('model')} does not exist", "model_not_found")
        text = "\n".join(str(message.get("content")) for message in body["messages"])
        word = next((word for word in self.script if word in text), "")
        with self._lock:
            self.asked[word] = self.asked.get(word, 0) + 1
            self.bodies.append(body)
            replies = self.script.get(word)
            if not replies:
                return self.otherwise
            return replies.pop(0) if len(replies) > 1 else replies[0]


@contextmanager
def serving(scripted: Scripted) -> Iterator[Scripted]:
    """The server, running; its address is in `scripted.address`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            scripted.count(1)

        def finish(self) -> None:
            scripted.count(-1)
            super().finish()

        def do_GET(self) -> None:
            self._send(Reply(body={"object": "list", "data": [{"id": MODEL, "object": "model"}]}))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if not self.path.endswith("/v1/chat/completions"):
                return self._send(refused(404, f"no route {self.path}"))
            return self._send(scripted.reply(body, self.headers.get("Authorization", "").removeprefix("Bearer ")))

        def _send(self, reply: Reply) -> None:
            time.sleep(reply.wait)
            content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            try:
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                for name, value in reply.headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(content[: len(content) // 2] if reply.drop else content)
            except (BrokenPipeError, ConnectionResetError):
                return  # whoever asked has gone
            if reply.drop:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    scripted.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield scripted
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
