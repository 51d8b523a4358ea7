"""The report on a user's own tools, as a record: what a model chose, what it called wrongly, and what cured it."""

from apigap.records.base import Record
from apigap.statistics.intervals import wilson

Counts = tuple[tuple[str, int], ...]
"""Names with how often each was there, the most frequent first."""


class Share(Record):
    """So many of so many."""

    right: int = 0
    of: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval; 0 to 1 of nothing."""
        found = wilson(self.right, self.of)
        return found.low, found.high

    def __str__(self) -> str:
        """The two figures."""
        return f"{self.right} of {self.of}"


class ArgumentFault(Record):
    """A fault of an argument, how often it was made, and one sentence on the first."""

    fault: str
    place: str
    count: int
    told: str


class ToolRow(Record):
    """The queries that one tool is to serve, and what became of them.

    `chosen` counts those in which it was called at all, `right` those that pass. `instead` are the tools that were
    called in its place, `invented` the names that no tool has. `unasked` counts the other queries in which it was
    called all the same. `refused` are calls of it that the server, or what stands for it, did not take, in its words.
    """

    name: str
    description: str
    queries: int
    right: int
    chosen: int
    instead: Counts = ()
    invented: Counts = ()
    uncalled: int = 0
    faults: Counts = ()
    arguments: tuple[ArgumentFault, ...] = ()
    unasked: int = 0
    refused: Counts = ()

    @property
    def share(self) -> Share:
        """The queries that pass."""
        return Share(right=self.right, of=self.queries)

    @property
    def never_chosen(self) -> bool:
        """True where it was wanted and never called."""
        return self.queries > 0 and self.chosen == 0


class FormRow(Record):
    """The figures of a model in one form of tools: of all queries, of those to be served, of those to be left alone.

    `cut` counts answers without a verdict.
    """

    form: str
    all: Share
    serving: Share
    leaving: Share
    cut: int
    tools: tuple[ToolRow, ...]


class AnswerRow(Record):
    """One answer, in words."""

    query: str
    expected: str
    form: str
    held_back: bool
    outcome: str
    fault: str
    called: str
    findings: tuple[str, ...]
    server: tuple[str, ...]
    answer: str


class Change(Record):
    """A description before and after."""

    tool: str
    before: str
    after: str


class CandidateRow(Record):
    """A changed description and what it gave on the queries that it was chosen by.

    The keys of its answers in `answers.jsonl` end in `key`.
    """

    kind: str
    key: str
    before: Share
    after: Share
    chosen: bool


class CureRow(Record):
    """The cure of one tool: the candidates, the chosen one, and what that gives on queries that were held back.

    `difference` is after minus before on the held-back queries, paired, with its 95 % interval; `own` is of those among
    them that are the tool's. Without a chosen one, or without held-back queries, nothing was measured: `words` say why.
    The keys of the chosen one's answers in `answers.jsonl` end in `key`.
    """

    tool: str
    words: str
    key: str = ""
    candidates: tuple[CandidateRow, ...]
    changes: tuple[Change, ...] = ()
    before: Share = Share()
    after: Share = Share()
    own_before: Share = Share()
    own_after: Share = Share()
    difference: float | None = None
    low: float = 0.0
    high: float = 0.0
    p_value: float = 1.0

    @property
    def cures(self) -> bool:
        """True where the interval lies above nothing."""
        return self.difference is not None and self.low > 0


class ToolReport(Record):
    """The whole report. `main` is the form in which cures were measured."""

    title: str
    source: str
    model: str
    main: str
    forms: tuple[FormRow, ...]
    answers: tuple[AnswerRow, ...]
    cures: tuple[CureRow, ...]
    served_by: str
    notes: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]

    @property
    def first(self) -> FormRow:
        """The row of the main form."""
        return next(row for row in self.forms if row.form == self.main)
