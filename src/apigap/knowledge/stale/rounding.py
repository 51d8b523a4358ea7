"""Numbers that differ as far as rounding and the order of steps may bring them apart, in two fingerprints."""

import math
import re
from typing import Any, cast

from apigap.records.base import canonical_json

_WIDTH = re.compile(r"([<>|=]?[US])\d+")
_RELATIVE = 1e-3
_NOTHING = 1e-8
_LEAST, _MOST = 1e-250, 1e250
"""What is smaller or larger than these is most often memory that nobody filled."""
_BEYOND = 1e15
"""What divides by nearly nothing has no digit that is sure."""


def differ_by_rounding(old: Any, new: Any) -> bool:
    """Check that two forms are the same but for fractions that are close, both nearly nothing, or both out of reach,
    and for the width in which an array keeps its texts.

    A change that is smaller than a thousandth is lost with it.
    """
    if isinstance(old, list) and isinstance(new, list):
        left, right = cast("list[Any]", old), cast("list[Any]", new)
        return len(left) == len(right) and all(map(differ_by_rounding, left, right))
    if isinstance(old, dict) and isinstance(new, dict):
        before, after = cast("dict[str, Any]", old), cast("dict[str, Any]", new)
        if any(_WIDTH.fullmatch(str(form.get("dtype"))) for form in (before, after)):
            before, after = ({**form, "dtype": _WIDTH.sub(r"\1", str(form.get("dtype")))} for form in (before, after))
        return before.keys() == after.keys() and all(differ_by_rounding(before[key], after[key]) for key in before)
    if isinstance(old, float) and isinstance(new, float):
        return _are_close(old, new)
    return canonical_json(old) == canonical_json(new)


def _are_close(old: float, new: float) -> bool:
    if any(math.isfinite(value) and value and not _LEAST < abs(value) < _MOST for value in (old, new)):
        return True
    out_of_reach = min(abs(old), abs(new)) > _BEYOND and math.copysign(1, old) == math.copysign(1, new)
    return out_of_reach or math.isclose(old, new, rel_tol=_RELATIVE, abs_tol=_NOTHING)
