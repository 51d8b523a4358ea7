"""The hand labels of calls: that there are enough, that the readers and the code agree, and that drawing is blind."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.labels.answers import DATA, MADE, PUBLISHED, Answer, all_answers
from tools.labels.code import RIGHT, Code
from tools.labels.draw import QUOTAS, drawn, shuffled_for
from tools.labels.labelled import (
    KEPT,
    LABELS,
    LabelledCall,
    answers_of,
    between_readers,
    blind_labels,
    of_code,
    row_of,
)
from tools.labels.make_labels import DEMANDED, judged
from tools.labels.sheet import sheet

from apigap.benchmarks.call_faults import CALL_FAULTS
from apigap.records.errors import CorruptRecord
from apigap.records.store import load_records

NO_STUDY = Path("no study")
OF_CALLS = {fault: (0, 0, counts[2]) for fault, counts in QUOTAS.items()}


@pytest.fixture(scope="module")
def rows() -> list[LabelledCall]:
    return load_records(KEPT, LabelledCall)


def test_two_readers_have_labelled_enough_answers_of_every_fault(rows: list[LabelledCall]) -> None:
    counts = Counter(row.label for row in rows)
    assert len(rows) == len({row.id for row in rows}) == sum(map(sum, QUOTAS.values())) == 200
    assert all(counts[fault] >= 5 for fault in CALL_FAULTS), counts
    assert all(row.labels and row.label in LABELS for row in rows)
    assert all(bool(row.decided) == (row.labels is not None and row.labels[0] != row.labels[1]) for row in rows)
    assert all(row.decided_why for row in rows if row.decided)
    assert sum(not row.is_made for row in rows) >= 100


def test_published_answers_are_named_and_not_repeated(rows: list[LabelledCall]) -> None:
    assert all((row.answer is None) == row.source.startswith(PUBLISHED) for row in rows)


def test_the_code_says_what_is_kept_and_agrees_with_the_readers(rows: list[LabelledCall]) -> None:
    now = judged(rows)
    changed = [
        (one.id, one.given, other.given) for one, other in zip(rows, now, strict=True) if one.given != other.given
    ]
    assert changed == []
    found = of_code(now)
    assert found.total == len(rows)
    assert found.kappa is not None and found.kappa >= DEMANDED
    between = between_readers(now)
    assert between.kappa is not None and between.kappa >= DEMANDED


def test_a_fault_that_the_code_no_longer_tells_lowers_the_agreement(rows: list[LabelledCall]) -> None:
    silent = [row.model_copy(update={"given": RIGHT if row.given == "wrong value" else row.given}) for row in rows]
    assert (of_code(silent).kappa or 0) < (of_code(rows).kappa or 0)


def test_drawing_is_the_same_each_time_and_meets_its_quotas() -> None:
    code = Code()
    made = [one for one in all_answers(NO_STUDY) if one.benchmark == "calls"]
    quotas = {fault: counts for fault, counts in OF_CALLS.items() if fault not in ("no call", "wrong format", RIGHT)}
    chosen = drawn(code, made, quotas=quotas)
    assert chosen == drawn(code, made[::-1], quotas=quotas)
    said = Counter(told.first for one in chosen if (told := code.says(one)))
    assert said == {fault: counts[2] for fault, counts in quotas.items() if counts[2]}
    assert all(one.is_made for one in chosen)


def test_a_sheet_shows_the_answer_and_not_where_it_comes_from() -> None:
    code = Code()
    one = next(one for one in all_answers(NO_STUDY) if one.benchmark == "calls")
    told = sheet([one], code)
    query = code.queries[one.task_id]
    assert one.text in told
    assert all(function.name in told for function in query.functions)
    assert one.row not in told and one.task_id not in told
    assert not any(fault in told for fault in CALL_FAULTS)


@given(st.lists(st.text(max_size=3), unique=True, max_size=6))
def test_each_reader_gets_all_answers_once(texts: list[str]) -> None:
    answers = [Answer("calls", "t", MADE, str(number), text) for number, text in enumerate(texts)]
    for reader in "AB":
        assert sorted(shuffled_for(answers, reader)) == sorted(answers)


def test_another_answer_than_the_labelled_one_is_refused() -> None:
    one = Answer("toolllm", "1", f"{PUBLISHED}x.jsonl", "0", "{}")
    row = row_of(one)
    assert answers_of([row], [one]) == {row.id: one}
    assert answers_of([row], []) == {}
    with pytest.raises(CorruptRecord, match="another answer"):
        answers_of([row], [one._replace(text="[]")])


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('{"id": "ID", "label": "wrong"}', "has the label 'wrong'"),
        ('{"id": "ID", "label": "right"}\n{"id": "ID", "label": "right"}', "again"),
        ('{"id": "other", "label": "right"}', "no label for ID"),
    ],
)
def test_labels_that_are_missing_or_unknown_are_refused(tmp_path: Path, lines: str, told: str) -> None:
    row = row_of(Answer("calls", "t", MADE, "0", "x"))
    path = tmp_path / "labels.jsonl"
    path.write_text(lines.replace("ID", row.id))
    with pytest.raises(CorruptRecord, match=told.replace("ID", row.id)):
        blind_labels(path, [row])
    path.write_text(f'{{"id": "{row.id}", "label": "right", "why": "w"}}\n')
    assert blind_labels(path, [row]) == {row.id: ("right", "w")}


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the published data beside the checkout")
def test_every_labelled_answer_is_found_again(rows: list[LabelledCall]) -> None:
    from tools.labels.answers import published_answers

    assert answers_of(rows, published_answers()).keys() == {row.id for row in rows}
