"""`inspect eval apigap/toolllm` asks and scores as `apigap toolllm` does."""

from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolInfo

from apigap.benchmarks.toolllm.benchmark import gold
from apigap.benchmarks.toolllm.inspect.steps import toolllm_steps
from apigap.benchmarks.toolllm.prompts import FORMS
from apigap.benchmarks.toolllm.queries import OWN, drawn, load_queries
from apigap.benchmarks.toolllm.selection import as_released, select
from apigap.evaluation.predict import prove
from apigap.experiments import plugin
from apigap.records.errors import CheckFailed, UsageError
from tests.benchmarks.runs import calibrated
from tests.benchmarks.runs import toolllm as own
from tests.silent import Silent

toolllm = vars(plugin)["toolllm"]
QUERIES = drawn(load_queries([OWN]), 3)


def evaluated(folder: Path, form: str, answer: Any) -> EvalLog:
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = inspect_eval(toolllm(queries="own", form=form, limit=3), model=model, log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return log


def values(log: EvalLog) -> dict[str, Any]:
    return {str(sample.id): sample.scores["verdict"].value for sample in log.samples or [] if sample.scores}


@pytest.mark.parametrize("form", FORMS)
def test_the_right_answer_is_resolved(tmp_path: Path, form: str) -> None:
    def answer(messages: list[Any], *_: object) -> ModelOutput:
        query = next(query for query in QUERIES if query.question in messages[-1].text)
        made = ModelOutput.from_content("mockllm/model", gold(query))
        made.usage = ModelUsage()
        return made

    found = values(evaluated(tmp_path, form, answer))
    assert found == {query.task_id: {"recall": 1.0, "f1": 1.0, "exact": 1.0, "resolved": 1.0} for query in QUERIES}


@pytest.mark.parametrize("cut", [1, 3])
def test_an_answer_that_was_cut_before_it_was_whole_has_no_score(tmp_path: Path, cut: int) -> None:
    def answer(messages: list[Any], *_: object) -> ModelOutput:
        number = next(n for n, query in enumerate(QUERIES) if query.question in messages[-1].text)
        text, ending = ("", "max_tokens") if number < cut else (gold(QUERIES[number]), "stop")
        made = ModelOutput.from_content("mockllm/model", text, stop_reason=ending)  # pyright: ignore[reportArgumentType]
        made.usage = ModelUsage()
        return made

    log = evaluated(tmp_path, "text", answer)
    scores = [sample.scores["verdict"] for sample in log.samples or [] if sample.scores]
    outcomes = sorted((score.metadata or {})["outcome"] for score in scores)
    assert outcomes == sorted(["cut"] * cut + ["pass"] * (3 - cut))
    metrics = {row.name: row.metrics["mean"].value for row in (log.results.scores if log.results else [])}
    assert cut == 3 or metrics["recall"] == 1.0


def test_native_calls_are_read_from_the_message(tmp_path: Path) -> None:
    offered: list[list[str]] = []

    def answer(messages: list[Any], tools: list[ToolInfo], *_: object) -> ModelOutput:
        offered.append([tool.name for tool in tools])
        made = ModelOutput.for_tool_call("mockllm/model", tools[0].name, {})
        made.usage = ModelUsage()
        return made

    log = evaluated(tmp_path, "native", answer)
    first = {query.task_id: query.apis[0].function for query in QUERIES}
    assert {names[0] for names in offered} == set(first.values())
    assert all(names[-1] == "Finish" for names in offered)
    recalls = {key: value["recall"] for key, value in values(log).items()}
    assert recalls == {q.task_id: float(first[q.task_id] in q.expected) / len(q.expected) for q in QUERIES}


def test_inspect_finds_the_task() -> None:
    (entry,) = [entry for entry in entry_points(group="inspect_ai") if entry.name == "apigap"]
    assert "toolllm" in vars(entry.load())


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(UsageError, match=r"text.*functions.*native"):
        toolllm(queries="own", form="xml")


WEAKENED = {
    "prose counts as a choice": ("benchmark.select", lambda text, query: as_released(select(text, query))),
    "what is invented is not counted": ("selection._Resolution._add_stranger", lambda self, name, book: None),
    "nothing is read": ("selection.read_answer", lambda response: None),
}


@pytest.mark.parametrize(("what", "instead"), WEAKENED.values(), ids=list(WEAKENED))
def test_a_scorer_that_takes_weak_answers_for_gold_is_found_before_a_model_is_asked(
    monkeypatch: pytest.MonkeyPatch, what: str, instead: object
) -> None:
    monkeypatch.setattr(f"apigap.benchmarks.toolllm.{what}", instead)
    assert calibrated(own([OWN])).wrong
    with pytest.raises(CheckFailed, match="no model is asked"):
        prove(own([OWN]), load_queries([OWN]), Silent())
    with pytest.raises(CheckFailed, match="no model is asked"):
        toolllm(queries="own")
    with pytest.raises(CheckFailed, match="no model is asked"):
        toolllm_steps()
