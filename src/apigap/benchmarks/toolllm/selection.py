"""Which of a row's APIs an answer chose, and how good the choice is.

ToolBench has no such measure: its own pass and win rates ask a closed model. This one compares sets of function names:
recall and precision of the chosen APIs against the published labels.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from apigap.benchmarks.toolllm.answers import STRUCTURED, Answer, Call, Mode, read_answer
from apigap.benchmarks.toolllm.names import avoid_reserved, function_name, standardise, without_get
from apigap.benchmarks.toolllm.queries import Query

_MOST_TEXT = 200_000


@dataclass(frozen=True)
class Selection:
    """What an answer chose: function names, each once, in order.

    `invented` are those that the row does not offer, `ambiguous` bare API names that several offered APIs have: both
    count as chosen and as wrong. `colliding` are chosen names which two APIs of the row share: they count as
    published, by name, and are told. `older` are names that were only found without the rule about leading digits.
    """

    mode: Mode
    chosen: tuple[str, ...]
    invented: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    colliding: tuple[str, ...] = ()
    older: tuple[str, ...] = ()


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
    """What `response` chooses of the APIs of `query`; any text gives a selection."""
    answer = read_answer(response)
    if answer is not None:
        return resolve(answer, query)
    mentioned = _mentioned(response, query)
    return Selection("text" if mentioned else "none", mentioned)


def resolve(answer: Answer, query: Query) -> Selection:
    """The calls of a structured answer as function names of the row."""
    book = _Book(query)
    for call in answer.calls:
        book.add(call, older=answer.mode == "tree")
    names = tuple(dict.fromkeys(book.chosen))
    return Selection(
        answer.mode, names, tuple(dict.fromkeys(book.invented)), tuple(dict.fromkeys(book.ambiguous)),
        tuple(name for name in names if name in query.colliding), tuple(dict.fromkeys(book.older)),
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
class _Book:
    """Names as they are found, and what is to be said of them."""

    query: Query
    chosen: list[str] = field(default_factory=list[str])
    invented: list[str] = field(default_factory=list[str])
    ambiguous: list[str] = field(default_factory=list[str])
    older: list[str] = field(default_factory=list[str])

    def add(self, call: Call, *, older: bool) -> None:
        """Note one call under the name that it means."""
        name = function_name(call.tool, call.name) if call.tool is not None else call.name
        if call.tool is None and name not in self.query.offered:
            name = self._by_spelling(name, older=older)
        self.chosen.append(name)
        if name not in self.query.offered and name not in self.ambiguous:
            self.invented.append(name)

    def _by_spelling(self, name: str, *, older: bool) -> str:
        """The offered function of another spelling, or of a bare API name that only one of them has; else `name`."""
        wanted = _spelling(name)
        same = [offered for offered in self.query.offered if _spelling(offered) == wanted]
        if len(same) == 1:
            return same[0]
        if older:
            former = [offered for offered in self.query.offered if without_get(offered) == without_get(name)]
            if len(former) == 1:
                self.older.append(former[0])
                return former[0]
        bare = avoid_reserved(standardise(name))
        apis = {api.function for api in self.query.apis if avoid_reserved(standardise(api.api_name)) == bare}
        if len(apis) > 1:
            self.ambiguous.append(name)
        return apis.pop() if len(apis) == 1 else name


def _spelling(name: str) -> str:
    return re.sub(r"[^0-9a-z\u4e00-\u9fa5^]+", "_", name.lower()).strip("_")


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
