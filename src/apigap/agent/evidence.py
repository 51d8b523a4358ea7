"""The call that brought the knowledge: the first whose result names the target, with the parameters that are new.

Of an API that is new the name is wanted; of a changed one also one of the parameters that the reference passes by name,
where it passes any. A name that is an ordinary word counts only where it is called, or stands behind its owner's.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from apigap.agent.trace import Step
from apigap.records.base import Record
from apigap.records.experiment import ToolName
from apigap.records.task import Task
from apigap.tasks.mutants.target import Target

State = Literal["unaided", "found", "not found"]
STATES: tuple[State, ...] = get_args(State)
"""The model wrote it before any result named it; a result named it first; neither."""


class Needle(NamedTuple):
    """The words that a text must have to name the target."""

    name: re.Pattern[str]
    parameters: re.Pattern[str] | None

    def is_in(self, text: str) -> bool:
        """True if `text` names the target, and a parameter where one is wanted."""
        return bool(self.name.search(text)) and (self.parameters is None or bool(self.parameters.search(text)))


class Evidence(Record):
    """The way a sample came to know one API of its task; `after` counts the calls up to the first that named it,
    `by` its tool. Both are None where none did, or the model wrote it before.
    """

    api: str
    state: State
    after: int | None = None
    by: ToolName | None = None


def needle_of(task: Task) -> Needle:
    """The needle of a task's first API; of others that of their facets."""
    *path, leaf = task.api_name.split(".")
    word = re.escape(leaf)
    called = rf"\b{word}\s*\("
    forms = [rf"\b{re.escape(path[-1])}\.{word}\b", called] if path else [called]
    if "_" in leaf or leaf[1:] != leaf[1:].lower() or any(sign.isdigit() for sign in leaf):
        forms.append(rf"\b{word}\b")  # no word of any language
    wanted = _parameters(task) if task.change == "modified" else []
    parameters = re.compile(rf"\b(?:{'|'.join(map(re.escape, wanted))})\b") if wanted else None
    return Needle(re.compile("|".join(forms)), parameters)


def evidence_of(task: Task, steps: Sequence[Step]) -> tuple[Evidence, ...]:
    """The evidence in a trace, for each API of the task. What the model writes is its answers, calls and all."""
    return tuple(_evidence(facet, steps) for facet in task.facets)


def _evidence(task: Task, steps: Sequence[Step]) -> Evidence:
    needle = needle_of(task)
    calls = 0
    for step in steps:
        calls += step.is_counted
        if not needle.is_in(step.text):
            continue
        if step.kind == "answer":
            return Evidence(api=task.api_name, state="unaided")
        if step.tool not in ("", "unknown", "submit"):
            return Evidence(api=task.api_name, state="found", after=calls, by=step.tool)
    return Evidence(api=task.api_name, state="not found")


def uses(task: Task, code: str) -> bool:
    """True if code names every API of the task."""
    return all(needle_of(facet).name.search(code) for facet in task.facets)


def state_of(states: Iterable[State]) -> State:
    """The state of an API: the most frequent one of its samples, the better of two that are as frequent."""
    listed = list(states)
    return max(STATES, key=lambda state: (listed.count(state), -STATES.index(state)))


def _parameters(task: Task) -> list[str]:
    target = Target(task.masked_region, task.api_name.rpartition(".")[2])
    keywords = [keyword.arg for call in target.calls(target.parse()) for keyword in call.keywords]
    return sorted({name for name in keywords if name})
