"""Failing answers of models, labelled by two readers who did not write the rules and did not see what these say.

    .venv/bin/python -m tools.diagnosis.readers [--rows] [--half first|second]

prints how far the readers agree with each other, and the rules with what both say. A reader may say `mixed` where the
evidence does not tell; such answers are counted, and are no consensus. Answers are judged anew, so the rules are those
of today. `--rows` shows each answer on which the rules and the readers differ; `--half` takes the answers of one half,
chosen by hash, so that rules can be mended on one and measured on the other.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.cli.console import Console
from apigap.records.base import Record, content_hash
from apigap.records.result import FAILURE_LABELS
from apigap.records.store import load_records
from apigap.reporting.markdown import markdown_table
from apigap.sandbox.engine import Engine
from apigap.statistics import Agreement, agreement
from tools.diagnosis.labelled import compare_labelled
from tools.diagnosis.labelled_answers import LabelledAnswer

READ = Path(__file__).parents[2] / "tests" / "diagnosis" / "read_by_two.jsonl"
MIXED = "mixed"
_LABELS = (*FAILURE_LABELS, MIXED)


class ReadAnswer(Record):
    """One failing answer with the labels of both readers and their reasons, one sentence each."""

    edition: str
    library: str
    task_id: str
    completion: str
    model: str
    labels: tuple[str, str]
    whys: tuple[str, str]

    @property
    def consensus(self) -> str | None:
        """The label that both give; None where they differ, or cannot tell."""
        one, other = self.labels
        return one if one == other and one != MIXED else None

    @property
    def half(self) -> str:
        """The half that the answer belongs to, by its hash."""
        return ("first", "second")[int(content_hash([self.task_id, self.completion]), 16) % 2]


@dataclass(frozen=True)
class Measured:
    """A read answer and what the rules say of it; None where it no longer fails."""

    row: ReadAnswer
    given: str | None
    why: str


def measure(rows: Sequence[ReadAnswer]) -> list[Measured]:
    """Judge every answer."""
    groups: dict[str, dict[str, list[ReadAnswer]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        groups[row.edition][row.library].append(row)
    found: list[Measured] = []
    with Console() as console, Engine() as engine:
        for edition, libraries in sorted(groups.items()):
            asked = {library: [_as_labelled(row) for row in several] for library, several in libraries.items()}
            judged = compare_labelled(asked, engine, console, edition)
            ordered = [row for several in libraries.values() for row in several]
            for row, one in zip(ordered, judged, strict=True):
                found.append(Measured(row, one.result.label, str(one.result.detail.get("why"))))
    return found


def _as_labelled(row: ReadAnswer) -> LabelledAnswer:
    return LabelledAnswer(
        task_id=row.task_id, completion=row.completion, label="WrongLogic", reason="", source="real", model=row.model
    )


def of_readers(rows: Sequence[ReadAnswer]) -> Agreement:
    """The agreement of the two readers with each other."""
    return agreement((row.labels for row in rows), _LABELS)


def of_rules(measured: Sequence[Measured]) -> Agreement:
    """The agreement of the rules with what both readers say."""
    return agreement(
        ((one.row.consensus, one.given) for one in measured if one.row.consensus and one.given), FAILURE_LABELS
    )


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", action="store_true", help="show the answers on which rules and readers differ")
    parser.add_argument("--half", choices=("first", "second"), help="one half of the answers alone")
    given = parser.parse_args()
    rows = [row for row in load_records(READ, ReadAnswer) if given.half in (None, row.half)]
    readers = of_readers(rows)
    models = ", ".join(f"{model} {count}" for model, count in sorted(Counter(row.model for row in rows).items()))
    mixed = sum(MIXED in row.labels for row in rows)
    print(f"{len(rows)} answers ({models}); {mixed} called mixed by a reader")
    print(f"the readers with each other: agreement {readers.observed:.2f}, kappa {readers.kappa or 0.0:.2f}")
    measured = measure(rows)
    rules = of_rules(measured)
    print(f"the rules with both, {rules.total} answers: agreement {rules.observed:.2f}, kappa {rules.kappa or 0.0:.2f}")
    print(_table(rules), end="")
    for one in measured if given.rows else ():
        if one.row.consensus and one.given != one.row.consensus:
            print(f"\n{one.row.library} {one.row.task_id}: {one.row.consensus} ({one.row.whys[0]}), given {one.given}")
            print(f"  why: {one.why}\n{one.row.completion}")


def _table(found: Agreement) -> str:
    rows = [[label, *(str(found.pairs[label, given] or "") for given in found.labels)] for label in found.labels]
    rows.append(["precision", *(_share(found.precision(label)) for label in found.labels)])
    return markdown_table(("readers \\ rules", *found.labels), rows)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    main()
