"""The review of a run: its folder behind a page on this machine."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from apigap.apibank_generator.records import Dialogue, Rejection
from apigap.apibank_generator.run import Folder, write_files
from apigap.records.errors import UsageError
from apigap.records.extras import from_extra
from apigap.records.store import load_records

if TYPE_CHECKING:
    from apigap.reporting.local_server import LocalServer


@contextmanager
def review_of(data: Path, port: int) -> "Generator[LocalServer]":
    """The server of the page for the run in `data`; at the end the training files are written with the decisions.

    Raises:
        UsageError: when the folder holds no finished run.
        InfrastructureError: when the port is taken, or the extra `serve` is not installed.
    """
    with from_extra("serve", "a page in a browser"):
        from apigap.apibank_generator.review_page.web import Review, review_server
    folder = _folder(data)
    review = Review(
        load_records(folder.dialogues, Dialogue),
        load_records(folder.rejections, Rejection),
        folder.decisions,
        lambda: write_files(folder),
    )
    try:
        with review_server(review, port) as server:
            yield server
    finally:  # a person ends it by Ctrl+C
        review.close()
        write_files(folder)


def apply_decisions(data: Path) -> dict[str, int]:
    """Write the training files of a run with the decisions that were made; rows per file."""
    return write_files(_folder(data))


def _folder(data: Path) -> Folder:
    folder = Folder(data)
    if not folder.dialogues.exists():
        raise UsageError(
            f"{data} holds no dialogues; give the --out folder of an `apigap apibank generate` that came to its end"
        )
    return folder
