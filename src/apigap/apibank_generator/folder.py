"""The folder of a run: its files, and the counts that it was ordered with, one after the other."""

from pathlib import Path
from typing import cast

from apigap.apibank_generator.order import Order
from apigap.records.errors import UsageError
from apigap.records.manifest import read_manifest


class Folder:
    """The files of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = path / "manifest.json"
        self.transcripts = path / "transcripts.jsonl"
        self.progress = path / "progress.json"
        self.domains = path / "domains.jsonl"
        self.tools = path / "apis.jsonl"
        self.dialogues = path / "dialogues.jsonl"
        self.rejections = path / "rejections.jsonl"
        self.decisions = path / "decisions.jsonl"
        self.summary = path / "summary.json"
        self.formats = path / "formats"

    def continued(self, order: Order) -> Order:
        """The order with the counts of the shorter ones that were given for this folder before.

        Raises:
            UsageError: when it was ordered with a larger count before.
        """
        if not self.manifest.exists():
            return order
        counts = cast("list[int]", read_manifest(self.manifest).made_from.get("counts", []))
        if counts and order.count < counts[-1]:
            raise UsageError(
                f"{self.path} is a run of {counts[-1]} dialogues, which can be made longer and not shorter: give "
                f"--count {counts[-1]} or more, or another --out"
            )
        return order.model_copy(update={"earlier": tuple(count for count in counts if count < order.count)})


def finished(path: Path) -> Folder:
    """The folder of a run that came to its end.

    Raises:
        UsageError: when it holds none.
    """
    folder = Folder(path)
    if not folder.dialogues.exists():
        raise UsageError(
            f"{path} holds no dialogues; give the --out folder of an `apigap apibank generate` that came to its end"
        )
    return folder
