"""The library's own tests as usages: a test function becomes straight-line code with what it needs around it."""

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from apigap.knowledge.usages.awaited import without_await
from apigap.knowledge.usages.names import bound_names, loaded_names
from apigap.knowledge.usages.snippets import steps_of
from apigap.knowledge.usages.unittest_methods import as_function
from apigap.knowledge.usages.usage import Bindings, Step, Usage
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import statements_within

_MAX_STATEMENTS = 60
_TEST_CLASS = re.compile(r"^Test|Tests?$|TestCase$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OF_COROUTINES = frozenset({"pytest.mark.asyncio", "pytest.mark.anyio"})
_UNUSABLE = frozenset({"pytest", "unittest", "mock", "monkeypatch", "conftest"})


def usages_of_tests(path: Path, source: str, wanted: frozenset[str] = frozenset()) -> Iterator[Usage]:
    """Usages in one test file; `source` is how the file is named to readers (its path in the sdist).

    With `wanted`, those alone whose test has one of these words in it: thousands of tests take their time.
    """
    try:
        text = path.read_text("utf-8")
        if wanted and wanted.isdisjoint(_WORD.findall(text)):
            return
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, OSError):
        return
    module = _Module(tree, _fixtures(path, text, tree))
    for name, node in _tests(tree, text.splitlines(), wanted):
        yield from _usage_of(node, module, f"{source}::{name}")


def _tests(tree: ast.Module, lines: Sequence[str], wanted: frozenset[str]) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Test functions, and the methods of test classes that can do without their object."""

    def speaks(node: ast.FunctionDef) -> bool:
        first = min((d.lineno for d in node.decorator_list), default=node.lineno)
        words = _WORD.findall("\n".join(lines[first - 1 : node.end_lineno]))
        return node.name.startswith("test") and not (wanted and wanted.isdisjoint(words))

    for node in map(_synchronous, tree.body):
        if isinstance(node, ast.FunctionDef) and speaks(node):
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and _TEST_CLASS.search(node.name):
            for method in map(_synchronous, node.body):
                if isinstance(method, ast.FunctionDef) and speaks(method):
                    free = as_function(node, method)
                    if free is not None:
                        yield f"{node.name}::{method.name}", free


def _synchronous(node: ast.stmt) -> ast.stmt:
    """A test that is a coroutine as a function, where what it awaits can be run by itself; anything else as it is."""
    body = without_await(node.body) if isinstance(node, ast.AsyncFunctionDef) else None
    if not isinstance(node, ast.AsyncFunctionDef) or body is None:
        return node
    decorators = [d for d in node.decorator_list if ast.unparse(d) not in _OF_COROUTINES]
    made = ast.FunctionDef(node.name, node.args, body, decorators, node.returns, node.type_comment)
    made.end_lineno = node.end_lineno
    return ast.copy_location(made, node)


def _fixtures(path: Path, text: str, tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """Fixtures that a test file sees: its own, then those of the conftest files above it, the nearest first."""
    above = (_fixtures_in(folder / "conftest.py") for folder in list(path.parents)[:3])
    found: dict[str, ast.FunctionDef] = {}
    for node in itertools.chain(_fixtures_of(text, tree), *above):
        found.setdefault(node.name, node)
    return found


@lru_cache(maxsize=64)
def _fixtures_in(file: Path) -> tuple[ast.FunctionDef, ...]:
    text = file.read_text("utf-8", "replace") if file.is_file() else ""
    try:
        return _fixtures_of(text, parse(text)) if "fixture" in text else ()
    except (SyntaxError, ValueError, RecursionError):
        return ()


def _fixtures_of(text: str, tree: ast.Module) -> tuple[ast.FunctionDef, ...]:
    if "fixture" not in text:
        return ()
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return tuple(f for f in functions if any("fixture" in ast.unparse(d) for d in f.decorator_list))


class _Module:
    """Module-level statements by the name that they bind."""

    def __init__(self, tree: ast.Module, fixtures: dict[str, ast.FunctionDef]) -> None:
        self.fixtures = fixtures
        self.statements = [node for node in tree.body if not _is_test(node)]
        self.binds = [bound_names(node) for node in self.statements]
        self._loads: dict[int, set[str]] = {}

    def needed_by(self, nodes: Sequence[ast.AST]) -> list[ast.stmt]:
        """The module-level statements, in order, that `nodes` read from, directly or through each other."""
        wanted = set[str]().union(*(loaded_names(node) for node in nodes))
        chosen: set[int] = set()
        while True:
            more = {i for i, names in enumerate(self.binds) if names & wanted} - chosen
            if not more:
                break
            chosen |= more
            wanted |= set[str]().union(*map(self._loads_of, more))
        return [_only(self.statements[i], wanted) for i in sorted(chosen)]

    def _loads_of(self, number: int) -> set[str]:
        """Names that a statement reads; looked up once, since many tests need the same ones."""
        if number not in self._loads:
            self._loads[number] = loaded_names(self.statements[number])
        return self._loads[number]


def _is_test(node: ast.stmt) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test")


def _only(node: ast.stmt, wanted: set[str]) -> ast.stmt:
    """An import cut down to the names that are read; anything else as it is."""
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return node
    names = [alias for alias in node.names if (alias.asname or alias.name).split(".")[0] in wanted]
    return ast.Import(names) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, names, node.level)


def _usage_of(node: ast.FunctionDef, module: _Module, source: str) -> Iterator[Usage]:
    rows, wanted = _parameters(node)
    made = [part for name in wanted for part in _inlined(name, module.fixtures, depth=0) or [None]]
    body = [*(part for part in made if part), *(part for part in node.body if not _is_docstring(part))]
    if rows is None or None in made or len(body) > _MAX_STATEMENTS or _has_control(body):
        return
    steps = tuple(step for part in body for step in _test_steps(part))
    if not steps:
        return
    values = [value for row in rows[:1] for _, value in row]
    code = parse("\n".join((*(step.code or step.expression or "" for step in steps), *values)))
    prelude = module.needed_by([code])
    if _UNUSABLE & set[str]().union(loaded_names(code), *(bound_names(part) for part in prelude)):
        return
    if any(isinstance(part, ast.ImportFrom) and part.level for part in prelude):
        return
    yield Usage(
        prelude=tuple(ast.unparse(part) for part in prelude),
        steps=steps,
        source=source,
        origin="tests",
        inputs=rows[0] if rows else (),
        variants=tuple(rows[1:]),
    )


def _test_steps(node: ast.stmt) -> Iterator[Step]:
    """Steps of one statement of a test; what only pytest can run is left out, or observed as raising."""
    if isinstance(node, ast.With) and "pytest" in loaded_names(node.items[0].context_expr):
        if _calls(node.items[0].context_expr, "raises") and len(node.body) == 1 and isinstance(node.body[0], ast.Expr):
            yield Step(code="", expression=ast.unparse(node.body[0].value))
        return
    yield from steps_of(node)


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name


def _has_control(body: Sequence[ast.stmt]) -> bool:
    """True for what cannot be flattened out of its function: return, yield, await, nonlocal, nested tests."""
    top = [part for part in body if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    kinds = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncWith, ast.AsyncFor, ast.Global)
    flat = any(isinstance(node, kinds) for part in top for node in ast.walk(part))
    return flat or any(isinstance(node, ast.Nonlocal) for part in body for node in statements_within(part))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _inlined(name: str, fixtures: dict[str, ast.FunctionDef], depth: int) -> list[ast.stmt]:
    """The statements that give `name` the value of its fixture; empty when that cannot be written in line."""
    node = fixtures.get(name)
    if node is None or depth > 3 or _parametrised(node):
        return []
    body = [part for part in node.body if not _is_docstring(part)]
    last = body.pop() if body else None
    value = last.value if isinstance(last, (ast.Return, ast.Expr)) else None
    if isinstance(value, ast.Yield):
        value = value.value
    elif not isinstance(last, ast.Return):
        value = None
    if value is None or _has_control(body):
        return []
    needed = [_inlined(argument.arg, fixtures, depth + 1) for argument in node.args.args]
    if not all(needed):
        return []
    given = [] if isinstance(value, ast.Name) and value.id == name else parse(f"{name} = {ast.unparse(value)}").body
    return [*(part for parts in needed for part in parts), *body, *given]


def _parametrised(node: ast.FunctionDef) -> bool:
    return any(
        "params" in ast.unparse(decorator) or "autouse" in ast.unparse(decorator) for decorator in node.decorator_list
    )


def _parameters(node: ast.FunctionDef) -> tuple[list[Bindings] | None, list[str]]:
    """The rows of a parametrised test as (name, source) pairs, and the fixtures that it wants.

    The rows are [] without parameters, and None where a decorator is not understood.
    """
    tables = [table for decorator in node.decorator_list for table in _table(decorator)]
    arguments = set(_argument_names(node))
    if len(tables) != len(node.decorator_list):
        return None, []
    named = {name for table in tables for name, _ in table[0]}
    if not named <= arguments:
        return None, []
    wanted = [name for name in _argument_names(node) if name not in named]
    if not tables:
        return [], wanted
    longest = max(map(len, tables))
    padded = [[*itertools.islice(itertools.cycle(table), longest)] for table in tables]
    return [tuple(itertools.chain(*rows)) for rows in zip(*padded, strict=True)], wanted


def _argument_names(node: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]


def _table(decorator: ast.expr) -> Iterator[list[Bindings]]:
    """The rows of one `parametrize` decorator; nothing for any other decorator."""
    if not (isinstance(decorator, ast.Call) and _calls(decorator, "parametrize") and len(decorator.args) >= 2):
        return
    try:
        raw = ast.literal_eval(decorator.args[0])
    except ValueError:
        return
    names = [part.strip() for part in raw.split(",")] if isinstance(raw, str) else list(raw)
    if not isinstance(decorator.args[1], (ast.List, ast.Tuple)):
        return
    rows = [row for element in decorator.args[1].elts if (row := _row(names, element))]
    if rows:
        yield rows


def _row(names: list[str], element: ast.expr) -> Bindings | None:
    if _calls(element, "param") and isinstance(element, ast.Call):
        if any(keyword.arg == "marks" for keyword in element.keywords):
            return None
        values = element.args
    elif len(names) == 1:
        values = [element]
    else:
        values = element.elts if isinstance(element, (ast.Tuple, ast.List)) else []
    if len(values) != len(names):
        return None
    return tuple((name, ast.unparse(value)) for name, value in zip(names, values, strict=True))
