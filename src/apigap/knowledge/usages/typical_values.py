"""Ordinary values of a type that a signature or a docstring declares."""

import ast
import re
from collections.abc import Iterator

from apigap.records.parsing.syntax import expression_tree

_BY_TYPE: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"array[_-]like|ndarray|ArrayLike|NDArray", ("[1.0, 2.5, 4.0, 7.5]", "[3.0, 1.0, 2.0]")),
    (r"(?:list|List|Sequence|Iterable|Collection)\[str\]|list of str", ("['tea', 'milk', 'bread']", "['a', 'b']")),
    (r"(?:list|List|Sequence|Iterable|Collection)\[(?:int|Any)\]|list of int", ("[3, 1, 2]", "[5, 8]")),
    (r"(?:list|List|Sequence|Iterable|Collection)\b", ("['tea', 'milk', 'bread']", "[3, 1, 2]")),
    (r"(?:dict|Dict|Mapping)\b", ("{'name': 'tea', 'size': 3}", "{'a': 1}")),
    (r"bool(?:ean)?\b", ("True", "False")),
    (r"int(?:eger)?\b", ("3", "2")),
    (r"float\b|scalar\b|number\b", ("2.5", "0.5")),
    (r"str(?:ing)?\b|Any\b|object\b", ("'tea'", "'green tea'")),
    (r"bytes\b", ("b'tea'",)),
    (r"(?:type|Type)\b", ("int", "str")),
    (r"Callable\b|callable\b", ("len", "repr")),
)


def values_of_type(annotation: str) -> Iterator[str]:
    """Literals of the type that `annotation` names first; those of a `Literal` as they are written."""
    literal = re.search(r"Literal\[([^\[\]]+)\]", annotation)
    choices = literal[1] if literal else annotation.strip("{}") if annotation.startswith("{") else None
    if choices is not None:
        yield from _choices(choices)
        return
    found = [
        (match.start(), values) for pattern, values in _BY_TYPE if (match := re.search(rf"\b(?:{pattern})", annotation))
    ]
    if found:
        yield from min(found)[1]


def _choices(text: str) -> Iterator[str]:
    try:
        node = expression_tree(f"({text},)")
    except SyntaxError:
        return
    if isinstance(node, ast.Tuple):
        yield from (ast.unparse(part) for part in node.elts if isinstance(part, ast.Constant))


_BY_NAME: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"func|function|fn|callback|callable|key_func|predicate|factory", ("len", "lambda *given: given")),
    (r"n|m|k|num|count|size|length|index|idx|start|stop|end|limit|offset|depth|level|width|axis", ("1", "2")),
    (r"text|string|s|message|expression", ("'Two parcels arrived'",)),
    (r"name|key|label|title|value|prefix|suffix|ident|identifier", ("'tea'",)),
    (r"typ|type|cls|klass|dtype", ("int", "str")),
    (r"path", ("'report.txt'",)),
    (r"domain|host", ("'example.org'",)),
    (r"language|lang", ("'en'",)),
    (r"perm|permission|codename|app_label|attr|attribute|group|word", ("'orders'",)),
    (r"url|uri|href|dsn|link", ("'https://example.org/orders'",)),
    (r"input|obj|object|item|element", ("'tea'", "3")),
    (r"a|b|x|y|z|arr|array|data|values|items|sequence|seq|iterable|choices|args|sample|samples",
     ("[3.0, 1.0, 2.0]", "[[1, 2], [3, 4]]")),
    (r"kwargs|mapping|options|params|config|context|state|extra|metadata", ("{}", "{'name': 'tea'}")),
)  # fmt: skip


def values_by_name(name: str) -> Iterator[str]:
    """Literals for a parameter of which nothing is known but a name that always means the same kind of thing."""
    for pattern, values in _BY_NAME:
        if re.fullmatch(pattern, name.lower()):
            yield from values
            return
