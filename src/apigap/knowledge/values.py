"""Arguments for a call that upstream never writes: what the release passes under that name, else by declared type."""

import itertools
from collections.abc import Sequence

from apigap.knowledge.declared import by_type
from apigap.knowledge.transplant import ValueBook
from apigap.records.candidate import Parameter

_MOST = 3


def argument_rows(required: Sequence[Parameter], bound: frozenset[str], book: ValueBook) -> list[tuple[str, ...]]:
    """At most three rows of arguments for the `required` parameters; none where one of them has no value.

    `bound` are variables at hand: one with the parameter's name is its value.
    """
    columns = [_values(parameter, bound, book) for parameter in required]
    if not all(columns):
        return []
    longest = max((len(column) for column in columns), default=1)
    cycled = [list(itertools.islice(itertools.cycle(column), longest)) for column in columns]
    return list(dict.fromkeys(zip(*cycled, strict=True)))[:_MOST] if columns else [()]


def _values(parameter: Parameter, bound: frozenset[str], book: ValueBook) -> list[str]:
    if parameter.name in bound:
        return [parameter.name]
    return list(dict.fromkeys((*book.values(parameter), *by_type(parameter.annotation or ""))))[:_MOST]
