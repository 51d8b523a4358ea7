"""Ways to tamper with a run, and to hide it: manifests and summary made anew over what was changed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from apigap.evaluation.summary import summarise_cell
from apigap.records.base import content_hash
from apigap.records.manifest import file_hash
from apigap.records.result import Judged, Prediction, Result
from apigap.records.store import load_records
from apigap.tasks.starter_files import tasks_path
from apigap.tasks.task_files import load_tasks

Rows = list[dict[str, Any]]


def rows_of(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(path: Path, rows: Rows) -> None:
    path.write_text("".join(json.dumps(row, sort_keys=True, separators=(",", ":")) + "\n" for row in rows))


def edit(path: Path, change: Callable[[Any], object]) -> None:
    """A JSON file, changed in place."""
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))


def answers_of(folder: Path) -> Path:
    return next(path for path in (folder / "answers.jsonl", folder / "predictions.jsonl") if path.exists())


def edit_rows(path: Path, change: Callable[[Rows], object]) -> None:
    rows = rows_of(path)
    change(rows)
    write(path, rows)


def seal(folder: Path) -> None:
    """Make manifests and summary agree with what lies in the folder, as whoever has changed it would."""
    answers, results = answers_of(folder), folder / "results.jsonl"
    predictions, verdicts = load_records(answers, Prediction), load_records(results, Result)
    is_cell = answers.name == "predictions.jsonl"
    hashed = content_hash([row.to_line() for row in predictions]) if is_cell else file_hash(answers)
    if is_cell:
        edit(
            folder / "predictions.manifest.json", lambda told: told["files"].update({answers.name: file_hash(answers)})
        )
    made = {"predictions": hashed}
    edit(folder / "results.manifest.json", lambda told: told["made_from"].update(made))
    edit(folder / "results.manifest.json", lambda told: told["files"].update({results.name: file_hash(results)}))
    known = load_tasks(tasks_path(Path("starter/click")))
    tasks = [task for task in known if task.task_id in {row.task_id for row in verdicts}]
    figures = json.loads(summarise_cell(verdicts, tasks, predictions).to_line())
    edit(folder / "summary.json", lambda told: told.update({**figures, "cost": told.get("cost")}))


def passes(row: dict[str, Any]) -> None:
    """Make a verdict a pass."""
    row.update(outcome="pass", passed=True, score=1.0, label=None)


def first_failed(rows: Rows) -> dict[str, Any]:
    return next(row for row in rows if row["outcome"] == "fail")


def forge_verdict(folder: Path) -> None:
    edit_rows(folder / "results.jsonl", lambda rows: passes(first_failed(rows)))


def blame_a_limit(folder: Path) -> None:
    """A forged verdict that says it met a limit, as if the machine might see it otherwise."""

    def change(rows: list[dict[str, Any]]) -> None:
        failed = first_failed(rows)
        passes(failed)
        failed["detail"]["limit"] = "time"

    edit_rows(folder / "results.jsonl", change)


def leave_out_failures(folder: Path) -> None:
    """Only the tasks that pass are handed in."""
    kept = {row["task_id"] for row in rows_of(folder / "results.jsonl") if row["outcome"] == "pass"}
    for path in (answers_of(folder), folder / "results.jsonl"):
        write(path, [row for row in rows_of(path) if row["task_id"] in kept])


def forge_answer(folder: Path, also_judged: bool = False) -> None:
    """Another answer in the place of one that failed; with `also_judged` the verdict says that it was judged."""
    failed = first_failed(rows_of(folder / "results.jsonl"))["task_id"]

    def answer(rows: Rows) -> None:
        next(row for row in rows if row["task_id"] == failed)["samples"] = ["```python\nx = 1\n```"]

    def verdict(rows: Rows) -> None:
        row = next(row for row in rows if row["task_id"] == failed)
        passes(row)
        row["judged"] = Judged.of("x = 1").model_dump()

    edit_rows(answers_of(folder), answer)
    if also_judged:
        edit_rows(folder / "results.jsonl", verdict)


def double_passes(folder: Path) -> None:
    edit_rows(folder / "results.jsonl", lambda rows: rows.extend([row for row in rows if row["passed"]]))


def sample_passes_twice(folder: Path) -> None:
    """A second sample, with a verdict and an answer, of what passes alone."""
    passed = [row for row in rows_of(folder / "results.jsonl") if row["passed"]]
    ids = {row["task_id"] for row in passed}
    edit_rows(folder / "results.jsonl", lambda rows: rows.extend({**row, "sample": 1} for row in passed))

    def again(rows: Rows) -> None:
        for row in rows:
            if row["task_id"] in ids:
                row["samples"] *= 2
                row["stop_reasons"] *= 2

    edit_rows(answers_of(folder), again)


def name_evaluator(folder: Path, rows_too: bool) -> None:
    edit(folder / "results.manifest.json", lambda told: told["made_from"].update(evaluator="0123456789abcdef"))
    if rows_too:
        edit_rows(folder / "results.jsonl", lambda rows: [row.update(evaluator="0123456789abcdef") for row in rows])


def show_solutions(folder: Path) -> None:
    """The prompts held more than the condition shows."""
    edit_rows(answers_of(folder), lambda rows: [row.update(prompt=f"{row['prompt']}\nHint") for row in rows[:1]])


def swap_answers(folder: Path) -> None:
    """The request of one task answers another, whose prompt it shows."""

    def swap(rows: Rows) -> None:
        rows[0]["key"], rows[1]["key"] = rows[1]["key"], rows[0]["key"]

    edit_rows(answers_of(folder), swap)


def name_condition(folder: Path) -> None:
    """Answers with knowledge, handed in as the baseline's: keys and prompts are the baseline's, the manifest is not."""
    answers = answers_of(folder)
    edit(answers.with_name(f"{answers.stem}.manifest.json"), lambda told: told["made_from"].update(condition="full"))
