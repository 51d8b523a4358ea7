"""Programs that know nothing, on files of items: each must be at chance, or its share is told.

.venv/bin/python -m tools.ladder.hygiene data/items/*.jsonl
"""

import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from apigap.ladder.twins.plausible import frequencies, placed_words
from apigap.records.parsing.syntax import literal_value
from apigap.records.questions.ladder import LadderItem
from apigap.records.store import load_records
from apigap.statistics import Interval, clustered_wilson

Guess = Callable[[LadderItem, str], float]


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def _like_name(item: LadderItem, option: str) -> float:
    """The letters of those words of an option that the API's name has in it."""
    return sum(len(word) for word in _words(option) if len(word) > 2 and word in item.api_name.lower())


def _like_others(item: LadderItem, option: str) -> float:
    """The words that an option shares with the others."""
    return sum(len(_words(option) & _words(other)) for other in item.options if other is not option)


def _in_question(item: LadderItem, option: str) -> float:
    """The share of an option's words and numbers that stand in the question."""
    parts = set(re.findall(r"\w+", option))
    return len(parts & set(re.findall(r"\w+", item.question))) / max(len(parts), 1)


def _halves_differ(item: LadderItem, option: str) -> float:
    """1 of an option that gives two calls two values; of questions on one call all options are the same."""
    if not (item.expression.startswith("(") and "_2" in item.expression):
        return 0
    parts = literal_value(option)
    return float(isinstance(parts, tuple) and parts[0] != parts[-1])


def _names(option: str) -> list[str]:
    """The names of a parameter list."""
    return re.findall(r"(?:^\(|, )\*{0,2}(\w+)", option)


def _elsewhere(item: LadderItem, option: str) -> float:
    """How many libraries have the names of an option among their parameters, and their words where these stand."""
    names, words = frequencies()
    rows = [
        [names.get(name.lower(), 0), *(words.get(word, 0) for word in placed_words(name))] for name in _names(option)
    ]
    return sum(sum(map(math.log1p, row)) / len(row) for row in rows) / max(len(rows), 1)


class Frequencies:
    """The frequencies of parameters among the APIs of a library that items are about."""

    def __init__(self, items: Sequence[LadderItem]) -> None:
        true = [item for item in items if item.form == "parameters" and not item.is_twin]
        written = {(item.library, item.api_name): item.truth for item in true}
        self._written = written
        self._counts = Counter((library, name) for (library, _), names in written.items() for name in names)

    def of(self, item: LadderItem, option: str) -> float:
        """The mean logarithm of the number of other APIs that have the names of an option."""
        own = self._written.get((item.library, item.api_name), ())
        names = _names(option)
        counts = [self._counts[item.library, name] - (name in own) for name in names]
        return sum(math.log1p(count) for count in counts) / max(len(counts), 1)


GUESSES: dict[str, Guess] = {
    "the first": lambda item, option: -item.options.index(option),
    "the longest": lambda _, option: len(option),
    "the shortest": lambda _, option: -len(option),
    "the one most like the API's name": _like_name,
    "the one most like the others": _like_others,
}
GROUPS = (("new",), ("twin",), ("control",), ("control twin",), ("new", "control"), ("twin", "control twin"))
"""The groups of which each program's share is told: true names beside those of twins."""
OF_EFFECTS: dict[str, Guess] = {
    "the one with most of its words in the question": _in_question,
    "the one with least of its words there": lambda item, option: -_in_question(item, option),
    "of two calls, two values": _halves_differ,
}


def share(items: Sequence[LadderItem], guess: Guess) -> Interval:
    """The share of choices that a program gets right, ties by chance, with its interval clustered by API."""
    scores: list[float] = []
    for item in items:
        values = np.array([guess(item, option) for option in item.options])
        best = np.flatnonzero(values == values.max()).tolist()
        scores.append(float(item.right in best) / len(best))
    return clustered_wilson(scores, [f"{item.library}.{item.api_name}" for item in items])


def shorter_is_real(items: Sequence[LadderItem]) -> Interval:
    """The share of pairs in which the real name is shorter than the invented one; 0.5 is chance."""
    pairs: dict[tuple[str, str, str], dict[bool, int]] = {}
    for item in items:
        pairs.setdefault((item.library, item.api_name, item.pair), {})[item.is_invented] = len(item.subject)
    whole = {key: pair for key, pair in pairs.items() if len(pair) == 2}
    scores = [0.5 if pair[False] == pair[True] else float(pair[False] < pair[True]) for pair in whole.values()]
    return clustered_wilson(scores, [f"{library}.{api}" for library, api, _ in whole])


def main() -> None:
    """Print a line per program."""
    items = [item for path in sys.argv[1:] for item in load_records(Path(path), LadderItem)]
    used = Frequencies(items)
    by_use: dict[str, Guess] = {
        "the one whose names others have most": used.of,
        "the one whose names others have least": lambda item, option: -used.of(item, option),
        "the one whose names other libraries have most": _elsewhere,
        "the one whose names other libraries have least": lambda item, option: -_elsewhere(item, option),
    }
    for rung, guesses in (("signature", {**GUESSES, **by_use}), ("effect", {**GUESSES, **OF_EFFECTS})):
        choices = [item for item in items if (item.rung, item.form, item.order) == (rung, "choice", 1)]
        print(f"{rung}: {len(choices)} choices, chance 0.25")
        for name, guess in guesses.items() if choices else ():
            found = share(choices, guess)
            print(f"  {name}: {found.estimate:.3f} ({found.low:.3f} to {found.high:.3f})")
    choices = [item for item in items if (item.rung, item.form, item.order) == ("signature", "choice", 1)]
    for name, guess in {**GUESSES, **by_use}.items():
        print(f"signature: {name}")
        for groups in GROUPS:
            own = [item for item in choices if item.group in groups]
            found = share(own, guess) if own else None
            if found:
                print(
                    f"  {' and '.join(groups)}: {found.estimate:.3f} ({found.low:.3f} to {found.high:.3f}), {len(own)}"
                )
    found = shorter_is_real([item for item in items if item.rung == "exists"])
    print(f"the shorter name exists: {found.estimate:.3f} ({found.low:.3f} to {found.high:.3f}), chance 0.5")


if __name__ == "__main__":
    main()
