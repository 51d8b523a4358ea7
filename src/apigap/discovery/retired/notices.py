"""Deprecations that the source of a release writes down: by decorators, and by warnings that a call always gives.

A warning counts for a function where nothing decides over it, and for a parameter where only the question whether that
was given does. What depends on a value is a matter of that value, and is left out. Nothing is imported or run.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from apigap.discovery.retired.decorators import Told, decorated
from apigap.discovery.retired.deprecation_classes import deprecation_classes, last_name
from apigap.discovery.retired.messages import one_line, text_of
from apigap.records.parsing.syntax import parse

MAX_BYTES = 2_000_000
_WORDS = re.compile(
    r"deprecat|(?:will|to) be removed|removed in|renamed|no longer (?:supported|used)|obsolete|superseded|"
    r"pending removal",
    re.IGNORECASE,
)
_FUTURE_VALUE = re.compile(r"(?:default|behaviou?r|value|result|dtype)s? (?:\w+ )*(?:will|has|of)\b", re.IGNORECASE)
_MAKERS = ("__init__", "__new__")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source(NamedTuple):
    """One file of a release: its module, its path as it is shown, and its tree."""

    module: str
    where: str
    tree: ast.Module


class Notices:
    """The deprecations of one release by the home of what they speak of (`module:qualified name`)."""

    def __init__(self, told: Iterable[Told] = ()) -> None:
        self._by_home: dict[str, list[Told]] = {}
        for one in told:
            self._by_home.setdefault(one.home, []).append(one)

    def of(self, module: str | None, qualname: str | None) -> tuple[Told, ...]:
        """The notices on the object whose code is there."""
        return tuple(self._by_home.get(f"{module}:{qualname}", ()))


def read_notices(root: Path, tops: Iterable[str]) -> Notices:
    """The notices in the files of the packages `tops` below `root`; what is too large, or no Python, is left out."""
    sources = list(_sources(root, tops))
    classes = deprecation_classes(source.tree for source in sources)
    elsewhere = {source.module: _constants(source.tree.body) for source in sources}
    return Notices(told for source in sources for told in notices_in(source, classes, elsewhere))


def notices_in(
    source: Source, classes: frozenset[str], elsewhere: dict[str, dict[str, ast.expr]] | None = None
) -> Iterator[Told]:
    """The notices of one file; `classes` are the names of the warnings that speak of deprecations, `elsewhere` the
    constants of all modules, of which a file may import the text of a warning.
    """
    constants = {**_imported(source, elsewhere or {}), **_constants(source.tree.body)}
    yield from _of_body(source.tree.body, "", source, classes, constants)


def _imported(source: Source, elsewhere: dict[str, dict[str, ast.expr]]) -> dict[str, ast.expr]:
    """The constants that a file imports by name from other modules of the library."""
    package = source.module.split(".") if source.where.endswith("__init__.py") else source.module.split(".")[:-1]
    found: dict[str, ast.expr] = {}
    for node in source.tree.body:
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            known = elsewhere.get(".".join([*above, *filter(None, [node.module])]), {})
            found |= {one.asname or one.name: known[one.name] for one in node.names if one.name in known}
    return found


def _sources(root: Path, tops: Iterable[str]) -> Iterator[Source]:
    for top in sorted(tops):
        single = root / f"{top}.py"
        for path in [single] if single.is_file() else sorted((root / top).rglob("*.py")):
            if path.is_symlink() or path.stat().st_size > MAX_BYTES or "tests" in path.relative_to(root).parts:
                continue
            where = path.relative_to(root)
            try:
                tree = parse(path.read_text("utf-8-sig", "replace"))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            parts = where.with_suffix("").parts
            yield Source(".".join(parts[:-1] if parts[-1] == "__init__" else parts), where.as_posix(), tree)


def _of_body(
    body: list[ast.stmt], prefix: str, source: Source, classes: frozenset[str], constants: dict[str, ast.expr]
) -> Iterator[Told]:
    for node in _definitions(body):
        qualname = f"{prefix}{node.name}"
        makes = prefix and node.name in _MAKERS  # its parameters are those of the class
        home = f"{source.module}:{prefix[:-1] if makes else qualname}"
        told = decorated(node, home, source.where, constants)
        yield from (one for one in told if one.parameter or not makes)
        if isinstance(node, ast.ClassDef):
            yield from _of_body(node.body, f"{qualname}.", source, classes, constants)
        else:
            yield from _warned(node, home, source.where, classes, constants)


def _definitions(body: list[ast.stmt]) -> Iterator[_Function | ast.ClassDef]:
    """Functions and classes of a body, those under a condition as well."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
        elif isinstance(node, ast.If | ast.Try):
            yield from _definitions([*node.body, *node.orelse])


def _warned(
    function: _Function, home: str, where: str, classes: frozenset[str], constants: dict[str, ast.expr]
) -> Iterator[Told]:
    known = {**constants, **_constants(function.body)}
    parameters = {argument.arg for argument in (*function.args.posonlyargs, *function.args.args)}
    parameters |= {argument.arg for argument in function.args.kwonlyargs}
    unset = _unset(function.args)
    for node in function.body:
        text = _warning(node, classes, known)
        if text is not None:
            if _WORDS.search(text) and not _FUTURE_VALUE.search(text):
                yield Told(home, "warning", f"{where}:{node.lineno}", one_line(text))
        elif isinstance(node, ast.If):
            yield from _of_parameter(node, parameters, unset, home, where, classes, known)
        if any(isinstance(part, ast.Return | ast.Yield | ast.Raise) for part in ast.walk(node)):
            return  # what comes after it is not always reached


def _unset(arguments: ast.arguments) -> set[str]:
    """The parameters whose default is None or False: that one is true says that it was given."""
    places = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(places[::-1], arguments.defaults[::-1], strict=False)]
    pairs += [
        (one, default) for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default
    ]
    return {one.arg for one, default in pairs if isinstance(default, ast.Constant) and default.value in (None, False)}


def _of_parameter(
    node: ast.If,
    parameters: set[str],
    unset: set[str],
    home: str,
    where: str,
    classes: frozenset[str],
    known: dict[str, ast.expr],
) -> Iterator[Told]:
    either = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or)
    tests = node.test.values if isinstance(node.test, ast.BoolOp) and either else [node.test]
    names = [_given(test, parameters, unset) for test in tests]
    for inner in node.body if all(names) else ():
        text = _warning(inner, classes, {**known, **_constants(node.body)})
        for name in filter(None, names):
            if text and _WORDS.search(text) and re.search(rf"\b{re.escape(name)}\b", text):
                yield Told(home, "warning", f"{where}:{inner.lineno}", one_line(text), name)


def _given(test: ast.expr, parameters: set[str], unset: set[str]) -> str | None:
    """The parameter whose presence `test` asks for: `x is not None`, `x is not no_default`, `"x" in kwargs`, and `x`
    alone where its default is false.
    """
    if isinstance(test, ast.Name):
        return test.id if test.id in unset else None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    left, operator, right = test.left, test.ops[0], test.comparators[0]
    if isinstance(operator, ast.In) and isinstance(left, ast.Constant) and isinstance(left.value, str):
        return left.value if last_name(right) in ("kwargs", "kw", "kwds", "options") else None
    if isinstance(operator, ast.IsNot | ast.NotEq) and isinstance(left, ast.Name) and left.id in parameters:
        sentinel = isinstance(right, ast.Name | ast.Attribute) or (
            isinstance(right, ast.Constant) and right.value is None
        )
        return left.id if sentinel else None
    return None


def _warning(node: ast.stmt, classes: frozenset[str], constants: dict[str, ast.expr]) -> str | None:
    """The text of a statement that warns of a deprecation; None for any other."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return None
    name = last_name(call.func)
    if "warn" in name.lower():  # Python's own, or one that a library has around it
        made = call.args[0] if call.args else _keyword(call, "message")
        categories = [*call.args[1:], _keyword(call, "category"), made if isinstance(made, ast.Call) else None]
        if any(category is not None and last_name(category) in classes for category in categories):
            return text_of(made, constants)
        if name in ("warn", "warn_explicit"):
            return None
    if "deprecat" in name.lower():
        texts = [text for argument in call.args if (text := text_of(argument, constants))]
        return max(texts, key=len, default=None)
    return None


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _constants(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """Names that are given a value at the top of a body."""
    found: dict[str, ast.expr] = {}
    for node in body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
    return found
