"""The starter benchmark's bundles: their lock, and that no exemplar is a task's solution."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from apigap.cli.benchmarks.starter import compare
from apigap.knowledge.components.sources import Sources
from apigap.records.configuration import load_settings
from apigap.records.errors import CheckFailed, UsageError
from apigap.records.knowledge import Exemplar
from apigap.records.store import load_records
from apigap.records.task import Harness, Spy, Task
from apigap.stages.driver import Stages
from apigap.starter import bundles as starter_bundles
from apigap.starter.bundle_lock import BundleLock, ReleaseLock
from apigap.starter.bundles import StarterBundles, make_bundles, read_lock, shared_lines, write_lock
from apigap.starter.candidates import written_candidate
from apigap.tasks.starter_files import chosen_files, starter_files
from tests.knowledge.test_conditions import bundle
from tests.silent import Silent


def release(**bundles: str) -> ReleaseLock:
    return ReleaseLock(edition="2026.04", library="lib", version="2", old_version="1", knowledge="k", bundles=bundles)


def made(**bundles: str) -> StarterBundles:
    return StarterBundles(Path("lib.jsonl"), release(**bundles), None, (), (), ())


def test_the_lock_names_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "lock.json"
    assert made(f="1", g="2").differing == ("f", "g")
    assert write_lock(made(f="1", g="2"), path).differing == ()
    locked = read_lock(path).of("2026.04", "lib")
    assert replace(made(f="1", h="3"), locked=locked).differing == ("g", "h")
    with pytest.raises(CheckFailed, match=r"2 bundles are not those of the lock: g, h$"):
        compare([replace(made(f="1", h="3"), locked=locked)])
    other = ReleaseLock(edition="2026.04", library="another", version="1", old_version=None, knowledge="k", bundles={})
    assert [entry.library for entry in BundleLock().replaced(release()).replaced(other).releases] == ["another", "lib"]


def test_a_lock_of_other_code_is_told_and_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    locked = release(f="0").model_copy(update={"knowledge": "earlier"})
    compare([replace(made(f="1"), locked=locked)])
    assert "1 bundles are not those of the lock, which an earlier apigap made: f;" in capsys.readouterr().err


def test_every_api_of_the_starter_benchmark_is_locked() -> None:
    lock = read_lock()
    for path in starter_files():
        tasks = load_records(path, Task)
        locked = lock.of(path.parent.name, tasks[0].library)
        assert locked is not None, path.stem
        assert (locked.version, locked.old_version) == (tasks[0].version, tasks[0].old_version)
        assert set(locked.bundles) == {name for task in tasks for name in task.apis}, path.stem


SHARED = [
    ("the same statement in another layout", "x = slugify( 'A' )", True),
    ("inside of a function", "def f():\n    x = slugify('A')", True),
    ("another argument", "x = slugify('B')", False),
    ("an import", "from lib import slugify", False),
    ("a statement without the API", "y = 1", False),
]


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in SHARED], ids=[row[0] for row in SHARED])
def test_an_exemplar_that_holds_a_solution_is_found(code: str, expected: bool) -> None:
    solution = "from lib import slugify\ny = 1\nx = slugify('A')\n"
    harness = Harness(layers=(), scenarios=(), spy=Spy(target="lib.slugify"))
    task = Task.model_construct(api_name="lib.slugify", masked_region=solution, task_id="t", harness=harness)
    one = bundle(exemplars=(Exemplar(code=code, status="executed", source="docs"),))
    assert bool(list(shared_lines([one], [task]))) == expected


def test_an_unknown_library_is_refused() -> None:
    with pytest.raises(UsageError, match="no tasks for xyzzy; it has them for"):
        chosen_files(["xyzzy"])


def test_an_api_that_no_surface_lists_is_read_from_the_text(tmp_path: Path) -> None:
    text = "class _Base:\n    def go(self, a, *, b: int = 1) -> str:\n        'Go.'\n\nclass Box(_Base): ...\n"
    (tmp_path / "lib.py").write_text(text)
    found = written_candidate("lib.Box.go", "added", "lib", "1", "2", Sources(tmp_path))
    assert found is not None
    assert (found.signature, found.docstring, found.kind) == ("(a, *, b: int = 1) -> str", "Go.", "method")
    assert written_candidate("lib.Box.stay", "added", "lib", "1", "2", Sources(tmp_path)) is None


def test_another_evaluator_or_other_limits_begin_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders: set[Path] = set()

    def run(stages: Stages, target: object, last: int, first: int) -> SimpleNamespace:
        assert (first, last) == (2, 2)
        folders.add(stages.layout.stage("flask", "stage2_knowledge").parent)
        return SimpleNamespace(bundles=[])

    def make(*overrides: str) -> int:
        make_bundles(chosen_files(["flask"])[0], load_settings(overrides=overrides), engine, Silent(), tmp_path)
        return len(folders)

    monkeypatch.setattr(Stages, "run", run)
    monkeypatch.setattr(starter_bundles, "target_of", lambda candidates: None)
    monkeypatch.setattr(starter_bundles, "starter_candidates", lambda *_: [])
    monkeypatch.setattr(starter_bundles, "environment_store", lambda engine, python: None)
    engine = cast("Any", SimpleNamespace(profile=SimpleNamespace(model_dump=lambda mode: {})))
    assert (make(), make(), make("execution.cpu_seconds=3")) == (1, 1, 2)
    monkeypatch.setattr(starter_bundles, "evaluator_hash", lambda: "another")
    assert make() == 3
