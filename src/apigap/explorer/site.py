"""The explorer as static files: they work on any host, and without one where a browser opens them as files."""

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from apigap.explorer.dataset import Dataset
from apigap.explorer.downloads import write_downloads
from apigap.explorer.payload import Payload
from apigap.explorer.script import FOLDER, licences, page_script
from apigap.records.base import Json
from apigap.records.errors import UsageError
from apigap.records.progress import Progress
from apigap.records.store import write_text

SCRIPT, STYLE, DATA, DOWNLOADS = "explorer.js", "explorer.css", "data", "downloads"


def write_site(data: Dataset, out: Path, progress: Progress) -> Path:
    """Write the pages of `data` into the folder `out`, over those of an earlier time; returns the page to open.

    Raises:
        UsageError: when the folder holds something else.
        InfrastructureError: when polars is not installed, or the disk is full.
    """
    if out.exists() and not is_site(out) and (not out.is_dir() or any(out.iterdir())):
        told = "holds other files" if out.is_dir() else "is a file"
        raise UsageError(f"{out} {told}; give with --out a folder that is empty or does not exist")
    step = progress.step("writing pages")
    step(0, 1)
    write_text(out / SCRIPT, page_script(), sync=False)
    write_text(out / "LICENSES.txt", licences(), sync=False)
    write_text(out / STYLE, page_style(), sync=False)
    downloads = write_downloads(data, out / DOWNLOADS)
    written: set[str] = set()
    for name, text in _data_files(Payload(data, downloads)):
        write_text(out / DATA / f"{name}.js", text, sync=False)
        written.add(f"{name}.js")
    for old in (out / DATA).glob("*.js"):
        if old.name not in written:
            old.unlink()
    index = out / "index.html"
    write_text(index, _own("index.html"))
    step(1, 1)
    return index


def is_site(folder: Path) -> bool:
    """True for a folder that `write_site` wrote."""
    return (folder / SCRIPT).is_file() and (folder / DATA).is_dir()


def data_file(name: str, value: Json) -> str:
    """A data file: a script that hands its text to the page, as no page that is opened as a file may read others.

    The text is JSON within JSON, in plain ASCII, so that nothing in it can be a part of the script.
    """
    return f"apigapData({json.dumps(name)},{json.dumps(json.dumps(value, separators=(',', ':'), allow_nan=False))});\n"


def page_style() -> str:
    """The style: that of reports, and after it what the explorer has beside it."""
    return (files("apigap.reporting") / "templates" / "report.css").read_text(encoding="utf-8") + _own("explorer.css")


def _data_files(payload: Payload) -> Iterator[tuple[str, str]]:
    for name, value in payload.shards():
        yield name, data_file(name, value)


def _own(name: str) -> str:
    return (FOLDER / "page" / name).read_text(encoding="utf-8")
