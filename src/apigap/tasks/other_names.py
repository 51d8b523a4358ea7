"""Inputs under other names than an exemplar gives them, so that no line of the answer stands in it as it is."""

import ast
import builtins
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from keyword import iskeyword, issoftkeyword

from apigap.knowledge.usages.names import identifiers, loaded_names
from apigap.records.parsing.syntax import expression_tree, parse
from apigap.records.parsing.syntax_trees import assigned_name, last_name
from apigap.tasks.cut import Draft, used_names
from apigap.tasks.disjoint import lines_with

_USUAL = {
    "G": "graph", "g": "graph", "x": "values", "a": "values", "arr": "values", "data": "values", "df": "table",
    "s": "column", "iterable": "items", "iterables": "items", "d": "moment", "dt": "moment", "n": "number",
}  # fmt: skip
"""Names that tests and documents like, and plain ones."""
_ANY = "given"


def under_other_names(draft: Draft, exemplars: Sequence[str], leaf: str) -> Draft:
    """`draft` with other names for its inputs, where a line of its answer stands in one of the `exemplars`.

    What else there is to copy is for the caller to test: the same call on the same data stays what it is.
    """
    shown = set[str]().union(*(lines_with(code, leaf) for code in exemplars))
    taken = set(identifiers(f"{draft.context}\n{draft.completion}"))
    names: dict[str, str] = {}
    for line in sorted(lines_with(draft.completion, leaf) & shown):
        own = [name for name in used_names(draft) if name in loaded_names(parse(line))]
        if own and not names.keys() & own:
            names[own[0]] = _other(own[0], _value(draft, own[0]), taken)
            taken.add(names[own[0]])
    return _under(draft, names) if names else draft


def _under(draft: Draft, names: Mapping[str, str]) -> Draft:
    return replace(
        draft,
        prelude=tuple(_renamed(code, names) for code in draft.prelude),
        setup=tuple(_renamed(code, names) for code in draft.setup),
        masked=tuple(_renamed(code, names) for code in draft.masked),
        observes=tuple(_renamed(code, names) for code in draft.observes),
        inputs=tuple((names.get(name, name), _renamed(value, names)) for name, value in draft.inputs),
        variants=tuple(tuple((names.get(n, n), _renamed(value, names)) for n, value in row) for row in draft.variants),
    )


def _other(name: str, value: ast.expr | None, taken: set[str]) -> str:
    """Another name: of an object its class's, else a plain one; with a number where that is taken."""
    made = last_name(value.func) if isinstance(value, ast.Call) else ""
    noun = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", made).lower() if made[:1].isupper() else ""
    if iskeyword(noun) or issoftkeyword(noun) or hasattr(builtins, noun):
        noun = ""
    wishes = [wish for wish in (noun, _USUAL.get(name, ""), _ANY) if wish and wish != name]
    free = (wish for wish in (*wishes, *(f"{_ANY}_{n}" for n in range(2, 99))) if wish not in taken)
    return next(free)


def _value(draft: Draft, name: str) -> ast.expr | None:
    """The value that the context binds to `name` by a plain assignment."""
    inputs = dict(draft.inputs)
    if name in inputs:
        return expression_tree(inputs[name])
    nodes = [parse(code).body[0] for code in draft.setup]
    return next((n.value for n in nodes if assigned_name(n) == name and isinstance(n, ast.Assign)), None)


def _renamed(code: str, names: Mapping[str, str]) -> str:
    tree = parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
    return ast.unparse(tree)
