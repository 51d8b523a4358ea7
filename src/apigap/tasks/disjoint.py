"""Detection of tasks that repeat an exemplar: no call of the API in a task may be one that a bundle shows."""

import ast
from collections.abc import Sequence
from copy import deepcopy

from apigap.knowledge.usages.blocks import Statement
from apigap.knowledge.usages.names import loaded_names
from apigap.knowledge.usages.snippets import builds_on
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import Substitution, assigned_name
from apigap.tasks.mutants.target import Target, ancestors, parents


def repeats(context: str, answer: str, exemplars: Sequence[str], leaf: str) -> bool:
    """Tell whether one of the `exemplars` gives away the `answer` that belongs into `context`.

    It does where it makes every call of the API in the reference on the same data, or where a line of the reference
    with the API stands in it, whatever the data.
    """
    own = calls_of(f"{context}\n{answer}", leaf)
    if own and any(own <= calls_of(code, leaf) for code in exemplars):
        return True
    lines = lines_with(answer, leaf)
    return any(lines & lines_with(code, leaf) for code in exemplars)


def lines_with(code: str, leaf: str) -> set[str]:
    """The simple statements of `code` that mention `leaf`, as text, without the name that takes a result.

    Imports are nobody's answer, and code that does not parse has none.
    """
    try:
        tree = parse(code)
    except SyntaxError:
        return set()
    simple = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    own = [node for node in simple if not isinstance(node, (ast.Import, ast.ImportFrom))]
    texts = (ast.unparse(node.value if isinstance(node, ast.Assign) else node) for node in own)
    return {text for text in texts if leaf in text}


def calls_of(code: str, leaf: str) -> frozenset[str]:
    """The uses of `leaf` in a normal form: the data they work on written in, variables numbered.

    A value that was bound once and simply stands where its name was; what else leads to a use (a class, an object that
    is changed on the way) is in the form as the statements that do so.
    """
    tree = parse(code)
    target = Target(code, leaf)
    above = parents(tree)
    found: set[str] = set()
    for use in target.uses(tree):
        around = [node for node in ancestors(use, above) if isinstance(node, ast.stmt)]
        top = around[-1]
        whole = top if len(around) > 1 or isinstance(top, (ast.ClassDef, ast.FunctionDef)) else use
        found.add(_form(whole, tree.body[: tree.body.index(top)]))
    return frozenset(found)


def _form(use: ast.AST, before: Sequence[ast.stmt]) -> str:
    data = [node for node in before if not isinstance(node, (ast.Import, ast.ImportFrom))]
    needed = builds_on([Statement(node, False) for node in data], loaded_names(use))
    values = _simple(needed)
    own = set(_bound(data))
    others = [node for node in needed if assigned_name(node) not in values]
    parts = [Substitution(values).visit(_Short(own).visit(deepcopy(node))) for node in (*others, use)]
    names = {name: f"_{number}" for number, name in enumerate(_bound(others))}
    return "\n".join(ast.unparse(_Renamed(names).visit(part)) for part in parts)


def _simple(statements: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """Names that are bound once, by a plain assignment, to their values (with those of earlier ones written in)."""
    names = [name for node in statements for name in _bound([node])]
    values: dict[str, ast.expr] = {}
    for node in statements:
        name = assigned_name(node)
        if name is not None and names.count(name) == 1 and isinstance(node, ast.Assign):
            values[name] = Substitution(values).visit(deepcopy(node.value))
    return values


def _bound(statements: Sequence[ast.stmt]) -> list[str]:
    return [name for node in statements for name in sorted(Statement(node, False).binds)]


class _Short(ast.NodeTransformer):
    """Paths through modules and classes (`np.linalg.cross`) by their last name alone."""

    def __init__(self, data: set[str]) -> None:
        self.data = data

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id not in self.data:
            return ast.Name(node.attr, ast.Load())
        self.generic_visit(node)
        return node


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)
