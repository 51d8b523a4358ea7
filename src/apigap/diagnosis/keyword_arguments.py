"""Comparison of the keyword arguments in the answer's text with those in the reference's."""

from collections.abc import Sequence

from apigap.diagnosis.finding import Finding, one_line
from apigap.diagnosis.sketch import NOT_LITERAL, CallSketch
from apigap.diagnosis.target import Target
from apigap.records.run import CallRecord


def keyword_difference(
    calls: Sequence[CallRecord], own: Sequence[CallSketch], wanted: Sequence[CallSketch], target: Target
) -> Finding | None:
    """The finding where none of the answer's calls gives a keyword of the reference's one call, or None.

    `calls` are the recorded ones, whose `explicit` has the last word; `own` and `wanted` are the calls in the texts.
    """
    if len(wanted) != 1 or not own or any(call.open_ended for call in own):
        return None
    for name, value in sorted(wanted[0].keywords.items()):
        if any(_passes(call, wanted[0], name, value) for call in own):
            continue
        written = next((call.keywords[name] for call in own if name in call.keywords), NOT_LITERAL)
        if written is not NOT_LITERAL:
            reason = (
                f"{target.path} is called with {name}={_literal_text(written)}, the reference gives {name}={value!r}"
            )
            return Finding("WrongParam", one_line(reason))
        if not any(call.explicit is not None and name in call.explicit for call in calls):
            given = "it" if value is NOT_LITERAL else f"{name}={value!r}"
            reason = f"{target.path} is called without {name}, the reference gives {given}"
            return Finding("WrongParam", one_line(reason))
    return None


def _literal_text(literal: object) -> str:
    try:
        return repr(literal)
    except ValueError:  # a hexadecimal literal of more digits than Python writes in decimal
        return "a number of thousands of digits"


def _passes(call: CallSketch, wanted: CallSketch, name: str, value: object) -> bool:
    """Check that the call gives the argument, or may give it: by a name that is no literal, or by position."""
    given = call.keywords.get(name, NOT_LITERAL)
    if name in call.keywords:
        known = given is not NOT_LITERAL and value is not NOT_LITERAL
        return not known or (type(given) is type(value) and given == value)
    return call.positional > wanted.positional
