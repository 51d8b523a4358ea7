"""The dataset as the data files of the page: what the first view needs, and shards that are loaded when they are read.

Texts are those of models and libraries: every one is made visible and cut (`reporting.text.visible`). Rows are kept as
columns of numbers, which point into lists of names.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from apigap.analysis.cell_words import cell_named, cell_title
from apigap.explorer.answers import Answer, Asked
from apigap.explorer.apis import Api, Help, Place
from apigap.explorer.dataset import Dataset
from apigap.explorer.horizons import LadderReading
from apigap.explorer.rates import ALL
from apigap.explorer.scores import chance_of, is_check, of_ladder
from apigap.records.base import Json
from apigap.records.candidate import Candidate, Change
from apigap.records.result import FAILURE_LABELS
from apigap.reporting.entries import facts_in_words
from apigap.reporting.page import LABEL_NAMES
from apigap.reporting.text import visible
from apigap.version import __version__

SHARD_SIZE = 150_000
"""Characters from which a shard of answers is full: a page of an API loads one shard."""
_OWN_EXPERIMENT = re.compile(r"^(?P<model>.+) \((?P<rest>.+)-(?P=model)\)$", re.DOTALL)
NEEDS = ("unknown", "known", "cured", "open")
CHANGES = (ALL, "added", "modified", "moved")
NONE = -1
_UNKNOWN = Help("unknown")
Values = Mapping[tuple[str, Place], Sequence[float]]
"""The scores of one rung and condition, by column and API."""
Labels = Mapping[tuple[Place, str, str, str], int]
"""The places of labels by API, rung, condition and column."""


@dataclass(frozen=True)
class Payload:
    """Encodes a dataset. `downloads` are files with their size in bytes and what is in them."""

    data: Dataset
    downloads: Sequence[tuple[str, int, str]] = ()

    def shards(self) -> Iterator[tuple[str, Json]]:
        """The data files by name; the first views need `index`, `apis` and one of `rates` and `scores`."""
        details, starts = self._details()
        values = self._values()
        cells = sorted(values, key=self._cell_order)
        yield "index", cleaned(self._index(cells, starts))
        yield "apis", cleaned(self._apis())
        for number, condition in enumerate(self.data.conditions):
            yield f"rates-{number}", self._rates(condition)
        yield "comparisons", self._comparisons()
        labels = _common_labels(self.data.asked)
        for number, cell in enumerate(cells):
            yield f"scores-{number}", self._scores(cell, values[cell], labels)
        for number, shard in enumerate(details):
            yield f"apis-{number}", shard

    def _index(self, cells: Sequence[tuple[str, str]], starts: Sequence[int]) -> Json:
        data = self.data
        return {
            "version": __version__,
            "subjects": [
                {
                    "name": one.name, "short": short, "model": one.model, "facts": facts_in_words(one.facts),
                    "files": one.files, "evaluators": one.evaluators, "answers": one.answers,
                    "none": one.without_verdict,
                }
                for one, short in zip(data.subjects, short_names([one.name for one in data.subjects]), strict=True)
            ],
            "libraries": [[name, "; ".join(versions)] for name, versions in data.libraries.items()],
            "rungs": [[name, chance_of(name), int(of_ladder(name))] for name in data.rungs],
            "conditions": [[name, condition_title(name)] for name in data.conditions],
            "labels": [[label, *LABEL_NAMES[label]] for label in FAILURE_LABELS],
            "changes": CHANGES,
            "needs": NEEDS,
            "first": self._first_rung(),
            "scores": [[self._rung[rung], self._condition[condition]] for rung, condition in cells],
            "checks": [int(is_check(rung, condition)) for rung, condition in cells],
            "details": starts,
            "apis": len(data.apis),
            "ladders": [_ladder(one, self._subject) for one in data.ladders],
            "missing": data.missing,
            "downloads": self.downloads,
        }  # fmt: skip

    def _first_rung(self) -> int:
        """The rung on which most APIs were asked without knowledge, or with what there is; of several the highest."""
        asked: dict[str, set[Place]] = defaultdict(set)
        for one in self.data.scores:
            if one.side == "new" and one.condition == self.data.conditions[0]:
                asked[one.rung].add((one.library, one.api))
        return max(range(len(self.data.rungs)), key=lambda rung: (len(asked[self.data.rungs[rung]]), rung))

    def _apis(self) -> Json:
        apis, libraries = self.data.apis, list(self.data.libraries)
        helps = [[self.data.needs.get((api.place, one.name), _UNKNOWN) for api in apis] for one in self.data.subjects]
        return {
            "name": [api.name for api in apis],
            "library": [libraries.index(api.library) for api in apis],
            "change": [_place(CHANGES, api.change) for api in apis],
            "since": [_since(api) for api in apis],
            "weight": [NONE if api.weight is None else round(100 * api.weight) for api in apis],
            "need": [[NEEDS.index(one.need) for one in own] for own in helps],
            "cure": [[self._condition.get(one.cure, NONE) for one in own] for own in helps],
        }

    def _rates(self, condition: str) -> Json:
        libraries = list(self.data.libraries)
        own = [one for one in self.data.rates if one.condition == condition and one.side in ("new", "control")]
        return {
            "subject": [self._subject[one.subject] for one in own],
            "rung": [self._rung[one.rung] for one in own],
            "old": [int(one.side == "control") for one in own],
            "library": [_place(libraries, one.library) for one in own],
            "change": [NONE if one.change == ALL else CHANGES.index(one.change) for one in own],
            "rate": [_short(one.rate) for one in own],
            "low": [_short(one.low) for one in own],
            "high": [_short(one.high) for one in own],
            "units": [one.units for one in own],
            "apis": [one.apis for one in own],
        }

    def _comparisons(self) -> Json:
        rows = self.data.comparisons
        return {
            "kind": [int(one.kind == "knowledge") for one in rows],
            "rung": [self._rung[one.rung] for one in rows],
            "condition": [self._condition[one.condition] for one in rows],
            "a": [self._subject[one.a if one.kind == "models" else one.subject] for one in rows],
            "b": [self._subject[one.b if one.kind == "models" else one.subject] for one in rows],
            "units": [one.units for one in rows],
            **{
                name: [_short(getattr(one, name)) for one in rows]
                for name in ("before", "after", "difference", "low", "high", "p_holm")
            },
            "check": [int(one.check) for one in rows],
        }

    def _values(self) -> dict[tuple[str, str], Values]:
        """The scores of new APIs by rung and condition."""
        found: dict[tuple[str, str], dict[tuple[str, Place], list[float]]] = defaultdict(lambda: defaultdict(list))
        for one in self.data.scores:
            cell = found[one.rung, one.condition]
            if one.side == "new":
                cell[one.subject, (one.library, one.api)].append(one.value)
        return {cell: dict(own) for cell, own in found.items()}

    def _scores(self, cell: tuple[str, str], values: Values, labels: Labels) -> Json:
        """Per column the score of each API in thousandths, and its commonest label of a fail; -1 where none is."""
        places = [api.place for api in self.data.apis]
        names = [one.name for one in self.data.subjects]
        return {
            "value": [[_mean_of(values.get((name, place))) for place in places] for name in names],
            "label": [[labels.get((place, *cell, name), NONE) for place in places] for name in names],
        }

    def _details(self) -> tuple[list[Json], list[int]]:
        """The shards with what was asked, and the place of the first API of each."""
        shards: list[list[Json]] = []
        starts: list[int] = []
        size = SHARD_SIZE
        for number, api in enumerate(self.data.apis):
            asked = self.data.asked.get(api.place, ())
            detail = cleaned({"facts": _facts(api), "asked": [self._asked(one) for one in asked]})
            if size >= SHARD_SIZE:
                shards.append([])
                starts.append(number)
                size = 0
            shards[-1].append(detail)
            size += _size(detail)
        return [{"apis": shard} for shard in shards], starts

    def _asked(self, one: Asked) -> Json:
        return {
            "id": one.task_id, "rung": self._rung.get(one.rung, NONE), "side": one.side, "about": one.about,
            "text": one.text, "context": one.context, "options": one.options,
            "wanted": one.wanted, "answers": [self._answer(answer) for answer in one.answers],
        }  # fmt: skip

    def _answer(self, one: Answer) -> Json:
        return [
            self._subject[one.subject], self._condition.get(one.condition, NONE), one.sample, one.verdict,
            one.text, one.code, one.reason, one.differences,
        ]  # fmt: skip

    @cached_property
    def _subject(self) -> Mapping[str, int]:
        return {one.name: place for place, one in enumerate(self.data.subjects)}

    @cached_property
    def _rung(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.data.rungs)}

    @cached_property
    def _condition(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.data.conditions)}

    def _cell_order(self, cell: tuple[str, str]) -> tuple[int, int]:
        return self._rung[cell[0]], self._condition[cell[1]]


def condition_title(name: str) -> str:
    """A condition in words; its name where it is no cell of the grid."""
    cell = cell_named(name)
    return cell_title(cell) if cell else name


def short_names(names: Sequence[str]) -> list[str]:
    """The last parts of each name, as many as tell it from the others: `gguf/smollm2-135m` is `smollm2-135m`.

    An experiment in brackets stands without the model at its end, where all names still differ.
    """
    parts = [name.split("/") for name in names]
    told = ["/".join(own[-_telling(own, parts) :]) for own in parts]
    brief = [_OWN_EXPERIMENT.sub(r"\g<model> (\g<rest>)", name) for name in told]
    return brief if len(set(brief)) == len(brief) else told


def _telling(own: Sequence[str], every: Sequence[Sequence[str]]) -> int:
    """The number of last parts that no other name has."""
    counts = range(1, len(own))
    return next((n for n in counts if sum(other[-n:] == own[-n:] for other in every) == 1), len(own))


def cleaned(value: Any) -> Json:
    """The value with every text in it made visible."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {key: cleaned(inner) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, (list, tuple)):
        return [cleaned(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def _common_labels(asked: Mapping[Place, Sequence[Asked]]) -> dict[tuple[Place, str, str, str], int]:
    """The label that most fails of an API have, by API, rung, condition and column; of several the first."""
    counts: dict[tuple[Place, str, str, str], Counter[int]] = defaultdict(Counter)
    for place, every in asked.items():
        for one in every:
            for answer in one.answers if one.side == "new" else ():
                if answer.verdict in FAILURE_LABELS:
                    label = FAILURE_LABELS.index(answer.verdict)
                    counts[place, one.rung, answer.condition, answer.subject][label] += 1
    return {key: min(own, key=lambda label: (-own[label], label)) for key, own in counts.items()}


def _facts(api: Api) -> Json:
    """Facts of an API beside its scores; of changed ones what changed."""
    found = api.candidate
    if found is None:
        return {}
    return {
        "kind": found.kind,
        "signature": found.signature or "",
        "before": found.old_signature or "",
        "versions": f"{found.old_version or '(nothing)'} → {found.new_version}",
        "changes": _changes(found),
        "docstring": (found.docstring or "")[:2000],
        "reasons": found.importance.reasons if found.importance else (),
        "notes": [f"{one.kind} {one.version}: {one.text}".rstrip(": ") for one in found.mentions],
    }


def _changes(found: Candidate) -> list[str]:
    return [f"{one.what}: {_before_and_after(one)}" for one in found.changes]


def _before_and_after(one: Change) -> str:
    """The parameter with what it was and is; of one that came or went, its text alone."""
    if one.old and one.new:
        return f"{one.parameter}, {one.old} → {one.new}"
    return one.new or one.old or one.parameter


def _since(api: Api) -> list[Json]:
    """The release and the day that an API is there since; empty where that is not known."""
    if api.since is None:
        return []
    return [api.since.version, str(api.since.released or ""), int(api.since.exact)]


def _ladder(one: LadderReading, subject: Mapping[str, int]) -> Json:
    gaps = [
        {
            "measure": gap.measure, "new": gap.new, "control": gap.control, "gap": gap.estimate, "low": gap.low,
            "high": gap.high, "pairs": gap.pairs, "reason": gap.reason or "",
        }
        for gap in one.gaps
    ]  # fmt: skip
    return {
        "subject": subject[one.subject],
        "gaps": gaps,
        "horizons": [reading.model_dump(mode="json") for reading in one.horizons],
    }


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else NONE


def _mean_of(values: Sequence[float] | None) -> int:
    return round(1000 * sum(values) / len(values)) if values else NONE


def _short(value: float) -> float:
    return round(value, 4)


def _size(value: Json) -> int:
    """About as many characters as the value takes as JSON."""
    if isinstance(value, str):
        return len(value) + 2
    inner: Any = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()  # pyright: ignore
    return 8 + sum(map(_size, inner))
