"""The difficulty of a task, by what must be known to write its answer."""

import ast

from apigap.knowledge.usages.verify import changed_parameters
from apigap.records.candidate import Candidate
from apigap.records.task import Difficulty
from apigap.tasks.mutants.target import Target
from apigap.tasks.passed_parameters import passed_changed_parameters

_LEVELS: tuple[Difficulty, ...] = ("easy", "medium", "hard")


def difficulty_of(solution: str, candidate: Candidate) -> Difficulty:
    """The difficulty of a task with that reference.

    Every answer needs the API itself. One thing more to know makes it medium, two make it hard: an argument beyond the
    required ones (each counts), an argument that is an object made for the call, what changed in a changed API where
    the answer passes it, and a second use of the API.
    """
    target = Target(solution, candidate.leaf)
    tree = target.parse()
    calls = target.calls(tree)
    beyond = max((_beyond(call, candidate) for call in calls), default=0)
    made = any(isinstance(part, ast.Call) for call in calls for part in _arguments(call))
    changed = bool(changed_parameters(candidate)) and bool(passed_changed_parameters(solution, candidate))
    return _LEVELS[min(beyond + made + changed + (len(target.uses(tree)) > 1), 2)]


def _beyond(call: ast.Call, candidate: Candidate) -> int:
    """How many arguments the call has beyond those that every call needs, what changed not counted."""
    own = [parameter for parameter in candidate.parameters if parameter.name not in ("self", "cls")]
    required = {parameter.name for parameter in own if parameter.required}
    several = any(parameter.kind.startswith("var_pos") for parameter in own)
    extra = len(call.args) - sum(parameter.name in required for parameter in own[: len(call.args)])
    named = [keyword.arg for keyword in call.keywords if keyword.arg not in required | changed_parameters(candidate)]
    return (0 if several else extra) + len(named)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]
