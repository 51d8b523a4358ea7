"""Strong solvers with tools: 15 APIs of this autumn, asked without knowledge, with all of it, and as agents.

    apigap run --experiment solver1 --tasks TASKS --cells baseline --cells oracle.full --cells agent.all \
        --data RUN -m batch/solver1 --set agent.rounds=6             # and again, until nothing is asked
    .venv/bin/python -m tools.agents.make_study keep --run RUN       # answers, traces and verdicts, in one archive
    .venv/bin/python -m tools.agents.make_study                      # the tables of docs/agent-study.md

Tasks are those of `starter/2026.11` on what appeared from 2026-09-01 on, in duckdb, pandas, pydantic, shapely and
whenever, three APIs each (`random.Random(15)`: `sample` of the sorted APIs, then `choice` of the API's tasks by id).

`tar -xf studies/agents/answers.tar.xz -C FOLDER` unpacks it: `apigap analyze`, `report` and `view` read it there.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from apigap.agent.trace import Step
from apigap.analysis.agents.rows import AgentCurveRow, AgentEvidenceRow
from apigap.analysis.analyse import Analysis, analyse
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.reporting.markdown import markdown_table
from apigap.reporting.text import percent
from tools.kept import ANSWERS, TASKS, drop_prompts, keep_tasks, pack, unpacked
from tools.study import keep_or_print

FOLDER = Path(__file__).resolve().parents[2] / "studies" / "agents"
SOLVERS = ("solver1", "solver2")
_CALLS = (2, 3, 4, 5, 6, 7)


def keep(run: Path) -> None:
    """Keep what a run left, without its prompts."""
    keep_runs(run, SOLVERS, FOLDER / ANSWERS)


def keep_runs(run: Path, experiments: Iterable[str], archive: Path, beside: Sequence[Path] = ()) -> None:
    """Put the answers, traces and verdicts of experiments of the data folder `run` into `archive`, without prompts.

    Files of `run` that are no results, `beside`, are kept as they are.
    """
    with tempfile.TemporaryDirectory(prefix="apigap-study-") as made:
        data = Path(made)
        for name in experiments:
            shutil.copytree(run / "results" / name, data / "results" / name)
        for path in data.glob("results/*/*/predictions.jsonl"):
            drop_prompts(path)
        for path in beside:
            (data / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(run / path, data / path)
        keep_tasks(data)
        archive.parent.mkdir(parents=True, exist_ok=True)
        pack(data, archive)


def tables() -> list[str]:
    """The tables of docs/agent-study.md."""
    with unpacked(FOLDER / ANSWERS) as data:
        found = analyse(data, SOLVERS)
        tasks = load_records(data / TASKS, Task)
        spent = spent_table(data, SOLVERS)
    return [
        _asked(tasks),
        solved_table(found, SOLVERS),
        spent,
        _curves(found.agents.curves),
        evidence_table(found.agents.evidence),
    ]


def _asked(tasks: Iterable[Task]) -> str:
    """The tasks, and the day since when each API is there."""
    rows = [
        [f"{one.library} {one.version}", f"`{one.api_name}`", one.change, str(one.since.released if one.since else "")]
        for one in sorted(tasks, key=lambda task: (task.library, task.api_name))
    ]
    return markdown_table(("library", "API", "", "since"), rows)


def solved_table(found: Analysis, experiments: Sequence[str]) -> str:
    """A row per experiment and condition, in the order of `experiments`."""
    rows = [
        [cell.experiment, cell.title, f"{cell.passed} of {cell.samples}",
         f"{percent(cell.pass_at_1)} ({percent(cell.low)} to {percent(cell.high)})"]
        for name in experiments for cell in found.cells if cell.experiment == name
    ]  # fmt: skip
    return markdown_table(("who", "condition", "pass", "share, 95 % interval"), rows)


def spent_table(data: Path, experiments: Iterable[str]) -> str:
    """The mean number of tokens that an agent read and wrote for a task, estimated where nobody counts them."""
    rows: list[list[str]] = []
    for who in experiments:
        steps = load_records(data / "results" / who / "agent.all" / "steps.jsonl", Step)
        samples = len({step.key for step in steps})
        means = (sum(getattr(step, name) for step in steps) / samples for name in ("input_tokens", "output_tokens"))
        rows.append([who, *(f"{mean:,.0f}" for mean in means)])
    return markdown_table(("who", "tokens read per task", "written"), rows)


def _curves(rows: Iterable[AgentCurveRow]) -> str:
    """The share that had been solved after so many calls; whoever had handed in by then stays where he was."""
    kept = [row for row in rows if row.axis == "calls"]
    own = {who: [row for row in kept if row.experiment == who] for who in SOLVERS}
    table = [[who, *(_reached(own[who], calls) for calls in _CALLS)] for who in SOLVERS]
    return markdown_table(("who", *(f"{calls} calls" for calls in _CALLS)), table)


def _reached(rows: Iterable[AgentCurveRow], calls: int) -> str:
    row = max((row for row in rows if row.at <= calls), key=lambda row: row.at)
    return f"{percent(row.pass_at)} ({percent(row.low)} to {percent(row.high)})"


def evidence_table(rows: Iterable[AgentEvidenceRow]) -> str:
    """The ways in which APIs came to be known, and the tool."""
    counts = Counter((row.experiment, row.state, row.by.partition(" ")[0]) for row in rows)
    table = [[who, state, tool or "no tool", str(count)] for (who, state, tool), count in sorted(counts.items())]
    return markdown_table(("who", "API", "first named by", "APIs"), table)


if __name__ == "__main__":
    keep_or_print(__doc__, keep, tables)
