"""Predictions of any source: ids that are wrong are counted and named, those that lack stay in the denominator."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from apigap.benchmarks.novelapi import task_environments as homes
from apigap.benchmarks.novelapi.benchmark import NovelApi, NovelApiOptions
from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.benchmarks.task_environment import Home
from apigap.evaluation.benchmark import Judging
from apigap.evaluation.item import Item
from apigap.evaluation.score import score
from apigap.models.extraction import extract_code
from apigap.records.configuration import load_settings
from apigap.records.errors import CorruptRecord, EnvironmentFailure, InfrastructureError
from apigap.records.manifest import read_manifest
from apigap.records.store import write_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from tests.gates.test_model_gates import Judge
from tests.records.test_task import make_task
from tests.silent import Silent

TASKS = [make_task(description=f"Task {number}.") for number in range(4)]


TERMS = {"limits": {}, "isolation": {"backend": "none"}}


@pytest.fixture(autouse=True)
def judged_without_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    def home(tasks: Sequence[Task], engine: object) -> Home:
        return Home(cast(Environment, SimpleNamespace(lock=f"{tasks[0].library}-lock")), ())

    @contextmanager
    def judging(self: object, tasks: Any, progress: Any, *, anew: bool = False) -> Iterator[Judging[Any, Any]]:
        found = homes.homes_at_hand(tasks, cast(Engine, None), progress)
        yield Judging(Judge().score_all, TERMS, {"environments": homes.locks_of(found)})

    monkeypatch.setattr(NovelApi, "judging", judging)
    monkeypatch.setattr(homes, "_home", home)


def score_file(tasks: Path, predictions: Path, out: Path) -> dict[str, Any]:
    benchmark = NovelApi(NovelApiOptions(tasks=tasks), load_settings())
    return score(benchmark, predictions, out, Silent()).summary.model_dump(mode="json")


def scored(folder: Path, rows: list[tuple[str, str]]) -> dict[str, object]:
    write_records(folder / "tasks.jsonl", TASKS)
    lines = [json.dumps({"task_id": task_id, "samples": [code]}) for task_id, code in rows]
    (folder / "p.jsonl").write_text("\n".join(lines) + "\n")
    return score_file(folder / "tasks.jsonl", folder / "p.jsonl", folder / "out.jsonl")


def test_tasks_without_an_answer_are_named_and_stay_in_the_denominator(tmp_path: Path) -> None:
    ids = [task.task_id for task in TASKS]
    summary = scored(tmp_path, [(ids[0], "right = 1"), (ids[1], "wrong = 1")])
    assert summary["missing"] == ids[2:]
    assert (summary["pass_at_1"], summary["pass_at_1_of_all"]) == (0.5, 0.25)
    assert summary["macro_by_library"] == 0.5
    assert cast(dict[str, object], summary["pass_at_k"]) == {"1": 0.5, "5": None, "10": None}
    manifest = read_manifest(tmp_path / "out.manifest.json")
    assert manifest.counts["environments"] == {f"{TASKS[0].library} {TASKS[0].version}": f"{TASKS[0].library}-lock"}
    assert manifest.made_from["isolation"] == {"backend": "none"}


def test_ids_that_cannot_be_are_counted_and_named(tmp_path: Path) -> None:
    known = TASKS[0].task_id
    with pytest.raises(CorruptRecord, match=r"answers 4 tasks \(a, b, c and 1 more\) that the benchmark"):
        scored(tmp_path, [(name, "x") for name in (known, "a", "b", "c", "d")])
    with pytest.raises(CorruptRecord, match=rf"answers 1 task \({known}\) more than once"):
        scored(tmp_path, [(known, "x"), (known, "y")])


def test_a_library_that_cannot_be_installed_keeps_no_other_from_being_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    here, gone = TASKS[0], make_task(library="gone", version="9.9")

    def home(tasks: Sequence[Task], engine: object) -> Home:
        if tasks[0].library == "gone":
            raise EnvironmentFailure("gone 9.9 has no wheel")
        return Home(cast(Any, None), ())

    monkeypatch.setattr(homes, "_home", home)
    notes = Silent()
    found = homes.homes_at_hand([here, gone], cast(Engine, None), notes)
    assert notes.notes == ["no verdict on any task of gone 9.9: gone 9.9 has no wheel"]
    judge = NovelApiJudge(cast(Engine, None), found)
    (result,) = judge.score_all([Item(gone, 0, extract_code("x = 1"))])
    assert (result.outcome, result.label, result.detail["reason"]) == ("infra", None, "gone 9.9 has no wheel")
    with pytest.raises(EnvironmentFailure, match="no wheel"):
        homes.homes_at_hand([gone], cast(Engine, None), Silent())


@pytest.mark.filterwarnings("ignore:.*half-written")
def test_results_that_lost_their_end_are_made_whole(tmp_path: Path) -> None:
    rows = [(task.task_id, "wrong = 1") for task in TASKS]
    summary = scored(tmp_path, rows)
    out = tmp_path / "out.jsonl"
    whole = out.read_bytes()
    for rest in (whole[:-1], whole[:-40], whole[: whole.index(b"\n") + 1], b""):
        out.write_bytes(rest)
        assert scored(tmp_path, rows) == summary
        assert out.read_bytes() == whole
    out.unlink()
    scored(tmp_path, rows)
    assert out.read_bytes() == whole


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    write_records(tmp_path / "tasks.jsonl", TASKS)
    line = json.dumps({"task_id": TASKS[0].task_id, "samples": ["x = 1"]}) + "\n"
    (tmp_path / "p16").write_bytes(line.encode("utf-16"))
    (tmp_path / "p").write_text(line)

    def score_to(predictions: str, out: str) -> None:
        score_file(tmp_path / "tasks.jsonl", tmp_path / predictions, tmp_path / out)

    with pytest.raises(CorruptRecord, match=r"p16:1 is not UTF-8 .it looks like UTF-16.: save the file as UTF-8"):
        score_to("p16", "o.jsonl")
    with pytest.raises(InfrastructureError, match=r"cannot write .*(File exists|Not a directory); name another place"):
        score_to("p", "p/o.jsonl")
    with pytest.raises(InfrastructureError, match=r"cannot write .*directory; name a file in it"):
        score_to("p", ".")
