"""Another value of the same type for an argument, from its text or from its observed values."""

import ast
from collections.abc import Sequence
from typing import Any, cast

from apigap.records.parsing.syntax import expression_tree
from apigap.tasks.mutants.facts import Facts, constant

_TYPES = {
    "int": "str", "float": "int", "str": "int", "bool": "int", "bytes": "str", "complex": "float", "list": "tuple",
    "tuple": "list", "set": "list", "dict": "list", "object": "int",
}  # fmt: skip


def other_value(node: ast.expr, facts: Facts) -> ast.expr | None:
    """An expression of the same type as `node` with another value; None where none is known."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict)):
        return _other_display(node, facts)
    known = constant(node)
    if known is not None:
        text = _other_constant(known[0])
        return None if text is None else expression_tree(text)
    if isinstance(node, ast.Name) and node.id in _TYPES:
        return ast.Name(_TYPES[node.id], ast.Load())
    text = _other_observed(node, facts.forms(ast.unparse(node)))
    return _other_name(node, facts) if text is None else expression_tree(text)


def _other_constant(value: Any) -> str | None:
    match value:
        case bool():
            return repr(not value)
        case int() | complex():
            return repr(value + 1)
        case float():
            return repr(value * 2 + 1)
        case str():
            return repr(value + "x")
        case bytes():
            return repr(value + b"x")
        case _:
            return None


def _other_display(node: ast.List | ast.Tuple | ast.Set | ast.Dict, facts: Facts) -> ast.expr | None:
    """Without its last element; where it has only one, with another one in its place."""
    if isinstance(node, ast.Dict):
        return ast.Dict(node.keys[:-1], node.values[:-1]) if node.keys else None
    if not node.elts:
        return None
    last = other_value(node.elts[0], facts) if len(node.elts) == 1 else None
    shorter = [last] if last is not None else node.elts[:-1]
    if isinstance(node, ast.Set):
        return ast.Set(shorter) if shorter else expression_tree("set()")
    return ast.List(shorter, ast.Load()) if isinstance(node, ast.List) else ast.Tuple(shorter, ast.Load())


def _other_observed(node: ast.expr, forms: Sequence[Any]) -> str | None:
    """By the type that it had in every scenario."""
    text = ast.unparse(node)
    whole = text if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"
    kinds = {_kind(form) for form in forms}
    if not kinds:
        return None
    if kinds <= {"int", "float"}:
        return f"{whole} + 1" if kinds == {"int"} else f"{whole} * 2 + 1"
    if len(kinds) > 1:
        return None
    kind = kinds.pop()
    filled = kind in ("slice", "dict") and any(_filled(form) for form in forms)
    made = {
        "bool": f"not {whole}",
        "str": f"{whole} + 'x'",
        "bytes": f"{whole} + b'x'",
        "number": f"{whole} + 1",
        "slice": f"{whole}[:-1]" if filled else None,
        "dict": f"dict(list({whole}.items())[:-1])" if filled else None,
    }
    return made.get(kind)


def _kind(form: Any) -> str:
    """The type of a fingerprint, as far as changes are known for it; an unknown one gives its own form."""
    if form is None or isinstance(form, (bool, int, float, str)):
        return type(form).__name__
    if isinstance(form, list):
        return "slice"
    tags = cast("dict[str, Any]", form)
    for tag, kind in (("tuple", "slice"), ("array", "slice"), ("dict", "dict"), ("bytes", "bytes"), ("frame", "slice")):
        if tag in tags:
            return "none" if tag == "array" and not tags["array"]["shape"] else kind
    if "numpy" in tags:
        return "number" if isinstance(tags["value"], (int, float)) and tags["numpy"] != "bool" else "none"
    return "none"


def _filled(form: Any) -> bool:
    """Check that something can be taken away from the end of a value."""
    if isinstance(form, list):
        return bool(cast("list[Any]", form))
    tags = cast("dict[str, Any]", form)
    if "array" in tags:
        return tags["array"]["shape"][0] > 0
    return any(bool(tags[tag]) for tag in ("tuple", "dict", "frame") if tag in tags)


def _other_name(node: ast.expr, facts: Facts) -> ast.expr | None:
    """Another name of the context whose value is of the same type and not the same."""
    own = facts.forms(ast.unparse(node))
    if not own:
        return None
    tag = _type_tag(own[0])
    for name in facts.names:
        forms = facts.forms(name)
        if tag and forms and _type_tag(forms[0]) == tag and list(forms) != list(own):
            return ast.Name(name, ast.Load())
    return None


def _type_tag(form: Any) -> str | None:
    if not isinstance(form, dict):
        return None
    tags = cast("dict[str, Any]", form)
    return next((tag for tag in ("class", "function") if tag in tags), None) or cast("str | None", tags.get("type"))
