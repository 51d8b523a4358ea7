"""The items of one release: its new APIs in the order of their importance, a matched control of each, and questions."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from apigap.discovery.importance.order import in_rank_order, why_later
from apigap.ladder.apis import named_parameters, shape_of
from apigap.ladder.controls import Balance, Pair
from apigap.ladder.executed.asked import call_items, effect_items
from apigap.ladder.executed.work import ApiWork
from apigap.ladder.exists import ANSWERS, about_api, about_parameter, invented_names, parameters_of
from apigap.ladder.names import Names
from apigap.ladder.rung_pairs import paired_on_rung
from apigap.ladder.signature import Lenders, about_parameters, choice, positions, written_names
from apigap.ladder.subject import Subject
from apigap.ladder.twins.items import twin_items
from apigap.ladder.twins.twin import twins_of
from apigap.ladder.twins.words import OtherNames
from apigap.models.probing import signature_prompt
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.records.questions.ladder import READABLE, LadderItem, Rung


class Loss(Record):
    """New APIs that a rung does not ask about, and why."""

    rung: Rung | None
    reason: str
    apis: tuple[str, ...]


class Yield(Record):
    """The new APIs that a rung asks about, of those that were chosen and could be called; and such `controls`.

    `pairs` are those of which it asks about both, `twins` the new APIs that have one.
    """

    rung: Rung
    asked: int
    of: int
    controls: int = 0
    pairs: int = 0
    twins: int = 0


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


def chosen(
    candidates: Sequence[Candidate], most: int, only: Collection[str] = ()
) -> tuple[list[Candidate], list[Loss]]:
    """The new APIs to ask about, at most `most` (0: all), first what matters most; and why others are not among them.

    What is read and not called has no parameters, what moved is not new, and minor ones are news to nobody. With `only`
    names these alone are looked at, minor or not; of those that are no candidate that is said.
    """
    known = {one.api_name for one in candidates}
    unknown = [name for name in sorted(only) if name not in known]
    lost: dict[str, list[str]] = {"its change shows in no signature": unknown} if unknown else {}
    kept: list[Candidate] = []
    for one in in_rank_order(one for one in candidates if not only or one.api_name in only):
        reason = _why_not(one, bool(only))
        if reason is None and most and len(kept) >= most:
            reason = "of lower rank than the last that is asked"
        if reason is None:
            kept.append(one)
        else:
            lost.setdefault(reason, []).append(one.api_name)
    return kept, [Loss(rung=None, reason=reason, apis=tuple(names)) for reason, names in sorted(lost.items())]


def _why_not(one: Candidate, is_wanted: bool) -> str | None:
    if one.change == "moved":
        return "moved, which is nothing new"
    if shape_of(one) is None:
        return f"a {one.kind.replace('_', ' ')} is read, not called"
    if is_wanted:
        return None
    return why_later(one) if one.importance is None or one.importance.minor else None


def subjects_of(pairs: Sequence[Pair], alone: Sequence[Candidate]) -> list[Subject]:
    """The APIs that are asked about: new ones with a control and those that are `alone`, then the controls."""
    return [
        *(Subject(pair.new, "new", pair.new) for pair in pairs),
        *(Subject(one, "new", one) for one in alone),
        *(Subject(pair.control, "control", pair.new) for pair in pairs),
    ]


def make_items(
    subjects: Sequence[Subject],
    real: Sequence[Candidate],
    names: Names,
    seed: int,
    rungs: Sequence[Rung] = READABLE,
    work: Mapping[str, ApiWork] | None = None,
) -> tuple[list[LadderItem], list[Loss]]:
    """The items of `subjects` on these `rungs`; and why some have none.

    `real` are the APIs of the library that lend names and, with those that are asked about, parameters: a name that
    several new APIs share stands in wrong options as well. `work` is what was run for each of the subjects. Same input,
    same items.
    """
    whole = [one.api for one in subjects if not one.is_by_parameter]
    invented = invented_names(whole, real, names.taken, names.exists, seed)
    lenders = Lenders(real, [subject.api for subject in subjects])
    run = work or {}
    effects = {name for name, one in run.items() if one.effect and one.effect.effect}
    values = {name for name, one in run.items() if one.effect and one.effect.written}
    calls = {name for name, one in run.items() if one.call and one.call.task}
    places = _places(subjects, seed)
    of_effects = _places([one for one in subjects if one.api.api_name in effects], seed)
    twins = twins_of(subjects, lenders, names, seed)
    lenders_there = lenders.renamed(OtherNames(lenders.names_of_old_parameters).as_frequent)
    items: list[LadderItem] = []
    lost: dict[tuple[Rung, str], list[str]] = {}
    on_rungs = [paired_on_rung(subjects, asked) for asked in (effects, values, calls)]
    for subject, for_effect, for_value, for_call in zip(subjects, *on_rungs, strict=True):
        name = subject.api.api_name
        twin = twins.get((name, subject.pair.api_name))
        first = tuple(twin.parameters) if twin else ()
        made: dict[Rung, Callable[[], Iterator[LadderItem | tuple[Rung, str]]]] = {
            "exists": partial(_exists, subject, invented.get(name), lenders, seed, first),
            "signature": partial(_signature, subject, lenders, seed, places[name], first),
        }
        if name in run:
            made["effect"] = partial(effect_items, for_effect, for_value, run[name], of_effects.get(name, 0), seed)
            made["call"] = partial(call_items, for_call, run[name])
        for one in (one for rung in rungs if rung in made for one in made[rung]()):
            if isinstance(one, LadderItem):
                items.append(one)
            elif subject.group == "new":
                lost.setdefault(one, []).append(name)
        if twin is not None:
            others = lenders_there.in_place_of(twin.parameters, lenders)
            items += [one for one in twin_items(subject, twin, others, seed, places[name]) if one.rung in rungs]
    losses = [Loss(rung=rung, reason=reason, apis=tuple(apis)) for (rung, reason), apis in sorted(lost.items())]
    return items, losses


def _places(subjects: Sequence[Subject], seed: int) -> dict[str, int]:
    """The place of each right option: balanced among new APIs and among controls, so that no place makes a gap."""
    names = {group: [one.api.api_name for one in subjects if one.group == group] for group in ("new", "control")}
    return {**positions(names["new"], seed), **positions(names["control"], seed)}


def yields_of(
    items: Sequence[LadderItem], asked: Sequence[Candidate], rungs: Sequence[Rung] = READABLE
) -> tuple[Yield, ...]:
    """The number of the new APIs `asked` that each of the `rungs` has an item of."""
    named = sum(bool(named_parameters(one)) for one in asked)
    found: list[Yield] = []
    for rung in rungs:
        new, controls, twins = (
            {item.pair for item in items if (item.rung, item.group) == (rung, group)}
            for group in ("new", "control", "twin")
        )
        of, pairs = named if rung == "signature" else len(asked), len(new & controls)
        found.append(Yield(rung=rung, asked=len(new), of=of, controls=len(controls), pairs=pairs, twins=len(twins)))
    return tuple(found)


def _exists(
    subject: Subject, invented: str | None, lenders: Lenders, seed: int, first: Sequence[str]
) -> Iterator[LadderItem | tuple[Rung, str]]:
    api = subject.api
    if subject.is_by_parameter:
        found = parameters_of(api, lenders, seed, first)
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


def _signature(
    subject: Subject, lenders: Lenders, seed: int, place: int, first: Sequence[str]
) -> Iterator[LadderItem | tuple[Rung, str]]:
    api = subject.api
    names = written_names(api)
    if not names:
        yield "signature", "it has no named parameters"
        return
    asked, begun = signature_prompt(api.library, api.api_name)
    yield subject.item(rung="signature", form="parameters", question=asked.content, begin=begun.content, truth=names)
    found = choice(api, lenders, seed, place, first)
    if isinstance(found, str):
        yield "signature", f"no choice of four: {found}"
        return
    ask = about_parameters(api.library, api.api_name)
    for order, options, right in found.orders():
        yield subject.item(rung="signature", form="choice", question=ask, options=options, right=right, order=order)
