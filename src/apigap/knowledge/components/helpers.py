"""Names that an implementation reads: functions and constants of its module, private methods of its class."""

import ast
from collections.abc import Iterator

from apigap.knowledge.components.sources import Located, Statement, statements
from apigap.knowledge.components.without_docstrings import stripped
from apigap.knowledge.usages.names import bound_names, loaded_names

_CONSTANT = 240
_NOISE = frozenset(("logger", "log", "_logger", "_log", "LOGGER"))


def helpers_of(located: Located, room: int) -> tuple[list[str], list[str]]:
    """(source of the helpers that fit into `room` characters, names of the others), in the order of the module.

    Helpers are what the definition itself reads; what these read in turn is not followed. What its body reads gets
    the room before what only its decorators and annotations read. A helper that is too long is left out whole.
    """
    inside = _read_inside(located.node) - _NOISE
    read = [(name, node) for name, node in _read_by(located) if name in inside or not _is_constant(node)]
    helpers = [(name, node, stripped(located.module.text, node)) for name, node in read]
    chosen: set[int] = set()
    for number in sorted(range(len(helpers)), key=lambda place: (helpers[place][0] not in inside, place)):
        _, node, text = helpers[number]
        most = _CONSTANT if _is_constant(node) else room
        if len(text) <= most and len(text) + 2 <= room:
            chosen.add(number)
            room -= len(text) + 2
    kept = [text for number, (_, _, text) in enumerate(helpers) if number in chosen]
    return kept, [name for number, (name, _, _) in enumerate(helpers) if number not in chosen]


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Assign, ast.AnnAssign))


def _read_inside(node: ast.stmt) -> set[str]:
    """Names that the body reads, without decorators, annotations and defaults."""
    body: list[ast.stmt] = getattr(node, "body", [])
    return set[str]().union(*map(loaded_names, body)) | _attribute_of_self(node)


def _read_by(located: Located) -> Iterator[tuple[str, Statement]]:
    target = located.node
    names = loaded_names(target)
    for node in statements(located.module.tree.body, handlers=False):
        if node is target or node is located.owner:
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name in names:
                yield node.name, node
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and (bound := bound_names(node) & names):
            yield min(bound), node
    if located.owner is not None:
        own = _attribute_of_self(target)
        for node in located.owner.body:
            if (
                isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
                and node.name in own
                and node not in located.nodes
            ):
                yield node.name, node


def _attribute_of_self(target: ast.stmt) -> set[str]:
    """Private methods that a method calls on its own object."""
    return {
        node.func.attr
        for node in ast.walk(target)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in ("self", "cls")
        and node.func.attr.startswith("_")
    }
