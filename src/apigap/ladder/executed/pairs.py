"""Two calls asked for at once, where one gives too few values: each of both ways to call may stand in both places.

So the four options are the two by two ways to pair both values, and none differs in form from the others. Both calls
may be the same one on two sets of data.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

from apigap.knowledge.usages.names import bound_names, loaded_names
from apigap.ladder.executed.again import Way, both, bound, differing, with_number
from apigap.ladder.executed.options import Chosen, Executed
from apigap.ladder.executed.plain import MOST, kind_of, stands_in, value_of
from apigap.ladder.executed.wrong import WrongProgram
from apigap.records.parsing.syntax import parse

_STRAIN = 3
"""As that of a choice of single values whose right one is a place from its draw in each way: better ones come first."""
_TRIED = 6
Paired = tuple[str, Executed, Chosen]


def paired(
    context: str,
    completion: str,
    expression: str,
    right: str,
    others: Sequence[tuple[WrongProgram, str]],
    *,
    alike: bool,
) -> Iterator[Paired]:
    """The choices that ask for `expression` after the call and after one of `others`, the best first.

    `right` is what the call gives, `others` are programs that call the same API in another way, or on other data, with
    what they give. Where it is to be `alike`, another call that gives the same is asked for, as far as there is one:
    that two calls differ says nothing of what they give. None where no call gives another value.
    """
    call = Way(context, completion, right)
    every = [Way(one.context, one.completion, value) for one, value in others]
    ways = sorted(every, key=lambda one: (kind_of(one.value) != kind_of(right), one.context != context))
    same = [one for one in ways if one.value == right and one.code != call.code] if alike else []
    fitting = [one for one in ways if value_of(one.value) != value_of(right) and len(_pair(call, one)) <= MOST]
    for other in fitting[:_TRIED]:
        for second in (*same[:1], other):
            made = _asked(call, second, other, expression)
            if made is not None:
                yield made
                break


def _asked(first: Way, second: Way, other: Way, expression: str) -> Paired | None:
    """The choice whose right program goes the `first` and the `second` way; the `other` one gives the wrong values."""
    ways = (first, second, other)
    if any(_reads_what_it_binds(way.completion) for way in ways):
        return None  # in the second place its names would stand for what the first call has left
    names = _of_each(expression, ways)
    if not names:
        return None  # it looks at what both calls share
    shown = [(first, second), (second, first), (first, first), (second, second)]
    rows = shown if second is other else [(first, second), (first, other), (other, second), (other, other)]
    options = [Executed(_pair(*row), both(*row, names)) for row in rows]
    values, calls = (first.value, other.value), (first.completion, other.completion)
    is_visible = all(stands_in(value, f"{first.code}\n{other.code}") for value in values)
    if is_visible and (not isinstance(value_of(values[0]), bool) or _is_handed_through(calls, values)):
        return None
    if _is_read_off(first, other):
        return None
    return f"({expression}, {with_number(expression, names)})", options[0], Chosen(tuple(options[1:]), _STRAIN)


def _of_each(expression: str, ways: Sequence[Way]) -> frozenset[str]:
    """The variables of `expression` that each of the ways has for itself."""
    read = frozenset(loaded_names(parse(expression)))
    made = read.intersection(*(bound(way.completion) for way in ways))
    for one, other in permutations(ways, 2):
        made |= read & differing(one.context, other.context, made)
    return made


def _is_handed_through(calls: tuple[str, str], values: tuple[str, str]) -> bool:
    """True where each call alone writes the value that it gives."""
    first, second = (Counter(_literals(call)) for call in calls)
    return bool((first - second)[values[0]] and (second - first)[values[1]])


def _is_read_off(first: Way, other: Way) -> bool:
    """True where whatever one value has and the other has not is also what its program has and the other has not."""
    values, codes = (_words(first.value), _words(other.value)), (_words(first.code), _words(other.code))
    return values[0] - values[1] <= codes[0] - codes[1] and values[1] - values[0] <= codes[1] - codes[0]


def _words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*|\d+(?:\.\d+)?", text))


def _literals(code: str) -> list[str]:
    return [ast.unparse(node) for node in ast.walk(parse(code)) if isinstance(node, ast.Constant)]


def _pair(first: Way, second: Way) -> str:
    return f"({first.value}, {second.value})"


def _reads_what_it_binds(code: str) -> bool:
    """True of `data = f(data)`: a name is read by a statement before any other binds it, and bound by the code."""
    every, known = bound(code), set[str]()
    for node in parse(code).body:
        parts = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        read = {part.id for part in parts if isinstance(part.ctx, ast.Load)}
        here = set(bound_names(node))
        if isinstance(node, ast.AugAssign):
            read |= here
        elif not isinstance(node, ast.Assign | ast.AnnAssign):
            read -= here  # a loop, a definition: what it binds it may read
        if read & every - known:
            return True
        known |= here
    return False
