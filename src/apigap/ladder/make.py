"""The items of one release: its new APIs in the order of their importance, a matched control of each, and questions."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from apigap.discovery.importance.order import in_rank_order, why_later
from apigap.ladder.apis import named_parameters, shape_of
from apigap.ladder.controls import Balance, Pair
from apigap.ladder.exists import ANSWERS, about_api, about_parameter, invented_names, parameters_of
from apigap.ladder.signature import Lenders, choice, positions
from apigap.models.probing import signature_prompt
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.records.questions.ladder import READABLE, Group, LadderItem, Rung


class Loss(Record):
    """New APIs that a rung does not ask about, and why."""

    rung: Rung | None
    reason: str
    apis: tuple[str, ...]


class Yield(Record):
    """The new APIs that a rung asks about, of those that were chosen and could be called."""

    rung: Rung
    asked: int
    of: int


class ItemsReport(Record):
    """The yield of one release, and the losses on the way.

    `chosen` counts the new APIs that were to be asked about, `candidates` all that discovery found. `steady_since` is
    the release since which controls are unchanged.
    """

    library: str
    old_version: str
    new_version: str
    candidates: int
    chosen: int
    pairs: int
    pool: int
    steady_since: str
    yields: tuple[Yield, ...]
    balance: tuple[Balance, ...]
    losses: tuple[Loss, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Names:
    """The names that a library has: last parts that are `taken`, and a look-up of whole names."""

    taken: set[str]
    exists: Callable[[Sequence[str]], set[str]]


def chosen(candidates: Sequence[Candidate], most: int) -> tuple[list[Candidate], list[Loss]]:
    """The new APIs to ask about, at most `most` (0: all), first what matters most; and why others are not among them.

    What is read and not called has no parameters, what moved is not new, and minor ones are news to nobody.
    """
    lost: dict[str, list[str]] = {}
    kept: list[Candidate] = []
    for one in in_rank_order(candidates):
        reason = _why_not(one)
        if reason is None and most and len(kept) >= most:
            reason = "of lower rank than the last that is asked"
        if reason is None:
            kept.append(one)
        else:
            lost.setdefault(reason, []).append(one.api_name)
    return kept, [Loss(rung=None, reason=reason, apis=tuple(names)) for reason, names in sorted(lost.items())]


def _why_not(one: Candidate) -> str | None:
    if one.change == "moved":
        return "moved, which is nothing new"
    if shape_of(one) is None:
        return f"a {one.kind.replace('_', ' ')} is read, not called"
    return why_later(one) if one.importance is None or one.importance.minor else None


def make_items(
    pairs: Sequence[Pair], alone: Sequence[Candidate], real: Sequence[Candidate], names: Names, seed: int
) -> tuple[list[LadderItem], list[Loss]]:
    """The items of `pairs` and of new APIs `alone`, for which there is no control; and why some have none.

    `real` are the APIs of the library that lend names and, with those that are asked about, parameters: a name that
    several new APIs share stands in wrong options as well. Same input, same items.
    """
    subjects = [
        *(Subject(pair.new, "new", pair.new) for pair in pairs),
        *(Subject(one, "new", one) for one in alone),
        *(Subject(pair.control, "control", pair.new) for pair in pairs),
    ]
    whole = [one.api for one in subjects if not one.is_by_parameter]
    invented = invented_names(whole, real, names.taken, names.exists, seed)
    lenders = Lenders(real, [subject.api for subject in subjects])
    places = positions([one.api.api_name for one in subjects], seed)
    items: list[LadderItem] = []
    lost: dict[tuple[Rung, str], list[str]] = {}
    for subject in subjects:
        name = subject.api.api_name
        for one in (
            *_exists(subject, invented.get(name), lenders, seed),
            *_signature(subject, lenders, seed, places[name]),
        ):
            if isinstance(one, LadderItem):
                items.append(one)
            elif subject.group == "new":
                lost.setdefault(one, []).append(name)
    losses = [Loss(rung=rung, reason=reason, apis=tuple(apis)) for (rung, reason), apis in sorted(lost.items())]
    return items, losses


def yields_of(
    items: Sequence[LadderItem], asked: Sequence[Candidate], rungs: Sequence[Rung] = READABLE
) -> tuple[Yield, ...]:
    """The number of the new APIs `asked` that each of the `rungs` has an item of."""
    apis = Counter(rung for rung, _ in {(item.rung, item.api_name) for item in items if item.group == "new"})
    named = sum(bool(named_parameters(one)) for one in asked)
    return tuple(Yield(rung=rung, asked=apis[rung], of=named if rung == "signature" else len(asked)) for rung in rungs)


@dataclass(frozen=True)
class Subject:
    """An API that is asked about, and the new API of its pair."""

    api: Candidate
    group: Group
    pair: Candidate

    @property
    def is_by_parameter(self) -> bool:
        """True where its pair is of a changed API: that it exists is no news, that it takes a parameter is."""
        return self.pair.change == "modified"

    def item(self, **own: object) -> LadderItem:
        """An item about it."""
        return LadderItem.model_validate(
            {
                "group": self.group, "api_name": self.api.api_name, "pair": self.pair.api_name,
                "subject": self.api.api_name, "library": self.api.library, "version": self.api.new_version,
                "old_version": self.api.old_version, "kind": self.api.kind, "since": self.api.since,
                "change": "unchanged" if self.group == "control" else self.api.change, **own,
            }
        )  # fmt: skip


def _exists(
    subject: Subject, invented: str | None, lenders: Lenders, seed: int
) -> Iterator[LadderItem | tuple[Rung, str]]:
    api = subject.api
    if subject.is_by_parameter:
        found = parameters_of(api, lenders, seed)
        if isinstance(found, str):
            yield "exists", found
            return
        asked = [(f"{api.api_name}({name}=)", about_parameter(api.library, api.api_name, name)) for name in found]
    elif invented is None:
        yield "exists", "no name could be invented that goes with it"
        return
    else:
        asked = [(name, about_api(api.library, name)) for name in (api.api_name, invented)]
    for right, (name, question) in enumerate(asked):
        yield subject.item(
            rung="exists", form="yes or no", subject=name, question=question, options=ANSWERS, right=right
        )


def _signature(subject: Subject, lenders: Lenders, seed: int, place: int) -> Iterator[LadderItem | tuple[Rung, str]]:
    api = subject.api
    names = tuple(parameter.name for parameter in named_parameters(api) if parameter.name not in ("self", "cls"))
    if not names:
        yield "signature", "it has no named parameters"
        return
    asked, begun = signature_prompt(api.library, api.api_name)
    yield subject.item(rung="signature", form="parameters", question=asked.content, begin=begun.content, truth=names)
    found = choice(api, lenders, seed, place)
    if isinstance(found, str):
        yield "signature", f"no choice of four: {found}"
        return
    ask = f"Which parameters does `{api.api_name}` of the Python library {api.library} have?"
    both = ((1, found.options, found.right), (2, found.options[::-1], len(found.options) - 1 - found.right))
    for order, options, right in both:
        yield subject.item(rung="signature", form="choice", question=ask, options=options, right=right, order=order)
