"""The meanings of names that are not spelled as their row spells them."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from apigap.benchmarks.toolllm.names import avoid_reserved, standardise, without_get

_LONGEST = 1000
"""Characters of a name that are looked at: no published one has more than a tenth of that."""
_PREFIX = re.compile(r"^\s*+(?:functions|tools|api|default_api)\.")


class Offered(NamedTuple):
    """An API of a row: its function, its tool's and its own name."""

    function: str
    tool: str
    api: str


class Meant(NamedTuple):
    """The functions that a name may mean; `older` where only the spelling of old recordings has them."""

    functions: frozenset[str]
    older: bool = False


def spelling(name: str) -> str:
    """A name without what people write differently: case, and the signs between words."""
    return re.sub(r"[^0-9A-Za-z\u4e00-\u9fa5^]+", "_", name).lower().strip("_")


class Spellings:
    """The names of one row's APIs, looked up in the order of how surely they are meant."""

    def __init__(self, apis: Iterable[Offered]) -> None:
        apis = list(apis)
        self._functions = _table(apis, lambda api: spelling(api.function))
        self._former = _table(apis, lambda api: without_get(api.function))
        self._bare = _table(apis, lambda api: _bare(api.api))
        self._joined = _table(apis, lambda api: spelling(f"{api.tool} {api.api}"))

    def meant(self, name: str, *, older: bool) -> Meant:
        """The functions that `name` means: none for an invented one, several for an ambiguous one.

        A function's name in another case or with other signs, one before the rule about leading digits (where `older`
        ones are read), an API's own name, tool and API in one text; then the same without what a call has around it.
        """
        for written in _written(name[:_LONGEST]):
            if found := self._functions.get(spelling(written)):
                return Meant(found)
            if older and (found := self._former.get(without_get(written))):
                return Meant(found, older=True)
            if found := self._bare.get(_bare(written)) or self._joined.get(spelling(written)):
                return Meant(found)
        return Meant(frozenset())


def _written(name: str) -> Iterator[str]:
    """`name`, and what is left of it without `functions.` before it and arguments in brackets behind it."""
    yield name
    short = _PREFIX.sub("", name)
    if short != name:
        yield short
    head, bracket, _ = short.partition("(")
    if bracket and spelling(head):
        yield head


def _bare(name: str) -> str:
    return avoid_reserved(standardise(name))


def _table(apis: Iterable[Offered], key: Callable[[Offered], str]) -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for api in apis:
        found[key(api)].add(api.function)
    return {name: frozenset(functions) for name, functions in found.items() if name}
