"""M_code: the implementation of an API as its release ships it, without docstrings, with same-module helpers."""

import ast
from pathlib import Path

from apigap.knowledge.names import loaded_names
from apigap.records.candidate import DATA_KINDS, Candidate
from apigap.records.knowledge import Code

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def implementation(candidate: Candidate, site_packages: Path, limit: int) -> Code | None:
    """The source of `candidate`, at most `limit` characters; None for compiled or generated code.

    Helpers of the same module that it reads come first, as long as there is room; what does not fit is cut at
    the end of a statement and marked.
    """
    path = _module_file(site_packages, candidate.defined_in or candidate.import_module)
    if path is None:
        return None
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (SyntaxError, ValueError, RecursionError, OSError):
        return None
    found = _definition(tree, candidate)
    if found is None:
        return None
    text, truncated = _fit(_render(found), limit)
    helpers, left_out = _helpers(tree, found, limit - len(text))
    return Code(
        text="\n\n".join((*helpers, text)),
        source=str(path.relative_to(site_packages)),
        truncated=truncated or left_out,
    )


def _module_file(site_packages: Path, module: str) -> Path | None:
    base = site_packages.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def _definition(tree: ast.Module, candidate: Candidate) -> Definition | None:
    """The definition by its qualified name inside the module; of several (overloads, versions) the last.

    A field or an enum member is defined by its class.
    """
    names = candidate.api_name.split(".")
    names = names[:-1] if candidate.kind in DATA_KINDS else names
    member = candidate.kind in ("method", "classmethod", "staticmethod", "property")
    body: list[ast.stmt] = tree.body
    found: Definition | None = None
    for name in names[-2:] if member else names[-1:]:
        matches = [node for node in _definitions(body) if node.name == name]
        if not matches:
            return None
        found = matches[-1]
        body = found.body
    return found


def _definitions(body: list[ast.stmt]) -> list[Definition]:
    """Definitions in `body`, those under a module-level `if` or `try` included."""
    found: list[Definition] = []
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append(node)
        elif isinstance(node, (ast.If, ast.Try)):
            found.extend(_definitions(node.body) + _definitions(node.orelse))
    return found


def _helpers(tree: ast.Module, target: Definition, room: int) -> tuple[list[str], bool]:
    """Module-level definitions that `target` reads, in their order, as long as they fit into `room` characters."""
    names = loaded_names(target)
    chosen: list[str] = []
    left_out = False
    for node in _definitions(tree.body):
        if node.name not in names or node is target or isinstance(node, ast.ClassDef):
            continue
        text = _render(node)
        if len(text) + 2 <= room:
            chosen.append(text)
            room -= len(text) + 2
        else:
            left_out = True
    return chosen, left_out


class _WithoutDocstrings(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> ast.AST:
        node = self.generic_visit(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and _documented(node.body):
            node.body = node.body[1:] or [ast.Pass()]
        return node


def _documented(body: list[ast.stmt]) -> bool:
    first = body[0] if body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def _render(node: Definition) -> str:
    copy = ast.parse(ast.unparse(node))
    return ast.unparse(ast.fix_missing_locations(_WithoutDocstrings().visit(copy)))


def _fit(text: str, limit: int) -> tuple[str, bool]:
    """`text` cut at a line's end to `limit` characters, with a comment that says so."""
    if len(text) <= limit:
        return text, False
    kept = text[: text.rfind("\n", 0, limit)] if "\n" in text[:limit] else text[:limit]
    return f"{kept}\n    # ... shortened", True
