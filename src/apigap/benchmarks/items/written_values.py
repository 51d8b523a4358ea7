"""The value that an answer writes, and whether it is the wanted one. Pure functions; nothing of an answer is run."""

import math
import re
from collections.abc import Iterator
from typing import Any, cast

from apigap.models.fences import read_blocks
from apigap.records.base import Json, canonical_json
from apigap.records.parsing.syntax import is_literal, literal_value
from apigap.sandbox.verdict.comparison import differences

_MOST = 20_000
_LONGEST = 2_000
_INLINE = re.compile(r"`([^`\n]+)`")
_INEXACT = 2**53
_PROMPT = ">>>"


def written_value(answer: str) -> str | None:
    """The literal that `answer` gives; None where it gives none.

    It is the last block, or what a console shows there after its first expression; else the last line, what stands in
    its backticks, or after its `=` or colon.
    """
    text = answer[-_MOST:] if len(answer) > _MOST else answer
    return next((one for one in _candidates(text) if len(one) <= _LONGEST and is_literal(one)), None)


def same_value(wanted: str, given: str) -> bool:
    """Check that two literals have the same value: a tuple is like a list, and a whole number like a float."""
    return not differences(_form(literal_value(wanted)), _form(literal_value(given)), "any")


def _candidates(text: str) -> Iterator[str]:
    blocks = [block.text for block in read_blocks(text)]
    for part in (*blocks[-1:], text):
        shown = _shown(part)
        yield shown
        lines = [line.strip() for line in shown.splitlines() if line.strip()]
        yield from lines[:1] if part is not text else ()
        for line in lines[-1:]:
            yield line
            yield from reversed(_INLINE.findall(line))
            yield from (line.rpartition(sign)[2].strip(" *.`") for sign in ("==", "=", ":", "->", " is "))
            yield line.strip("*`. ")


def _shown(text: str) -> str:
    """The output that a console shows after its first expression; all of `text` where it is no console."""
    before, prompt, rest = text.partition(_PROMPT)
    if not prompt or before.strip(" \n"):
        return text.strip()
    return rest.partition("\n")[2].partition(_PROMPT)[0].strip()


def _form(value: Any) -> Json:
    """The fingerprint of a literal's value, with every number as a float that a float holds exactly."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"other": repr(value)}  # JSON has no such number
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < _INEXACT else value
    if isinstance(value, list | tuple):
        return [_form(part) for part in cast("list[Any]", value)]
    if isinstance(value, set | frozenset):
        return {"set": sorted((_form(part) for part in cast("set[Any]", value)), key=canonical_json)}
    if isinstance(value, dict):
        return {"dict": [[_form(key), _form(part)] for key, part in cast("dict[Any, Any]", value).items()]}
    return cast("Json", value if value is None or isinstance(value, bool | str) else {"other": repr(value)})
