"""Classes of waste: the part of its budget that a failed sample used in vain, told from its trace alone."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, get_args

from apigap.agent.evidence import Evidence, uses
from apigap.agent.toolsets import SETS
from apigap.agent.trace import Step
from apigap.records.base import canonical_json
from apigap.records.experiment import ToolSet
from apigap.records.task import Task

Waste = Literal[
    "looped", "gave up", "used no tool", "found and not used", "searched for the wrong name", "ran nothing",
    "used it wrongly", "never saw it",
]  # fmt: skip
WASTES: tuple[Waste, ...] = get_args(Waste)
"""In the order in which the first that fits is taken: the same call three times; no code, or two answers without a
call; no call at all; a result named the target and the code does not; lookups, none of which named it; code that was
never run although it could have been; and what is left: the code uses the target and is wrong, or does not use it."""
_LOOP = 3
_LOOKUPS = ("search_docs", "read_page", "read_source", "list_changes")


def waste_of(
    task: Task, tools: ToolSet, steps: Sequence[Step], code: str, over: str, found: Sequence[Evidence]
) -> Waste:
    """The class of a sample that did not pass; `code` is what counted, `over` how it ended, `found` its evidence."""
    calls = [step for step in steps if step.is_counted]
    used = {step.tool for step in calls}
    if _loops(calls):
        return "looped"
    if over == "gave up" or not code:
        return "gave up"
    if not calls and tools != "none":
        return "used no tool"
    if any(one.state == "found" and not uses(task.facet(one.api), code) for one in found):
        return "found and not used"
    if any(one.state == "not found" for one in found) and used & {*_LOOKUPS}:
        return "searched for the wrong name"
    if "run_code" in SETS[tools] and "run_code" not in used:
        return "ran nothing"
    return "used it wrongly" if uses(task, code) else "never saw it"


def _loops(calls: Sequence[Step]) -> bool:
    same = Counter(canonical_json([step.tool, step.arguments]) for step in calls)
    return max(same.values(), default=0) >= _LOOP
