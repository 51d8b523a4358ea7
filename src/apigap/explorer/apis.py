"""The new and changed APIs: what is known of each, in the order in which a reader wants them, and what cures it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apigap.analysis.cell_words import cell_named, cell_order
from apigap.discovery.importance.order import by_itself
from apigap.explorer.runs import Runs
from apigap.explorer.scores import Score, changes_of, is_check, place_of, rungs_of
from apigap.records.candidate import Candidate, Since
from apigap.records.experiment import BASELINE
from apigap.reporting.cells import API_USABLE, Need

Place = tuple[str, str]
"""A library and the qualified name of its API."""


@dataclass(frozen=True)
class Api:
    """An API. `change` and `since` are empty where nothing says them; `candidate` is what discovery found, if at hand.

    `weight` is its importance, 0 to 1, where that is known.
    """

    library: str
    name: str
    change: str
    since: Since | None
    weight: float | None
    candidate: Candidate | None

    @property
    def place(self) -> Place:
        """Library and name."""
        return self.library, self.name


@dataclass(frozen=True)
class Help:
    """The need of one column for help with one API, and the condition that cures it with the shortest prompt."""

    need: Need
    cure: str = ""


def apis_of(found: Runs, scores: Sequence[Score]) -> list[Api]:
    """The APIs that have a score, first those that matter most; without a rank those that models know least."""
    changes, since = changes_of(found), _since(found)
    values: dict[Place, list[float]] = defaultdict(list)
    for one in scores:
        if one.side == "new":
            values[one.library, one.api].append(one.value)
    places = sorted(values, key=lambda place: _order(found.candidates.get(place), values[place], place))
    return [_api(place, changes, since, found.candidates.get(place)) for place in places]


def _order(candidate: Candidate | None, values: Sequence[float], place: Place) -> tuple[object, ...]:
    if candidate is None or candidate.importance is None:
        return (1, sum(values) / len(values), place)
    return (0, *by_itself(candidate), place)


def _api(place: Place, changes: Mapping[Place, str], since: Mapping[Place, Since], candidate: Candidate | None) -> Api:
    weight = candidate.importance.score if candidate and candidate.importance else None
    return Api(*place, changes.get(place, ""), since.get(place), weight, candidate)


def _since(found: Runs) -> dict[Place, Since]:
    """The first release that has an API, from its tasks, its items and its candidate."""
    told: dict[Place, Since | None] = {(task.library, task.api_name): task.since for task in found.tasks.values()}
    told |= {(item.library, item.pair): item.since for item in found.items.values() if item.group == "new"}
    told |= {place: candidate.since for place, candidate in found.candidates.items() if candidate.since}
    return {place: since for place, since in told.items() if since is not None}


def needs_of(found: Runs, scores: Sequence[Score]) -> dict[tuple[Place, str], Help]:
    """The need of each column for each API, by API and column, on the highest rung that it was asked without knowledge.

    A model can use an API when it scores `API_USABLE` there in the mean. What shows the answers is no cure.
    """
    values: dict[tuple[Place, str], dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in scores:
        if one.side == "new":
            values[(one.library, one.api), one.subject][one.rung, one.condition].append(one.value)
    order = {rung: place for place, rung in enumerate(rungs_of(scores))}
    lengths = _prompt_lengths(found)
    return {key: _help(key, own, order, lengths) for key, own in values.items()}


def _help(
    key: tuple[Place, str],
    values: Mapping[tuple[str, str], Sequence[float]],
    order: Mapping[str, int],
    lengths: Mapping[tuple[Place, str, str], float],
) -> Help:
    asked = [rung for rung, condition in values if condition == BASELINE.name]
    if not asked:
        return Help("unknown")
    rung = max(asked, key=order.__getitem__)
    usable = {
        condition: sum(own) / len(own) >= API_USABLE for (asked, condition), own in values.items() if asked == rung
    }
    if usable[BASELINE.name]:
        return Help("known")
    cures = [name for name, is_usable in usable.items() if is_usable and not is_check(rung, name)]
    cures.sort(key=lambda name: (lengths.get((*key, name), 0.0), condition_order(name)))
    return Help("cured", cures[0]) if cures else Help("open")


def condition_order(name: str) -> tuple[int, int, str]:
    """The place of a condition: that of its cell in the grid, others after them by name."""
    cell = cell_named(name)
    return (*cell_order(cell), name) if cell else (99, 0, name)


def _prompt_lengths(found: Runs) -> dict[tuple[Place, str, str], float]:
    """The mean length of prompts in characters by API, column and condition, where the answers have their prompts."""
    lengths: dict[tuple[Place, str, str], dict[str, int]] = defaultdict(dict)
    for run in found.runs:
        for result in run.results:
            answer, place = run.answers.get(result.task_id), place_of(found, run, result)
            prompt = str((answer.model_extra or {}).get("prompt", "")) if answer else ""
            if prompt and place is not None:
                lengths[place, run.subject, run.condition][result.task_id] = len(prompt)
    return {key: sum(own.values()) / len(own) for key, own in lengths.items()}
