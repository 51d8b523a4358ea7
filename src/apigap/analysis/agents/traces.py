"""The traces of a cell's agents as a report shows them, row by row."""

from collections.abc import Mapping
from pathlib import Path

from apigap.agent.anytime import AGENTS, AgentRecord
from apigap.agent.evidence import Evidence
from apigap.agent.protocol import said
from apigap.agent.run import STEPS
from apigap.agent.trace import Step
from apigap.records.store import load_records
from apigap.reporting.model import Trace, TraceRow

_SHOWN = 6_000
Key = tuple[str, int]


def traces_of(folder: Path) -> Mapping[Key, Trace]:
    """The trace of each sample by task id and number; none where the cell's folder has no steps."""
    if not (folder / STEPS).exists():
        return {}
    told = {}
    if (folder / AGENTS).exists():
        told = {(one.task_id, one.sample): one for one in load_records(folder / AGENTS, AgentRecord)}
    steps: dict[Key, list[Step]] = {}
    for step in load_records(folder / STEPS, Step):
        steps.setdefault(step.key, []).append(step)
    return {
        key: Trace(words=words_of(told.get(key)), rows=tuple(map(row_of, sorted(own, key=lambda one: one.number))))
        for key, own in steps.items()
    }


def words_of(record: AgentRecord | None) -> str:
    """A sample in one sentence: what it used, how it came to know the API, how it ended, and where its budget went."""
    if record is None:
        return ""
    parts = [f"{_calls(record.calls)} in {record.rounds} answers", f"{record.tokens:,} tokens"]
    parts += [_known(one, "the API" if len(record.known) == 1 else one.api) for one in record.known]
    parts += [f"ended: {record.over}", *([f"waste: {record.waste}"] if record.waste else [])]
    return "; ".join(parts)


def _known(evidence: Evidence, name: str) -> str:
    return {
        "unaided": f"wrote {name} before any result named it",
        "found": f"found {name} by {evidence.by} after {_calls(evidence.after or 0)}",
        "not found": f"never saw {name}",
    }[evidence.state]


def row_of(step: Step) -> TraceRow:
    """A row; of a call its argument and what came of it."""
    if step.kind == "answer":
        head = f"answer {step.round}"
        cost = f"{step.input_tokens:,} tokens read, {step.output_tokens:,} written"
        text = said(step.text, "native")
        return TraceRow(head=head, given="", text=_cut(text or step.text), tone="answer", cost=_cost(step, cost))
    given = "\n".join(str(value) for value in step.arguments.values())
    return TraceRow(
        head=str(step.tool), given=_cut(given), text=_cut(step.text), tone=step.outcome, cost=_cost(step, "")
    )


def _cost(step: Step, tokens: str) -> str:
    seconds = f"{step.seconds:.1f} s" if step.seconds >= 0.05 else ""
    dollars = f"${step.dollars:.4f}" if step.dollars else ""
    return ", ".join(part for part in (tokens, seconds, dollars) if part)


def _calls(count: int) -> str:
    return "1 call" if count == 1 else f"{count} calls"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}\n... ({len(text) - _SHOWN:,} more characters)"
