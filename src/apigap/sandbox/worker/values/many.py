"""More items than are kept: their number, some of them, and what every one of them and its place have a part in."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import hashlib
import math
from typing import Any

from ..protocol import dumps

_MOST = 10_000
_SAMPLES, _BLOCKS = 100, 64


def many(printer: Any, items: list[Any]) -> dict[str, Any]:
    """The form of a long list: samples, a digest of up to 10,000 items that are no floats, and sums of the floats.

    A digest would make the last bit of a float decide; the sums over 64 parts, plain and weighted by place, do not.
    """
    count = len(items)
    form: dict[str, Any] = {"length": count, "samples": printer.items(items[:: count // _SAMPLES or 1][:_SAMPLES])}
    digest = hashlib.sha256()
    numbers: list[float] = []
    for item in items[:_MOST]:
        is_number = type(item) is float and math.isfinite(item)
        numbers.append(item if is_number else 0.0)
        digest.update(b"float" if is_number else dumps(type(printer)(printer.bounds).of(item)).encode())
        digest.update(b"\n")
    form["sha256"] = digest.hexdigest()
    if any(numbers):
        size = -(-len(numbers) // _BLOCKS)
        parts = [numbers[start : start + size] for start in range(0, len(numbers), size)]
        form["blocks"] = printer.items([_sums(part) for part in parts])
    return form


def _sums(part: list[float]) -> list[float]:
    return [math.fsum(part), math.fsum(number * (len(part) - place) for place, number in enumerate(part))]
