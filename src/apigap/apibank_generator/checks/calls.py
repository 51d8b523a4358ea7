"""Checks of calls and results (agent 4): declared, typed, readable by the evaluator, in the order of the ability."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from apigap.apibank_generator.checks.texts import NOTHING, PLACEHOLDER, abridged, invisible_faults
from apigap.apibank_generator.checks.value_types import is_nothing, is_of_type
from apigap.apibank_generator.records import Fault, Step, Tool, Value
from apigap.benchmarks.apibank.prompts import written
from apigap.benchmarks.apibank.scoring.corrected import read_calls
from apigap.benchmarks.apibank.scoring.released import find_call
from apigap.records.base import canonical_json


def call_faults(step: Step, chosen: Mapping[str, Tool], known: Mapping[str, Tool]) -> Iterator[Fault]:
    """Faults of one call; it is to be of an API that the query is for (`chosen`), among all `known` ones."""
    tool = chosen.get(step.api)
    if tool is None:
        reason = "call_not_offered" if step.api in known else "call_of_unknown_api"
        yield Fault(reason, f"{abridged(step.api)}; the query is for {', '.join(chosen)}")
        return
    yield from _argument_faults(step, tool)
    yield from _result_faults(step, tool)
    yield from _parser_faults(step)


def search_faults(step: Step) -> Iterator[Fault]:
    """Faults of one search, apart from its results."""
    keywords = step.arguments.get("keywords")
    if set(step.arguments) != {"keywords"} or not isinstance(keywords, str) or not keywords.strip():
        yield Fault("search_without_keywords", abridged(step.arguments))
    else:
        yield from invisible_faults((keywords,))
        yield from _parser_faults(step)


def repeated_faults(steps: Sequence[Step]) -> Iterator[Fault]:
    """Calls that are made twice."""
    seen = Counter(canonical_json([step.api, step.arguments]) for step in steps)
    for call, often in seen.items():
        if often > 1:
            yield Fault("call_repeated", f"{often} times {abridged(call)}")


def _argument_faults(step: Step, tool: Tool) -> Iterator[Fault]:
    for value in tool.inputs:
        if value.required and value.name not in step.arguments:
            yield Fault("argument_missing", f"{tool.name} needs {value.name}")
    for name, given in step.arguments.items():
        declared = tool.input(name)
        if declared is None:
            yield Fault("argument_undeclared", f"{tool.name} has no parameter {abridged(name)}")
        else:
            yield from _given_faults(declared, given)


def _given_faults(declared: Value, given: Any) -> Iterator[Fault]:
    if not is_of_type(given, declared.type):
        yield Fault("argument_type", f"{declared.name} is to be {declared.type} and is {abridged(given)}")
    yield from invisible_faults(_texts(given))
    for text in map(str.strip, _texts(given, keys=False)):
        if not text or PLACEHOLDER.search(text) or NOTHING.search(text):
            yield Fault("argument_placeholder", f"{declared.name} is {abridged(given)}")


def _result_faults(step: Step, tool: Tool) -> Iterator[Fault]:
    if not step.result:
        yield Fault("result_missing", f"{tool.name} gives nothing")
        return
    declared = {value.name: value for value in tool.outputs}
    if step.failure and "exception" not in declared:
        yield from _text_faults("exception", step.failure)
        return
    for value in tool.outputs:
        if value.required and value.name not in step.result:
            yield Fault("output_missing", f"{tool.name} is to give {value.name}")
    for name, given in step.result.items():
        value = declared.get(name)
        if value is None:
            yield Fault("output_undeclared", f"{tool.name} has no output {abridged(name)}")
        elif not is_nothing(given, value.type) and not is_of_type(given, value.type):
            yield Fault("output_type", f"{name} is to be {value.type} and is {abridged(given)}")
        yield from _text_faults(name, given)


def _text_faults(name: str, given: Any) -> Iterator[Fault]:
    yield from invisible_faults(_texts(given))
    if any(PLACEHOLDER.search(text.strip()) for text in _texts(given, keys=False)):
        yield Fault("output_placeholder", f"{abridged(name)} is {abridged(given)}")


def _parser_faults(step: Step) -> Iterator[Fault]:
    """A call is written as text and read back, by the reader that judges sensibly and by the released rules."""
    text = written(step.api, step.arguments)
    meant = {name: str(given) for name, given in step.arguments.items()}
    found = read_calls(text)
    if [(one.name, one.arguments) for one in found] != [(step.api, meant)]:
        yield Fault("call_unreadable", abridged(text))
        return
    released = find_call(text)
    if released is None or (released.name, dict(released.arguments)) != (step.api, meant):
        yield Fault("call_unreadable_as_released", abridged(text))


def _texts(value: Any, keys: bool = True) -> Iterator[str]:
    """All texts in a JSON value, those of its keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in cast("Sequence[Any]", value):
            yield from _texts(item, keys)
    elif isinstance(value, dict):
        for key, item in cast("dict[str, Any]", value).items():
            if keys:
                yield key
            yield from _texts(item, keys)
