"""Verdicts of a cell: what infrastructure has stopped is tried again, everything else is judged once."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from apigap.benchmarks.novelapi.cells import RESULTS, SUMMARY, score_cell
from apigap.benchmarks.novelapi.judge import NovelApiJudge, result_of
from apigap.evaluation.item import Item
from apigap.evaluation.summary import CellSummary, cost_table, cut_note
from apigap.models.extraction import extract_code
from apigap.models.spending.cell_cost import Asked, cost_of, cost_of_all, tokens
from apigap.records.result import Prediction, Result
from apigap.records.run import RunRecord
from apigap.records.store import write_records
from apigap.sandbox.verdict.judge import judge_runs
from tests.records.test_task import make_task
from tests.silent import Silent


class OnTrial(NovelApiJudge):
    """Judges from records at hand: while `down` every run ends for want of the machine."""

    def __init__(self) -> None:
        self.down = True
        self.judged: list[str] = []

    def score_all(
        self, items: Sequence[Item], on_result: Callable[[Result], None] = lambda result: None
    ) -> list[Result]:
        results: list[Result] = []
        for item in items:
            self.judged.append(item.task.task_id)
            status = "infra" if self.down and item.artifact.code.startswith("slow") else "exited"
            run = RunRecord(status=status, phase="start" if status == "infra" else "completion")
            verdict = judge_runs(item.task, [run] * len(item.task.harness.scenarios), run, "bubblewrap")
            results.append(result_of(item, verdict))
            on_result(results[-1])
        return results


def test_only_what_infrastructure_stopped_is_judged_again(tmp_path: Path) -> None:
    tasks = [make_task(description=f"Task {number}.") for number in range(2)]
    answers = zip(tasks, ("quick = 1", "slow = 1"), strict=True)
    predictions = [Prediction(task_id=task.task_id, samples=(f"```python\n{code}\n```",)) for task, code in answers]
    assert extract_code(predictions[1].samples[0]).code.startswith("slow")
    write_records(tmp_path / "predictions.jsonl", predictions)
    adapter = OnTrial()

    first = score_cell(adapter, tasks, tmp_path, {}, Silent())
    assert sorted(result.outcome for result in first) == ["fail", "infra"]
    adapter.down = False
    adapter.judged.clear()
    second = score_cell(adapter, tasks, tmp_path, {}, Silent())
    assert adapter.judged == [tasks[1].task_id]
    assert [result.outcome for result in second] == ["fail", "fail"]
    before = (tmp_path / RESULTS).read_bytes()
    adapter.judged.clear()
    score_cell(adapter, tasks, tmp_path, {}, Silent())
    assert (adapter.judged, (tmp_path / RESULTS).read_bytes()) == ([], before)


def test_results_begin_anew_where_other_tasks_were_asked_since(tmp_path: Path) -> None:
    tasks = [make_task(description=f"Task {number}.") for number in range(3)]
    rows = [Prediction(task_id=task.task_id, samples=(f"x = {number}",)) for number, task in enumerate(tasks)]
    write_records(tmp_path / "predictions.jsonl", rows)
    adapter = OnTrial()
    assert len(score_cell(adapter, tasks[:2], tmp_path, {"evaluator": "1"}, Silent())) == 2
    found = score_cell(adapter, tasks[1:], tmp_path, {"evaluator": "1"}, Silent())
    assert {result.task_id for result in found} == {task.task_id for task in tasks[1:]}
    adapter.judged.clear()
    notes = Silent()
    assert len(score_cell(adapter, tasks[1:], tmp_path, {"evaluator": "2"}, notes)) == len(adapter.judged) == 2
    assert "what decides them changed: ['evaluator']" in notes.notes[0]


def test_a_summary_counts_the_answers_that_something_else_ended(tmp_path: Path) -> None:
    tasks = [make_task(description=f"Task {number}.") for number in range(4)]
    ended = zip(tasks, ("stop", "length", "context", "length"), strict=True)
    rows = [{"task_id": task.task_id, "samples": ("x = 1",), "stop_reasons": (reason,)} for task, reason in ended]
    write_records(tmp_path / "predictions.jsonl", [Prediction.model_validate(row) for row in rows])
    score_cell(OnTrial(), tasks, tmp_path, {}, Silent())
    assert json.loads((tmp_path / SUMMARY).read_text())["stopped"] == {"context": 1, "length": 2}


WHOLE = "```python\nx = 1\n```"
ENDED = [
    # what ended the answer, its text, and the outcome of an answer that does not pass
    ("stop", "```python\nx = 1", "fail"),
    ("unknown", "x = 1", "fail"),
    ("length", WHOLE, "fail"),
    ("length", f"{WHOLE}\nAnother way:\n```python\nx =", "fail"),
    ("length", "```python\nx = 1", "cut"),
    ("length", "x = 1", "cut"),
    ("length", "Let me think about it", "cut"),
    ("length", "<think>\n" + WHOLE, "cut"),
    ("length", "", "cut"),
    ("context", "", "cut"),
    ("filtered", "", "cut"),
    ("filtered", WHOLE, "cut"),
]


def test_an_answer_that_was_ended_before_it_was_whole_is_no_fail(tmp_path: Path) -> None:
    tasks = [make_task(description=f"Task {number}.") for number in range(len(ENDED))]
    rows = [
        {"task_id": task.task_id, "samples": (text,), "stop_reasons": (ended,)}
        for task, (ended, text, _) in zip(tasks, ENDED, strict=True)
    ]
    write_records(tmp_path / "predictions.jsonl", [Prediction.model_validate(row) for row in rows])
    adapter = OnTrial()
    adapter.down = False
    found = {result.task_id: result for result in score_cell(adapter, tasks, tmp_path, {}, Silent())}
    for task, (ended, text, outcome) in zip(tasks, ENDED, strict=True):
        result = found[task.task_id]
        assert result.outcome == outcome, (ended, text)
        assert (result.label is None, result.detail.get("ended")) == (
            (True, ended) if outcome == "cut" else (False, None)
        )
    summary = json.loads((tmp_path / SUMMARY).read_text())
    assert summary["outcomes"] == {"cut": 8, "fail": 4}
    assert summary["cut"] == {"context": 1, "filtered": 2, "length": 5}
    assert (summary["n_judged"], summary["pass_at_1"], summary["pass_at_1_infra_as_fail"]) == (4, 0.0, 0.0)
    assert summary["pass_at_1_bounds"] == [0.0, 8 / 12]
    adapter.judged.clear()
    score_cell(adapter, tasks, tmp_path, {}, Silent())
    assert adapter.judged == []  # asked again, the model would give the same


def test_a_summary_of_earlier_versions_has_no_cut_answers(tmp_path: Path) -> None:
    tasks = [make_task()]
    write_records(tmp_path / "predictions.jsonl", [Prediction(task_id=tasks[0].task_id, samples=(WHOLE,))])
    score_cell(OnTrial(), tasks, tmp_path, {}, Silent())
    told = json.loads((tmp_path / SUMMARY).read_text())
    assert (told.pop("cut"), told.pop("pass_at_1_bounds")) == ({}, None)
    assert CellSummary.model_validate(told).cut == {}
    assert "give answers more tokens" in cut_note({"length": 2, "context": 1}, (0.0, 0.5))


def test_a_summary_says_what_the_answers_took() -> None:
    def taking(**told: object) -> Prediction:
        return Prediction.model_validate({"task_id": "t", "samples": ("x", "y"), **told})

    whole = taking(key="t/s", input_tokens=[100, 100], output_tokens=[5, 7])
    assert tokens([whole, whole]) == {"input": 400, "output": 24}
    for other in (812, "many", ["1", "2"], [None, 3], [0, 0]):  # of any source, and of a provider that counts nothing
        assert tokens([whole, taking(input_tokens=other, output_tokens=[5, 7])]) is None
    times = {"t/s": (1.0, 3.0), "u/s": (9.0, 9.0)}
    found = cost_of([whole], times, "openai/gpt-5-mini")
    assert (found.answers, found.input_tokens, found.output_tokens, found.timed) == (2, 200, 12, 2)
    assert (found.median_seconds, found.p95_seconds) == (2.0, 2.9)
    assert found.dollars and found.dollars > 0 and found.price.startswith("list price")
    assert cost_of([whole], {}, "gguf/any").dollars == 0.0
    unknown = cost_of([whole], {}, "some/model")
    assert (unknown.dollars, unknown.median_seconds, unknown.figures[3:]) == (None, None, ("-", "-", "-"))
    assert str(found).startswith("2 answers, 200 tokens read, 12 tokens written, ")
    assert tokens([]) is tokens([taking(), whole]) is tokens([taking(input_tokens=[1, 1])]) is None
    both = cost_of_all([Asked("openai/gpt-5-mini", [whole], times), Asked("gguf/any", [whole], {})])
    assert (both.answers, both.input_tokens, both.timed, both.dollars) == (4, 400, 2, found.dollars)
    untold = cost_of_all([Asked("openai/gpt-5-mini", [whole], times), Asked("some/model", [taking()], {})])
    assert (untold.answers, untold.input_tokens, untold.dollars, untold.timed) == (4, None, None, 2)
    free = cost_of([taking()], {}, "gguf/any")
    assert (free.dollars, free.is_told, found.is_told) == (0.0, False, True)
    (table,) = cost_table("side", [("A", found), ("B", None), ("C", free)])
    nothing = ("-",) * len(found.figures)
    assert table.columns[0] == "side"
    assert table.rows == (("A", *found.figures), ("B", *nothing), ("C", *free.figures))
    assert cost_table("side", [("B", None), ("C", free)]) == []
