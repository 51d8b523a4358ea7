"""C2 in rounds, C3 once per task, and where a release pair lies against a model's cutoff."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.evaluation.answers import Ask, OnAnswer
from apigap.gates.boundary import boundary_of
from apigap.gates.model_gates import ModelGates
from apigap.gates.novelty import Boundary
from apigap.models.request import Answer, GenerationRequest
from apigap.packages.index import Release
from apigap.records.configuration import load_settings
from apigap.records.errors import InfrastructureError
from apigap.records.task import Task
from tests.benchmarks.novelapi.test_cells import OnTrial
from tests.knowledge.test_conditions import bundle
from tests.records.test_task import make_task
from tests.silent import Silent

TASKS = [make_task(api_name="lib.slugify", description=f"Task {number}.") for number in range(3)]
MEMBER = Boundary(status="member", reason="")
OPEN = Boundary(status="open", reason="lib 1.5 came in between")


class Judge(OnTrial):
    """Passes what says `right`."""

    def __init__(self) -> None:
        super().__init__()
        self.down = False

    def score_all(self, items, on_result=lambda result: None):  # type: ignore[no-untyped-def]
        made = super().score_all(items)
        results = [
            result.model_copy(update={"outcome": "pass", "passed": True}) if "right" in item.artifact.code else result
            for item, result in zip(items, made, strict=True)
        ]
        for result in results:
            on_result(result)
        return results


class Model:
    """Answers rightly to the keys of `right`."""

    def __init__(self, *right: str) -> None:
        self.right = right
        self.asked: list[str] = []

    def __call__(self, requests: Sequence[GenerationRequest], on_answer: OnAnswer) -> None:
        for request in requests:
            self.asked.append(request.key)
            for sample in range(request.samples):
                text = "right = 1" if request.key in self.right else "wrong = 1"
                on_answer(request.key, sample, Answer(text=text, stop_reason="stop"))


class Pool:
    """A pool in which every name is the same model."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def ask(self, model: str) -> Ask:
        return self._ask

    def room(self, model: str) -> None:
        return None


class Gates(ModelGates):
    """Gates of tasks that all lie at `boundary`, judged by `Judge`."""

    boundary = MEMBER

    @property
    def judge(self) -> NovelApiJudge:  # type: ignore[override]
        return Judge()

    def boundaries(self, tasks: Sequence[Task]) -> Mapping[str, Boundary]:
        return {task.task_id: self.boundary for task in tasks}


def gate(folder: Path, ask: Ask, boundary: Boundary = MEMBER, *changes: str) -> Gates:
    nothing, settings = cast("Any", None), ["gates.c2_samples=4", "gates.c3_solver=mockllm/solver", *changes]
    Gates.boundary = boundary
    return Gates(
        "mockllm/model", load_settings(overrides=settings), nothing, cast("Any", Pool(ask)), Silent(), {},
        {"lib.slugify": bundle()}, folder / "c2.jsonl", folder,
    )  # fmt: skip


def test_a_task_that_passed_is_asked_no_further(tmp_path: Path) -> None:
    late, never, at_once = (task.task_id for task in TASKS)
    model = Model(f"{late}/c2.1", f"{at_once}/baseline")
    records = gate(tmp_path, model).c2(TASKS)
    assert [record.status for record in records] == ["failed", "passed", "failed"]
    assert [record.evidence["samples"] for record in records] == [2, 4, 1]
    assert len(model.asked) == 2 + 4 + 1
    assert model.asked[:3] == [f"{task.task_id}/baseline" for task in TASKS]
    assert f"{never}/c2.3" in model.asked
    again = Model()
    assert gate(tmp_path, again).c2(TASKS) == records
    assert again.asked == []


def test_a_run_that_ended_between_rounds_goes_on(tmp_path: Path) -> None:
    def dies(requests: Sequence[GenerationRequest], on_answer: OnAnswer) -> None:
        if requests[0].key.endswith("c2.2"):
            raise ConnectionError
        Model()(requests, on_answer)

    with pytest.raises(ConnectionError):
        gate(tmp_path, dies).c2(TASKS)
    rest = Model()
    assert [record.status for record in gate(tmp_path, rest).c2(TASKS)] == ["passed"] * 3
    assert len(rest.asked) == 6


def test_a_required_boundary_decides(tmp_path: Path) -> None:
    (recorded, *_) = gate(tmp_path, Model(), OPEN, "gates.boundary=record").c2(TASKS)
    assert (recorded.status, recorded.evidence["boundary"]["status"]) == ("passed", "open")
    model = Model()
    (required, *_) = gate(tmp_path / "required", model, OPEN).c2(TASKS)
    assert (required.status, required.evidence["samples"], model.asked) == ("failed", 0, [])
    assert "lib 1.5" in (required.reason or "")
    (unknown, *_) = gate(tmp_path / "unknown", Model(), Boundary(status="unknown", reason="no cutoff")).c2(TASKS)
    assert unknown.status == "passed"


def test_a_task_is_put_to_a_solver_once_whatever_model_it_is_for(tmp_path: Path) -> None:
    first, second = Model(f"{TASKS[0].task_id}/c3"), Model()
    records = gate(tmp_path, first).c3(TASKS[:2])
    assert [record.status for record in records] == ["passed", "failed"]
    other = gate(tmp_path, second).c3(TASKS[1:])
    assert second.asked == [f"{TASKS[2].task_id}/c3"]
    assert [record.evidence["solver"] for record in other] == ["mockllm/solver"] * 2


def release(version: str, day: str) -> Release:
    uploaded = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return Release(library="lib", version=version, uploaded=uploaded, yanked=False, files=())


KNOWN = [release("1.0", "2024-01-01"), release("1.5", "2024-06-01"), release("2.0", "2025-01-01")]
CODER = "gguf/qwen2.5-coder-0.5b"  # cutoff 2024-09-01


@pytest.mark.parametrize(
    ("old", "new", "model", "status", "words"),
    [
        ("1.5", "2.0", CODER, "member", "1.5"),
        ("1.0", "2.0", CODER, "open", "1.5 came before"),  # and 1.5 is what the references are run in
        (None, "2.0", CODER, "open", "1.5 came before"),
        ("1.0", "1.5", CODER, "open", "before 2024-09-01"),
        ("1.5", "3.0", CODER, "unknown", "3.0"),
        ("1.5", "2.0", "openai/nobody-knows", "unknown", "cutoff"),
        ("1.5", "2.0", "seed-coder-8b-instruct", "open", "before 2025-06-04"),
    ],
)
def test_where_a_release_pair_lies(old: str | None, new: str, model: str, status: str, words: str) -> None:
    found = boundary_of("lib", old, new, model, known_releases=lambda name: KNOWN)
    assert (found.status, words in found.reason) == (status, True), found.reason


def test_a_cutoff_that_is_given_says_where_a_pair_lies_for_any_model() -> None:
    def at(day: str, model: str) -> str:
        return boundary_of("lib", "1.5", "2.0", model, date.fromisoformat(day), lambda name: KNOWN).status

    assert [at(day, "openai/nobody-knows") for day in ("2024-09-01", "2025-02-01")] == ["member", "open"]
    assert at("2025-02-01", CODER) == "open"


def test_an_index_that_cannot_be_asked_leaves_it_open(tmp_path: Path) -> None:
    def down(name: str) -> list[Release]:
        raise InfrastructureError("no route")

    untold = boundary_of("lib", "1.5", "2.0", CODER, known_releases=down)
    assert untold.status == "untold"
    model = Model()
    (required, *_) = gate(tmp_path, model, untold).c2(TASKS)
    assert (required.status, required.undecided, model.asked) == ("not run", True, [])
    assert "no route" in (required.reason or "")
    (recorded, *_) = gate(tmp_path, Model(), untold, "gates.boundary=record").c2(TASKS)
    assert recorded.status == "passed"
