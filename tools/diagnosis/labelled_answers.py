"""Failing answers that a person has labelled by reading them, to measure the classifier against."""

from pathlib import Path
from typing import Literal

from apigap.records.base import Record, content_hash
from apigap.records.errors import CorruptRecord
from apigap.records.result import FailureLabel
from apigap.records.store import load_records


class LabelledAnswer(Record):
    """A failing answer, its label and why, given before the classifier saw it (docs/diagnosis.md has the rules).

    Of a `real` one `completion` is the whole response, given by `model` in `cell`; of a `written` one it is what stands
    in the code block. `first_label` is the label before a slip was corrected,
    `drawn_as` the task's id when rows were drawn to be held out, where it has another since.
    """

    task_id: str
    completion: str
    label: FailureLabel
    reason: str
    source: Literal["real", "written"]
    model: str | None = None
    cell: str | None = None
    first_label: FailureLabel | None = None
    drawn_as: str | None = None

    @property
    def response(self) -> str:
        """The completion as a model would have sent it."""
        return self.completion if self.source == "real" else f"```python\n{self.completion}```\n"

    @property
    def held_out(self) -> bool:
        """True for the third of the rows, chosen by hash, that nobody looks at while mending the classifier."""
        return int(content_hash([self.drawn_as or self.task_id, self.completion]), 16) % 3 == 0


def read_labelled(folder: Path) -> dict[str, list[LabelledAnswer]]:
    """The rows of `folder/LIBRARY.jsonl`, by library.

    Raises:
        CorruptRecord: where there is no file, or one answer has two rows.
    """
    found = {path.stem: load_records(path, LabelledAnswer) for path in sorted(folder.glob("*.jsonl"))}
    if not found:
        raise CorruptRecord(f"{folder} holds no .jsonl file of labelled answers")
    for library, rows in found.items():
        seen: set[tuple[str, str]] = set()
        for row in rows:
            if (row.task_id, row.completion) in seen:
                raise CorruptRecord(f"{folder / library}.jsonl labels one answer to task {row.task_id} twice")
            seen.add((row.task_id, row.completion))
    return found
