"""Items on disk: made once, made anew where they were made in another way, and `nothing` kept as well."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from apigap.ladder.kept import kept_items
from apigap.ladder.make import ItemsReport
from apigap.ladder.release import ItemsRun
from apigap.packages.environments import EnvironmentStore
from apigap.records.errors import UsageError
from apigap.records.progress import Unseen
from apigap.records.questions.ladder import LadderItem
from apigap.records.target import Target
from apigap.sandbox.engine import Engine
from tests.benchmarks.items.made import CHOICE, EXISTS, INVENTED

TARGET = Target("lib", "1", "2")
REPORT = ItemsReport(
    library="lib", old_version="1", new_version="2", candidates=1, chosen=1, pairs=0, pool=0, steady_since="1",
    yields=(), balance=(), losses=(),
)  # fmt: skip


@dataclass(frozen=True)
class Counted(ItemsRun):
    """Makes the same items without any release, and counts how often."""

    nothing: str = ""
    made: list[Target] = field(default_factory=list[Target])

    def make(self, target: Target) -> tuple[list[LadderItem], ItemsReport]:
        self.made.append(target)
        if self.nothing:
            raise UsageError(self.nothing)
        return [EXISTS, INVENTED, CHOICE][: self.most], REPORT


def run(most: int = 3, nothing: str = "") -> Counted:
    return Counted(cast("Engine", None), cast("EnvironmentStore", None), Unseen(), most, 0, nothing=nothing)


def test_items_are_made_once(tmp_path: Path) -> None:
    maker, path = run(), tmp_path / "ladder_items.1-2.jsonl"
    first = kept_items(maker, TARGET, path)
    before = {one: one.read_bytes() for one in tmp_path.iterdir()}
    second = kept_items(maker, TARGET, path)
    assert first == second
    assert (first.items, first.report, len(maker.made)) == ([EXISTS, INVENTED, CHOICE], REPORT, 1)
    assert {one: one.read_bytes() for one in tmp_path.iterdir()} == before


def test_other_wishes_make_other_items(tmp_path: Path) -> None:
    path = tmp_path / "ladder_items.1-2.jsonl"
    assert len(kept_items(run(), TARGET, path).items) == 3
    fewer = run(most=1)
    assert len(kept_items(fewer, TARGET, path).items) == len(fewer.made) == 1
    assert len(kept_items(replace(fewer, most=2), TARGET, path).items) == 2


def test_a_file_that_lost_its_end_is_made_whole(tmp_path: Path) -> None:
    maker, path = run(), tmp_path / "ladder_items.1-2.jsonl"
    kept_items(maker, TARGET, path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    assert len(kept_items(maker, TARGET, path).items) == 3


def test_nothing_to_ask_is_kept_with_its_reason(tmp_path: Path) -> None:
    maker, path = run(nothing="lib 1 -> 2: nothing is new"), tmp_path / "ladder_items.1-2.jsonl"
    for _ in range(2):
        found = kept_items(maker, TARGET, path)
        assert (list(found.items), found.report, found.nothing) == ([], None, "lib 1 -> 2: nothing is new")
    assert len(maker.made) == 1
