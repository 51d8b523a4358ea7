"""An outline of an implementation, read from its source: what it calls, what it raises and when, what it returns."""

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from apigap.knowledge.components.sources import Located, decorators
from apigap.records.parsing.syntax_trees import dotted

_MOST = 6
_LONG = 70
_PLAIN = frozenset(dir(builtins)) - {"open", "super"} | {"cast", "TypeVar", "warn"}
_SETTINGS = frozenset(("overload", "property", "classmethod", "staticmethod", "wraps", "cached_property"))
Function = ast.FunctionDef | ast.AsyncFunctionDef
_N = TypeVar("_N", bound=ast.AST)


def structure(located: Located) -> str:
    """Sentences on the definition, in the order of its source; empty where there is nothing to tell."""
    node = located.node
    if isinstance(node, ast.ClassDef):
        return " ".join(_of_class(node))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return " ".join(_of_function(node, located.owner))
    return f"It is made by `{_short(node.value)}`." if node.value is not None and _short(node.value) else ""


def _of_class(node: ast.ClassDef) -> Iterator[str]:
    bases = [text for base in node.bases if (text := _short(base))]
    if bases:
        yield f"A subclass of {_list(bases)}."
    methods = [each for each in node.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
    maker = next((each for each in methods if each.name == "__init__"), None)
    if maker is not None:
        stored = _stored(maker)
        if stored:
            yield f"Its constructor sets {_list(stored)}."
        yield from _raises(maker)
    public = [each for each in methods if not each.name.startswith("_")]
    for title, names in (
        ("Properties", [each.name for each in public if _is_property(each)]),
        ("Methods", [each.name for each in public if not _is_property(each)]),
    ):
        if names:
            yield f"{title} of its own: {_list(list(dict.fromkeys(names)))}."


def _of_function(node: Function, owner: ast.ClassDef | None) -> Iterator[str]:
    marks = [f"{name}" for name in decorators(node) if name and name.rpartition(".")[2] not in _SETTINGS]
    if marks:
        yield f"Decorated with {_list(marks)}."
    calls = list(_calls(node))
    if calls:
        yield f"Calls {_list(calls)}."
    yield from _raises(node)
    stored = _stored(node) if owner is not None else []
    if stored:
        yield f"Sets {_list(stored)}."
    yield from _results(node)


def _calls(node: Function) -> Iterator[str]:
    """The calls in the body, in its order and each once, without plain builtins and what only makes an exception."""
    seen = {node.name}
    raised = {id(inner) for each in ast.walk(node) if isinstance(each, ast.Raise) for inner in ast.walk(each)}
    for call in sorted(_inside(node.body, ast.Call), key=lambda each: (each.lineno, each.col_offset)):
        name = dotted(call.func)
        known = name in seen or name in _PLAIN or not name or name.rpartition(".")[2] in ("warn", "cast")
        if not known and id(call) not in raised:
            seen.add(name)
            yield name


def _raises(node: Function) -> Iterator[str]:
    """Each exception with the condition that stands around it, where that is short."""
    raised: dict[str, list[str]] = {}
    for condition, each in _under(node.body, None):
        kind = dotted(each.exc.func if isinstance(each.exc, ast.Call) else each.exc) if each.exc else ""
        if kind and (kind != kind.lower() or "." in kind):  # a variable tells nothing
            when = _short(condition) if condition is not None else ""
            raised.setdefault(kind, []).append(when)
    for kind, conditions in list(raised.items())[:3]:
        known = list(dict.fromkeys(when for when in conditions if when))[:2]
        yield f"Raises `{kind}`" + (f" if {' or if '.join(f'`{when}`' for when in known)}." if known else ".")


def _under(body: Sequence[ast.stmt], condition: ast.expr | None) -> Iterator[tuple[ast.expr | None, ast.Raise]]:
    """(the nearest condition, the statement) of every `raise`; inner functions and other branches have none."""
    for node in body:
        if isinstance(node, ast.Raise):
            yield condition, node
        elif isinstance(node, ast.If):
            yield from _under(node.body, node.test)
            yield from _under(node.orelse, None)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for part in ("body", "orelse", "finalbody"):
                yield from _under(getattr(node, part, []), None)
            for handler in getattr(node, "handlers", []):
                yield from _under(handler.body, None)


def _results(node: Function) -> Iterator[str]:
    yielded = list(_inside(node.body, ast.Yield))
    if yielded or list(_inside(node.body, ast.YieldFrom)):
        values = [text for each in yielded if each.value is not None and (text := _short(each.value))]
        yield f"A generator of {_list(list(dict.fromkeys(values)), 'or')}." if values else "A generator."
        return
    returned = [each.value for each in _inside(node.body, ast.Return)]
    values = list(dict.fromkeys(text for value in returned if value is not None and (text := _outline(value))))
    if values:
        yield f"Returns {_list(values[:3], 'or')}."


def _stored(node: Function) -> list[str]:
    """Attributes of `self` that it assigns."""
    found = [
        f"self.{each.attr}"
        for each in _inside(node.body, ast.Attribute)
        if isinstance(each.ctx, ast.Store) and isinstance(each.value, ast.Name) and each.value.id == "self"
    ]
    return list(dict.fromkeys(found))


def _inside(body: Iterable[ast.AST], kind: type[_N]) -> Iterator[_N]:
    """The nodes of a kind in `body`, not those of functions and classes inside it."""
    for node in body:
        if isinstance(node, kind):
            yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _inside(ast.iter_child_nodes(node), kind)


def _is_property(node: Function) -> bool:
    return any(name.rpartition(".")[2] in ("property", "cached_property") for name in decorators(node))


def _short(node: ast.expr) -> str:
    """An expression as it is written; empty where it is too long to be read in a sentence."""
    text = ast.unparse(node)
    return text if len(text) <= _LONG and "\n" not in text else ""


def _outline(node: ast.expr) -> str:
    """An expression as it is written; of a long call what is called."""
    called = dotted(node.func) if isinstance(node, ast.Call) else ""
    return _short(node) or (f"{called}(...)" if called else "")


def _list(names: Sequence[str], word: str = "and") -> str:
    """`a`, `b` and `c`."""
    quoted = [f"`{name}`" for name in names[:_MOST]]
    if len(names) > _MOST:
        return f"{', '.join(quoted)} {word} {len(names) - _MOST} more"
    return f" {word} ".join(part for part in (", ".join(quoted[:-1]), quoted[-1]) if part)
