"""The calculator of both pools, with the released one's limits, and bounded."""

from typing import Any

from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.world import World

_SIGNS = "+-*/"
_LONGEST = 10_000
_INVALID = "invalid formula"


def calculator(world: World, formula: str) -> Any:
    """Works out a formula of numbers, the four operations and brackets that are not nested."""
    text = formula.replace(" ", "")
    operators = sum(text.count(sign) for sign in _SIGNS)
    if (
        not text
        or len(text) > _LONGEST
        or any(letter not in "0123456789+-*/()" for letter in text)
        or text.count("(") != text.count(")")
        or not operators
        or operators + 1 == len(text)
    ):
        raise ApiError(_INVALID)
    return _value(_parts(text))


def _parts(text: str) -> list[Any]:
    """Numbers and signs, in order."""
    parts: list[Any] = []
    digits = ""
    for letter in text:
        if letter.isdigit():
            digits += letter
            continue
        if digits:
            parts.append(float(digits))
            digits = ""
        parts.append(letter)
    return [*parts, float(digits)] if digits else parts


def _value(parts: list[Any]) -> Any:
    """As released: the first opening bracket is taken with the first closing one, so nested ones fail."""
    while "(" in parts:
        begin, end = parts.index("("), parts.index(")")
        parts = [*parts[:begin], _flat(parts[begin + 1 : end]), *parts[end + 1 :]]
    return _flat(parts)


def _flat(parts: list[Any]) -> Any:
    """Products from left to right, then sums."""
    if parts and parts[0] == "-":
        raise ApiError(_INVALID)  # the released calculator never ends here
    for signs in ("*/", "+-"):
        at = 0
        while at < len(parts):
            if isinstance(parts[at], str) and parts[at] in signs:
                left, right = parts[at - 1], parts[at + 1]
                parts = [*parts[: at - 1], _apply(parts[at], left, right), *parts[at + 2 :]]
                at -= 1
            at += 1
    return parts[0]


def _apply(sign: str, left: Any, right: Any) -> Any:
    if sign == "*":
        return left * right
    if sign == "/":
        return left / right
    return left + right if sign == "+" else left - right
