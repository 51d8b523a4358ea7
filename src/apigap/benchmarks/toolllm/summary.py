"""The figures of API selection: per set, over all, and over the rows where choosing everything is wrong."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from apigap.benchmarks.call_figures import CallFigures, Rate, call_figures
from apigap.benchmarks.toolllm.baselines import BASELINES, Chance, mean_chance
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.verdict import EVALUATOR, SelectionMode
from apigap.evaluation.summary import Summary, Table, counted, mean_of, number
from apigap.records.base import Record
from apigap.records.names import first_of
from apigap.records.result import Result

_percent = partial(number, factor=100, digits=1)


class Micro(Record):
    """Recall and precision over all choices together."""

    recall: float
    precision: float | None


class FreeText(Record):
    """The samples in free text that name offered APIs, and what they would score were these chosen: no headline."""

    samples: int
    recall: float
    precision: float
    f1: float
    exact: float

    def row(self) -> tuple[str, ...]:
        """The row below that of the queries."""
        rates = (_percent(self.recall), _percent(self.precision), _percent(self.f1), _percent(self.exact))
        return ("  named in free text", "", str(self.samples), *rates, "-")


class SelectionFigures(Record):
    """The figures of some queries; `chose_something` counts the samples that `precision` is the mean of.

    What free text names is no choice but in released mode, and stands under `free_text` alone.
    """

    queries: int
    answered: int
    samples: int
    recall: Rate
    f1: Rate
    exact: Rate
    resolved: Rate
    precision: float | None
    precision_interval: Rate
    chose_something: int
    micro: Micro
    modes: dict[str, int]
    with_invented: int
    with_ambiguous: int
    labels: dict[str, int]
    calls: CallFigures
    free_text: FreeText | None
    baselines: dict[str, Chance]

    def rows(self, name: str) -> list[tuple[str, ...]]:
        """The row of these queries, and one per baseline."""
        own = (
            name, str(self.queries), str(self.answered), str(self.recall), str(self.precision_interval),
            _percent(self.f1.estimate), _percent(self.exact.estimate), str(self.resolved),
        )  # fmt: skip
        chances = [
            (f"  {kind}", "", "", _percent(c.recall), _percent(c.precision), "", _percent(c.exact), _percent(c.exact))
            for kind, c in self.baselines.items()
        ]
        return [own, *([self.free_text.row()] if self.free_text else []), *chances]


class SelectionSummary(Summary):
    """Figures by set; `missing` are queries without an answer, `strangers` counts recorded runs of other queries."""

    mode: SelectionMode
    evaluator: str
    missing: tuple[str, ...]
    missing_count_as_wrong: bool
    groups: dict[str, SelectionFigures]
    strangers: int = 0

    def tables(self) -> list[Table]:
        """A row per set and baseline."""
        columns = ("set", "queries", "answered", "recall", "precision", "F1", "exact", "resolved")
        rows = tuple(row for name, figures in self.groups.items() for row in figures.rows(name))
        title = f"API selection, {self.mode} mode: means over queries, 95 % intervals clustered by tools"
        whole = self.groups.get("all")
        return [Table(title, columns, rows), *(whole.calls.tables() if whole else [])]

    def notes(self) -> list[str]:
        """The forms in which answers were read, and what is missing."""
        whole = self.groups.get("all")
        lines = [f"how the answers were read: {whole.modes if whole else {}}"]
        if self.missing:
            how = "count as choosing nothing" if self.missing_count_as_wrong else "are left out (--answered-only)"
            lines.append(f"{len(self.missing)} queries have no answer and {how}: {first_of(self.missing)}")
        if self.strangers:
            lines.append(f"{self.strangers} recorded runs answer none of these queries (by id and text)")
        return lines


def summarise_selection(
    queries: Sequence[Query],
    results: Sequence[Result],
    answered_only: bool,
    strangers: int = 0,
    mode: SelectionMode = "corrected",
) -> SelectionSummary:
    """Figures per set, over all, and over the rows where choosing everything is wrong; baselines beside them."""
    by_query: dict[str, list[Result]] = {}
    for result in results:
        by_query.setdefault(result.task_id, []).append(result)
    counting = [query for query in queries if query.task_id in by_query] if answered_only else list(queries)
    groups = {name: [q for q in counting if q.set_name == name] for name in dict.fromkeys(q.set_name for q in counting)}
    groups |= {"all": counting, "all, not trivial": [query for query in counting if not query.is_trivial]}
    return SelectionSummary(
        mode=mode,
        evaluator=EVALUATOR.digest,
        missing=tuple(query.task_id for query in queries if query.task_id not in by_query),
        missing_count_as_wrong=not answered_only,
        groups={name: _figures(rows, by_query) for name, rows in groups.items() if rows},
        strangers=strangers,
    )


def _figures(queries: Sequence[Query], results: Mapping[str, Sequence[Result]]) -> SelectionFigures:
    given = [results.get(query.task_id, ()) for query in queries]
    samples = [result for several in given for result in several]
    precise = _precisions(samples)
    predicted = sum(result.detail["predicted"] for result in samples)
    expected = sum(len(query.expected) * max(1, len(several)) for query, several in zip(queries, given, strict=True))
    hits = sum(result.detail["hits"] for result in samples)
    tools = [query.tools for query in queries]

    def rate(field: str) -> Rate:
        return Rate.of([mean_of(float(r.detail[field]) for r in several) or 0.0 for several in given], tools)

    return SelectionFigures(
        queries=len(queries),
        answered=sum(1 for several in given if several),
        samples=len(samples),
        recall=rate("recall"),
        f1=rate("f1"),
        exact=rate("exact"),
        resolved=rate("resolved"),
        precision=mean_of(precise),
        precision_interval=_precision_interval(given, tools),
        chose_something=len(precise),
        micro=Micro(recall=hits / expected, precision=hits / predicted if predicted else None),
        modes=counted(result.detail["mode"] for result in samples),
        with_invented=sum(1 for result in samples if result.detail["invented"]),
        with_ambiguous=sum(1 for result in samples if result.detail["ambiguous"]),
        labels=counted(result.label for result in samples if result.label),
        calls=call_figures(samples),
        free_text=_free_text(samples) if any(r.detail["scoring"] == "corrected" for r in samples) else None,
        baselines={name: mean_chance(queries, chance) for name, chance in BASELINES.items()},
    )


def _free_text(samples: Sequence[Result]) -> FreeText | None:
    """The means over the samples in free text."""
    told = [result.detail["in_text"] for result in samples if result.detail["in_text"]]
    means = {name: mean_of(one[name] for one in told) for name in ("recall", "precision", "f1", "exact")}
    return FreeText(samples=len(told), **{name: mean or 0.0 for name, mean in means.items()}) if told else None


def _precisions(results: Iterable[Result]) -> list[float]:
    """The precision of the samples that chose something."""
    return [result.detail["precision"] for result in results if result.detail["precision"] is not None]


def _precision_interval(given: Sequence[Sequence[Result]], tools: Sequence[str]) -> Rate:
    """Precision per query in the mean, where something was chosen."""
    means = [(mean_of(_precisions(several)), tool) for several, tool in zip(given, tools, strict=True)]
    known = [(mean, tool) for mean, tool in means if mean is not None]
    return Rate.of([mean for mean, _ in known], [tool for _, tool in known])
