"""The height of the value stack before each call of a code object, for Python 3.12 and later.

No frame tells it while it runs, but the compiler has settled it for each instruction: all ways to one leave the stack
equally high. So it is worked out once, from the instructions and the table of exceptions.
"""

from __future__ import annotations

import dis
import sys
import types
from collections.abc import Iterator
from typing import NamedTuple

_VERSION = sys.version_info[:2]
_effect = dis.stack_effect
"""Made in C, and taken here: the answer shares the module dis, and may put something else there."""
_names = tuple(dis.opname)
_takes_argument = frozenset[int](getattr(dis, "hasarg", ()))
_jumps = frozenset(dis.hasjrel)
_CACHE, _EXTENDED = dis.opmap.get("CACHE", 0), dis.opmap["EXTENDED_ARG"]
_RETURN_GENERATOR = dis.opmap.get("RETURN_GENERATOR")
_ENDS = frozenset(
    dis.opmap[name]
    for name in (
        "RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", "INTERPRETER_EXIT",
        "JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT",
    )
    if name in dis.opmap
)  # fmt: skip
_MOST_CODES = 200


class Instruction(NamedTuple):
    """An instruction with its argument; `offset` and `following` are in bytes."""

    opcode: int
    argument: int
    offset: int
    following: int


class Standing(NamedTuple):
    """An instruction, and how high the stack is before it, in values.

    `behind` is the opcode and argument of the only instruction that leads to it; None where several may do.
    """

    opcode: int
    argument: int
    depth: int
    behind: tuple[int, int] | None


_known: dict[int, tuple[types.CodeType, dict[int, Standing]]] = {}


def standing(code: types.CodeType, offset: int) -> Standing | None:
    """The instruction at `offset`, in bytes, and the height of the stack before it; None where nothing is known."""
    found = _known.get(id(code))
    if found is None or found[0] is not code:
        if len(_known) >= _MOST_CODES:
            _known.clear()
        found = _known[id(code)] = (code, _all_of(code))
    return found[1].get(offset)


def _all_of(code: types.CodeType) -> dict[int, Standing]:
    """Every instruction that can be reached, by its offset; nothing for code that no compiler has made."""
    try:
        return _followed(code)
    except (ValueError, KeyError, IndexError):
        return {}


def _followed(code: types.CodeType) -> dict[int, Standing]:
    starts = dict(_instructions(code.co_code))
    found: dict[int, Standing] = {}
    left = [(0, 0), *_handlers(code.co_exceptiontable)]
    joined = {start for start, _ in left} | {_destination(one) for one in starts.values() if one.opcode in _jumps}
    while left:
        start, depth = left.pop()
        behind = None
        while start in starts and starts[start].offset not in found:
            one = starts[start]
            found[one.offset] = Standing(one.opcode, one.argument, depth, None if start in joined else behind)
            behind = one.opcode, one.argument
            left += [(to, depth + _change(one, jumps)) for jumps, to in _ways(one) if jumps]
            if one.opcode in _ENDS:
                break
            depth += _change(one, jumps=False)
            start = one.following
    return found


def _instructions(text: bytes) -> Iterator[tuple[int, Instruction]]:
    """Every instruction, with the offset that jumps to it go to: that of the prefixes of a large argument."""
    at = start = argument = 0
    while at < len(text):
        opcode, argument = text[at], argument << 8 | text[at + 1]
        offset, at = at, at + 2
        if opcode == _EXTENDED:
            continue
        while at < len(text) and text[at] == _CACHE:
            at += 2
        yield start, Instruction(opcode, argument, offset, at)
        start, argument = at, 0


def _ways(one: Instruction) -> Iterator[tuple[bool, int]]:
    """The places that an instruction leads to, each with whether it jumps there."""
    if one.opcode in _jumps:
        yield True, _destination(one)
    if one.opcode not in _ENDS:
        yield False, one.following


def _destination(one: Instruction) -> int:
    distance = -one.argument if "BACKWARD" in _names[one.opcode] else one.argument
    return one.following + 2 * distance


def _change(one: Instruction, jumps: bool) -> int:
    """By how much the instruction makes the stack higher."""
    change = _effect(one.opcode, one.argument if one.opcode in _takes_argument else None, jump=jumps)
    # The one that Python 3.12 does not count: what it leaves is taken off by the next.
    return change + (one.opcode == _RETURN_GENERATOR and _VERSION == (3, 12))


def _handlers(table: bytes) -> Iterator[tuple[int, int]]:
    """The place that an exception leads to, and the height of the stack there.

    The table is of numbers of six bits a byte: start, length and destination in instructions of two bytes, then the
    height of the stack and a bit that says whether the place of the exception lies there as well.
    """
    numbers = _numbers(table)
    for _start, _length, target, height in zip(numbers, numbers, numbers, numbers, strict=True):
        yield 2 * target, (height >> 1) + (height & 1) + 1


def _numbers(table: bytes) -> Iterator[int]:
    number = 0
    for byte in table:
        number = number << 6 | byte & 0x3F
        if not byte & 0x40:
            yield number
            number = 0
