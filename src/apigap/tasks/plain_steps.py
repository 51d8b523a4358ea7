"""Usages whose steps are plain: what a loop or a comprehension walks over is asked for whole, and aliases are gone."""

import ast
import re
from collections.abc import Iterator

from apigap.knowledge.usages.names import identifiers
from apigap.knowledge.usages.usage import Step, Usage
from apigap.records.candidate import Candidate
from apigap.records.parsing.syntax import expression_tree, parse
from apigap.records.parsing.syntax_trees import Substitution, assigned_name, last_name


def in_plain_steps(usage: Usage, leaf: str) -> Usage:
    """`usage` with one value to ask for in the place of a loop over what the API gives, or of a comprehension.

    Documentation shows an iterator by a loop that prints; `list` of it says the same. A second name for the API
    (`extract = mi.extract`) gives way to the API itself.
    """
    steps: list[Step] = []
    aliases: dict[str, ast.expr] = {}
    for place, step in enumerate(usage.steps):
        alias = _alias(step, leaf)
        if alias is not None:
            aliases[alias[0]] = alias[1]
        else:
            later = "\n".join(one.expression or one.code for one in usage.steps[place + 1 :])
            steps.append(_plain(_renamed(step, aliases), leaf, later))
    return usage.replaced(steps=tuple(steps)) if tuple(steps) != usage.steps else usage


def as_lists(usage: Usage, candidate: Candidate) -> Usage | None:
    """`usage` with a list of what each call of the API gives, where its documentation makes such lists; else None."""
    leaf = candidate.leaf
    if not re.search(rf"\blist\((?:\w+\.)*{re.escape(leaf)}\(", candidate.docstring or ""):
        return None
    steps = tuple(_listed(step, leaf) for step in usage.steps)
    return usage.replaced(steps=steps) if steps != usage.steps else None


def _listed(step: Step, leaf: str) -> Step:
    if step.expression is not None:
        tree = expression_tree(step.expression)
        text = f"list({step.expression})"
        return Step(code=f"print({text})", expression=text) if step.code and _is_call(tree, leaf) else step
    node = parse(step.code).body[0] if step.code else None
    if isinstance(node, ast.Assign) and _is_call(node.value, leaf):
        node.value = ast.Call(ast.Name("list", ast.Load()), [node.value], [])
        return Step(code=ast.unparse(node))
    return step


def _is_call(node: ast.expr, leaf: str) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == leaf


def _alias(step: Step, leaf: str) -> tuple[str, ast.expr] | None:
    """The name and the API of a step that does nothing but give the API a second name."""
    node = parse(step.code).body[0] if step.code and step.expression is None else None
    name = assigned_name(node) if node is not None else None
    if name is None or not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Attribute):
        return None
    return (name, node.value) if name == last_name(node.value) == leaf else None


def _renamed(step: Step, aliases: dict[str, ast.expr]) -> Step:
    if not aliases:
        return step
    put = Substitution(aliases)
    code = ast.unparse(put.visit(parse(step.code))) if step.code else step.code
    return Step(code=code, expression=step.expression and ast.unparse(put.visit(expression_tree(step.expression))))


def _plain(step: Step, leaf: str, later: str) -> Step:
    walked = next(_walked(step, leaf, later), None)
    text = None if walked is None else f"list({ast.unparse(walked)})"
    return step if text is None else Step(code=f"print({text})", expression=text)


def _walked(step: Step, leaf: str, later: str) -> Iterator[ast.expr]:
    """The iterable that the step walks over to its end, where it is the API's and the API is nowhere else in the step.

    A loop that may end early may walk over something endless, and one that changes what is read `later` is needed.
    """
    if step.expression is not None:
        node = expression_tree(step.expression)
        walk = node.generators[0] if isinstance(node, ast.ListComp) and len(node.generators) == 1 else None
        if walk and isinstance(node, ast.ListComp) and not (walk.ifs or walk.is_async) and _has(walk.iter, leaf):
            yield from () if _has(node.elt, leaf) else (walk.iter,)
    elif step.code:
        loop = parse(step.code).body[0]
        if isinstance(loop, ast.For) and _has(loop.iter, leaf) and not any(_has(part, leaf) for part in loop.body):
            yield from () if _ends_early(loop) or _touched(loop) & set(identifiers(later)) else (loop.iter,)


def _ends_early(loop: ast.For) -> bool:
    parts = (node for part in loop.body for node in ast.walk(part))
    return bool(loop.orelse) or any(isinstance(node, (ast.Break, ast.Return, ast.Raise, ast.Yield)) for node in parts)


def _touched(loop: ast.For) -> set[str]:
    """Names that the loop binds, or whose methods it calls or items it sets."""
    found: set[str] = set()
    for node in (node for part in loop.body for node in ast.walk(part)):
        held = node.func if isinstance(node, ast.Call) else node
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(held, (ast.Attribute, ast.Subscript)) and isinstance(held.value, ast.Name):
            found.update([held.value.id] if isinstance(node, ast.Call) or isinstance(held.ctx, ast.Store) else [])
    return found


def _has(node: ast.AST, leaf: str) -> bool:
    return leaf in identifiers(ast.unparse(node))
