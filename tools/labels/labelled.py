"""Labelled answers as they are kept, and the agreement of labellers and code over them."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from apigap.benchmarks.call_faults import CALL_FAULTS
from apigap.records.base import Record, content_hash
from apigap.records.errors import CorruptRecord
from apigap.statistics import Agreement, agreement
from tools.labels.answers import PUBLISHED, ROOT, Answer, BenchmarkName, is_made
from tools.labels.code import NAMELESS, RIGHT

KEPT = ROOT / "studies" / "taxonomy" / "labels.jsonl"
LABELS = (*CALL_FAULTS, RIGHT)
SAID = (*LABELS, NAMELESS)


class LabelledCall(Record):
    """An answer with the labels of two readers who did not see each other's, nor what the code says.

    `answer` is left out where it stands in published data, which is no part of this project: `source`, `row` and
    `text_hash` say which it is. Where the readers differ, `decided` is what a third said, who saw both.
    `given` is what the code says, `given_first` what it said before anything was mended after these labels.
    """

    id: str
    benchmark: BenchmarkName
    task_id: str
    source: str
    row: str
    text_hash: str
    answer: str | None = None
    ended: str = "stop"
    labels: tuple[str, str] | None = None
    whys: tuple[str, str] | None = None
    decided: str | None = None
    decided_why: str | None = None
    given_first: str | None = None
    given: str | None = None

    @property
    def is_made(self) -> bool:
        """True for an answer that no model gave."""
        return is_made(self.source)

    @property
    def label(self) -> str | None:
        """The label that both give, or the one that was decided."""
        return self.decided or (self.labels[0] if self.labels and self.labels[0] == self.labels[1] else None)


def row_of(answer: Answer) -> LabelledCall:
    """The row of an answer, without labels."""
    published = answer.source.startswith(PUBLISHED)
    return LabelledCall(
        id=answer.id, benchmark=answer.benchmark, task_id=answer.task_id, source=answer.source, row=answer.row,
        text_hash=content_hash(answer.text), answer=None if published else answer.text, ended=answer.ended,
    )  # fmt: skip


def answers_of(rows: Sequence[LabelledCall], published: Iterable[Answer]) -> dict[str, Answer]:
    """The answers of rows by id; those that stand in published data are looked up among `published`, if they are there.

    Raises:
        CorruptRecord: for an answer that is another one than was labelled.
    """
    wanted = {(row.source, row.row) for row in rows if row.answer is None}
    found = {(one.source, one.row): one for one in published if (one.source, one.row) in wanted}
    answers: dict[str, Answer] = {}
    for row in rows:
        one = found.get((row.source, row.row))
        if row.answer is not None:
            one = Answer(row.benchmark, row.task_id, row.source, row.row, row.answer, row.ended)
        if one is not None:
            if content_hash(one.text) != row.text_hash:
                raise CorruptRecord(f"{row.source}, row {row.row}, is another answer than the one that was labelled")
            answers[row.id] = one
    return answers


def between_readers(rows: Sequence[LabelledCall]) -> Agreement:
    """The agreement of the two readers."""
    return agreement((row.labels for row in rows if row.labels), LABELS)


def of_code(rows: Sequence[LabelledCall], *, reader: int | None = None, first: bool = False) -> Agreement:
    """The agreement of the code with one reader, or with the labels that hold; `first`: before it was mended."""
    labels = (row.label if reader is None else row.labels[reader] if row.labels else None for row in rows)
    said = (row.given_first if first else row.given for row in rows)
    return agreement(((label, given) for label, given in zip(labels, said, strict=True) if label and given), SAID)


def blind_labels(path: Path, rows: Sequence[LabelledCall]) -> dict[str, tuple[str, str]]:
    """Label and reason by id, as one reader wrote them.

    Raises:
        CorruptRecord: for a label that there is not, an answer without one, or one with two.
    """
    found: dict[str, tuple[str, str]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        told = json.loads(line)
        if told["label"] not in LABELS:
            raise CorruptRecord(f"{path}:{number} has the label {told['label']!r}; there are {', '.join(LABELS)}")
        if told["id"] in found:
            raise CorruptRecord(f"{path}:{number} labels {told['id']} again")
        found[told["id"]] = told["label"], told.get("why", "")
    missing = {row.id for row in rows} - found.keys()
    if missing:
        raise CorruptRecord(f"{path} has no label for {', '.join(sorted(missing)[:10])}")
    return found
