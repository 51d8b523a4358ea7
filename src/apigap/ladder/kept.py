"""Items on disk: made once for a pair of releases, with a report and a manifest beside them, and read from then on."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from apigap.ladder.executed.work import beside
from apigap.ladder.make import ItemsReport
from apigap.ladder.release import ItemsRun
from apigap.ladder.twins.words import words_hash
from apigap.records.base import Json
from apigap.records.errors import UsageError
from apigap.records.manifest import Stage
from apigap.records.questions.ladder import LadderItem
from apigap.records.sources import CodeIdentity
from apigap.records.store import load_records, read_bytes, write_records, write_text
from apigap.records.target import Target

MAKER = CodeIdentity(("apigap.ladder.make",))
"""The code that words the questions; items of other code are made anew."""


@dataclass(frozen=True)
class KeptItems:
    """The items in the file `path`, with their report; where there is nothing to ask, `nothing` says why."""

    target: Target
    path: Path
    items: Sequence[LadderItem]
    report: ItemsReport | None
    nothing: str = ""

    @property
    def knowledge(self) -> Path:
        """The bundles of the APIs that it asks about, new and old; there where anything was run for them."""
        return beside(self.path, "knowledge")


def kept_items(run: ItemsRun, target: Target, path: Path) -> KeptItems:
    """The items of a pair of releases in `path`; made where they are not there, or were made in another way.

    Where there is nothing to ask no file of items is left, and a second call knows it.

    Raises:
        InfrastructureError: when a release cannot be read.
        CorruptRecord: when the file holds something else.
    """
    made_from = _made_from(run, target)
    files = (path, report_path(path))
    stage = Stage(path.with_name(f"{path.stem}.manifest.json"), "items", made_from, tuple(made_from), files)
    if not stage.complete:
        stage.finish(_make(run, target, path))
    nothing = str(stage.manifest.counts["nothing"])
    if nothing:
        return KeptItems(target, path, (), None, nothing)
    report = ItemsReport.model_validate_json(read_bytes(report_path(path)))
    return KeptItems(target, path, load_records(path, LadderItem), report)


def _make(run: ItemsRun, target: Target, path: Path) -> dict[str, Json]:
    """Write items and report; gives the counts of the manifest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for earlier in (path, report_path(path)):
        earlier.unlink(missing_ok=True)
    try:
        items, report = run.make(target, path)
    except UsageError as error:
        return {"items": 0, "nothing": str(error)}
    write_records(path, items)
    write_text(report_path(path), report.model_dump_json(indent=2) + "\n")
    return {"items": len(items), "nothing": ""}


def report_path(path: Path) -> Path:
    """The report beside the items of `path`."""
    return path.with_name(f"{path.stem}.report.json")


def _made_from(run: ItemsRun, target: Target) -> dict[str, Json]:
    return {
        "target": asdict(target),
        "most": run.most,
        "seed": run.seed,
        **({"only": sorted(run.only)} if run.only else {}),
        "static": run.static,
        "rungs": [*run.rungs],
        "settings": run.settings.model_dump(mode="json", include={"knowledge", "tasks"}),
        "maker": MAKER.digest,
        "words": words_hash(),
    }
