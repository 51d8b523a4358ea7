"""What a strong author gives: tasks that it wrote for `apigap generate --author`, and blind solvers' answers to them.

    apigap starter bundles --edition 2026.11 --library polars --out bundles      # candidates and bundles, per library
    apigap generate --candidates C --knowledge K --out tasks/polars.jsonl --author batch/FOLDER \
        --set tasks.per_api=1 --set author.max_tokens=4000                       # and again, until nothing is asked
    .venv/bin/python -m tools.author.make_study keep --run tasks                 # tasks, and a row per API
    .venv/bin/python -m tools.author.make_study                                  # the tables of docs/author.md

Answers are kept as those to the starter benchmark are (`tools/starter/keep_answers.py`), in
`studies/author/answers.jsonl`.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from apigap.gates.kept_answers import KeptAnswer
from apigap.models.transcripts import Call, tokens_of
from apigap.records.base import Record
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.reporting.markdown import markdown_table
from apigap.statistics import wilson
from apigap.tasks.author.rejections import rejected_tries
from apigap.tasks.generate import ApiTasks
from tools.study import keep_or_print

FOLDER = Path(__file__).resolve().parents[2] / "studies" / "author"
TASKS, TRIES, ANSWERS = (FOLDER / name for name in ("tasks.jsonl", "tries.jsonl", "answers.jsonl"))


class Tries(Record):
    """One API that tasks were asked for: what was rejected on the way, and what the calls took.

    Tokens are estimated from the bytes where the provider counts none.
    """

    library: str
    api_name: str
    accepted: int
    rejected: tuple[str, ...]
    calls: int
    read: int
    written: int


def keep(run: Path) -> None:
    """Keep tasks and tries of `run`, a folder with LIBRARY.jsonl and what `generate` put beside each."""
    tasks: list[Task] = []
    rows: list[Tries] = []
    for path in sorted(run.glob("*.transcripts.jsonl")):
        library = path.name.removesuffix(".transcripts.jsonl")
        tasks += load_records(run / f"{library}.jsonl", Task)
        calls: defaultdict[str, list[Call]] = defaultdict(list)
        for call in load_records(path, Call):
            calls[call.purpose.partition("/")[0]].append(call)
        for entry in load_records(run / f"{library}.log.jsonl", ApiTasks):
            tokens = [tokens_of(call) for call in calls[entry.api_name]]
            read, written = (sum(column) for column in zip(*tokens, strict=True))
            tried = tuple(reason for reason in entry.dropped if ", try " in reason)
            rows.append(Tries(library=library, api_name=entry.api_name, accepted=len(entry.tasks), rejected=tried,
                              calls=len(tokens), read=read, written=written))  # fmt: skip
    tasks.sort(key=lambda task: (task.library, task.api_name))
    rows.sort(key=lambda row: (row.library, row.api_name))
    write_records(TASKS, tasks)
    write_records(TRIES, rows)


def by_library(rows: Sequence[Tries]) -> str:
    """A row per library: tasks asked for, accepted at the first try and in all, and tokens."""
    names = list(dict.fromkeys(row.library for row in rows))
    groups = [*((name, [row for row in rows if row.library == name]) for name in names), ("all", rows)]
    table = [
        [
            name, str(len(group)), str(sum(row.accepted and not row.rejected for row in group)),
            str(accepted := sum(row.accepted for row in group)), str(sum(row.calls for row in group)),
            f"{sum(row.read for row in group) / accepted:,.0f}", f"{sum(row.written for row in group) / accepted:,.0f}",
        ]
        for name, group in groups
    ]  # fmt: skip
    columns = ("library", "APIs", "at the first try", "accepted", "calls", "tokens read per accepted", "written")
    return markdown_table(columns, table)


def rejections(rows: Sequence[Tries]) -> str:
    """The reasons for which tries were rejected."""
    counts = rejected_tries(reason for row in rows for reason in row.rejected)
    return markdown_table(("why a try was rejected", "tries"), [[kind, str(count)] for kind, count in counts.items()])


def solved(answers: Sequence[KeptAnswer]) -> str:
    """A row per solver and condition: how many of the tasks pass."""
    groups: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for answer in answers:
        groups[answer.solver, answer.condition].append(answer.outcome == "pass")
    rows: list[list[str]] = []
    for (solver, condition), passed in sorted(groups.items()):
        found = wilson(sum(passed), len(passed))
        rate = f"{100 * (found.estimate or 0):.0f} % ({100 * found.low:.0f} to {100 * found.high:.0f})"
        rows.append([solver, condition, f"{sum(passed)} of {len(passed)}", rate])
    return markdown_table(("who", "knowledge", "pass", "share, 95 % interval"), rows)


def tables() -> list[str]:
    """The tables of docs/author.md."""
    rows = load_records(TRIES, Tries)
    return [by_library(rows), rejections(rows), solved(load_records(ANSWERS, KeptAnswer))]


if __name__ == "__main__":
    keep_or_print(__doc__, keep, tables)
