"""Code in prose as usages: each block of a page, with what it builds on from the blocks before it."""

import ast
from collections.abc import Iterator, Sequence

from apigap.knowledge.usages.blocks import Statement, code_blocks, statements_of
from apigap.knowledge.usages.names import free_names
from apigap.knowledge.usages.usage import Origin, Step, Usage
from apigap.records.parsing.syntax_trees import last_name

_MAX_EARLIER = 16
_CHECKS = frozenset({"eq_", "ne_", "is_", "is_not", "is_true", "is_false", "in_", "not_in"})
_IMPORTS = (ast.Import, ast.ImportFrom)


def usages_of_page(text: str, source: str, origin: Origin) -> Iterator[Usage]:
    """A usage per code block of a page; `source` is how the page is named to readers."""
    page: list[Statement] = []
    for number, block in enumerate(code_blocks(text), start=1):
        statements = statements_of(block)
        usage = _usage(statements, page, f"{source}#{number}", origin)
        page.extend(statements)
        if usage is not None:
            yield usage


def _usage(statements: Sequence[Statement], page: Sequence[Statement], source: str, origin: Origin) -> Usage | None:
    own = [statement.node for statement in statements if isinstance(statement.node, _IMPORTS)]
    rest = [statement for statement in statements if not isinstance(statement.node, _IMPORTS)]
    steps = tuple(step for statement in rest for step in steps_of(statement.node, shown=statement.shown))
    if not steps:
        return None
    earlier = builds_on(page, free_names([*own, *(statement.node for statement in rest)]))
    prelude = dict.fromkeys(ast.unparse(node) for node in (*earlier, *own))
    return Usage(prelude=tuple(prelude), steps=steps, source=source, origin=origin)


def builds_on(page: Sequence[Statement], wanted: set[str]) -> list[ast.stmt]:
    """The statements of a page that give `wanted` names their values, in order; none where they are too many.

    A backward slice: the last binding of each name, what that reads, and the calls and assignments between that
    work on those objects.
    """
    wanted = set(wanted)
    chosen: list[ast.stmt] = []
    for statement in reversed(page):
        binds = statement.binds & wanted
        if binds or (statement.loads & wanted and _has_effect(statement)):
            wanted = (wanted - binds) | statement.needs
            chosen.append(statement.node)
    return chosen[::-1] if len(chosen) <= _MAX_EARLIER else []


def _has_effect(statement: Statement) -> bool:
    """True for a statement that may change the objects it names: a call for its own sake, `a.b = c`, a block."""
    node = statement.node
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call) and not statement.shown and not _is_print(node.value)
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets)
    return isinstance(node, (ast.With, ast.For, ast.Delete))


def steps_of(node: ast.stmt, *, shown: bool = False) -> Iterator[Step]:
    """The steps that one statement makes: an assert, a print, and an expression whose value is the point are checks."""
    code = ast.unparse(node)
    if isinstance(node, ast.For) and (looped := _looped(node)) is not None:
        yield Step(code=code, expression=looped)
    elif isinstance(node, ast.Assert):
        observed = _asserted(node.test)
        yield Step(code=code, expression=ast.unparse(observed) if observed is not None else None)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield Step(code=code, expression=_called(node.value, shown))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    elif isinstance(node, ast.Expr):
        yield Step(code=code, expression=code)
    else:
        yield Step(code=code)


def _called(call: ast.Call, shown: bool) -> str | None:
    """The observable expression of a call that stands by itself."""
    if _is_print(call) or is_assertion(call):
        return ast.unparse(subject(call))
    return ast.unparse(call) if shown else None


def is_assertion(call: ast.Call) -> bool:
    """True for a call like `assert_equal(a, b)` or `self.assertEqual(a, b)`, which says something of an argument."""
    name = last_name(call.func)
    return bool(call.args) and (name.startswith("assert") or name in _CHECKS)


def subject(call: ast.Call) -> ast.expr:
    """The argument that such a call is about: its first, or the second where the first is a constant."""
    first, *others = call.args
    return others[0] if isinstance(first, ast.Constant) and others else first


def _looped(node: ast.For) -> str | None:
    """The observation in a loop that only asserts one thing: the list of it."""
    only = node.body[0] if len(node.body) == 1 and not node.orelse else None
    observed = _asserted(only.test) if isinstance(only, ast.Assert) else None
    if observed is None:
        return None
    comprehension = ast.comprehension(target=node.target, iter=node.iter, ifs=[], is_async=0)
    return ast.unparse(ast.ListComp(elt=observed, generators=[comprehension]))


def _asserted(test: ast.expr) -> ast.expr | None:
    """The side of an assertion that holds the value under test: the one that is not a constant."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], (ast.Eq, ast.Is)):
            return test.comparators[0] if isinstance(test.left, ast.Constant) else test.left
        return test
    return None if isinstance(test, ast.Constant) else test


def _is_print(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "print" and len(call.args) == 1 and not call.keywords
