"""A package index on this machine: real HTTP, with ranges, broken connections and errors on demand."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class IndexServer:
    """`files` maps a path to its content; `moved` to another address; `failures` holds status codes to answer first;
    `requests` what was asked.
    """

    def __init__(self) -> None:
        self.files: dict[str, tuple[str, bytes]] = {}
        self.moved: dict[str, str] = {}
        self.encodings: dict[str, str] = {}
        self.failures: list[int] = []
        self.cut_after: int | None = None
        self.ranges = True
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.url = ""

    def add_project(self, name: str, files: list[dict[str, object]]) -> None:
        body = json.dumps({"meta": {"api-version": "1.1"}, "name": name, "files": files}).encode()
        self.files[f"/simple/{name}/"] = ("application/vnd.pypi.simple.v1+json", body)

    def add_file(self, filename: str, content: bytes, **more: object) -> dict[str, object]:
        """Serve `content`, and give its entry for a project page, with a relative address."""
        self.files[f"/files/{filename}"] = ("application/octet-stream", content)
        digest = hashlib.sha256(content).hexdigest()
        return {"filename": filename, "url": f"../../files/{filename}", "hashes": {"sha256": digest}, **more}


@contextmanager
def index_server() -> Iterator[IndexServer]:
    """An index that runs while the block does."""
    index = IndexServer()

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            index.requests.append((self.path, dict(self.headers)))
            if index.failures:
                self.send_error(index.failures.pop(0))
            elif self.path in index.moved:
                self.send_response(302)
                self.send_header("Location", index.moved[self.path])
                self.end_headers()
            elif self.path not in index.files:
                self.send_error(404)
            else:
                self._answer(*index.files[self.path])

        def _answer(self, media_type: str, content: bytes) -> None:
            wanted = self.headers.get("Range", "") if index.ranges else ""
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            start = int(first) if first else max(0, len(content) - int(last)) if last else 0
            if start >= len(content) > 0:
                self.send_error(416)
                return
            end = int(last) + 1 if first and last else len(content)
            body = content[start:end]
            self.send_response(206 if wanted else 200)
            if wanted:
                self.send_header("Content-Range", f"bytes {start}-{start + len(body) - 1}/{len(content)}")
            if self.path in index.encodings:
                self.send_header("Content-Encoding", index.encodings[self.path])
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "HEAD":
                return
            cut, index.cut_after = index.cut_after, None
            self.wfile.write(body if cut is None else body[:cut])

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    index.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield index
    finally:
        server.shutdown()
        server.server_close()
