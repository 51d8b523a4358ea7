"""Answers whose verdict is known: right ones in all their forms, and right ones with one thing changed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from apigap.benchmarks.call_faults import CallFault
from apigap.benchmarks.calls.bfcl.gold import plain_values
from apigap.benchmarks.calls.bfcl.languages import Language
from apigap.benchmarks.calls.check import Call
from apigap.benchmarks.calls.queries import Query, RuleSet
from apigap.benchmarks.calls.schema import properties_of, required_of, resolved
from apigap.benchmarks.calls.values import ANY_TEXT, alternatives
from apigap.benchmarks.calls.verdict import RULES
from apigap.records.parsing.json_shapes import is_list, is_object

NO_FUNCTION = "None of these functions can do that, so I call nothing."
_NOBODY = "nothing_for_nobody"
_LANGUAGES: Mapping[RuleSet, Language] = {"bfcl java": "java", "bfcl javascript": "javascript"}
_TYPED = ("string", "String", "integer", "number", "float", "boolean", "array", "object", "dict")
Calls = tuple[Call, ...]


class Mutant(NamedTuple):
    """Calls that are wrong, and the fault that must be told of them."""

    fault: CallFault
    calls: Calls


def written(calls: Sequence[Call]) -> str:
    """Calls as an answer writes them."""
    told = (json.dumps({"name": call.name, "arguments": call.arguments}, ensure_ascii=False) for call in calls)
    return "\n".join(f"<tool_call>\n{one}\n</tool_call>" for one in told)


def gold_calls(query: Query) -> Calls:
    """Right calls: of each argument the value that is written first, those that may be left out as well."""
    if query.expects == "any call":
        return (_by_schema(query, query.functions[0].name),)
    return tuple(
        Call(one.name, {name: values[0] for name in one.arguments if (values := _values(query, place, name))})
        for place, one in enumerate(query.expected)
    )


def gold(query: Query) -> str:
    """A response that is right."""
    return NO_FUNCTION if query.expects == "nothing" else written(gold_calls(query))


def right_answers(query: Query) -> Iterator[Calls]:
    """Right calls in other forms: each accepted value, what may be left out left out, the other order if it is free."""
    if query.expects != "calls":
        return
    calls, rules = gold_calls(query), RULES[query.rules]
    if query.order == "free" and len(calls) > 1:
        yield calls[::-1]
    for place, one in enumerate(query.expected):
        required = required_of(query.schemas[one.name])
        for name, accepted in one.arguments.items():
            if rules.optional(accepted) and name not in required:
                yield _with(calls, place, name)
            for value in _values(query, place, name)[1:]:
                yield _with(calls, place, name, value)


def mutants(query: Query) -> Iterator[Mutant]:
    """The right calls with one thing wrong: name, argument, value, type, a call too few or too many, or the order."""
    if query.expects != "calls":
        yield from _where_none_fits(query)
        return
    calls = gold_calls(query)
    first, *rest = calls
    yield Mutant("hallucinated API", (Call(_NOBODY, first.arguments), *rest))
    expected = {call.name for call in calls}
    for other in [function.name for function in query.functions if function.name not in expected][:1]:
        yield Mutant("wrong API", (_by_schema(query, other), *rest))
    yield Mutant("superfluous call", (*calls, first))
    if len(calls) > 1:
        yield Mutant("missed call", calls[1:])
    if query.order == "fixed" and len(calls) > 1:
        yield Mutant("wrong order", calls[::-1])
    for place, call in enumerate(calls):
        yield Mutant("unknown argument", _with(calls, place, _NOBODY, 1))
        for name, value in call.arguments.items():
            yield from _of_argument(query, calls, place, name, value)


def _where_none_fits(query: Query) -> Iterator[Mutant]:
    if query.expects == "any call":
        yield Mutant("hallucinated API", (Call(_NOBODY, {}),))
        return
    for function in query.functions:
        yield Mutant("superfluous call", (_by_schema(query, function.name),))


def _of_argument(query: Query, calls: Calls, place: int, name: str, value: Any) -> Iterator[Mutant]:
    parameters = query.schemas[calls[place].name]
    if name in required_of(parameters) or not RULES[query.rules].optional(query.expected[place].arguments[name]):
        yield Mutant("missing argument", _with(calls, place, name))
    schema = resolved(properties_of(parameters).get(name), parameters)
    if schema.get("type") not in _TYPED or (query.rules in _LANGUAGES and not _is_text(schema)):
        return
    for other in other_values(value, _values(query, place, name), schema)[:1]:
        yield Mutant("wrong value", _with(calls, place, name, other))
    yield Mutant("wrong type", _with(calls, place, name, 12_345 if isinstance(value, str) else "text"))


def _is_text(schema: Mapping[str, Any]) -> bool:
    return str(schema["type"]).lower() == "string"


def other_values(value: Any, accepted: Sequence[Any], schema: Mapping[str, Any]) -> list[Any]:
    """Values of the type of `value` that are not among the accepted ones; none where there is none."""
    listed = schema.get("enum")
    if is_list(listed):
        return [one for one in listed if one not in accepted]
    if isinstance(value, bool):
        return [one for one in (not value,) if one not in accepted]
    if isinstance(value, int | float):
        return [1000 + max(one for one in accepted if isinstance(one, int | float))]
    if value == ANY_TEXT:
        return [" "]
    if isinstance(value, str):
        return ["9999-12-31" if "format" in schema else f"{value} of nowhere"]
    if is_list(value):
        return [[*value, value[0]]] if value else []
    for key, inner in value.items() if is_object(value) else ():
        kept = [one[key] for one in accepted if key in one]
        for other in other_values(inner, kept, resolved(properties_of(schema).get(key), schema))[:1]:
            return [{**value, key: other}]
    return []


def _with(calls: Calls, place: int, name: str, *value: Any) -> Calls:
    """The calls with another value of one argument, or without it."""
    call = calls[place]
    kept = {key: one for key, one in call.arguments.items() if key != name}
    given = {**call.arguments, name: value[0]} if value else kept
    return (*calls[:place], Call(call.name, given), *calls[place + 1 :])


def _values(query: Query, place: int, name: str) -> list[Any]:
    """The accepted values of an argument, as an answer would have them."""
    one = query.expected[place]
    parameters = query.schemas[one.name]
    if query.rules == "own":
        return alternatives(one.arguments[name])
    return plain_values(one.arguments[name], properties_of(parameters).get(name), _LANGUAGES.get(query.rules))


def _by_schema(query: Query, name: str) -> Call:
    """A call with something for each argument that is required."""
    parameters = query.schemas[name]
    known = properties_of(parameters)
    text = query.rules in _LANGUAGES
    return Call(
        name, {key: "text" if text else _something(known.get(key), parameters) for key in required_of(parameters)}
    )


def _something(schema: Any, root: Mapping[str, Any]) -> Any:
    known = resolved(schema, root)
    for key in ("default", "const"):
        if key in known:
            return known[key]
    if is_list(known.get("enum")) and known["enum"]:
        return known["enum"][0]
    kinds = known.get("type")
    kind = kinds[0] if is_list(kinds) and kinds else kinds
    if kind in ("object", "dict"):
        return (
            {key: _something(properties_of(known).get(key), root) for key in required_of(known)}
            if is_object(known)
            else {}
        )
    return _OF_TYPE.get(str(kind), "text")


_OF_TYPE: Mapping[str, Any] = {"integer": 1, "number": 1, "float": 1.0, "boolean": True, "array": [], "null": None}
