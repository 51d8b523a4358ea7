"""Items of the rung `signature`: which parameters does an API have, as a choice of four and written freely.

The four options of a choice are the two by two ways to say two parameters, each by its own name (or default) or by
that of another API of the library. So each option shares as much with the others as any other does: whoever picks the
one that is most like the rest is at chance.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import product

from apigap.discovery.surface import render_signature
from apigap.discovery.values import same_value
from apigap.ladder.apis import named_parameters
from apigap.records.base import content_hash
from apigap.records.candidate import Candidate, Parameter

OPTIONS = 4
SHOWN = 6
"""The parameters that options show at most; others are left out of all of them alike."""
COMMON = 0.1
"""The share of a library's APIs that have a parameter, above which it is common to them."""
FEW = 9
"""So many APIs may share a parameter in the smallest library."""
ALL_COMMON = "what could be asked about is a parameter that most APIs of the library have"
_NAMED = ("parameter added", "parameter renamed")


@dataclass(frozen=True)
class Choice:
    """Four parameter lists, one of which is the API's own; `asked` are the parameters that they differ in."""

    options: tuple[str, ...]
    right: int
    asked: tuple[str, ...]

    def orders(self) -> Iterator[tuple[int, tuple[str, ...], int]]:
        """Both orders: the number, the options, and the place of the right one."""
        yield 1, self.options, self.right
        yield 2, self.options[::-1], len(self.options) - 1 - self.right


class Lenders:
    """The parameters of a library's APIs, from which wrong options borrow names and defaults.

    `asked` are the APIs that are asked about: they lend as well, but what is common is so among the unchanged `apis`.
    """

    def __init__(self, apis: Iterable[Candidate], asked: Iterable[Candidate] = ()) -> None:
        unchanged = {one.api_name: one for one in apis}
        self._old = shared = _counts(unchanged.values())
        self._common = {name for name, count in shared.items() if count > max(COMMON * len(unchanged), FEW)}
        everything = {**unchanged, **{one.api_name: one for one in asked}}
        ordered = [everything[name] for name in sorted(everything)]
        counts = _counts(ordered)
        self._magnitudes = {name: count.bit_length() for name, count in counts.items()}
        self._parameters = [
            (api.api_name.rpartition(".")[0], parameter)
            for api in ordered
            for parameter in named_parameters(api)
            if not parameter.name.startswith("_") and parameter.name not in self._common
        ]

    @property
    def names_of_old_parameters(self) -> list[str]:
        """The names of the parameters of the unchanged APIs, each as often as one has it."""
        return list(self._old.elements())

    def renamed(self, other: Callable[[str], str | None]) -> "Lenders":
        """The same with another name of each parameter; without those that have no other one."""
        found = copy(self)
        names = {name: new for name in sorted(self._magnitudes) if (new := other(name)) is not None}
        found._magnitudes = {new: self._magnitudes[name] for name, new in names.items()}
        found._parameters = [
            (place, one.model_copy(update={"name": names[one.name]}))
            for place, one in self._parameters
            if one.name in names
        ]
        return found

    def in_place_of(self, names: Mapping[str, str], true: "Lenders") -> "Lenders":
        """The same for an API with other `names`, as frequent as the true ones, which are not lent, are with `true`."""
        found = copy(self)
        own = {new: true._magnitudes.get(name, 1) for name, new in names.items()}
        found._magnitudes = {**self._magnitudes, **own}
        found._parameters = [(place, one) for place, one in self._parameters if one.name not in names]
        return found

    def is_common(self, parameter: Parameter) -> bool:
        """True for a parameter that so many APIs of the library have that naming it shows no knowledge."""
        return parameter.name in self._common

    def names(self, like: Parameter, owner: str, seed: str) -> list[str]:
        """Names of parameters that have the like of its default, or none as it: first those that about as many have.

        Then come those beside its API. How often the library has a name must not tell the true one.
        """
        found: dict[str, tuple[int, bool, bool, str]] = {}
        own = self._magnitudes.get(like.name, 1)
        for place, parameter in self._parameters:
            if parameter.required == like.required and type_of(parameter.default) == type_of(like.default):
                distance = abs(self._magnitudes[parameter.name] - own)
                key = (
                    distance,
                    place != owner,
                    parameter.default != like.default,
                    content_hash([seed, parameter.name]),
                )
                found[parameter.name] = min(key, found.get(parameter.name, key))
        return sorted(found, key=lambda name: found[name])

    def defaults(self, like: Parameter, seed: str) -> list[str]:
        """Defaults of the library of the same type as that of `like`; True, False and None count as one."""
        wanted = _constant_or_type(like.default)
        found = {p.default for _, p in self._parameters if p.default and _constant_or_type(p.default) == wanted}
        return sorted(found, key=lambda text: content_hash([seed, text]))


def _counts(apis: Iterable[Candidate]) -> Counter[str]:
    """The number of APIs that have a parameter, by its name."""
    return Counter(name for api in apis for name in {parameter.name for parameter in named_parameters(api)})


def choice(api: Candidate, lenders: Lenders, seed: int, place: int, first: Sequence[str] = ()) -> Choice | str:
    """A choice with the right option at `place` (0..3), or the reason why there is none; about `first` if it can be."""
    slots = _slots(api, lenders, seed, first)
    if isinstance(slots, str):
        return slots
    drawn = f"{seed}/{api.api_name}"
    rows = _rows(api, slots, lenders, drawn)
    if any(len(row) < OPTIONS // len(slots) for row in rows):
        return "the library has no other parameters to choose from"
    shown = _shown(api, slots, seed)
    asked = tuple(slot.name for slot in slots)
    lists = [_with(api, dict(zip(asked, row, strict=True)), shown) for row in product(*rows)]
    right, *wrong = lists
    if len(set(lists)) < OPTIONS:
        return "its parameter lists cannot be told apart"
    wrong.sort(key=lambda text: content_hash([drawn, text]))
    return Choice((*wrong[:place], right, *wrong[place:]), place, asked)


def _rows(api: Candidate, slots: Sequence[Parameter], lenders: Lenders, seed: str) -> list[list[Parameter]]:
    """Each slot with what may stand in its place.

    Of two slots both get a shorter name in one of four APIs, both a longer one in another, and else one each: so the
    right list is the shortest, and the longest, as often as chance has it, also where a name has no shorter one.
    """
    number = int(content_hash([seed, "shorter"]), 16) % OPTIONS
    if len(slots) == 1:
        return [[slots[0], *_alternatives(api, slots[0], lenders, seed, OPTIONS - 1, frozenset(), number)]]
    rows: dict[int, list[Parameter]] = {}
    is_shorter = False
    for at in (0, 1) if number % 2 else (1, 0):
        used = frozenset(parameter.name for row in rows.values() for parameter in row)
        short = number if number < 2 else int(not is_shorter)
        rows[at] = [slots[at], *_alternatives(api, slots[at], lenders, seed, 1, used, short)]
        is_shorter = any(len(one.name) < len(slots[at].name) for one in rows[at][1:])
    return [rows[0], rows[1]]


def _slots(api: Candidate, lenders: Lenders, seed: int, first: Sequence[str]) -> list[Parameter] | str:
    """One or two parameters that options differ in: what changed, then those of `first` in order, then drawn ones."""
    parameters = telling_parameters(api, lenders)
    if not parameters:
        return why_none_tells(api)
    drawn = sorted(parameters, key=lambda p: (place_in(first, p.name), content_hash([seed, api.api_name, p.name])))
    if api.changes:
        wanted = new_names(api) | _new_defaults(api)
        changed = [p for p in drawn if p.name in wanted]
        if not changed:
            return ALL_COMMON if wanted else "what changed is neither the name nor the default of a parameter"
        drawn = [*changed, *(p for p in drawn if p not in changed)]
    return drawn[:2]


def place_in(first: Sequence[str], name: str) -> int:
    """The place of a name among those that come first; after all of them for another one."""
    return first.index(name) if name in first else len(first)


def written_names(api: Candidate) -> tuple[str, ...]:
    """The names of parameters that a caller writes."""
    return tuple(p.name for p in named_parameters(api) if p.name not in ("self", "cls"))


def telling_parameters(api: Candidate, lenders: Lenders) -> list[Parameter]:
    """The named parameters that are neither internal nor common to the library's APIs."""
    return [p for p in named_parameters(api) if not p.name.startswith("_") and not lenders.is_common(p)]


def why_none_tells(api: Candidate) -> str:
    """The reason for which an API has no telling parameters."""
    return (
        ALL_COMMON if any(not p.name.startswith("_") for p in named_parameters(api)) else "it has no named parameters"
    )


def new_names(api: Candidate) -> frozenset[str]:
    """The parameters that a changed API has gained, under their names of now."""
    now = {parameter.name for parameter in named_parameters(api)}
    return frozenset(change.parameter for change in api.changes if change.what in _NAMED) & now


def _new_defaults(api: Candidate) -> frozenset[str]:
    return frozenset(change.parameter for change in api.changes if change.what == "default changed")


def other_names(
    api: Candidate, like: Parameter, lenders: Lenders, seed: str, most: int, short: int,
    used: frozenset[str] = frozenset(),
) -> list[str]:  # fmt: skip
    """At most `most` names of the library's parameters that `api` neither has nor had, and that are not `used`.

    As far as there are such, `short` of them are shorter than the true name, and the others longer.
    """
    taken = used | {p.name for p in api.parameters} | {change.old for change in api.changes if change.old}
    taken |= {change.parameter for change in api.changes}
    owner = api.api_name.rpartition(".")[0]
    fitting = [name for name in lenders.names(like, owner, f"{seed}/{like.name}") if name not in taken]
    shorter = [name for name in fitting if len(name) < len(like.name)][:short]
    longer = [name for name in fitting if len(name) > len(like.name)][: most - short]
    return list(dict.fromkeys((*shorter, *longer, *fitting)))[:most]


def _alternatives(
    api: Candidate, slot: Parameter, lenders: Lenders, seed: str, most: int, used: frozenset[str], short: int
) -> list[Parameter]:
    """`slot` under other names; with other defaults where its default is what changed."""
    if slot.name in _new_defaults(api) - new_names(api):
        texts: list[str] = []
        for text in lenders.defaults(slot, seed):
            if not any(same_value(text, other) for other in (slot.default, *texts)):
                texts.append(text)
        return [slot.model_copy(update={"default": text}) for text in texts[:most]]
    return [slot.model_copy(update={"name": name}) for name in other_names(api, slot, lenders, seed, most, short, used)]


def _shown(api: Candidate, slots: Sequence[Parameter], seed: int) -> frozenset[str]:
    """The names of the parameters that options show: all where these are few, else the slots and some drawn ones."""
    drawn = sorted(api.parameters, key=lambda p: (p not in slots, content_hash([seed, "shown", p.name])))
    return frozenset(p.name for p in drawn[:SHOWN])


def _with(api: Candidate, replaced: Mapping[str, Parameter], shown: frozenset[str]) -> str:
    """The parameter list with other parameters in the place of some; without annotations, which would give it away."""
    parts = [replaced.get(p.name, p).model_copy(update={"annotation": None}) for p in api.parameters if p.name in shown]
    text = render_signature(tuple(parts), None)
    return text if len(parts) == len(api.parameters) else f"{text[:-1]}, ...)"


def type_of(default: str | None) -> str:
    """A rough type of a default's text; empty of none."""
    if default is None:
        return ""
    if default in ("True", "False"):
        return "flag"
    if default[:1] in "'\"":
        return "text"
    return "number" if default[:1].isdigit() or default[:1] == "-" else default


def _constant_or_type(default: str | None) -> str:
    return "constant" if default in ("True", "False", "None") else type_of(default)


def about_parameters(library: str, name: str) -> str:
    """The question about the parameters of an API."""
    return f"Which parameters does `{name}` of the Python library {library} have?"


def positions(names: Sequence[str], seed: int) -> dict[str, int]:
    """A place among the options for the right one of each API, as many of each as can be.

    Which places have one more than others is drawn as well: else the first would, in all releases together.
    """
    drawn = sorted(names, key=lambda name: content_hash([seed, "place", name]))
    first = int(content_hash([seed, "first place", *drawn]), 16)
    return {name: (first + number) % OPTIONS for number, name in enumerate(drawn)}
