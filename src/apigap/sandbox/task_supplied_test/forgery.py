"""Signs in the text of an answer that could forge a test which runs in the same process.

It decides nothing by itself: an answer whose test passes is suspect where one of these signs is seen, so that a person
looks at it. An answer that hides what it does shows none of them; that is why such results are marked in any case.
"""

import ast

from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name
from apigap.sandbox.task_supplied_test.program import SelfTest
from apigap.sandbox.task_supplied_test.published_monitor import bound_names, names_in
from apigap.sandbox.verdict.judge import MAX_PARSED

_COMPARISONS = frozenset(
    {"__eq__", "__ne__", "__bool__", "__len__", "__contains__", "__instancecheck__", "__class__", "__getattribute__"}
)


def sign_of_forgery(test: SelfTest, code: str) -> str | None:
    """The first sign in `code`, in words; None where there is none."""
    if len(code) > MAX_PARSED:
        return "the answer is too long to be looked over"
    try:
        parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "the answer is in the syntax of a newer Python than this one, and cannot be looked over"
    named = names_in(code) | _defined(code)
    private = sorted(name for name in bound_names(test.setup) & names_in(test.test) & named if name.startswith("_"))
    if private:
        return f"the answer names what the test's own monitor uses: {', '.join(private)}"
    comparing = sorted((_COMPARISONS & named) - names_in(test.reference) - _defined(test.reference))
    if comparing:
        return f"the answer says itself how its values compare: {', '.join(comparing)}"
    replaced = sorted(_replaced(code) & _called(test.test))
    return f"the answer replaces what the test calls: {', '.join(replaced)}" if replaced else None


def _defined(code: str) -> set[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(parse(code)) if isinstance(node, kinds)}


def _replaced(code: str) -> set[str]:
    """Attributes that are assigned to, also by `setattr` with a literal name."""
    found: set[str] = set()
    for node in ast.walk(parse(code)):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.Call) and last_name(node.func) == "setattr":
            found |= {
                item.value for item in node.args if isinstance(item, ast.Constant) and isinstance(item.value, str)
            }
    return found


def _called(code: str) -> set[str]:
    return {leaf for node in ast.walk(parse(code)) if isinstance(node, ast.Call) and (leaf := last_name(node.func))}
