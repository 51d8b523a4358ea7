"""Long usages in pieces: each stretch that uses an API of interest, with only those earlier steps that it builds on."""

import ast
from collections.abc import Iterator, Sequence

from apigap.knowledge.usages.blocks import Statement
from apigap.knowledge.usages.names import free_names, identifiers
from apigap.knowledge.usages.snippets import builds_on
from apigap.knowledge.usages.usage import Step, Usage
from apigap.records.parsing.syntax import parse

LONG = 8
_STRETCH = 4
_MOST = 6


def divided(usage: Usage, leaves: frozenset[str]) -> Iterator[Usage]:
    """`usage` itself where it is short; else at most six pieces, each with another stretch that mentions `leaves`.

    No stretch is in two pieces: one may become an exemplar and the other a task.
    """
    if len(usage.steps) <= LONG:
        yield usage
        return
    for number, (start, stop) in enumerate(_stretches(usage.steps, leaves)[:_MOST], start=1):
        earlier = _needed(usage.steps[:start], usage.steps[start:stop])
        if earlier is not None:
            steps = (*earlier, *usage.steps[start:stop])
            yield usage.replaced(steps=steps, source=f"{usage.source}/{number}")


def _stretches(steps: Sequence[Step], leaves: frozenset[str]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for place, step in enumerate(steps):
        if found and place < found[-1][1]:
            continue
        if leaves & identifiers(step.code or step.expression or ""):
            found.append((place, min(place + _STRETCH, len(steps))))
    return found


def _needed(before: Sequence[Step], wanted: Sequence[Step]) -> list[Step] | None:
    """The steps of `before` that give `wanted` what it reads; None where they are too many."""
    statements = [Statement(parse(step.code).body[0], step.expression is not None) for step in before if step.code]
    free = free_names(node for step in wanted for node in parse(step.code or step.expression or "").body)
    if not free & set[str]().union(*(statement.binds for statement in statements)):
        return []
    chosen = builds_on(statements, free)
    return [Step(code=ast.unparse(node)) for node in chosen] or None
