"""Families 35 and 36: the reference written in unusual ways, each of which means the same and must pass."""

import ast
from collections.abc import Callable, Iterator

from apigap.gates.battery.calls import Rewrite, rewrite_calls
from apigap.gates.battery.case import PASS, Aims, Case, Skipped
from apigap.gates.battery.frames import framed
from apigap.gates.battery.signature import Signature
from apigap.gates.battery.subject import Subject
from apigap.records.parsing.syntax import expression_tree, parse

_NO_CALL = "the reference does not call the target in that form"


def honest(subject: Subject, aims: Aims, signature: Signature | None) -> Iterator[Case | Skipped]:
    """The reference, rewritten: around all of it, and at its calls of the target."""
    yield from framed(subject)
    for name, prelude, rewrite in _REWRITES:
        code = rewrite_calls(subject, rewrite)
        yield Skipped(35, name, _NO_CALL) if code is None else Case(35, name, prelude + code, PASS)
    yield from _imports(subject)
    yield from _arguments(subject, signature)
    yield from _attributes(subject, signature)


def _partial(call: ast.Call) -> ast.expr:
    partial = expression_tree("functools_.partial")
    return ast.Call(ast.Call(partial, [call.func, *call.args], call.keywords), [], [])


def _registry(call: ast.Call) -> ast.expr:
    table = ast.Dict([ast.Constant("it")], [call.func])
    return ast.Call(ast.Subscript(table, ast.Constant("it"), ast.Load()), call.args, call.keywords)


def _methodcaller(call: ast.Call) -> ast.expr | None:
    if not isinstance(call.func, ast.Attribute):
        return None
    caller = expression_tree("operator_.methodcaller")
    made = ast.Call(caller, [ast.Constant(call.func.attr), *call.args], call.keywords)
    return ast.Call(made, [call.func.value], [])


def _getattr(call: ast.Call) -> ast.expr | None:
    if not isinstance(call.func, ast.Attribute):
        return None
    found = ast.Call(ast.Name("getattr", ast.Load()), [call.func.value, ast.Constant(call.func.attr)], [])
    return ast.Call(found, call.args, call.keywords)


def _lambda(call: ast.Call) -> ast.expr | None:
    if _waits(call):
        return None
    nothing = ast.arguments([], [], None, [], [], None, [])
    return ast.Call(ast.Lambda(nothing, call), [], [])


def _comprehension(call: ast.Call) -> ast.expr | None:
    if _waits(call):
        return None
    return ast.Subscript(
        ast.ListComp(call, [ast.comprehension(ast.Name("_", ast.Store()), ast.Tuple([ast.Constant(0)]), [], 0)]),
        ast.Constant(0),
        ast.Load(),
    )


def _waits(call: ast.Call) -> bool:
    return any(isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)) for node in ast.walk(call))


def _starred(call: ast.Call) -> ast.expr | None:
    if any(isinstance(argument, ast.Starred) for argument in call.args) or any(k.arg is None for k in call.keywords):
        return None
    names: list[ast.expr | None] = [ast.Constant(k.arg) for k in call.keywords]
    given = ast.Dict(names, [k.value for k in call.keywords])
    positional = ast.Starred(ast.Tuple(call.args, ast.Load()), ast.Load())
    return ast.Call(call.func, [positional], [ast.keyword(None, given)])


def _starmap(call: ast.Call) -> ast.expr | None:
    if call.keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    rows = ast.List([ast.Tuple(call.args, ast.Load())], ast.Load())
    made = ast.Call(expression_tree("itertools_.starmap"), [call.func, rows], [])
    return ast.Call(ast.Name("next", ast.Load()), [made], [])


def _walrus(call: ast.Call) -> ast.expr:
    return ast.Call(ast.NamedExpr(ast.Name("the_callable", ast.Store()), call.func), call.args, call.keywords)


_REWRITES: list[tuple[str, str, Rewrite]] = [
    ("functools.partial", "import functools as functools_\n", _partial),
    ("through a registry", "", _registry),
    ("operator.methodcaller", "import operator as operator_\n", _methodcaller),
    ("getattr", "", _getattr),
    ("inside a lambda", "", _lambda),
    ("inside a comprehension", "", _comprehension),
    ("star arguments", "", _starred),
    ("itertools.starmap", "import itertools as itertools_\n", _starmap),
    ("the callable in a variable", "", _walrus),
]


def _imports(subject: Subject) -> Iterator[Case | Skipped]:
    """The target under another name: its import renamed, or imported where a module's attribute was used."""
    name = "alias import"
    if any(subject.leaf in _names(o.expression) for s in subject.scenarios for o in s.observations):
        yield Skipped(35, name, "an observation uses the target's name")
        return
    visitor = _Alias(subject.task.api_name)
    code = ast.unparse(ast.fix_missing_locations(visitor.visit(parse(subject.reference))))
    if visitor.imported:
        yield Case(35, name, code, PASS)
    else:
        yield Skipped(35, name, "the answer imports nothing of that name")
    yield from _module_alias(subject)


def _module_alias(subject: Subject) -> Iterator[Case | Skipped]:
    """`import package as p`, `p.leaf(...)` where the reference writes `package.leaf(...)`."""
    name, package = "module under another name", subject.task.api_name.partition(".")[0]
    if package not in _names(subject.reference):
        yield Skipped(35, name, "the reference does not name the package")
        return

    class Rename(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.Name("another", node.ctx) if node.id == package else node

    tree = Rename().visit(parse(subject.reference))
    yield Case(35, name, f"import {package} as another\n{ast.unparse(tree)}", PASS)


class _Alias(ast.NodeTransformer):
    def __init__(self, target: str) -> None:
        self.leaf = target.rpartition(".")[2]
        self.imported = False

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        for alias in node.names:
            if alias.name == self.leaf and alias.asname is None:
                alias.asname, self.imported = "another_name", True
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name("another_name", node.ctx) if self.imported and node.id == self.leaf else node


def _names(code: str) -> set[str]:
    return {node.id for node in ast.walk(parse(code.strip())) if isinstance(node, ast.Name)}


def _arguments(subject: Subject, signature: Signature | None) -> Iterator[Case | Skipped]:
    """Keyword for position, position for keyword, defaults written out: where the signature allows it."""
    forms: list[tuple[str, Callable[[ast.Call, Signature], ast.expr | None]]] = [
        ("positional arguments by keyword", _by_keyword),
        ("keyword arguments by position", _by_position),
        ("a default written out", _with_default),
    ]
    for name, write in forms:
        if signature is None or not signature.known:
            yield Skipped(35, name, "the signature is not known")
            continue
        known = signature

        def rewrite(
            call: ast.Call, write: Callable[..., ast.expr | None] = write, known: Signature = known
        ) -> ast.expr | None:
            return None if _open_ended(call) else write(call, known)

        code = rewrite_calls(subject, rewrite)
        yield Skipped(35, name, "no argument can be given that way") if code is None else Case(35, name, code, PASS)


def _open_ended(call: ast.Call) -> bool:
    return any(isinstance(argument, ast.Starred) for argument in call.args) or any(k.arg is None for k in call.keywords)


def _by_keyword(call: ast.Call, signature: Signature) -> ast.expr | None:
    names = signature.positional[: len(call.args)]
    if not call.args or len(names) < len(call.args) or any(name in signature.positional_only for name in names):
        return None
    return ast.Call(call.func, [], [*map(ast.keyword, names, call.args), *call.keywords])


def _by_position(call: ast.Call, signature: Signature) -> ast.expr | None:
    given = {keyword.arg: keyword for keyword in call.keywords}
    moved: list[ast.keyword] = []
    for name in signature.positional[len(call.args) :]:
        if name not in given:
            break
        moved.append(given[name])
    if not moved:
        return None
    rest = [keyword for keyword in call.keywords if keyword not in moved]
    return ast.Call(call.func, [*call.args, *(keyword.value for keyword in moved)], rest)


def _with_default(call: ast.Call, signature: Signature) -> ast.expr | None:
    given = {keyword.arg for keyword in call.keywords} | set(signature.positional[: len(call.args)])
    for name, default in signature.defaults:
        if name not in given:
            return ast.Call(call.func, call.args, [*call.keywords, ast.keyword(name, expression_tree(default))])
    return None


def _attributes(subject: Subject, signature: Signature | None) -> Iterator[Case | Skipped]:
    """Forms that only methods and properties allow: through the class, and by operator.attrgetter."""
    name = "unbound, through the class"
    if signature is None or signature.kind != "method":
        yield Skipped(35, name, "the target is no method")
    else:
        code = rewrite_calls(subject, _unbound)
        yield Skipped(35, name, _NO_CALL) if code is None else Case(35, name, code, PASS)
    name = "operator.attrgetter"
    visitor = _Getter(subject.leaf)
    code = ast.unparse(ast.fix_missing_locations(visitor.visit(parse(subject.reference))))
    if visitor.found:
        yield Case(35, name, f"import operator as operator_\n{code}", PASS)
    else:
        yield Skipped(35, name, "the target is not reached as an attribute")


def _unbound(call: ast.Call) -> ast.expr | None:
    """`x.__class__.leaf(x, ...)`; the object is made only once."""
    if not isinstance(call.func, ast.Attribute):
        return None
    holder = ast.NamedExpr(ast.Name("the_object", ast.Store()), call.func.value)
    cls = ast.Attribute(holder, "__class__", ast.Load())
    found = ast.Attribute(cls, call.func.attr, ast.Load())
    return ast.Call(found, [ast.Name("the_object", ast.Load()), *call.args], call.keywords)


class _Getter(ast.NodeTransformer):
    def __init__(self, leaf: str) -> None:
        self.leaf = leaf
        self.found = False

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if node.attr != self.leaf or not isinstance(node.ctx, ast.Load):
            return node
        self.found = True
        getter = ast.Call(expression_tree("operator_.attrgetter"), [ast.Constant(node.attr)], [])
        return ast.Call(getter, [node.value], [])
