"""Draw answers with calls for two blind readers, take their labels in, and measure the code against them.

    python -m tools.labels.make_labels draw --calls STUDY --blind FOLDER     200 rows to be labelled, and their sheets
    python -m tools.labels.make_labels take --blind FOLDER                   the labels of FOLDER/A and FOLDER/B
    python -m tools.labels.make_labels differing [--answers DECISIONS]       where they differ; DECISIONS settles them
    python -m tools.labels.make_labels measure [--rows] [--keep]             agreement, confusion, and what differs

`draw` needs the published data beside the checkout; without it `measure` goes by what the code said when it was there.
`measure` exits 1 below the kappa that is demanded.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.records.store import load_records, write_records, write_text
from apigap.reporting.markdown import markdown_table
from apigap.statistics import Agreement
from tools.labels.answers import DATA, Answer, all_answers, published_answers
from tools.labels.code import Code
from tools.labels.draw import QUOTAS, SEED, a_part, drawn, shuffled_for
from tools.labels.labelled import KEPT, LabelledCall, answers_of, between_readers, blind_labels, of_code, row_of
from tools.labels.sheet import sheet

READERS = ("A", "B")
PER_SHEET = 50
DEMANDED = 0.85


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kept", type=Path, default=KEPT, help="the file of labelled answers")
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--calls", type=Path, required=True, help="a study of `calls`: MODEL/predictions.jsonl")
    drawing.add_argument("--blind", type=Path, required=True, help="where the readers' folders go")
    drawing.add_argument("--seed", type=int, default=SEED)
    drawing.add_argument("--share", type=float, default=1, help="of 200 answers; of every kind at least one")
    drawing.add_argument("--without", type=Path, nargs="*", default=(), help="files whose tasks are not drawn again")
    taking = commands.add_parser("take")
    taking.add_argument("--blind", type=Path, required=True, help="the folder with A/labels.jsonl and B/labels.jsonl")
    deciding = commands.add_parser("differing")
    deciding.add_argument("--answers", type=Path, help="lines with id, label and why, which settle them")
    measuring = commands.add_parser("measure")
    measuring.add_argument("--rows", action="store_true", help="show each answer on which code and label differ")
    measuring.add_argument("--keep", action="store_true", help="write down what the code says now")
    given = parser.parse_args()
    run: dict[str, Callable[[argparse.Namespace], None]] = {
        "draw": _draw, "take": _take, "differing": _differing, "measure": _measure,
    }  # fmt: skip
    run[given.command](given)


def _draw(given: argparse.Namespace) -> None:
    code = Code()
    if not (code.has("apibank") and code.has("toolllm")):
        sys.exit(f"{DATA} has not the published data of API-Bank (apibank) and ToolBench (toolbench) to draw from")
    known = {(row.benchmark, row.task_id) for path in given.without for row in load_records(path, LabelledCall)}
    pool = (one for one in all_answers(given.calls) if (one.benchmark, one.task_id) not in known)
    answers = drawn(code, pool, given.seed, a_part(QUOTAS, given.share))
    write_records(given.kept, map(row_of, answers))
    told = Path(__file__).with_name("instructions.md").read_text(encoding="utf-8")
    told = told.replace("{dialogue}", ", ".join(DIALOGUE.apis)).replace("{planning}", ", ".join(PLANNING.apis))
    for reader in READERS:
        write_text(given.blind / reader / "README.md", told)
        order = shuffled_for(answers, reader)
        for start in range(0, len(order), PER_SHEET):
            text = sheet(order[start : start + PER_SHEET], code, start + 1)
            write_text(given.blind / reader / f"sheet-{start // PER_SHEET + 1}.txt", text)


def _take(given: argparse.Namespace) -> None:
    rows = load_records(given.kept, LabelledCall)
    one, other = (blind_labels(given.blind / reader / "labels.jsonl", rows) for reader in READERS)
    both = [(row, one[row.id], other[row.id]) for row in rows]
    write_records(
        given.kept,
        [row.model_copy(update={"labels": (a[0], b[0]), "whys": (a[1], b[1])}) for row, a, b in both],
    )
    _tell("the readers", between_readers(load_records(given.kept, LabelledCall)))


def _differing(given: argparse.Namespace) -> None:
    rows = load_records(given.kept, LabelledCall)
    if given.answers:
        lines = [json.loads(line) for line in given.answers.read_text(encoding="utf-8").splitlines() if line.strip()]
        settled = {one["id"]: {"decided": one["label"], "decided_why": one["why"]} for one in lines}
        write_records(given.kept, [row.model_copy(update=settled.get(row.id, {})) for row in rows])
        return
    code, open_ = Code(), [row for row in rows if row.labels and row.label is None]
    answers = answers_of(open_, published_answers())
    for row in open_:
        print(_told(row, code, answers))
        for label, why in zip(row.labels or (), row.whys or (), strict=True):
            print(f"## {label}\n{why}\n")


def _measure(given: argparse.Namespace) -> None:
    rows = judged(load_records(given.kept, LabelledCall))
    if given.keep:
        write_records(given.kept, rows)
    _tell("the readers with each other", between_readers(rows))
    for place, reader in enumerate(READERS):
        _tell(f"the code with reader {reader}", of_code(rows, reader=place))
    found = of_code(rows)
    _tell("the code with the labels that hold", found)
    _tell("the same before anything was mended", of_code(rows, first=True))
    _tell("the code on answers of models alone", of_code([row for row in rows if not row.is_made]))
    print(_table(found), end="")
    if given.rows:
        _show([row for row in rows if row.label != row.given])
    sys.exit(0 if (found.kappa or 0.0) >= DEMANDED else 1)


def judged(rows: Sequence[LabelledCall]) -> list[LabelledCall]:
    """The rows with what the code says of them now; those whose data is not here keep what it said."""
    code, answers = Code(), answers_of(rows, published_answers())
    return [_judged(row, code, answers.get(row.id)) for row in rows]


def _judged(row: LabelledCall, code: Code, answer: Answer | None) -> LabelledCall:
    if answer is None or not code.has(row.benchmark):
        return row
    said = code.says(answer)
    given = said.first if said else None
    return row.model_copy(update={"given": given, "given_first": row.given_first or given})


def _show(rows: Sequence[LabelledCall]) -> None:
    code, answers = Code(), answers_of(rows, published_answers())
    for row in rows:
        why = row.decided_why or (row.whys or [""])[0]
        print(f"\n{_told(row, code, answers)}## Label\n{row.label} ({why})\n\n## Code\n{row.given}")


def _told(row: LabelledCall, code: Code, answers: Mapping[str, Answer]) -> str:
    """The answer as labellers see it; its place where the data is not here."""
    known = row.id in answers and code.has(row.benchmark)
    return sheet([answers[row.id]], code) if known else f"{row.source}, row {row.row}, is about data that is not here\n"


def _tell(who: str, found: Agreement) -> None:
    observed, kappa = (("-" if one is None else f"{one:.3f}") for one in (found.observed, found.kappa))
    print(f"{who}: {found.total} answers, agreement {observed}, kappa {kappa}")


def _table(found: Agreement) -> str:
    used = [label for label in found.labels if found.true_count(label) or found.given_count(label)]
    rows = [[label, *(str(found.pairs[label, given] or "") for given in used)] for label in used]
    return markdown_table(("by hand \\ code", *used), rows)


if __name__ == "__main__":
    main()
