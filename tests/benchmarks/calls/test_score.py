"""Runs over the queries: asked, scored, summed up and compared, as a user does it."""

from pathlib import Path

import pytest

from apigap.analysis.compare import compare
from apigap.benchmarks.calls.mutants import NO_FUNCTION, gold, gold_calls, written
from apigap.benchmarks.calls.queries import OWN, Query, load_queries
from apigap.benchmarks.calls.summary import CallsSummary, first_is_right
from apigap.benchmarks.calls.verdict import verdict
from apigap.evaluation.predict import Asking, predict
from apigap.models.generate import Generator
from apigap.models.request import Decoding
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.result import Prediction
from apigap.records.store import load_records, write_records
from tests.benchmarks.runs import calls, summary_of
from tests.silent import Silent

QUERIES = load_queries(OWN)
NOTHING = [query for query in QUERIES if query.category == "nothing"]
SEVERAL = [query for query in QUERIES if query.category == "several" and query.order == "free"]
MOCK = "mockllm/model"


def answers(path: Path, given: dict[str, str], **extra: object) -> Path:
    rows = [{"task_id": task_id, "samples": [text], **extra} for task_id, text in given.items()]
    write_records(path, [Prediction.model_validate(row) for row in rows])
    return path


def summed(folder: Path, given: dict[str, str], answered_only: bool = False, **extra: object) -> CallsSummary:
    return summary_of(
        calls(), answers(folder / "answers.jsonl", given, **extra), folder / "results.jsonl", answered_only
    )


def test_who_never_calls_is_right_where_nothing_is_to_be_called_and_nowhere_else(tmp_path: Path) -> None:
    found = summed(tmp_path, {query.task_id: NO_FUNCTION for query in QUERIES})
    assert found.nothing["nothing"].right.estimate == found.nothing["nothing"].always_nothing == 1
    assert found.calls["all"].right.estimate == found.calls["all"].always_nothing == 0
    assert set(found.calls) == {"several", "sets", "all"} and set(found.nothing) == {"nothing"}
    assert found.faults.first == {"no call": len(QUERIES) - len(NOTHING)}
    assert [table.title.split(":")[0] for table in found.tables()[:2]] == ["Calls to make", "Nothing to call"]


def test_who_calls_the_first_function_is_right_where_it_is_the_only_right_one(tmp_path: Path) -> None:
    given = {
        query.task_id: written(gold_calls(query)) if first_is_right(query) else gold(NOTHING[0]) for query in QUERIES
    }
    found = summed(tmp_path, given)
    assert found.calls["sets"].right.estimate == pytest.approx(found.calls["sets"].always_first)
    assert 0 < found.calls["sets"].always_first < 0.5 and found.calls["several"].always_first == 0


def test_queries_without_an_answer_count_as_wrong_or_are_left_out(tmp_path: Path) -> None:
    given = {query.task_id: gold(query) for query in QUERIES[:10]}
    whole, part = summed(tmp_path, given), summed(tmp_path, given, answered_only=True)
    assert len(whole.missing) == len(part.missing) == len(QUERIES) - 10
    assert whole.nothing["nothing"].right.estimate == pytest.approx(10 / len(NOTHING))
    assert (part.nothing["nothing"].queries, part.nothing["nothing"].right.estimate, part.calls) == (10, 1, {})
    assert any("are left out" in line for line in part.notes())


@pytest.mark.parametrize(
    ("query", "text", "ended", "outcome"),
    [
        (NOTHING[0], NO_FUNCTION, "stop", "pass"),
        (NOTHING[0], NO_FUNCTION, "length", "cut"),
        (NOTHING[0], "", "filtered", "cut"),
        (SEVERAL[0], gold(SEVERAL[0]), "length", "pass"),
        (SEVERAL[0], written(gold_calls(SEVERAL[0])[:1]), "length", "cut"),
        (SEVERAL[0], gold(SEVERAL[0]) + '\n<tool_call>{"name": "tra', "length", "cut"),
        (SEVERAL[0], written(gold_calls(SEVERAL[0])[:1]), "stop", "fail"),
        (SEVERAL[0], written(gold_calls(SEVERAL[0]) * 2) + '\n<tool_call>{"name": "tra', "length", "fail"),
        (SEVERAL[0], "First I will look at your accounts, then", "length", "cut"),
    ],
)
def test_what_was_cut_is_a_fail_only_where_nothing_could_mend_it(
    query: Query, text: str, ended: str, outcome: str
) -> None:
    found = verdict(query, calls().parse(text, query), ended=ended)
    assert (found.outcome, found.passed) == (outcome, outcome == "pass")
    assert (found.label is not None) is (outcome == "fail")


def test_cut_answers_count_nowhere_and_are_told(tmp_path: Path) -> None:
    found = summed(tmp_path, {query.task_id: NO_FUNCTION for query in NOTHING}, stop_reasons=["length"])
    assert found.cut == {"length": len(NOTHING)} and found.nothing == {}
    assert any("cut before they were whole" in line for line in found.notes())


def test_the_share_of_right_calls_is_the_score_of_a_fail(tmp_path: Path) -> None:
    first, *_ = SEVERAL
    right = gold_calls(first)
    scores = [
        verdict(first, calls().parse(written(c), first)).score for c in (right, right[:1], [*right, right[0]], ())
    ]
    assert scores == [1, 0.5, pytest.approx(2 / 3), 0]


def test_a_model_that_knows_everything_is_asked_once_and_right(tmp_path: Path) -> None:
    by_question = {query.messages[-1].content: gold(query) for query in QUERIES}
    asked: list[str] = []

    def make(model: str, decoding: Decoding) -> Generator:
        return Generator(model, decoding, reply=lambda text: asked.append(text) or by_question[text])

    out = tmp_path / "answers.jsonl"
    for limit in (2, 4, 4):
        told = predict(calls(form="python"), out, Asking(MOCK, limit=limit), Silent(), make)
        assert told.answers == 3 * limit
    assert len(asked) == len(set(asked)) and 12 <= len(asked) <= 18
    summary = summary_of(calls(), out, tmp_path / "results.jsonl", answered_only=True)
    assert summary.calls["all"].right.estimate == summary.nothing["nothing"].right.estimate == 1
    assert summary.cost is not None and summary.cost.answers == len(asked)


def test_runs_are_compared_by_category(tmp_path: Path) -> None:
    never = {query.task_id: NO_FUNCTION for query in QUERIES}
    knowing = {query.task_id: gold(query) for query in QUERIES}
    for name, given in (("before", never), ("after", knowing)):
        summary_of(calls(), answers(tmp_path / f"{name}.answers.jsonl", given), tmp_path / f"{name}.jsonl")
    found = compare(tmp_path / "before.jsonl", tmp_path / "after.jsonl")
    gains = {(gain.part, gain.measure): gain.difference.difference for gain in found.gains}
    assert found.benchmark == "calls"
    assert gains["several", "right"] == gains["sets", "right"] == 1 and gains["nothing", "right"] == 0


def test_a_file_of_queries_of_ones_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    write_records(path, QUERIES[:2])
    assert calls(str(path)).load() == QUERIES[:2]
    write_records(path, [QUERIES[0], QUERIES[0]])
    with pytest.raises(CorruptRecord, match="two queries with the id"):
        calls(str(path)).load()
    path.write_text('{"task_id": "a", "category": "b", "messages": [{"role": "user", "content": "?"}]}\n')
    with pytest.raises(CorruptRecord, match="0 expected calls"):
        calls(str(path)).load()
    with pytest.raises(UsageError, match="--data"):
        calls(str(tmp_path / "nobody.jsonl")).load()


def test_results_tell_what_was_expected_and_called(tmp_path: Path) -> None:
    query = SEVERAL[0]
    summed(tmp_path, {query.task_id: written(gold_calls(query)[:1] * 30)})
    (found,) = load_records(tmp_path / "results.jsonl", type(verdict(query, calls().parse("", query))))
    assert found.detail["expected_names"] == [call.name for call in query.expected]
    assert len(found.detail["called_names"]) == len(found.detail["findings"]) == 20
    assert found.detail["fault"] == found.detail["faults"][0] and found.part == "several" and found.about
