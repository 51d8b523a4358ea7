"""The smallest text that closes a gap: pieces are added one by one, and half of the tasks say what is enough."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from apigap.benchmarks.novelapi.prompting import KnowledgeOf, Prompter
from apigap.closing.asker import CellAsker, Rates, rates_of
from apigap.closing.pieces import PIECES, Piece, named, page_of, pieces_of
from apigap.records.base import Record
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.result import Result
from apigap.records.task import Task
from apigap.reporting.cells import API_USABLE

Combination = tuple[Piece, ...]
"""Pieces in the order of a page."""


class Tried(Record):
    """A combination and the mean rate of its answers; None where none of them has a verdict."""

    pieces: Combination
    rate: float | None
    characters: int


@dataclass(frozen=True)
class Choice:
    """The choice for one API on its choosing half: the rate without help, all that was tried, the smallest that closes.

    `chosen` is None where nothing that was tried was enough; `known` says that no help is needed.
    """

    api_name: str
    before: float | None
    tried: tuple[Tried, ...] = ()
    chosen: Combination | None = None

    @property
    def known(self) -> bool:
        """True where the model can use the API without help."""
        return self.before is not None and self.before >= API_USABLE


class Chooser:
    """Chooses for each API by `tasks`, the choosing half; `bundles` are by API. Cells are in folders below `root`.

    At most `longest` pieces are put together one by one; after that all are tried. What is enough loses each piece
    without which it is enough still.
    """

    def __init__(
        self, asker: CellAsker, tasks: Sequence[Task], bundles: Mapping[str, KnowledgeBundle], root: Path, longest: int
    ) -> None:
        self._asker = asker
        self._tasks = tasks
        self._bundles = bundles
        self._root = root
        self._longest = longest
        self.without_verdict: list[Result] = []

    def choose(self, before: Rates) -> list[Choice]:
        """A choice for each API; `before` are the rates of the tasks without help.

        Raises:
            AnswersAwaited: when the model is a folder that lacks answers.
            ModelUnavailable: when it cannot be asked.
        """
        names = sorted({task.api_name for task in self._tasks if task.api_name in self._bundles})
        choices = {name: Choice(name, _mean(self._of(name), before)) for name in names}
        best: dict[str, Combination] = {
            name: () for name, choice in choices.items() if choice.before is not None and not choice.known
        }
        wanted: dict[str, list[Combination]] = {name: [()] for name in best}
        number = 0
        while wanted:
            number += 1
            tried = self._try(wanted, self._root / f"round-{number}")
            for name, several in tried.items():
                choices[name] = _with(choices[name], several)
                best[name] = _best(several).pieces
            wanted = {name: more for name in wanted if (more := self._next(name, best[name], choices[name]))}
        return list(choices.values())

    def _next(self, name: str, best: Combination, choice: Choice) -> list[Combination]:
        """The combinations to try next: while none is enough, one piece more than `best`, or all of them at last.

        Of one that is enough, each with a piece less: growing may have taken up what was of no use by itself.
        """
        there = tuple(pieces_of(self._bundles[name]))
        if choice.chosen is not None:
            chosen = choice.chosen
            more = [_in_order([piece for piece in chosen if piece != one]) for one in chosen]
        elif len(best) < self._longest:
            more = [_in_order((*best, piece)) for piece in there if piece not in best]
        else:
            more = [there]
        done = {one.pieces for one in choice.tried}
        return [one for one in more if one not in done]

    def _try(self, wanted: Mapping[str, Sequence[Combination]], folder: Path) -> dict[str, list[Tried]]:
        """Ask about every API with each of its combinations; each combination is a cell, and all are asked at once."""
        cells: dict[Combination, set[str]] = {}
        for name, several in wanted.items():
            for one in several:
                cells.setdefault(one, set()).add(name)
        tasks = [task for task in self._tasks if task.api_name in wanted]
        folders = {one: folder / _word(one) for one in sorted(cells)}
        texts = {name: page_of(bundle, PIECES) for name, bundle in sorted(self._bundles.items())}
        self._asker.answer({folders[one]: self._prompter(one, cells[one]) for one in folders}, tasks, texts)
        rates = {one: self._judged(folder, tasks) for one, folder in folders.items()}
        return {name: [self._tried(name, one, rates[one]) for one in several] for name, several in wanted.items()}

    def _prompter(self, pieces: Combination, names: Collection[str]) -> Prompter:
        """The prompts that show a combination, about the APIs `names` alone."""
        shown = pages_shown(self._bundles, dict.fromkeys(self._bundles, pieces))
        return Prompter(
            self._asker.settings.generation,
            _word(pieces),
            lambda task: shown(task) if task.api_name in names else "",
            self._asker.room,
        )

    def _judged(self, folder: Path, tasks: Sequence[Task]) -> Rates:
        results = self._asker.judged(folder, tasks)
        self.without_verdict += [result for result in results if not result.has_verdict]
        return rates_of(results)

    def _tried(self, name: str, pieces: Combination, rates: Rates) -> Tried:
        length = len(page_of(self._bundles[name], pieces))
        return Tried(pieces=pieces, rate=_mean(self._of(name), rates), characters=length)

    def _of(self, name: str) -> list[Task]:
        return [task for task in self._tasks if task.api_name == name]


def pages_shown(bundles: Mapping[str, KnowledgeBundle], chosen: Mapping[str, Combination]) -> KnowledgeOf:
    """Knowledge as the pages of a task's APIs, each with the pieces that were chosen for it."""

    def knowledge(task: Task) -> str:
        pages = [page_of(bundles[name], chosen.get(name, PIECES)) for name in task.apis if name in bundles]
        return "\n".join(pages) if len(pages) == len(task.apis) else ""

    return knowledge


def usual(choices: Sequence[Choice]) -> Combination:
    """The combination that closes most APIs, the shorter of two; all pieces where none closes any.

    It is what an API gets that has no task to choose by.
    """
    counts = Counter(choice.chosen for choice in choices if choice.chosen is not None)
    return min(counts, key=lambda one: (-counts[one], len(one), one), default=PIECES)


def _with(choice: Choice, several: Sequence[Tried]) -> Choice:
    every = (*choice.tried, *several)
    enough = [one for one in every if one.rate is not None and one.rate >= API_USABLE]
    shortest = min(enough, key=lambda one: (one.characters, one.pieces), default=None)
    chosen = shortest.pieces if shortest else None
    return Choice(choice.api_name, choice.before, every, chosen)


def _best(several: Sequence[Tried]) -> Tried:
    return min(several, key=lambda one: (-(one.rate or 0.0), one.characters, one.pieces))


def _word(pieces: Combination) -> str:
    """A combination as part of a path and of the keys of requests."""
    return named(pieces).replace(" ", "-")


def _in_order(pieces: Sequence[Piece]) -> Combination:
    return tuple(piece for piece in PIECES if piece in pieces)


def _mean(tasks: Sequence[Task], rates: Rates) -> float | None:
    found = [rates[task.task_id] for task in tasks if task.task_id in rates]
    return fmean(found) if found else None
