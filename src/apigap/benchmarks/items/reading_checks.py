"""Answers that stand in what a prompt shows: they say that a model reads, and nothing of what it knows."""

from apigap.knowledge.conditions import CONDITIONS
from apigap.records.knowledge import Component, KnowledgeBundle
from apigap.records.questions.ladder import LadderItem
from apigap.tasks.disjoint import calls_of

_SIGNATURE: frozenset[Component] = frozenset({"parameters", "code"})


def is_reading_check(rung: str, condition: str) -> bool:
    """True where what the condition (or its cell) shows has the answer to any item of the rung in it.

    Whatever documents an API says that it exists; its parameters, and its code with its first line, are its signature.
    """
    shown = set(CONDITIONS[condition.rpartition(".")[2]])
    return bool(shown) if rung == "exists" else rung == "signature" and bool(shown & _SIGNATURE)


def shows_answer(item: LadderItem, bundle: KnowledgeBundle | None, condition: str) -> bool:
    """True where the condition's part of `bundle` has the answer to this item in it.

    To code it is an exemplar that makes the same call on the same data.
    """
    if is_reading_check(item.rung, condition):
        return True
    program = _program(item)
    if bundle is None or program is None or "exemplars" not in CONDITIONS[condition]:
        return False
    leaf = item.api_name.rpartition(".")[2]
    own = calls_of(program, leaf)
    return bool(own) and any(own <= _calls_of(exemplar.code, leaf) for exemplar in bundle.exemplars)


def _program(item: LadderItem) -> str | None:
    """The whole program that makes the call of an item; None of one without any."""
    if item.task is not None:
        return item.task.reference_solution
    return item.programs[item.right or 0] if item.programs else None


def _calls_of(code: str, leaf: str) -> frozenset[str]:
    try:
        return calls_of(code, leaf)
    except SyntaxError:
        return frozenset()
