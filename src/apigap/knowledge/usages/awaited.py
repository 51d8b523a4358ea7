"""Code of a coroutine as code that runs by itself: each `await f()` as `asyncio.run(f())`."""

import ast
from collections.abc import Sequence

from apigap.records.parsing.syntax import parse

IMPORT = parse("import asyncio").body[0]
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def without_await(body: Sequence[ast.stmt]) -> list[ast.stmt] | None:
    """The statements without `await`, an import before them where there was one.

    None where that cannot be: `async with`, `async for`, and asynchronous comprehensions need the coroutine.
    """
    own = [node for part in body for node in _own(part)]
    comprehensions = (node for node in own if isinstance(node, ast.comprehension))
    if any(isinstance(node, (ast.AsyncWith, ast.AsyncFor)) for node in own) or any(c.is_async for c in comprehensions):
        return None
    if not any(isinstance(node, ast.Await) for node in own):
        return list(body)
    copies = parse("\n".join(ast.unparse(part) for part in body)).body
    return [IMPORT, *(ast.fix_missing_locations(_Run().visit(part)) for part in copies)]


def _own(node: ast.AST) -> list[ast.AST]:
    """`node` and what is in it, but not what is within functions and classes."""
    found = [node]
    if not isinstance(node, _NESTED):
        found.extend(inner for child in ast.iter_child_nodes(node) for inner in _own(child))
    return found


class _Run(ast.NodeTransformer):
    def visit_Await(self, node: ast.Await) -> ast.expr:
        self.generic_visit(node)
        return ast.Call(ast.Attribute(ast.Name("asyncio", ast.Load()), "run", ast.Load()), [node.value], [])

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node
