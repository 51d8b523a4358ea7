"""A headless Chromium driven over its debugging protocol, for pages that are to be used and not only read."""

import base64
import contextlib
import json
import shutil
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("websockets") is None, reason="needs chromium, and websockets (the extra mcp)"
)
_PATIENCE = 600.0


class Browser:
    """One page. Use it as a context manager."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM
        command = [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--remote-debugging-port=0",
        ]
        command += ["--disable-background-networking", "--window-size=1400,950", f"--user-data-dir={folder}"]
        self._process = subprocess.Popen(
            [*command, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._folder = folder
        self._number = 0
        self._held = contextlib.ExitStack()
        self._socket: Any = None

    def __enter__(self) -> "Browser":
        from urllib.request import urlopen

        from websockets.sync.client import connect

        port = self.until(lambda: (self._folder / "DevToolsActivePort").read_text().splitlines()[0])
        pages = self.until(lambda: json.loads(urlopen(f"http://127.0.0.1:{port}/json/list").read()))
        page = next(page for page in pages if page["type"] == "page")
        self._socket = self._held.enter_context(connect(page["webSocketDebuggerUrl"], max_size=None))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held.close()
        self._process.terminate()
        self._process.wait()

    def ask(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(timeout=_PATIENCE))
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, address: str) -> None:
        self.ask("Page.navigate", url=address)

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, script: str) -> Any:
        """The value of an expression once it is neither false nor an error."""
        return self.until(lambda: self.run(script))

    def until(self, look: Any) -> Any:
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                found = look()
            except (OSError, IndexError, AssertionError):
                found = None
            if found:
                return found
            assert time.monotonic() < end, "nothing came"
            time.sleep(0.05)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))
