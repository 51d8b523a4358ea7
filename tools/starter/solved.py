"""Pass rates of blind solvers on an edition, by the month in which what is asked for first appeared.

    .venv/bin/python -m tools.starter.solved [--edition 2026.11]

prints the tables of docs/starter-measured.md. Answers are those that are kept (`starter/EDITION/answers`), with the
verdicts that `apigap validate --answers` replays.
"""

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from apigap.gates.kept_answers import KeptAnswer
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.reporting.markdown import markdown_table
from apigap.statistics import wilson
from apigap.tasks.starter_files import newest, starter_files
from apigap.tasks.task_files import load_tasks

ROOT = Path(__file__).resolve().parents[2] / "starter"

Groups = Mapping[str, Mapping[str, Sequence[bool]]]


def month_of(task: Task) -> str:
    """The month of the first release, as `2026-08`; with `or later` where no text of a release tells."""
    since = task.since
    if since is None or since.released is None:
        return "not known"
    return f"{since.released:%Y-%m}{'' if since.exact else ' or later'}"


def read(edition: str) -> list[tuple[Task, KeptAnswer]]:
    """Each kept answer with its task."""
    found: list[tuple[Task, KeptAnswer]] = []
    for path in starter_files(edition):
        tasks = {task.task_id: task for task in load_tasks(path)}
        answers = ROOT / edition / "answers" / path.name
        rows = load_records(answers, KeptAnswer) if answers.exists() else []
        found += [(tasks[row.task_id], row) for row in rows]
    return found


def grouped(rows: Sequence[tuple[Task, KeptAnswer]], by_month: bool) -> Groups:
    """Whether each answer passes, by month or library, then by solver and condition."""
    found: defaultdict[str, defaultdict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for task, answer in rows:
        for key in (month_of(task) if by_month else task.library, "all"):
            found[key][f"{answer.condition}, {answer.solver}"].append(answer.outcome == "pass")
    return found


def table(groups: Groups, head: str) -> str:
    """Passed of all, and the Wilson interval of the rate in per cent, in a row per group."""
    columns = sorted(groups["all"])
    keys = [*sorted(key for key in groups if key != "all"), "all"]
    return markdown_table([head, *columns], ([key, *(_cell(groups[key].get(c, ())) for c in columns)] for key in keys))


def _cell(passed: Sequence[bool]) -> str:
    if not passed:
        return ""
    between = wilson(sum(passed), len(passed))
    return f"{sum(passed)} of {len(passed)} ({100 * between.low:.0f} to {100 * between.high:.0f})"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default=newest(), help="the edition; default: the newest")
    rows = read(parser.parse_args().edition)
    print(table(grouped(rows, by_month=True), "first appeared"))
    print(table(grouped(rows, by_month=False), "library"))


if __name__ == "__main__":
    main()
