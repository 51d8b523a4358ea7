"""Small models with tools: 40 APIs of four releases of this autumn, asked without knowledge, with all of it, as agents.

    apigap run --experiment local-0.5b --tasks TASKS --cells baseline --cells oracle.full --cells agent.all \
        --data RUN -m gguf/qwen2.5-coder-0.5b --set agent.rounds=6 --set agent.tokens=24000 --steps run --steps eval
    apigap run --experiment local-1.5b ...                            # the same with the other model
    .venv/bin/python -m tools.agents.make_local keep --run RUN        # answers, traces and verdicts, in one archive
    .venv/bin/python -m tools.agents.make_local                       # the tables of docs/agent-study.md

Tasks are those of `starter/2026.11` on what appeared from 2026-09-01 on, in duckdb, networkx, pandas and sqlalchemy,
ten APIs each (`random.Random(40)`: `sample` of the sorted APIs, then `choice` of each API's tasks by id). The larger
model's run as an agent was ended before its last answers: its trace is kept, and nothing of it is judged.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from apigap.agent.trace import Step
from apigap.analysis.analyse import analyse
from apigap.records.store import load_records
from apigap.reporting.markdown import markdown_table
from apigap.reporting.text import percent
from tools.agents.make_study import FOLDER, solved_table
from tools.kept import drop_prompts, keep_tasks, pack, unpacked
from tools.study import keep_or_print

KEPT = FOLDER / "local.tar.xz"
MODELS = ("local-0.5b", "local-1.5b")
_TRACE = Path("agent.all", "steps.jsonl")
_UNFINISHED = Path("unfinished", "local-1.5b.steps.jsonl")
_COLUMNS = (
    "model", "answers", "calls", "samples without a call", "that repeat a call", "calls that are the prompt's example",
)  # fmt: skip
_EXAMPLE = "merge two tables"
"""The example of a call in an agent's prompt."""


def keep(run: Path) -> None:
    """Keep what a run left, without its prompts; the trace of a cell that was not finished apart."""
    with tempfile.TemporaryDirectory(prefix="apigap-study-") as made:
        data = Path(made)
        for model in MODELS:
            shutil.copytree(run / "results" / model, data / "results" / model)
        cell = data / "results" / MODELS[1] / _TRACE.parent
        (data / _UNFINISHED).parent.mkdir()
        shutil.move(cell / _TRACE.name, data / _UNFINISHED)
        shutil.rmtree(cell)
        for path in data.glob("results/*/*/predictions.jsonl"):
            drop_prompts(path)
        keep_tasks(data)
        pack(data, KEPT)


def tables() -> list[str]:
    """The tables of docs/agent-study.md on small models: what is solved, and what they call."""
    with unpacked(KEPT) as data:
        solved = solved_table(analyse(data, MODELS), MODELS)
        traces = [data / "results" / MODELS[0] / _TRACE, data / _UNFINISHED]
        rows = [[model, *_called(load_records(path, Step))] for model, path in zip(MODELS, traces, strict=True)]
    return [solved, markdown_table(_COLUMNS, rows)]


def _called(steps: Iterable[Step]) -> Iterator[str]:
    """The cells of a row: answers, calls, samples by what they call, and calls that copy the prompt's example."""
    kept = list(steps)
    calls = [step for step in kept if step.kind == "call"]
    samples = {step.key for step in kept}
    own = {key: Counter((step.tool, str(step.arguments)) for step in calls if step.key == key) for key in samples}
    silent = sum(not counts for counts in own.values())
    again = sum(any(count > 1 for count in counts.values()) for counts in own.values())
    copied = sum(_EXAMPLE in str(step.arguments) for step in calls)
    yield str(len(kept) - len(calls))
    yield str(len(calls))
    yield f"{silent} of {len(samples)}"
    yield f"{again} of {len(samples)}"
    yield f"{copied} of {len(calls)}" + (f" ({percent(copied / len(calls))})" if calls else "")


if __name__ == "__main__":
    keep_or_print(__doc__, keep, tables)
