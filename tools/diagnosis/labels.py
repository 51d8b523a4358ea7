"""Measure the classifier of failures against hand-labelled answers, and list real answers that have no label yet.

    .venv/bin/python -m tools.diagnosis.labels measure [LIBRARY ...] [--held-out] [--keep FILE] [--judge MODEL]
    .venv/bin/python -m tools.diagnosis.labels unlabelled data/results/EXPERIMENT ...

`measure` runs every answer and prints confusion, kappa, precision and recall as Markdown, then each disagreement; the
held-out third is left out unless it is asked for, and is then shown as numbers alone. It exits 1 below the kappa that
is demanded. `unlabelled` prints failing answers with the task and the reference, each with a row to fill in; what the
classifier says is not shown.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from apigap.benchmarks.novelapi.judging import Judge
from apigap.cli.console import Console
from apigap.records.base import canonical_json, content_hash
from apigap.records.result import FAILURE_LABELS, Prediction, Result
from apigap.records.store import load_records, write_text
from apigap.records.task import Task
from apigap.reporting.markdown import markdown_table
from apigap.sandbox.engine import Engine
from apigap.statistics import Agreement, agreement
from apigap.tasks.starter_files import starter_files
from tools.diagnosis.labelled import Compared, agreement_of, compare_labelled
from tools.diagnosis.labelled_answers import LabelledAnswer, read_labelled

LABELLED = Path(__file__).parents[2] / "tests" / "diagnosis" / "labelled"
DEMANDED = 0.85


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("libraries", nargs="*", help="these libraries alone")
    measuring.add_argument("--held-out", action="store_true", help="the held-out third, without its rows")
    measuring.add_argument("--judge", help="a model to ask about the same rows")
    measuring.add_argument("--judge-rows", type=int, default=0, help="so many of each label, drawn by hash (0: all)")
    measuring.add_argument("--replay", type=Path, help="transcripts of such a judge, to be replayed")
    measuring.add_argument("--transcripts", type=Path, default=Path("data/labels.judge.jsonl"), help="its calls")
    measuring.add_argument("--keep", type=Path, help="write every row's label and the classifier's here")
    listing = commands.add_parser("unlabelled")
    listing.add_argument("experiments", nargs="+", type=Path, help="folders with CELL/predictions.jsonl")
    listing.add_argument("--model", help="the model that answered; else the experiment's name")
    given = parser.parse_args()
    if given.command == "unlabelled":
        for experiment in given.experiments:
            _list_unlabelled(experiment, given.model or experiment.name)
        return
    compared = _measure(given.libraries)
    if given.keep:
        write_text(given.keep, "".join(map(_kept, compared)))
    shown = [one for one in compared if one.row.held_out == given.held_out]
    _tell(shown, rows=not given.held_out)
    if given.judge:
        judge = Judge(given.judge, given.replay)
        _tell_judge(_drawn(shown, given.judge_rows), judge, given.transcripts)
    sys.exit(0 if (agreement_of(shown).kappa or 0.0) >= DEMANDED else 1)


def _measure(libraries: Sequence[str]) -> list[Compared]:
    labelled = {name: rows for name, rows in read_labelled(LABELLED).items() if not libraries or name in libraries}
    if not labelled:
        sys.exit(f"{LABELLED} has no labels for {', '.join(libraries)}")
    with Console() as console, Engine() as engine:
        return compare_labelled(labelled, engine, console)


def _tell(compared: Sequence[Compared], rows: bool) -> None:
    found = agreement_of(compared)
    print(_table(found), end="")
    print(f"\n{found.total} answers, agreement {_share(found.observed)}, kappa {_share(found.kappa)}")
    for source in ("real", "written"):
        part = agreement_of(one for one in compared if one.row.source == source)
        print(f"{source}: {part.total} answers, agreement {_share(part.observed)}, kappa {_share(part.kappa)}")
    for one in compared if rows else ():
        if not one.agrees:
            outcome = one.result.label or f"no fail but {one.result.outcome}"
            print(f"\n{one.library} {one.row.task_id}: {one.row.label} ({one.row.reason}), given {outcome}")
            print(f"  why: {one.result.detail.get('why')}\n{_indented(one.row.completion)}")
    strange = sum(one.result.label is None for one in compared)
    if strange:
        print(f"\n{strange} labelled answers do not fail and are not counted")


def _drawn(compared: Sequence[Compared], each: int) -> list[Compared]:
    """At most `each` failing rows of each hand label (0: all), those whose hashed texts come first."""
    failed = [one for one in compared if one.result.label is not None]
    ranked = sorted(failed, key=lambda one: content_hash([one.row.task_id, one.row.completion]))
    return [one for label in FAILURE_LABELS for one in [o for o in ranked if o.row.label == label][: each or None]]


def _tell_judge(compared: Sequence[Compared], judge: Judge, transcripts: Path) -> None:
    opinions = judge.opinions([one.failure for one in compared], transcripts)
    pairs = [(one, opinion.opinion) for one, opinion in zip(compared, opinions, strict=True) if opinion.opinion]
    by_hand = agreement(((one.row.label, label) for one, label in pairs), FAILURE_LABELS)
    by_rules = agreement(((str(one.result.label), label) for one, label in pairs), FAILURE_LABELS)
    print(f"\n{judge.model}: {len(pairs)} of {len(compared)} answers can be read;", end=" ")
    print(f"kappa {_share(by_hand.kappa)} with the hand labels, {_share(by_rules.kappa)} with the rules")
    print(_table(by_hand), end="")


def _table(found: Agreement) -> str:
    rows = [
        [label, *(str(found.pairs[label, given] or "") for given in found.labels), _share(found.recall(label))]
        for label in found.labels
    ]
    rows.append(["precision", *(_share(found.precision(label)) for label in found.labels), ""])
    return markdown_table(("by hand \\ classifier", *found.labels, "recall"), rows)


def _kept(one: Compared) -> str:
    row = {
        "library": one.library, "task_id": one.row.task_id, "completion": one.row.completion, "label": one.row.label,
        "given": one.result.label, "why": one.result.detail.get("why"), "held_out": one.row.held_out,
    }  # fmt: skip
    return canonical_json(row) + "\n"


def _list_unlabelled(experiment: Path, model: str) -> None:
    tasks = {task.task_id: task for path in starter_files() for task in load_records(path, Task)}
    known = {(row.task_id, row.completion) for rows in read_labelled(LABELLED).values() for row in rows}
    for path in sorted(experiment.glob("*/predictions.jsonl")):
        failed = _failed(path.with_name("results.jsonl"))
        for prediction in load_records(path, Prediction):
            task = tasks.get(prediction.task_id)
            for number, answer in enumerate(prediction.samples):
                if task is None or (prediction.task_id, answer) in known:
                    continue
                if failed is None or (prediction.task_id, number) in failed:
                    known.add((prediction.task_id, answer))
                    _show(task, answer, model, path.parent.name)


def _failed(results: Path) -> set[tuple[str, int]] | None:
    """The samples that are known to fail; None where nothing was judged."""
    if not results.exists():
        return None
    return {(one.task_id, one.sample) for one in load_records(results, Result) if one.outcome == "fail"}


def _show(task: Task, answer: str, model: str, cell: str) -> None:
    print(f"{'=' * 100}\n{task.library} {task.api_name}\n{task.description}\n")
    print(f"context:\n{_indented(task.context_code)}\nreference:\n{_indented(task.masked_region)}")
    print(f"answer:\n{_indented(answer)}\nrow for {task.library.lower()}.jsonl:")
    row = LabelledAnswer(
        task_id=task.task_id, completion=answer, label="WrongLogic", reason="", source="real", model=model, cell=cell
    )
    print(canonical_json({**row.model_dump(mode="json", exclude_none=True), "label": "", "reason": ""}))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    main()
