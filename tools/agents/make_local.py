"""Small models with tools: 40 APIs of four releases of this autumn, asked without knowledge, with all of it, as agents.

    apigap run --experiment local-0.5b --tasks TASKS --cells baseline --cells oracle.full --cells agent.all \
        --data RUN -m gguf/qwen2.5-coder-0.5b --set agent.rounds=6 --set agent.tokens=24000 --steps run --steps eval
    apigap run --experiment local-1.5b ...                            # the same with the other model
    .venv/bin/python -m tools.agents.make_local keep --run RUN        # answers, traces and verdicts, in one archive
    .venv/bin/python -m tools.agents.make_local                       # the tables of docs/agent-study.md

Tasks are those of `starter/2026.11` on what appeared from 2026-09-01 on, in duckdb, networkx, pandas and sqlalchemy,
ten APIs each (`random.Random(40)`: `sample` of the sorted APIs, then `choice` of each API's tasks by id). Agents were
asked twice: at first with an example of a call that could be made as it stands. Of that run the larger model's trace
is kept (`earlier`); it was ended before its last 29 answers, and nothing of it is judged.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from apigap.agent.toolsets import EXAMPLES
from apigap.agent.trace import Step
from apigap.analysis.analyse import analyse
from apigap.records.store import load_records
from apigap.reporting.markdown import markdown_table
from apigap.reporting.text import percent
from tools.agents.make_study import FOLDER, evidence_table, keep_runs, solved_table
from tools.kept import unpacked
from tools.study import keep_or_print

KEPT = FOLDER / "local.tar.xz"
MODELS = ("local-0.5b", "local-1.5b")
_TRACE = Path("agent.all", "steps.jsonl")
_EARLIER = Path("earlier", "local-1.5b.steps.jsonl")
_COLUMNS = (
    "model", "answers", "calls", "samples without a call", "that repeat a call", "calls that are the prompt's example",
)  # fmt: skip
_EXAMPLES = ("merge two tables", *EXAMPLES.values())
"""The text of a call that an agent's prompt shows: once, and today."""


def keep(run: Path) -> None:
    """Keep what a run left, without its prompts, and the trace of the run before it."""
    keep_runs(run, MODELS, KEPT, [_EARLIER])


def tables() -> list[str]:
    """The tables of docs/agent-study.md on small models: what is solved, what they call, waste and find."""
    with unpacked(KEPT) as data:
        found = analyse(data, MODELS)
        traces = {model: data / "results" / model / _TRACE for model in MODELS}
        traces |= {f"{MODELS[1]}, the first time": data / _EARLIER}
        rows = [[who, *_called(load_records(path, Step))] for who, path in traces.items()]
    wasted = Counter((row.experiment, row.waste) for row in found.agents.waste for _ in range(row.samples))
    waste = [[who, kind, str(count)] for (who, kind), count in sorted(wasted.items())]
    return [
        solved_table(found, MODELS),
        markdown_table(_COLUMNS, rows),
        markdown_table(("model", "waste", "samples"), waste),
        evidence_table(found.agents.evidence),
    ]


def _called(steps: Iterable[Step]) -> Iterator[str]:
    """The cells of a row: answers, calls, samples by what they call, and calls that copy the prompt's example."""
    kept = list(steps)
    calls = [step for step in kept if step.kind == "call"]
    samples = {step.key for step in kept}
    own = {key: Counter((step.tool, str(step.arguments)) for step in calls if step.key == key) for key in samples}
    silent = sum(not counts for counts in own.values())
    again = sum(any(count > 1 for count in counts.values()) for counts in own.values())
    copied = sum(value in _EXAMPLES for step in calls for value in step.arguments.values())
    yield str(len(kept) - len(calls))
    yield str(len(calls))
    yield f"{silent} of {len(samples)}"
    yield f"{again} of {len(samples)}"
    yield f"{copied} of {len(calls)}" + (f" ({percent(copied / len(calls))})" if calls else "")


if __name__ == "__main__":
    keep_or_print(__doc__, keep, tables)
