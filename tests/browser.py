"""A page in the machine's Chromium, driven by Playwright: for pages that are to be used and not only read."""

import shutil
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = shutil.which("chromium")
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None, reason="needs chromium and playwright"
)
_PATIENCE = 600.0


class Browser:
    """One page of a window of this size. Use it as a context manager; `problems` are what its console complained of.

    It is open no longer than it is used: as long as it is, no event loop can be run in the same thread.
    """

    def __init__(
        self, width: int = 1400, height: int = 950, scheme: Literal["dark", "light"] = "light", scripts: bool = True
    ) -> None:
        self._viewport = {"width": width, "height": height}
        self._scheme: Literal["dark", "light"] = scheme
        self._scripts = scripts
        self.problems: list[str] = []

    def __enter__(self) -> "Browser":
        from playwright.sync_api import sync_playwright

        self._playwright = sync_playwright().start()
        try:
            self._browser = self._playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        except BaseException:
            self._playwright.stop()
            raise
        self.page: Page = self._browser.new_page(
            viewport=self._viewport,  # pyright: ignore[reportArgumentType]
            color_scheme=self._scheme,
            java_script_enabled=self._scripts,
        )
        self.page.set_default_timeout(1000 * _PATIENCE)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda said: self.problems.append(said.text) if said.type == "error" else None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._browser.close()
        finally:
            self._playwright.stop()

    def open(self, address: str) -> None:
        self.page.goto(address)

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        return self.page.evaluate(script)

    def wait(self, script: str) -> Any:
        """The value of an expression once it is neither false nor an error."""
        from playwright.sync_api import Error

        end = time.monotonic() + _PATIENCE
        while True:
            try:
                found = self.run(script)
            except Error:
                found = None
            if found:
                return found
            assert time.monotonic() < end, f"nothing came: {script}"
            self.page.wait_for_timeout(20)

    def picture(self, path: Path) -> None:
        self.page.screenshot(path=path, full_page=True)

    def found_by_axe(self) -> list[str]:
        """The serious and critical findings of axe-core on the page as it is, in words."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page, options={"preload": False, "resultTypes": ["violations"]}).response["violations"]
        return [
            f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
            for one in found
            if one["impact"] in ("serious", "critical")
        ]
