"""Expressions to observe after an answer: the checks that follow it, what it binds, and views of what it defines."""

import ast
from collections.abc import Iterator, Sequence

from apigap.knowledge.usages.names import bound_names, identifiers, loaded_names
from apigap.knowledge.usages.usage import Bindings, Step
from apigap.records.parsing.syntax import expression_tree, parse
from apigap.records.parsing.syntax_trees import Substitution, assigned_name
from apigap.tasks.mutants.facts import constant

_OF_CLASSES = (
    "{}.model_json_schema()",
    "[repr(column) for column in {}.__table__.columns]",
    "str(__import__('inspect').signature({}))",
)
_BLOCKS = (ast.With, ast.For, ast.If, ast.Try)


def checked_after(steps: Sequence[Step], leaf: str) -> list[str]:
    """Checks after the masked region, made independent of the simple statements between them.

    Values are written in where they are named. A call for its effect comes into the next check, once. Where there is
    no check, the values that are made after the region are observed themselves.
    """
    values: dict[str, ast.expr] = {}
    effects: list[str] = []
    found: list[str] = []
    for step in steps:
        if step.expression is not None:
            expression = _inline(_value_in(step.expression), values)
            if leaf not in identifiers(expression):
                found.append(_after(effects, expression))
                effects = []
            continue
        node = parse(step.code).body[0]
        if leaf in identifiers(step.code):
            break
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            effects.append(_inline(ast.unparse(node.value), values))
        elif isinstance(node, ast.Assign) and (name := assigned_name(node)) is not None:
            code = _after(effects, _inline(ast.unparse(node.value), values))
            effects = []
            values[name] = expression_tree(code)
        else:
            break
    return found or [ast.unparse(value) for value in values.values() if isinstance(value, (ast.Call, ast.Attribute))]


def _value_in(expression: str) -> str:
    """The value compared with a literal: `x.shape` of `x.shape == (2, 3)`; any other expression as it is."""
    node = expression_tree(expression)
    equal = isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.Is))
    if equal and isinstance(node, ast.Compare) and constant(node.comparators[0]) is not None:
        return ast.unparse(node.left)
    return expression


def _after(effects: Sequence[str], expression: str) -> str:
    return f"({', '.join(effects)}, {expression})[-1]" if effects else expression


def _inline(expression: str, values: dict[str, ast.expr]) -> str:
    return ast.unparse(Substitution(values).visit(expression_tree(expression))) if values else expression


def bound_values(masked: Sequence[str]) -> list[str]:
    """Names that the masked region assigns, in its blocks too: their values are outputs."""
    nodes = [node for code in masked for node in parse(code).body]
    simple = [node for node in nodes if isinstance(node, (ast.Assign, ast.AnnAssign, *_BLOCKS))]
    return sorted(set[str]().union(*(bound_names(node) for node in simple)))


def touched(setup: Sequence[str], inputs: Bindings, masked: Sequence[str]) -> list[str]:
    """Names of the context that an answer without a result works on: its effect shows in them."""
    read = set[str]().union(*(loaded_names(parse(code)) for code in masked))
    bound = dict.fromkeys(name for code in setup for name in sorted(_assigned(code)))
    return [name for name in (*(name for name, _ in inputs), *bound) if name in read]


def _assigned(code: str) -> set[str]:
    """The names that an assignment binds to something that can change."""
    node = parse(code).body[0]
    changeable = isinstance(node, (ast.Assign, ast.AnnAssign)) and not isinstance(node.value, ast.Constant)
    return bound_names(node) if changeable else set()


def views(masked: Sequence[str]) -> Iterator[str]:
    """Descriptions of the classes that the answer defines: their schema, their columns, how they are called."""
    for node in (node for code in masked for node in parse(code).body):
        if isinstance(node, ast.ClassDef):
            yield from (view.format(node.name) for view in _OF_CLASSES)
