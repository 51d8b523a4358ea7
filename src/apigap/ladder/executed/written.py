"""The value that is asked for in writing: one that can hardly be guessed, and that hangs on the call."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from apigap.ladder.executed.options import Executed
from apigap.ladder.executed.plain import value_of
from apigap.ladder.executed.wrong import WrongProgram

_SHORTEST = 3
_SHORT = 40
_CUT_TEXT = re.compile(r"\[:60\]|__doc__|\.splitlines\(|\.split\(|signature\(")
"""Expressions for a piece of a text or a signature, which nobody writes by the letter, or which stands in the code."""
_ABOUT_TEXT = re.compile(r"^str\(|^type\(|__name__")
"""Expressions that look at how a thing is shown and not at what it is."""
_LONG_NUMBER = re.compile(r"\d+\.\d{2,}")
"""A number that nobody works out without a machine, or that leaves the digits to luck."""

Cost = tuple[bool, bool, bool, int]


@dataclass(frozen=True)
class Looked:
    """An expression with what the right program gives for it, and what each wrong one gives."""

    expression: str
    right: Executed
    given: Sequence[tuple[WrongProgram, str]]

    @property
    def cost(self) -> Cost:
        """The key by which the value to ask for is chosen; the least is best."""
        text = self.right.text
        others = {value for _, value in self.given} - {text}
        is_shown = bool(_ABOUT_TEXT.search(self.expression))
        return is_shown, bool(_LONG_NUMBER.search(text)), len(text) > _SHORT, -len(others)


def to_write(looked: Sequence[Looked], *, show_change: bool) -> Looked | None:
    """The one whose value is asked for; None where no value fits.

    Truth values, nothing and lone digits are guessed; long texts, pieces of texts and their lengths are not asked
    for. Some wrong program gives another value for another call, of a changed API one that shows the change where
    that is wanted. What a thing is comes before how it is shown, then short values without long numbers, then those
    that differ most.
    """
    lengths = {f"len({one.expression.removesuffix('[:60]')})" for one in looked if one.expression.endswith("[:60]")}
    fitting = [
        one
        for one in looked
        if one.expression not in lengths
        and not _is_unfair(value_of(one.right.text))
        and not _CUT_TEXT.search(one.expression)
        and _hangs_on_call(one, show_change)
    ]
    return min(fitting, key=lambda one: one.cost, default=None)


def _is_unfair(value: Any) -> bool:
    if isinstance(value, list | tuple | set | dict):
        held = [*cast("set[Any]", value)]
        return not held or (len(held) == 1 and not isinstance(value, dict) and _is_unfair(held[0]))
    if isinstance(value, str) and len(value) > _SHORT:
        return True  # nobody writes it letter by letter
    return value is None or isinstance(value, bool) or len(str(value)) < _SHORTEST - isinstance(value, int)


def _hangs_on_call(one: Looked, show_change: bool) -> bool:
    return any(
        value != one.right.text and not wrong.data and (wrong.change or not show_change) for wrong, value in one.given
    )
