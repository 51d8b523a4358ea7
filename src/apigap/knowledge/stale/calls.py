"""The calls of a usage as expressions that can be looked at by themselves: the call, its object and its arguments."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from apigap.knowledge.usages.usage import Usage
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import dotted, imported_paths

MAX_CALLS = 6
_MAX_TEXT = 300
_VIEW = "(lambda value: (getattr(value, 'to_dicts', None) or value.to_list)())({})"
_FILE = re.compile(r"[\w./~\\-]*\.[A-Za-z]\w{0,6}")
_CLASSES = "[c.__module__ + ':' + c.__qualname__ for c in type({}).__mro__]"


class SeenCall(NamedTuple):
    """A call as source text. `path` is the dotted path of a function that an import leads to; of a method it is empty,

    `receiver` its object and `leaf` its name. `inputs` are the receiver and the arguments.
    """

    text: str
    leaf: str
    path: str
    receiver: str
    inputs: tuple[str, ...]

    @property
    def classes(self) -> str:
        """The expression that lists the classes of the receiver."""
        return _CLASSES.format(self.receiver)

    @property
    def view(self) -> str:
        """The expression that gives the rows or values of what the call gives, where that is a table of its own kind.

        The frames of polars keep all of their data in compiled code.
        """
        return view_of(self.text)

    @property
    def needed(self) -> tuple[str, ...]:
        """The expressions without which nothing can be told, the call itself as the last one."""
        return (*self.inputs, *((self.classes,) if self.receiver else ()), self.text)

    @property
    def observe(self) -> tuple[str, ...]:
        """The expressions to look at."""
        return (*self.needed, self.view, *map(view_of, self.inputs))


def view_of(text: str) -> str:
    """The expression that gives the rows or values of what `text` gives; it fails where that has none."""
    return _VIEW.format(text)


def calls_in(usage: Usage, paths: frozenset[str], leaves: frozenset[str]) -> list[SeenCall]:
    """The first calls of a function among `paths`, or of a method whose name is among `leaves`, in a usage.

    Only what stands in its steps by itself: a call in a loop or a function has names that are not there afterwards.
    """
    try:
        aliases = imported_paths(parse(usage.code))
        trees = [parse(text) for step in usage.steps if (text := step.expression or step.code)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found: dict[str, SeenCall] = {}
    for node in (node for tree in trees for node in _calls(tree)):
        seen = _seen(node, aliases, paths, leaves)
        if seen is not None and len(seen.text) <= _MAX_TEXT:
            found.setdefault(seen.text, seen)
    return list(found.values())[:MAX_CALLS]


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr):
            for node in ast.walk(statement):
                if isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
                    return
                if isinstance(node, ast.Call):
                    yield node


def _seen(node: ast.Call, aliases: dict[str, str], paths: frozenset[str], leaves: frozenset[str]) -> SeenCall | None:
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    if any(isinstance(argument, ast.Starred) for argument in arguments) or any(k.arg is None for k in node.keywords):
        return None
    if any(isinstance(one, ast.Constant) and _is_file(one.value) for one in arguments):
        return None  # what lies in the file is an input too, and is not looked at
    texts = tuple(ast.unparse(argument) for argument in arguments)
    written = dotted(node.func)  # empty where the object is itself made by a call: `lib.make([1]).mean`
    first, dot, rest = written.partition(".")
    path = aliases.get(first, "") + dot + rest if first in aliases else ""
    if path in paths:
        return SeenCall(ast.unparse(node), path.rpartition(".")[2], path, "", texts)
    if isinstance(node.func, ast.Attribute) and node.func.attr in leaves and not path:
        receiver = ast.unparse(node.func.value)
        return SeenCall(ast.unparse(node), node.func.attr, "", receiver, (receiver, *texts))
    return None


def _is_file(value: object) -> bool:
    return isinstance(value, str) and _FILE.fullmatch(value) is not None
