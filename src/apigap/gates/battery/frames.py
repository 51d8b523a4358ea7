"""The reference inside another frame: a function, a coroutine, a thread, a guard; it says and does the same."""

import ast
from collections.abc import Iterator, Sequence

from apigap.gates.battery.case import PASS, Case, Skipped
from apigap.gates.battery.programs import programs
from apigap.gates.battery.subject import Subject
from apigap.knowledge.usages.names import bound_names
from apigap.records.parsing.syntax import parse

_NO_COROUTINE = {"asyncio": "it runs an event loop itself", "django.db": "the library refuses its database there"}
_ONE = "its database is of one thread"
_NO_THREAD = {"django.db": _ONE, "sqlite": _ONE, "threading": "it tells threads apart itself"}
_ELSEWHERE = {"inside a coroutine": _NO_COROUTINE, "a joined thread": _NO_THREAD, "a thread pool": _NO_THREAD}
"""Frames in which the same lines do something else, by what the context or the answer works with; and why."""


def framed(subject: Subject) -> Iterator[Case | Skipped]:
    """The reference inside other frames, with prints and type hints, and after its imports: it must pass.

    Left out is a frame in which the same lines do something else.
    """
    statements = subject.tree.body
    bound = sorted({name for statement in statements for name in bound_names(statement)})
    inner = [ast.Global(bound), *map(_plain, statements)] if bound else list(statements)
    whole = f"{subject.task.context_code}\n{subject.reference}"
    for frame in programs("frames"):
        reason = next((why for word, why in _ELSEWHERE.get(frame.name, {}).items() if word in whole), None)
        if reason:
            yield Skipped(frame.family, frame.name, reason)
        else:
            yield _right(frame.family, frame.name, _inside(frame.code, inner))
    for block in programs("blocks"):
        yield _right(block.family, block.name, _inside(block.code, statements))
    yield _right(36, "prints and type hints", _hinted(statements))
    commented = f'"""What it does."""\n\n# first\n\n{subject.reference}\n\n# last'
    yield _right(36, "a docstring, comments and blank lines", commented)
    imports = [ast.unparse(node) for node in parse(subject.task.context_code).body if _imports(node)]
    yield _right(36, "the imports of the context again", "\n".join([*imports, subject.reference]))


def _right(family: int, name: str, code: str) -> Case:
    return Case(family, name, code, PASS)


def _imports(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _plain(statement: ast.stmt) -> ast.stmt:
    """An annotated name cannot be declared global: the annotation goes."""
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        return ast.Assign([statement.target], statement.value)
    return statement


def _inside(shape: str, statements: Sequence[ast.stmt]) -> str:
    """The statements in the place of `@BODY@`, as deep; text over several lines stays as it is."""
    tree = parse(shape.replace("@BODY@", "__body__"))
    return ast.unparse(ast.fix_missing_locations(_Fill(list(statements)).visit(tree)))


class _Fill(ast.NodeTransformer):
    def __init__(self, statements: list[ast.stmt]) -> None:
        self.statements = statements

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        return self.statements if isinstance(node.value, ast.Name) and node.value.id == "__body__" else node


def _hinted(statements: Sequence[ast.stmt]) -> str:
    lines: list[str] = ["print('begin')"]
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=value):
                hinted = ast.AnnAssign(target, ast.Name("object", ast.Load()), value, 1)
                lines += [ast.unparse(ast.fix_missing_locations(hinted)), f"print({name!r}, 'is made')"]
            case _:
                lines.append(ast.unparse(statement))
    return "\n".join(lines)
