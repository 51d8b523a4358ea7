"""The answer that an agent would have given had it had to stop: a verdict on every code on its way, at its price."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.agent.evidence import Evidence, evidence_of
from apigap.agent.session import Session
from apigap.agent.waste import Waste, waste_of
from apigap.evaluation.item import Item
from apigap.models.extraction import Extraction, extract_code
from apigap.models.fences import fenced
from apigap.records.base import Record, content_hash
from apigap.records.experiment import ToolSet
from apigap.records.manifest import Stage, read_manifest
from apigap.records.result import FailureLabel, Outcome, Result
from apigap.records.store import write_records
from apigap.records.task import Task

AGENTS = "agents.jsonl"
CodeItem = Item[Task, Extraction]
Judge = Callable[[Sequence[CodeItem]], Sequence[Result]]


class Point(Record):
    """From here on a code was what counted; `step` is the row of the trace, the rest what had been spent by then."""

    step: int
    calls: int
    tokens: int
    seconds: float
    dollars: float
    outcome: Outcome
    label: FailureLabel | None = None


class AgentRecord(Record):
    """One sample: what it spent, how it came to know each API, its points, and where a failed one wasted its budget.

    `waste` is None for a sample that passed, or has no verdict.
    """

    task_id: str
    sample: int
    about: str
    library: str
    tools: ToolSet
    over: str
    calls: int
    rounds: int
    tokens: int
    seconds: float
    dollars: float
    known: tuple[Evidence, ...]
    outcome: Outcome
    label: FailureLabel | None = None
    waste: Waste | None = None
    points: tuple[Point, ...] = ()


def write_agents(
    folder: Path, sessions: Sequence[Session], results: Mapping[tuple[str, int], Result], judge: Judge, made_from: Any
) -> None:
    """Judge every code of `sessions`, whose own `results` are there, and write agents.jsonl into `folder`."""
    manifest = folder / "agents.manifest.json"
    made_from = {**made_from, "steps": content_hash([step.to_line() for one in sessions for step in one.steps])}
    if manifest.exists() and read_manifest(manifest).made_from != made_from:
        manifest.unlink()
    stage = Stage(manifest, "agents", made_from, files=(folder / AGENTS,))
    if stage.complete:
        return
    verdicts = _verdicts(sessions, judge)
    write_records(folder / AGENTS, [_record(one, results[one.key], verdicts) for one in sessions])
    if all(result.outcome != "infra" for result in verdicts.values()):
        stage.finish({"samples": len(sessions), "codes": len(verdicts)})


def _verdicts(sessions: Sequence[Session], judge: Judge) -> dict[tuple[str, str], Result]:
    """The verdict on each code of each task."""
    wanted = {(one.task.task_id, adopted.code): one.task for one in sessions for adopted in one.adopted}
    items = [
        Item(task, number, extract_code(fenced(code), task.context_code))
        for number, ((_, code), task) in enumerate(wanted.items())
    ]
    return dict(zip(wanted, judge(items), strict=True))


def _record(one: Session, result: Result, verdicts: Mapping[tuple[str, str], Result]) -> AgentRecord:
    found = evidence_of(one.task, one.steps)
    failed = result.outcome in ("fail", "suspect")
    wasted = waste_of(one.task, one.terms.tools, one.steps, one.code, str(one.over), found) if failed else None
    points: list[Point] = []
    for adopted in one.adopted:
        verdict, spent = verdicts[one.task.task_id, adopted.code], adopted.spent
        points.append(
            Point(
                step=adopted.step, calls=spent.calls, tokens=spent.tokens, seconds=round(spent.seconds, 3),
                dollars=spent.dollars, outcome=verdict.outcome, label=verdict.label,
            )
        )  # fmt: skip
    return AgentRecord(
        task_id=one.task.task_id, sample=one.sample, about=one.task.api_name, library=one.task.library,
        tools=one.terms.tools, over=str(one.over), calls=one.spent.calls, rounds=one.spent.rounds,
        tokens=one.spent.tokens, seconds=round(one.spent.seconds, 3), dollars=one.spent.dollars, known=found,
        outcome=result.outcome, label=result.label, waste=wasted, points=tuple(points),
    )  # fmt: skip
