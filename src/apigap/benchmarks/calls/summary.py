"""The figures of calls: per category, those with calls to make apart from those with none, and what was wrong.

The two are never one number: who always calls is right in the first kind, and who never calls in the second.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from apigap.benchmarks.call_figures import CallFigures, Rate, call_figures
from apigap.benchmarks.calls.queries import Query
from apigap.benchmarks.calls.verdict import EVALUATOR
from apigap.evaluation.predictions import Answers
from apigap.evaluation.summary import Summary, Table, count_words, counted, cut_by, mean_of, number
from apigap.models.spending.cell_cost import cost_of
from apigap.records.base import Record
from apigap.records.names import first_of
from apigap.records.result import Result

ALL = "all"


class CategoryFigures(Record):
    """The figures of the queries of one category, or of all of them, of which calls or nothing are expected.

    `right` is the share that passes, with its interval clustered by the functions that are offered. `share_of_calls` is
    the mean share of right calls (see `Result.score`). `called` counts answers with a call that can be read,
    `called_nothing` those that say so in prose or with an empty list, and `unread` all others: an answer that cannot be
    read is right nowhere. The baselines are the shares of right answers of who never calls, and of who calls the first
    function, once, with arguments that an oracle puts in.
    """

    queries: int
    answered: int
    samples: int
    right: Rate
    share_of_calls: float | None
    called: int
    called_nothing: int
    unread: int
    always_nothing: float
    always_first: float


class CallsSummary(Summary):
    """Figures by category: `calls` where calls are to be made, `nothing` where none is, each with its row `all`.

    `missing` are queries without an answer; `cut` counts answers that were ended before they were whole, which count
    nowhere; `read_as` counts the forms in which answers were read.
    """

    evaluator: str
    missing: tuple[str, ...]
    missing_count_as_wrong: bool
    calls: dict[str, CategoryFigures]
    nothing: dict[str, CategoryFigures]
    faults: CallFigures
    labels: dict[str, int]
    read_as: dict[str, int]
    cut: dict[str, int] = {}

    def tables(self) -> list[Table]:
        """A table for each of the two kinds, and what was wrong."""
        titles = {
            "Calls to make: answers with just the right calls": self.calls,
            "Nothing to call: answers that call nothing, and say so": self.nothing,
        }
        columns = (
            "category",
            "queries",
            "answered",
            "right %",
            "calls %",
            "called",
            "nothing",
            "unread",
            "never call %",
            "first %",
        )
        found = [
            Table(title, columns, tuple(_row(name, one) for name, one in groups.items()))
            for title, groups in titles.items()
            if groups
        ]
        return [*found, *self.faults.tables()]

    def notes(self) -> list[str]:
        """The meaning of the columns, the forms of the answers, and what is missing or was cut."""
        lines = [
            "right: of queries, with the 95 % interval clustered by the functions offered; calls: the mean share of "
            "right calls; never call, first: baselines",
            f"how the answers were read: {self.read_as}",
        ]
        if self.missing:
            how = "count as wrong" if self.missing_count_as_wrong else "are left out"
            lines.append(f"{len(self.missing)} queries have no answer and {how}: {first_of(self.missing)}")
        if self.cut:
            lines.append(
                f"answers that were cut before they were whole count nowhere: {count_words(self.cut)}; give "
                "answers more tokens with --set generation.max_tokens=N"
            )
        return lines


def summarise_calls(
    queries: Sequence[Query], results: Sequence[Result], answers: Answers, answered_only: bool
) -> CallsSummary:
    """The figures of results. A query of which every answer was cut counts nowhere."""
    judged = [result for result in results if result.has_verdict]
    by_query: dict[str, list[Result]] = {}
    for result in judged:
        by_query.setdefault(result.task_id, []).append(result)
    cut = {result.task_id for result in results} - by_query.keys()
    missing = tuple(query.task_id for query in queries if query.task_id not in by_query and query.task_id not in cut)
    left_out = cut | set(missing) if answered_only else cut
    counting = [query for query in queries if query.task_id not in left_out]
    return CallsSummary(
        evaluator=EVALUATOR.digest,
        missing=missing,
        missing_count_as_wrong=not answered_only,
        calls=_groups([query for query in counting if query.expects != "nothing"], by_query),
        nothing=_groups([query for query in counting if query.expects == "nothing"], by_query),
        faults=call_figures(judged),
        labels=counted(result.label for result in judged if result.label),
        read_as=counted(result.detail["read_as"] for result in judged),
        cut=cut_by(results),
        cost=cost_of(answers.predictions) if answers.predictions else None,
    )


def _groups(queries: Sequence[Query], results: Mapping[str, Sequence[Result]]) -> dict[str, CategoryFigures]:
    """The figures of each category, and of all where there are several."""
    names = list(dict.fromkeys(query.category for query in queries))
    groups = {name: [query for query in queries if query.category == name] for name in names}
    if len(names) > 1:
        groups[ALL] = list(queries)
    return {name: _figures(rows, results) for name, rows in groups.items()}


def _figures(queries: Sequence[Query], results: Mapping[str, Sequence[Result]]) -> CategoryFigures:
    given = [results.get(query.task_id, ()) for query in queries]
    samples = [result for several in given for result in several]
    rates = [mean_of(float(result.passed) for result in several) or 0.0 for several in given]
    return CategoryFigures(
        queries=len(queries),
        answered=sum(1 for several in given if several),
        samples=len(samples),
        right=Rate.of(rates, [query.offered_together for query in queries]),
        share_of_calls=mean_of(mean_of(result.score for result in several) or 0.0 for several in given),
        called=_count(samples, lambda result: bool(result.detail["called_names"])),
        called_nothing=_count(samples, lambda result: result.detail["called_nothing"]),
        unread=_count(
            samples, lambda result: not result.detail["called_names"] and not result.detail["called_nothing"]
        ),
        always_nothing=mean_of(float(query.expects == "nothing") for query in queries) or 0.0,
        always_first=mean_of(float(first_is_right(query)) for query in queries) or 0.0,
    )


def first_is_right(query: Query) -> bool:
    """True if one call is expected, of the function that is offered first; or any call."""
    if query.expects == "any call":
        return True
    return len(query.expected) == 1 and query.expected[0].name == query.functions[0].name


def _count(results: Iterable[Result], holds: Callable[[Result], bool]) -> int:
    return sum(1 for result in results if holds(result))


def _row(name: str, figures: CategoryFigures) -> tuple[str, ...]:
    counts = (figures.queries, figures.answered)
    kinds = (figures.called, figures.called_nothing, figures.unread)
    return (
        name,
        *map(str, counts),
        str(figures.right),
        _percent(figures.share_of_calls),
        *map(str, kinds),
        _percent(figures.always_nothing),
        _percent(figures.always_first),
    )


def _percent(value: float | None) -> str:
    return number(value, 100, 1)
