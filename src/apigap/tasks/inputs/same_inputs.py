"""Inputs that are the same: found, and told apart by another value for the later one."""

import ast
from collections.abc import Iterator, Sequence

from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import assigned_name
from apigap.tasks.inputs.literals import in_statements, only_data, rewritten, turned

_ENDS = (("start", "end"), ("start", "stop"), ("low", "high"), ("lower", "upper"), ("first", "last"), ("min", "max"))
_DATA = (ast.List, ast.Dict, ast.Call)
_FURTHER = 4


def has_same_inputs(tree: ast.Module) -> bool:
    """Check for the same data under two names, a key that stands twice, and one value under all or as both ends."""
    return bool(_repeated(tree)) or any(isinstance(node, ast.Dict) and _repeats_a_key(node) for node in ast.walk(tree))


def told_apart(setup: Sequence[str]) -> tuple[str, ...]:
    """The statements of a context with another value for every input that is the same as an earlier one.

    What a constructor of usages gives to two parameters of one kind is one value, and asks for nothing: the distance
    of a list from itself. One literal changes, the last that can; else a list is turned round. Where neither tells
    them apart, the statement stays.
    """
    lines = list(setup)
    for _ in setup:
        place = next(iter(_repeated(parse("\n".join(lines)))), None)
        found = None if place is None else _without_repeat(lines, place)
        if found is None:
            break
        lines = found
    return tuple(lines)


def _without_repeat(lines: Sequence[str], place: int) -> list[str] | None:
    """The lines with another value at `place`, so that fewer of them are the same; None where there is none."""
    before = len(_repeated(parse("\n".join(lines))))
    for code in _others(lines[place]):
        found = [*lines[:place], code, *lines[place + 1 :]]
        if len(_repeated(parse("\n".join(found)))) < before:
            return found
    return None


def _others(line: str) -> Iterator[str]:
    """A statement with one literal changed, the last one first; with a list turned round; with the last changed on."""
    first = list(rewritten(line, only_data, in_statements))[::-1]
    yield from first
    yield from rewritten(line, turned, in_statements)
    further = first[:1]
    for _ in range(_FURTHER):
        further = [code for one in further for code in list(rewritten(one, only_data, in_statements))[-1:]]
        yield from further


def _repeated(tree: ast.Module) -> list[int]:
    """The places of the statements that give a name what an earlier one has given to another, in order."""
    values = [(place, node) for place, node in enumerate(tree.body) if isinstance(node, ast.Assign)]
    texts = [ast.unparse(node.value) for _, node in values]
    alone = len(values) > 1 and len(set(texts)) == 1 and all(isinstance(node.value, ast.Constant) for _, node in values)
    ends = set(_second_ends([node for _, node in values]))
    return [
        place
        for n, (place, node) in enumerate(values)
        if (texts[n] in texts[:n] and (alone or isinstance(node.value, _DATA))) or id(node) in ends
    ]


def _second_ends(nodes: Sequence[ast.Assign]) -> Iterator[int]:
    """The statements, by `id`, that give `end` the one value that `start` has, and the like."""
    named = {name: node for node in nodes if isinstance(node.value, ast.Constant) and (name := assigned_name(node))}
    for one, other in _ENDS:
        if one in named and other in named and ast.unparse(named[one].value) == ast.unparse(named[other].value):
            yield id(named[other])


def _repeats_a_key(node: ast.Dict) -> bool:
    """Check for a key that stands twice: of the two values only the last is there."""
    keys = [ast.unparse(key) for key in node.keys if isinstance(key, ast.Constant)]
    return len(set(keys)) < len(keys)
