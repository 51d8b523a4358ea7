"""Values to try for a parameter: from its type and description, near its default, and variables of the usage."""

import ast
import itertools
import re
from collections.abc import Iterator

from apigap.knowledge.usages.names import bound_names, identifiers
from apigap.knowledge.usages.typical_values import values_of_type
from apigap.knowledge.usages.usage import Usage
from apigap.records.candidate import Parameter
from apigap.records.parsing.syntax import literal_value, parse

_MOST = 9
_DECLARED = 4
_NAMES = 2
_ANY = ("True", "2", "'tea'", "[1.0, 2.0]", "{'size': 3}")


def values_for(parameter: Parameter, usage: Usage, leaf: str) -> list[str]:
    """At most nine values for `parameter` in the first call of `leaf` in `usage`, as source; none is its default."""
    declared = [*_near(parameter.default), *_choices(parameter), *values_of_type(parameter.annotation or "")]
    near = [form for name in _at_hand(usage, leaf) for form in (f"{name} + 1", name)]
    found = dict.fromkeys((*declared[:_DECLARED], *near, *declared[_DECLARED:], *(() if declared else _ANY)))
    return [value for value in found if value not in (parameter.default, "None")][:_MOST]


def _near(default: str | None) -> Iterator[str]:
    """Values unlike a default, and still of its type."""
    try:
        value = literal_value(default or "")
    except (ValueError, SyntaxError):
        return
    if isinstance(value, bool):
        yield repr(not value)
    elif isinstance(value, (int, float)):
        yield repr(value + 1)
        yield repr(value - 1)


def _choices(parameter: Parameter) -> Iterator[str]:
    """Texts that the type or the description has in quotes."""
    for text in (parameter.annotation, parameter.description):
        yield from (repr(word) for word in re.findall(r"[\"'`]+(\w[\w-]*)[\"'`]+", text or "") if not _is_name(word))


def _is_name(word: str) -> bool:
    return word in ("None", "True", "False") or word[:1].isupper()


def _at_hand(usage: Usage, leaf: str) -> list[str]:
    """The data that the usage has before it uses the API: names that plain assignments bind, the last ones first."""
    before = itertools.takewhile(lambda step: leaf not in identifiers(step.code), usage.steps)
    nodes = [parse(step.code).body[0] for step in before if step.code]
    bound = [sorted(bound_names(node)) for node in nodes if isinstance(node, ast.Assign)]
    inputs = [name for name, _ in usage.inputs]
    return list(dict.fromkeys([*inputs, *(name for names in reversed(bound) for name in names)]))[:_NAMES]
