"""The APIs of a row that an answer chose, and the quality of the choice.

ToolBench has no such measure: its own pass and win rates ask a closed model. This one compares sets of function names:
recall and precision of the chosen APIs against the published labels.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from apigap.benchmarks.toolllm.answers import STRUCTURED, Answer, Call, Mode, read_answer
from apigap.benchmarks.toolllm.names import function_name
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.spellings import Meant, spelling
from apigap.models.traces import without_trace

_MOST_TEXT = 200_000


@dataclass(frozen=True)
class Selection:
    """The choice of an answer: function names, each once, in order.

    `invented` are those that the row does not offer, `ambiguous` bare API names that several offered APIs have: both
    count as chosen and as wrong. `mentioned` are offered APIs that free text names: nobody can tell whether it would
    call them, so they are chosen in released mode alone. `colliding` are chosen names which two APIs of the row share:
    they count as published, by name, and are told. `older` are names that were only found without the rule about
    leading digits.
    """

    mode: Mode
    chosen: tuple[str, ...]
    invented: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    colliding: tuple[str, ...] = ()
    older: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()


@dataclass(frozen=True)
class Score:
    """Recall, precision (None where nothing was chosen), F1 and whether the sets are equal.

    `resolved` asks for equal sets in a structured mode.
    """

    hits: int
    expected: int
    predicted: int
    recall: float
    precision: float | None
    f1: float
    exact: bool
    resolved: bool


def select(response: str, query: Query) -> Selection:
    """The choice of `response` among the APIs of `query`; any text gives a selection."""
    answer = read_answer(response)
    if answer is not None:
        found = resolve(answer, query)
        if not answer.aside or any(name in query.offered for name in found.chosen):
            return found
    mentioned = _mentioned(without_trace(response), query)
    return Selection("text" if mentioned else "none", (), mentioned=mentioned)


def as_released(selection: Selection) -> Selection:
    """The choice with what free text mentions taken for chosen, as free text was counted before."""
    return replace(selection, chosen=selection.mentioned) if selection.mode == "text" else selection


def resolve(answer: Answer, query: Query) -> Selection:
    """The calls of a structured answer as function names of the row."""
    found = _Resolution(query)
    for call in answer.calls:
        found.add(call, older=answer.mode == "tree")
    names = tuple(dict.fromkeys(found.chosen))
    return Selection(
        answer.mode, names, tuple(found.invented), tuple(found.ambiguous),
        tuple(name for name in names if name in query.colliding), tuple(dict.fromkeys(found.older)),
    )  # fmt: skip


def score(selection: Selection, query: Query) -> Score:
    """Compare the chosen names with the expected ones, as sets."""
    chosen, expected = frozenset(selection.chosen), query.expected
    hits = len(chosen & expected)
    exact = chosen == expected
    return Score(
        hits=hits,
        expected=len(expected),
        predicted=len(chosen),
        recall=hits / len(expected),
        precision=hits / len(chosen) if chosen else None,
        f1=2 * hits / (len(chosen) + len(expected)),
        exact=exact,
        resolved=exact and selection.mode in STRUCTURED,
    )


@dataclass
class _Resolution:
    """Names as they are found, and what is to be said of them."""

    query: Query
    chosen: list[str] = field(default_factory=list[str])
    invented: list[str] = field(default_factory=list[str])
    ambiguous: list[str] = field(default_factory=list[str])
    older: list[str] = field(default_factory=list[str])
    strangers: set[str] = field(default_factory=set[str])

    def add(self, call: Call, *, older: bool) -> None:
        """Note one call under the name that it means; a name that means none counts once in all its spellings."""
        name = self._exact(call)
        if name in self.query.offered:
            self.chosen.append(name)
        elif call.tool is not None:
            self._add_stranger(name, self.invented)
        else:
            self._add_meant(name, self.query.spellings.meant(name, older=older))

    def _exact(self, call: Call) -> str:
        """The function's name; models also give one as the API of its tool."""
        if call.tool is None or call.name in self.query.offered:
            return call.name
        return function_name(call.tool, call.name)

    def _add_meant(self, name: str, meant: Meant) -> None:
        if len(meant.functions) != 1:
            self._add_stranger(name, self.ambiguous if meant.functions else self.invented)
            return
        (function,) = meant.functions
        self.chosen.append(function)
        if meant.older:
            self.older.append(function)

    def _add_stranger(self, name: str, book: list[str]) -> None:
        key = spelling(name) or name
        if key not in self.strangers:
            self.strangers.add(key)
            self.chosen.append(name)
            book.append(name)


def _mentioned(response: str, query: Query) -> tuple[str, ...]:
    """Offered APIs whose function or own name stands in the text as words of its own, in the row's order."""
    text = response[:_MOST_TEXT].lower()
    found: Iterable[str] = (
        api.function
        for api in query.apis
        if any(_has_word(text, name.lower()) for name in (api.function, api.api_name.strip()))
    )
    return tuple(dict.fromkeys(found))


def _has_word(text: str, word: str) -> bool:
    return bool(word) and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
