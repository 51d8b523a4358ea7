"""The hand-labelled answers: that there are enough of them, and that the classifier agrees with the readers."""

from collections import Counter
from pathlib import Path

import pytest
from tools.diagnosis.labelled import agreement_of, compare_labelled
from tools.diagnosis.labelled_answers import LabelledAnswer, read_labelled

from apigap.records.errors import CorruptRecord
from apigap.records.result import FAILURE_LABELS
from apigap.sandbox.engine import Engine
from tests.silent import Silent

LABELLED = Path(__file__).parent / "labelled"
FAST = ("numpy", "httpx")


def test_there_are_enough_answers_of_every_class_and_library() -> None:
    labelled = read_labelled(LABELLED)
    rows = [row for several in labelled.values() for row in several]
    counts = Counter(row.label for row in rows)
    assert len(rows) >= 240
    assert all(counts[label] >= 30 for label in FAILURE_LABELS), counts
    assert sum(len(several) >= 30 for several in labelled.values()) >= 8
    assert all(row.reason for row in rows)


def test_a_third_is_held_out_and_stays_the_same_third() -> None:
    rows = [row for several in read_labelled(LABELLED).values() for row in several]
    share = sum(row.held_out for row in rows) / len(rows)
    assert 0.25 < share < 0.42
    relabelled = rows[0].model_copy(update={"label": "WrongLogic", "first_label": rows[0].label, "reason": "a slip"})
    assert relabelled.held_out == rows[0].held_out


def test_one_answer_has_one_label(tmp_path: Path) -> None:
    row = LabelledAnswer(task_id="t", completion="x", label="WrongLogic", reason="r", source="written")
    other = row.model_copy(update={"label": "WrongParam"})
    (tmp_path / "numpy.jsonl").write_text(f"{row.to_line()}\n{other.to_line()}\n")
    with pytest.raises(CorruptRecord, match="task t twice"):
        read_labelled(tmp_path)
    with pytest.raises(CorruptRecord, match="holds no"):
        read_labelled(tmp_path / "none")


@pytest.mark.network
@pytest.mark.sandbox
def test_the_classifier_agrees_with_the_readers() -> None:
    labelled = read_labelled(LABELLED)
    with Engine() as engine:
        compared = compare_labelled({name: labelled[name] for name in FAST}, engine, Silent())
    found = agreement_of(compared)
    assert found.total == len(compared), [one.row for one in compared if one.result.label is None]
    assert found.kappa is not None and found.kappa >= 0.85, [
        (one.row.label, one.result.label, one.row.completion) for one in compared if not one.agrees
    ]
