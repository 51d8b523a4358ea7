"""Methods of test classes without their object: `self.x` as a variable, its checks as prints of what they are about."""

import ast
from collections.abc import Iterator, Sequence

from apigap.knowledge.usages.names import loaded_names
from apigap.knowledge.usages.snippets import is_assertion, subject
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import assigned_name

_PREPARES = ("setUp", "setup_method", "setup_class", "setUpClass", "setUpTestData", "setup", "setup_test")


def as_function(cls: ast.ClassDef, method: ast.FunctionDef) -> ast.FunctionDef | None:
    """`method` as a function of its own, or None where it needs more of its object than values set before."""
    if not method.args.args or _is_static(method):
        return None
    own = method.args.args[0].arg
    prepared = list(_assignments(cls))
    values = {name for _, name in prepared}
    body = _without_object(method.body, own, values)
    if body is None:
        return None
    read = {node.id for part in body for node in ast.walk(part) if isinstance(node, ast.Name)}
    wanted = _closure(read & values, prepared)
    first = [part for part, name in prepared if name in wanted]
    arguments = ast.arguments([], method.args.args[1:], None, method.args.kwonlyargs, [], None, [])
    made = ast.FunctionDef(method.name, arguments, [*first, *body], method.decorator_list, None, None)
    return parse(ast.unparse(ast.fix_missing_locations(made))).body[0]  # pyright: ignore[reportReturnType]


def _is_static(method: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in method.decorator_list)


def _assignments(cls: ast.ClassDef) -> Iterator[tuple[ast.stmt, str]]:
    """Assignments that give the object its values: of the class, then of what runs before every test."""
    for node in cls.body:
        if (name := assigned_name(node)) is not None:
            yield node, name
    for node in cls.body:
        if isinstance(node, ast.FunctionDef) and node.name in _PREPARES and node.args.args:
            own = node.args.args[0].arg
            names = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute) and _is_own(part, own)}
            for part in _without_object(node.body, own, names) or ():
                if (name := assigned_name(part)) is not None:
                    yield part, name


def _closure(wanted: set[str], prepared: Sequence[tuple[ast.stmt, str]]) -> set[str]:
    found = set(wanted)
    while True:
        read = {name for part, bound in prepared if bound in found for name in loaded_names(part)}
        more = (read & {name for _, name in prepared}) - found
        if not more:
            return found
        found |= more


def _is_own(node: ast.Attribute, own: str) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == own


def _without_object(body: Sequence[ast.stmt], own: str, values: set[str]) -> list[ast.stmt] | None:
    freed: list[ast.stmt] = []
    for node in (part for whole in body for part in _without_subtest(whole)):
        if _mentions(node, own):
            copy = parse(ast.unparse(node)).body[0]  # the given one stays as it is
            made = _WithoutObject(own, values).visit(_as_print(_as_pytest_raises(copy), own))
            if _mentions(made, own):
                return None
            freed.append(made)
        else:
            freed.append(_as_print(_as_pytest_raises(node), own))
    return freed


def _mentions(node: ast.stmt, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _without_subtest(node: ast.stmt) -> Iterator[ast.stmt]:
    """The body of `with self.subTest(...)` in its place."""
    if isinstance(node, ast.With) and len(node.items) == 1 and _method(node.items[0].context_expr) == "subTest":
        yield from node.body
    else:
        yield node


def _as_pytest_raises(node: ast.stmt) -> ast.stmt:
    """`with self.assertRaises(E):` in the form that pytest has for it."""
    if not (isinstance(node, ast.With) and len(node.items) == 1):
        return node
    if _method(node.items[0].context_expr) not in ("assertRaises", "assertRaisesMessage", "assertRaisesRegex"):
        return node
    raises = ast.Call(ast.Attribute(ast.Name("pytest", ast.Load()), "raises", ast.Load()), [], [])
    return ast.With([ast.withitem(raises)], node.body)


def _method(node: ast.expr) -> str | None:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None


def _as_print(node: ast.stmt, own: str) -> ast.stmt:
    """A check of the test object (`self.assertEqual(a, b)`) as a print of what it is about."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not (isinstance(call, ast.Call) and is_assertion(call) and own in loaded_names(call.func)):
        return node
    return ast.Expr(ast.Call(ast.Name("print", ast.Load()), [subject(call)], []))


class _WithoutObject(ast.NodeTransformer):
    """`self.x` as `x`, for values that are known."""

    def __init__(self, own: str, values: set[str]) -> None:
        self._own = own
        self._values = values

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if _is_own(node, self._own) and node.attr in self._values:
            return ast.Name(node.attr, node.ctx)
        self.generic_visit(node)
        return node
