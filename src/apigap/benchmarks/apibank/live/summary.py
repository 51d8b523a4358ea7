"""The figures of live dialogues: goals reached, how reliably, and what else was called."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from apigap.benchmarks.apibank.dialogues import LEVELS
from apigap.benchmarks.apibank.live.goals import Goal, NoGoal
from apigap.benchmarks.apibank.live.options import LiveOptions
from apigap.benchmarks.apibank.live.records import DialogueRecord
from apigap.benchmarks.call_faults import CALL_FAULTS
from apigap.evaluation.summary import Summary, Table, cost_table, counted, no_verdict
from apigap.models.spending.cell_cost import CellCost, cost_of
from apigap.models.transcripts import Call
from apigap.records.base import Record
from apigap.records.result import Prediction, Result
from apigap.statistics import count_by_task, mean_over_tasks

ALL = "all"
_CHANGE, _LOOKUP = "that change something", "that only look up"


class GoalRates(Record):
    """The goals of a part of the dialogues: pass@1 with its interval, clustered by dialogue, and pass^k by k.

    Samples without a verdict (cut, infra) are in no denominator; `pass_hat_k` is None where no dialogue has k samples.
    """

    part: str
    dialogues: int
    samples: int
    judged: int
    pass_at_1: float | None
    interval: tuple[float, float] | None
    pass_hat_k: dict[str, float | None]


class LiveSummary(Summary):
    """The figures of a run; see `GoalRates`.

    `faults` counts *the* fault of failed samples, `all_faults` how many failed samples have each. `superfluous` and
    `harmful` count calls by API, over all samples; `samples_with_harm` those with a harmful call. `over` counts why
    dialogues ended. `without_goal` has the dialogues of the data that have no goal, with the reason. `cost` is of the
    model, `user_cost` of the one that plays the user.
    """

    model: str
    user: str
    protocol: str
    rates: tuple[GoalRates, ...]
    outcomes: dict[str, int]
    over: dict[str, int]
    faults: dict[str, int]
    all_faults: dict[str, int]
    labels: dict[str, int]
    superfluous: dict[str, int]
    harmful: dict[str, int]
    samples_with_harm: int
    no_verdict: dict[str, int]
    without_goal: dict[str, str]
    user_cost: CellCost | None = None

    def tables(self) -> list[Table]:
        """Goals, faults, calls that nobody asked for, and cost."""
        ks = list(self.rates[0].pass_hat_k)
        goals = tuple(_row(rates, ks) for rates in self.rates)
        head = ("dialogues", "number", "samples", "judged", "pass@1", "95 % interval", *(f"pass^{k}" for k in ks))
        names = [name for name in CALL_FAULTS if self.all_faults.get(name)]
        faults = tuple((n, str(self.faults.get(n, 0)), str(self.all_faults[n])) for n in names)
        apis = sorted({*self.superfluous, *self.harmful})
        calls = tuple((api, str(self.superfluous.get(api, 0)), str(self.harmful.get(api, 0))) for api in apis)
        found = [
            Table(f"Goals reached by {self.model}", head, goals),
            Table("Faults of dialogues that failed", ("fault", "is the first of", "is among those of"), faults),
            Table("Calls that nobody asked for", ("API", "superfluous", "harmful"), calls),
            *cost_table("who", [("model", self.cost), *([("user", self.user_cost)] if self.user_cost else [])]),
        ]
        return [table for table in found if table.rows]

    def notes(self) -> list[str]:
        """The ends of dialogues, and those that are left out."""
        lines = [f"outcomes {self.outcomes}; dialogues ended by: {self.over}"]
        if self.samples_with_harm:
            lines.append(f"{self.samples_with_harm} samples have a harmful call")
        if self.without_goal:
            lines.append(f"{len(self.without_goal)} dialogues of the data have no goal (summary.json says why)")
        return lines


def _row(rates: GoalRates, ks: Sequence[str]) -> tuple[str, ...]:
    low, high = rates.interval or (None, None)
    interval = "-" if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f}"
    shares = [rates.pass_at_1, *(rates.pass_hat_k[k] for k in ks)]
    first, *others = ("-" if share is None else f"{100 * share:.1f} %" for share in shares)
    return (rates.part, str(rates.dialogues), str(rates.samples), str(rates.judged), first, interval, *others)


def summarise_live(
    results: Sequence[Result],
    records: Sequence[DialogueRecord],
    goals: Mapping[str, Goal | NoGoal],
    options: LiveOptions,
    costs: tuple[CellCost, CellCost | None],
) -> LiveSummary:
    """The figures of all samples of a run."""
    ends = [record.ending for record in records]
    failed = [result for result in results if result.outcome == "fail"]
    return LiveSummary(
        model=options.model,
        user=options.user,
        protocol=options.protocol,
        rates=tuple(_all_rates(results, goals, options.samples)),
        outcomes=counted(result.outcome for result in results),
        over=counted(record.over for record in records),
        faults=counted(str(result.detail["fault"]) for result in failed),
        all_faults=counted(str(fault) for result in failed for fault in result.detail["faults"]),
        labels=counted(result.label for result in failed if result.label),
        superfluous=_added(end.superfluous for end in ends),
        harmful=_added(end.harmful for end in ends),
        samples_with_harm=sum(bool(end.harmful) for end in ends),
        no_verdict=no_verdict(results),
        without_goal={name: goal.reason for name, goal in goals.items() if isinstance(goal, NoGoal)},
        cost=costs[0],
        user_cost=costs[1],
    )


def _all_rates(results: Sequence[Result], goals: Mapping[str, Goal | NoGoal], samples: int) -> Iterable[GoalRates]:
    kinds = {name: _CHANGE if goal.changes else _LOOKUP for name, goal in goals.items() if isinstance(goal, Goal)}
    yield _rates(ALL, results, samples)
    for kind in (_CHANGE, _LOOKUP):
        yield _rates(kind, [result for result in results if kinds[result.task_id] == kind], samples)
    for level in LEVELS:
        chosen = [result for result in results if result.part == level]
        if chosen:
            yield _rates(level, chosen, samples)


def _rates(part: str, results: Sequence[Result], samples: int) -> GoalRates:
    names = [result.task_id for result in results]
    counts = count_by_task(names, names, [result.outcome for result in results])
    first = mean_over_tasks(counts.judged, counts.passed, counts.apis, 1) if names else None
    ks = range(1, samples + 1)
    hats = {k: mean_over_tasks(counts.judged, counts.passed, counts.apis, k, "pass^k") for k in ks} if names else {}
    return GoalRates(
        part=part,
        dialogues=len(counts.tasks),
        samples=len(results),
        judged=int(counts.judged.sum()),
        pass_at_1=first.interval.estimate if first else None,
        interval=(first.interval.low, first.interval.high) if first and first.tasks else None,
        pass_hat_k={str(k): hats[k].interval.estimate if k in hats else None for k in ks if k > 1},
    )


def _added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))


def cost_of_calls(calls: Iterable[Call], times: Mapping[str, Sequence[float]], model: str) -> CellCost:
    """The cost of calls; `times` are by their keys."""
    given = [
        Prediction.model_validate(
            {
                "task_id": call.purpose,
                "samples": (call.answer,),
                "key": call.key,
                "input_tokens": [call.input_tokens],
                "output_tokens": [call.output_tokens],
            }
        )
        for call in calls
    ]
    return cost_of(given, times, model)
