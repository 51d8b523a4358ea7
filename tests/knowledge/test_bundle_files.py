"""Bundles that nobody names: of the editions in the cache, those that the tasks are of."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from apigap.knowledge.bundle_files import bundles_folder, read_bundles
from apigap.records.errors import UsageError
from apigap.records.store import write_records
from apigap.records.task import Spy, Task
from tests.knowledge.test_conditions import bundle
from tests.records.test_task import make_task

EDITIONS = {
    "2026.04": ("1", ("lib.a", "lib.b")),
    "2026.11": ("2", ("lib.a", "lib.b", "lib.c")),
    "compose": ("2", ("lib.b", "lib.c")),
    "migrate": ("0", ("lib.a",)),
}
"""(the older release, the APIs) of each edition; the newer release is the same in all."""


def task(old: str, api_name: str, *needed: str) -> Task:
    alone = make_task(api_name=api_name, library="lib", old_version=old, version="3")
    spy = Spy(target=api_name, needed=needed)
    return alone.model_copy(update={"harness": alone.harness.model_copy(update={"spy": spy})})


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))
    for edition, (old, names) in EDITIONS.items():
        made = [bundle(api_name=name, version="3", old_version=old, library="lib") for name in names]
        write_records(bundles_folder() / edition / "lib.jsonl", made)


OF_TASKS = [
    ("the older release decides", [task("1", "lib.a")], "2026.04"),
    ("also where another edition has the same newer one", [task("0", "lib.a")], "migrate"),
    ("the edition with most of the APIs", [task("2", "lib.a"), task("2", "lib.b")], "2026.11"),
    ("the first of two that have them all", [task("2", "lib.b", "lib.c")], "2026.11"),
]


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(("tasks", "edition"), [row[1:] for row in OF_TASKS], ids=[row[0] for row in OF_TASKS])
def test_the_edition_of_the_tasks_is_read(tasks: Sequence[Task], edition: str) -> None:
    old, names = EDITIONS[edition]
    assert [(one.old_version, one.api_name) for one in read_bundles([], tasks)] == [(old, name) for name in names]


@pytest.mark.usefixtures("cache")
def test_tasks_of_two_editions_have_the_bundles_of_both() -> None:
    found = read_bundles([], [task("0", "lib.a"), task("1", "lib.b")])
    assert [one.old_version for one in found] == ["1", "1", "0"]


@pytest.mark.usefixtures("cache")
def test_bundles_of_another_library_change_nothing() -> None:
    before = read_bundles([], [task("2", "lib.c")])
    write_records(bundles_folder() / "2026.11" / "other.jsonl", [bundle(library="other", version="3", old_version="2")])
    assert read_bundles([], [task("2", "lib.c")]) == before


@pytest.mark.usefixtures("cache")
def test_tasks_of_no_edition_have_none() -> None:
    with pytest.raises(UsageError, match=r"apigap starter bundles --library lib$"):
        read_bundles([], [task("9", "lib.a")])
