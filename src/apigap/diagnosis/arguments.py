"""Whether the candidate gave the target other arguments than the reference does."""

from collections.abc import Sequence
from typing import Any

from apigap.diagnosis.finding import Finding, one_line
from apigap.diagnosis.sketch import NOT_LITERAL, CallSketch, Sketch
from apigap.diagnosis.structure import is_table, structural_difference
from apigap.diagnosis.target import Target
from apigap.execution.compare import differences, summary
from apigap.records.run import CallRecord

_CODE = ("function", "method", "cut", "unstable", "cycle", "module")


def diagnose_arguments(
    calls: Sequence[CallRecord], reference_calls: Sequence[CallRecord], target: Target, text: Sketch, reference: Sketch
) -> Finding | None:
    """The finding where bound arguments differ from the reference's, or None.

    With `reference_calls`, what was bound is compared. Without them the literals that the reference solution
    passes by keyword are looked for in the answer's text, and `explicit` of the recorded calls has the last word.
    """
    if reference_calls:
        return _bound_difference(calls, reference_calls, target)
    return _written_difference(calls, text.calls_of(target.leaf), reference.calls_of(target.leaf), target)


def _bound_difference(
    calls: Sequence[CallRecord], reference_calls: Sequence[CallRecord], target: Target
) -> Finding | None:
    done = [call for call in calls if call.completed]
    for wanted in (call for call in reference_calls if call.completed):
        others = [_differing(wanted, call) for call in done]
        if others and all(others):
            return _tell(min(others, key=len), target)
    return None


def _differing(wanted: CallRecord, call: CallRecord) -> dict[str, tuple[Any, Any]]:
    names = [name for name in {**wanted.arguments, **call.arguments} if name not in ("self", "cls")]
    pairs = {name: (wanted.arguments.get(name), call.arguments.get(name)) for name in sorted(names)}
    return {name: pair for name, pair in pairs.items() if not _alike(*pair)}


def _alike(wanted: Any, given: Any) -> bool:
    if any(isinstance(form, dict) and any(key in form for key in _CODE) for form in (wanted, given)):
        return True  # code and what was cut off cannot be compared
    return not differences(wanted, given)


def _tell(differing: dict[str, tuple[Any, Any]], target: Target) -> Finding:
    name, (wanted, given) = next(iter(differing.items()))
    structure = structural_difference(wanted, given)
    if structure and is_table(wanted):
        return Finding("WrongShapeDtype", f"{target.path} got {name} with {structure}")
    return Finding(
        "WrongParam",
        one_line(f"{target.path} got {name} = {summary(given, 80)}, where the reference gives {summary(wanted, 80)}"),
    )


def _written_difference(
    calls: Sequence[CallRecord], own: Sequence[CallSketch], wanted: Sequence[CallSketch], target: Target
) -> Finding | None:
    if len(wanted) != 1 or not own or any(call.open_ended for call in own):
        return None
    literals = {name: value for name, value in wanted[0].keywords.items() if value is not NOT_LITERAL}
    for name, value in sorted(literals.items()):
        if any(_gives(call, wanted[0], name, value) for call in own):
            continue
        written = next((call.keywords[name] for call in own if name in call.keywords), NOT_LITERAL)
        if written is not NOT_LITERAL:
            reason = f"{target.path} is called with {name}={_shown(written)}, the reference gives {name}={value!r}"
            return Finding("WrongParam", one_line(reason))
        if not any(call.explicit is not None and name in call.explicit for call in calls):
            reason = f"{target.path} is called without {name}, the reference gives {name}={value!r}"
            return Finding("WrongParam", one_line(reason))
    return None


def _shown(literal: object) -> str:
    try:
        return repr(literal)
    except ValueError:  # a hexadecimal literal of more digits than Python writes in decimal
        return "a number of thousands of digits"


def _gives(call: CallSketch, wanted: CallSketch, name: str, value: object) -> bool:
    """Whether the call gives the literal, or may give it: by a name that is no literal, or by position."""
    given = call.keywords.get(name, NOT_LITERAL)
    if name in call.keywords:
        return given is NOT_LITERAL or (type(given) is type(value) and given == value)
    return call.positional > wanted.positional
