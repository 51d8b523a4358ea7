"""The check of calls against schemas and accepted values, without running anything.

`check_arguments` looks at one call: with `accepted` left out it says whether the function could take it at all.
`check_calls` looks at all calls of an answer, whose order matters only where it is said to.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from apigap.benchmarks.call_faults import CallFault, by_gravity
from apigap.benchmarks.calls.finding import Finding, shown
from apigap.benchmarks.calls.schema import Schema, properties_of, required_of, schema_findings
from apigap.benchmarks.calls.values import Accepted, fits, is_default, is_optional
from apigap.benchmarks.matching import cheapest_pairs
from apigap.records.parsing.json_shapes import is_object

Order = Literal["free", "fixed"]
MOST_CALLS = 100
"""Calls of an answer that are looked at; what comes after them is superfluous."""
_OTHER_FUNCTION = 1000.0
_WRONG = 10.0


class Call(NamedTuple):
    """A call as an answer makes it: the function's name, and its arguments as JSON values."""

    name: str
    arguments: Mapping[str, Any]


class Expected(NamedTuple):
    """A call that is to be made; `arguments` has what is accepted for each of them (see `values`)."""

    name: str
    arguments: Mapping[str, Accepted]


@dataclass(frozen=True)
class Rules:
    """Rules for one argument: `argument(name, value, accepted, schema, root)` gives what is wrong with it.

    `optional` says of accepted values whether they may be left out, `unasked` of a value that nobody expects whether it
    may be there.
    """

    argument: Callable[[str, Any, Accepted, Any, Schema], list[Finding]]
    optional: Callable[[Accepted], bool]
    unasked: Callable[[Any, Any, Schema], bool]


def own_argument(name: str, value: Any, accepted: Accepted, schema: Any, root: Schema) -> list[Finding]:
    """Findings on an argument: its type by the schema, then its value."""
    found = schema_findings(value, schema, root, name)
    if found or fits(value, accepted, schema, root):
        return found
    return [Finding("wrong value", name, f"{name} is {shown(value)}, accepted is {shown(accepted)}")]


OWN = Rules(own_argument, is_optional, is_default)
"""The rules of this project: `values` has those on texts, `schema` those on types."""


def check_arguments(
    arguments: Mapping[str, Any],
    parameters: Any,
    accepted: Mapping[str, Accepted] | None = None,
    rules: Rules = OWN,
) -> list[Finding]:
    """Findings on the arguments of one call; empty where nothing is wrong.

    `parameters` is the JSON schema of the function's arguments as an object. An argument that it does not have is
    unknown, unless it allows others by `additionalProperties`. Without `accepted` any value is fine that the schema
    allows. An argument that is known and not expected is fine with its default value alone.
    """
    root: Schema = parameters if is_object(parameters) else {}
    wanted = [*required_of(root), *(name for name, one in (accepted or {}).items() if not rules.optional(one))]
    missing = [name for name in dict.fromkeys(wanted) if name not in arguments]
    return [
        *(Finding("missing argument", name, f"{name} is missing") for name in missing),
        *(found for name, value in arguments.items() for found in _argument(name, value, root, accepted, rules)),
    ]


def _argument(
    name: str, value: Any, root: Schema, accepted: Mapping[str, Accepted] | None, rules: Rules
) -> list[Finding]:
    known, others = properties_of(root), root.get("additionalProperties", False)
    if name not in known and others is False:
        return [Finding("unknown argument", name, f"the function has no argument {shown(name)}")]
    schema = known.get(name, others)
    if accepted is None:
        return schema_findings(value, schema, root, name)
    if name in accepted:
        return rules.argument(name, value, accepted[name], schema, root)
    if rules.unasked(value, schema, root):
        return []
    return [Finding("wrong value", name, f"{name} is {shown(value)}, and was to be left out")]


class Checked(NamedTuple):
    """Findings on the calls of an answer, the number of those that are right (in their place, where the order is
    fixed), and the pairs of an expected name and the one in its place.
    """

    findings: tuple[Finding, ...]
    right: int = 0
    confused: tuple[tuple[str, str], ...] = ()

    @property
    def faults(self) -> tuple[CallFault, ...]:
        """The faults, each once, the gravest first."""
        return by_gravity(finding.fault for finding in self.findings)


def check_calls(
    calls: Sequence[Call],
    functions: Mapping[str, Any],
    expected: Sequence[Expected],
    order: Order = "free",
    rules: Rules = OWN,
) -> Checked:
    """Compare the calls of an answer, which are to be `expected`, no more and no fewer.

    `functions` has the schema of the arguments of each offered function by its name. Calls and expected calls are
    paired so that as much as possible fits; a call that is like two expected ones is never spent on the wrong one.
    """
    looked_at = calls[:MOST_CALLS]
    table = [[_compared(call, functions, one, rules) for one in expected] for call in looked_at]
    costs = [
        [_cost(findings, call, one) for findings, one in zip(row, expected, strict=True)]
        for row, call in zip(table, looked_at, strict=True)
    ]
    pairs = cheapest_pairs(costs) if looked_at and expected else []
    found = [finding for row, column in pairs for finding in table[row][column]]
    found += _left_over(calls, expected, pairs, functions)
    right = sum(not table[row][column] for row, column in pairs if order == "free" or row == column)
    if not found and order == "fixed" and any(table[place][place] for place in range(len(pairs))):
        right = sum(not table[place][place] for place in range(len(pairs)))
        found.append(Finding("wrong order", "", f"the order is to be {', '.join(one.name for one in expected)}"))
    confused = [(expected[column].name, calls[row].name) for row, column in pairs]
    return Checked(tuple(found), right, tuple(pair for pair in confused if pair[0] != pair[1]))


def _compared(call: Call, functions: Mapping[str, Any], expected: Expected, rules: Rules) -> list[Finding]:
    """Findings on a call in the place of an expected one."""
    if call.name == expected.name:
        return check_arguments(call.arguments, functions.get(call.name, {}), expected.arguments, rules)
    if call.name not in functions:
        return [Finding("hallucinated API", "", f"{shown(call.name)} is not offered; {expected.name} was to be called")]
    return [Finding("wrong API", "", f"{call.name} was called in the place of {expected.name}")]


def _cost(findings: Sequence[Finding], call: Call, expected: Expected) -> float:
    """Nothing where all fits; another function is always worse than wrong arguments."""
    if call.name != expected.name:
        return _OTHER_FUNCTION
    return min(_WRONG + len(findings), _OTHER_FUNCTION / 2) if findings else 0.0


def _left_over(
    calls: Sequence[Call],
    expected: Sequence[Expected],
    pairs: Iterable[tuple[int, int]],
    functions: Mapping[str, Any],
) -> list[Finding]:
    """Findings on calls that stand on one side alone."""
    made, met = {row for row, _ in pairs}, {column for _, column in pairs}
    more = [call for place, call in enumerate(calls) if place not in made]
    found = [
        Finding("missed call", "", f"{one.name} was to be called") for n, one in enumerate(expected) if n not in met
    ]
    found += [
        Finding("hallucinated API", "", f"{shown(call.name)} is not offered")
        for call in more[:MOST_CALLS]
        if call.name not in functions
    ]
    return [
        *found,
        *(Finding("superfluous call", "", f"{shown(call.name)} was not to be called") for call in more[:MOST_CALLS]),
    ]
