"""A package index on this machine, with small wheels that hold the pieces of a file."""

import hashlib
import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


class Index:
    """`files` maps paths to bodies; `asked` lists the paths that were requested."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, tuple[str, bytes]] = {}
        self.asked: list[str] = []
        self.url = ""

    def add_wheel(self, name: str, version: str, members: dict[str, bytes]) -> None:
        filename = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
        path = self.folder / filename
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in members.items():
                archive.writestr(member, data)
        body = path.read_bytes()
        self.files[f"/files/{filename}"] = ("application/octet-stream", body)
        page = {
            "meta": {"api-version": "1.1"}, "name": name, "versions": [version],
            "files": [{
                "filename": filename, "url": f"{self.url}/files/{filename}", "size": len(body),
                "hashes": {"sha256": hashlib.sha256(body).hexdigest()}, "upload-time": "2025-01-01T00:00:00Z",
            }],
        }  # fmt: skip
        self.files[f"/simple/{name}/"] = ("application/vnd.pypi.simple.v1+json", json.dumps(page).encode())


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    found = Index(tmp_path)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            kind, body = found.files.get(self.path, ("text/plain", b""))
            self.send_response(200 if self.path in found.files else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("UV_DEFAULT_INDEX", f"{found.url}/simple")
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    yield found
    server.shutdown()
    server.server_close()
