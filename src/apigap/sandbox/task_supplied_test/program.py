"""A task that brings its test as text: the program that runs its context, an answer, and then the test.

The order is that of the published evaluator (NovelAPIBench): the target's module, the task's own setup, the context,
the target's leaf where nothing has that name yet, the answer, the test. Setup and test run as text made at run time,
so the spy looks through the wrappers that a setup puts around the target.
"""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name
from apigap.records.run import Program
from apigap.sandbox.task_supplied_test.published_monitor import (
    COUNTER,
    STAND_IN,
    bound_names,
    can_stand_in,
    has_monitor,
)
from apigap.sandbox.verdict.trials import changed_names, kept_names

_BUILTINS = frozenset(dir(builtins))
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_PARSERS = ("parse_args", "parse_args_into_dataclasses")


@dataclass(frozen=True)
class SelfTest:
    """A task's own test and what it needs; `reference` is what its author wrote in the answer's place."""

    target: str
    setup: str
    context: str
    test: str
    reference: str

    def program(self, code: str) -> Program:
        """The program that runs `code` in the context, and then the test as its one observation.

        A published monitor is left out for the spy (see `published_monitor`). Before the test the context's functions
        and classes are put back, but for those that the answer repeats word for word.
        """
        setup = STAND_IN if can_stand_in(self.setup, self.test) else self.setup
        keep = sorted({*kept_names(self.context, self.reference)} - _repeated(self.context, code))
        return Program(context=self._context(setup), completion=code, observe=(self.expression,), keep=tuple(keep))

    @property
    def expression(self) -> str:
        """The observation: it has a value, None, only where the end of the test was reached."""
        return _run_text(runnable(self.test), "<observe>")

    def _context(self, setup: str) -> str:
        before = "\n".join(part for part in (_arguments(self.test), _import(self.target), setup) if part)
        # Calls that the context makes do not count.
        reset = f"{COUNTER}[0] = 0" if has_monitor(setup) else ""
        after = "\n".join(part for part in (self._leaf(), reset, self._kept()) if part)
        return "\n".join([*_opened(self.context, _run_text(before, "<setup>")), _run_text(after, "<setup>"), ""])

    def _leaf(self) -> str:
        module, _, leaf = self.target.rpartition(".")
        if leaf in _BUILTINS:
            return ""
        return f"if {leaf!r} not in globals():\n try:\n  from {module} import {leaf}\n except ImportError:\n  pass"

    def _kept(self) -> str:
        """Statements by which a builtin's name means the result to which the reference has given it, as in the test."""
        return "\n".join(f"{name} = {name}" for name in sorted(assigned(self.reference) & _BUILTINS))


def runnable(test: str) -> str:
    """`test` with its functions called and its expected exceptions demanded, as the published evaluator has it.

    A top-level `test...()` that nothing calls is called at the end; a top-level `try` whose handlers alone assert
    fails where nothing is raised.
    """
    tree = parse(test)
    silent = [node for node in tree.body if isinstance(node, ast.Try) and _asserts_only_in_handlers(node)]
    for node in silent:
        node.orelse = parse("raise AssertionError('the test expects an exception, and none was raised')").body
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    calls = [f"{name}()" for name in _test_functions(tree) if name not in names]
    text = ast.unparse(ast.fix_missing_locations(tree)) if silent else test
    return "\n".join([text, *calls])


def assigned(code: str) -> set[str]:
    """The names that the top level of `code` gives to values of its own; empty where it does not parse."""
    try:
        body = parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {name for statement in body for name in _bound(statement)}


def _repeated(context: str, code: str) -> set[str]:
    """The functions and classes of the context that `code` defines again as they are, and in no other way."""
    try:
        before, body = _definitions(context), parse(code).body
        found = [node for node in body if isinstance(node, _DEFINITIONS) and before.get(node.name) == ast.dump(node)]
        rest = ast.Module(body=[node for node in body if node not in found], type_ignores=[])
        return {node.name for node in found} - bound_names(ast.unparse(rest)) - changed_names(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _definitions(code: str) -> dict[str, str]:
    """The top level's functions and classes, each as its tree."""
    return {node.name: ast.dump(node) for node in parse(code).body if isinstance(node, _DEFINITIONS)}


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    else:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _run_text(text: str, name: str) -> str:
    return f"exec(compile({text!r}, {name!r}, 'exec'))"


def _opened(context: str, opening: str) -> list[str]:
    """The lines of `context` with `opening` before its first statement, but after what must come first of all."""
    try:
        body = parse(context).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [opening, context]  # the run will say why it does not parse
    future = [node for node in body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    if not future:
        return [opening, context]
    lines = context.split("\n")
    end = future[-1].end_lineno or 0
    return [*lines[:end], opening, *lines[end:]]


def _import(target: str) -> str:
    """The import of the target's module; the module of a method's class is one segment shorter."""
    module = target.rpartition(".")[0]
    holder = module.rpartition(".")[0]
    if not holder:
        return f"import {module}"
    return (
        f"try:\n import {module}\nexcept ModuleNotFoundError as missing:\n"
        f" if missing.name != {module!r}:\n  raise\n import {holder}"
    )


def _arguments(test: str) -> str:
    """The command line that the context sees: the first literal list of strings that the test gives to a parser."""
    for node in ast.walk(parse(test)):
        if isinstance(node, ast.Call) and last_name(node.func) in _PARSERS:
            given = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "args")]
            found = _strings(given[0]) if given else None
            if found is not None:
                return f"import sys as _sys\n_sys.argv[1:] = {found!r}\ndel _sys"
    return ""


def _strings(node: ast.expr) -> list[str] | None:
    if not isinstance(node, (ast.List, ast.Tuple)):
        return None
    values = [item.value for item in node.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return values if len(values) == len(node.elts) else None


def _asserts_only_in_handlers(node: ast.Try) -> bool:
    in_handlers = any(isinstance(inner, ast.Assert) for handler in node.handlers for inner in ast.walk(handler))
    in_body = any(isinstance(inner, ast.Assert) for statement in node.body for inner in ast.walk(statement))
    return in_handlers and not in_body and not node.orelse


def _test_functions(tree: ast.Module) -> list[str]:
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test")
        and len(node.args.posonlyargs) + len(node.args.args) == len(node.args.defaults)
        and all(node.args.kw_defaults)
    ]
