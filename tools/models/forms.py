"""The form of a prompt, and what it moves of what small models get right: a table from kept verdicts, in studies/forms.

    .venv/bin/apigap items --tasks starter/2026.11/LIB --rungs call --out I   # ten libraries; the controls of all are C
    .venv/bin/apigap predict items --items C -m gguf/MODEL --set generation.layout=FORM \
        --set generation.begin_answer=BEGUN --set generation.max_tokens=400 --out MODEL.FORM.BEGUN.jsonl
    .venv/bin/apigap score items --items C --predictions MODEL.FORM.BEGUN.jsonl --out MODEL.FORM.BEGUN.results.jsonl
    .venv/bin/python -m tools.models.forms --take FOLDER       # keep the verdicts of FOLDER/*.results.jsonl
    .venv/bin/python -m tools.models.forms                     # print the table of docs/models.md

Controls are APIs that have not changed for years, so what a form loses is not what a model does not know.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from apigap.models.schemas.native_tools import handed_in
from apigap.records.base import Record
from apigap.records.result import Outcome, Prediction, Result
from apigap.records.store import load_records, write_records
from apigap.reporting.markdown import markdown_table
from apigap.statistics import clustered_wilson, paired_difference

KEPT = Path(__file__).resolve().parents[2] / "studies" / "forms" / "verdicts.jsonl"
DEFAULT = ("instructed", False)


class FormVerdict(Record):
    """The verdict on one answer under one form.

    `begun` says that the answer began with the task's outline, `called` that it is a call of the tool that was offered.
    """

    model: str
    form: str
    begun: bool
    called: bool
    task_id: str
    api: str
    outcome: Outcome


def taken(folder: Path) -> list[FormVerdict]:
    """The verdicts in a folder's results files."""
    found: list[FormVerdict] = []
    for path in sorted(folder.glob("*.results.jsonl")):
        name = path.name.removesuffix(".results.jsonl")
        model, form, begun = name.rsplit(".", 2)
        answers = load_records(path.with_name(f"{name}.jsonl"), Prediction)
        calls = {one.task_id for one in answers if handed_in(one.samples[0]) is not None}
        found += [
            FormVerdict(
                model=model, form=form, begun=begun == "true", called=one.task_id in calls, task_id=one.task_id,
                api=one.about, outcome=one.outcome,
            )
            for one in load_records(path, Result)
        ]  # fmt: skip
    return found


def rows_of(model: str, kept: Sequence[FormVerdict]) -> list[list[str]]:
    """A row per form: passed of all with an interval, and the difference to the default, paired by task.

    Answers that were cut count as not passed: a form that lets a model write without end loses by that.
    """
    own = [one for one in kept if one.model == model]
    forms = sorted({(one.form, one.begun) for one in own}, key=lambda form: (form[1], form != DEFAULT, form[0]))
    passed = {form: {one.task_id: one for one in own if (one.form, one.begun) == form} for form in forms}
    return [_row(model, form, passed[form], passed[DEFAULT]) for form in forms]


def _row(
    model: str, form: tuple[str, bool], rows: dict[str, FormVerdict], default: dict[str, FormVerdict]
) -> list[str]:
    values = [float(one.outcome == "pass") for one in rows.values()]
    rate = clustered_wilson(values, [one.api for one in rows.values()])
    both = sorted(rows.keys() & default.keys())
    before, after = ([float(side[key].outcome == "pass") for key in both] for side in (default, rows))
    gain = paired_difference(before, after, [rows[key].api for key in both])
    told = f"{100 * gain.difference:+.1f} ({100 * gain.low:+.1f} to {100 * gain.high:+.1f})"
    cut = sum(one.outcome == "cut" for one in rows.values())
    passed = f"{sum(values):.0f} of {len(values)} ({100 * rate.low:.0f} to {100 * rate.high:.0f} %)"
    calls = str(sum(one.called for one in rows.values())) if form[0] == "tools" else "-"
    return [model, form[0], "yes" if form[1] else "no", passed, str(cut), calls, "-" if form == DEFAULT else told]


def main() -> None:
    """Keep the verdicts of a folder, where one is given, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--take", type=Path)
    given = parser.parse_args()
    if given.take:
        write_records(KEPT, taken(given.take))
    kept = load_records(KEPT, FormVerdict)
    columns = ["model", "form", "answer begun", "passed (95 %)", "cut", "calls", "points over the default (95 %)"]
    print(
        markdown_table(columns, [row for model in sorted({one.model for one in kept}) for row in rows_of(model, kept)])
    )


if __name__ == "__main__":
    main()
