"""The changed parameters that an answer passes, by name or by position."""

import ast

from apigap.knowledge.usages.verify import changed_parameters
from apigap.records.candidate import Candidate
from apigap.tasks.mutants.target import Target

_BY_DEFAULT = ("default changed", "became optional")


def shows_by_default(candidate: Candidate) -> bool:
    """Check that a call that leaves a parameter out can show the change."""
    return any(change.what in _BY_DEFAULT for change in candidate.changes)


def passed_changed_parameters(code: str, candidate: Candidate) -> frozenset[str]:
    """The changed parameters that `code` passes to the API; all of them where a star may pass any."""
    changed = changed_parameters(candidate)
    names = [p.name for p in candidate.parameters if p.name not in ("self", "cls")]
    target = Target(code, candidate.leaf)
    found: set[str] = set()
    for call in target.calls(target.parse()):
        given = {keyword.arg for keyword in call.keywords}
        if None in given or any(isinstance(argument, ast.Starred) for argument in call.args):
            return changed
        found |= {name for name in given if name} | set(names[: len(call.args)])
    return changed & found


def passed_new_parameters(code: str, candidate: Candidate) -> frozenset[str]:
    """The parameters that `code` passes and the old version did not take.

    Who passes one of which the default, the kind or the name is another wants what the old version gave.
    """
    added = {change.parameter for change in candidate.changes if change.what == "parameter added"}
    return passed_changed_parameters(code, candidate) & added
