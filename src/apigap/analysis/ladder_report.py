"""The ladder's part of a report: what the answers to single questions say of each new API, its control, and all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from apigap.analysis.ladder_marks import AnsweredItem, answered_items, mark_of, question_of
from apigap.benchmarks.items.reading_checks import is_reading_check
from apigap.benchmarks.items.scores import MEASURES, ApiScore, answers_of, api_scores, measure_of, scores_by_family
from apigap.benchmarks.items.summary import Gap, summarise_items
from apigap.discovery.importance.order import in_rank_order
from apigap.ladder.kept import KeptItems
from apigap.records.candidate import Candidate
from apigap.records.questions.ladder import READABLE, LadderItem, Rung
from apigap.records.result import Prediction, Result
from apigap.reporting.ladder_model import (
    Kind,
    Ladder,
    LadderApi,
    LadderCost,
    LadderKnowledge,
    LadderLibrary,
    LadderLoss,
    LadderMark,
    LadderMeasure,
    LadderRate,
    Side,
)
from apigap.reporting.model import Condition
from apigap.statistics import clustered_wilson, cure
from apigap.statistics.differences import FEWEST_PAIRS

_WITHOUT = "baseline"
_BY_ITEM = ("effect", "call")
"""The rungs of which a prompt shows some answers and others not."""
_NO_CONTROLS = "no control has a bundle, so nothing says what showing it does to APIs that the model may know"


@dataclass(frozen=True)
class LadderCell:
    """The answers to items under one condition, and the verdicts on them."""

    condition: Condition
    predictions: Sequence[Prediction]
    results: Sequence[Result]


@dataclass(frozen=True)
class LadderStudy:
    """The items of an audit's releases, and what one model answered; the first cell is the one without knowledge.

    `candidates` are those of each library, for their order of importance; `no_task` says of the APIs of each library
    why no task of theirs was asked.
    """

    kept: Sequence[KeptItems]
    cells: Sequence[LadderCell]
    candidates: Mapping[str, Sequence[Candidate]]
    no_task: Mapping[tuple[str, str], str]
    way: str
    cost: LadderCost

    def report(self, told: Sequence[str] = ()) -> Ladder:
        """The ladder as a report shows it, without notes that are `told` already."""
        notes = [f"{kept.target.library}: {note}" for kept in self.kept for note in _notes(kept)]
        return Ladder(
            libraries=tuple(map(_library, self.kept)),
            way=self.way,
            measures=tuple(self._measures()),
            knowledge=tuple(row for cell in self.cells[1:] for row in self._knowledge(cell)),
            apis=tuple(api for kept in self.kept for api in self._apis(kept)),
            questions=tuple(question_of(one) for one in self._asked),
            losses=tuple(loss for kept in self.kept for loss in _losses(kept)),
            unread=sum(self._summary.unread.values()),
            unstable=self._summary.unstable,
            cut=sum(result.outcome == "cut" for cell in self.cells for result in cell.results),
            cost=self.cost,
            notes=tuple(note for note in notes if note not in told),
        )

    @cached_property
    def _items(self) -> list[LadderItem]:
        return [item for kept in self.kept for item in kept.items]

    @cached_property
    def _rungs(self) -> dict[str, Rung]:
        return {item.task_id: item.rung for item in self._items}

    @cached_property
    def _results(self) -> Sequence[Result]:
        return self.cells[0].results if self.cells else ()

    @cached_property
    def _summary(self):
        return summarise_items(self._items, self._results)

    @cached_property
    def _scores(self) -> list[ApiScore]:
        return api_scores(self._items, self._results)

    @cached_property
    def _asked(self) -> list[AnsweredItem]:
        return answered_items(self._items, self._results, self.cells[0].predictions if self.cells else ())

    def _measures(self) -> list[LadderMeasure]:
        rungs: dict[str, Rung] = {measure_of(item): item.rung for item in self._items}
        return [self._measure(gap, rungs[gap.measure]) for gap in self._summary.gaps]

    def _measure(self, gap: Gap, rung: str) -> LadderMeasure:
        """A measure; of a few pairs it is said that they are few, whatever their controls score."""
        control = self._rate(gap.measure, "control")
        few = control.apis < FEWEST_PAIRS
        return LadderMeasure(
            measure=gap.measure, rung=rung, chance=gap.chance, new=self._rate(gap.measure, "new"),
            control=control, gap=None if few else gap.estimate, low=gap.low, high=gap.high,
            p_value=gap.p_value, pairs=gap.pairs, families=gap.families, libraries=gap.libraries,
            reason=f"{_old_apis(control.apis)} like them, and a gap needs {FEWEST_PAIRS}" if few else gap.reason,
            twins=gap.guessing,
        )  # fmt: skip

    def _rate(self, measure: str, side: Side) -> LadderRate:
        own = [one for one in self._scores if one.measure == measure and one.group == side]
        by_family = scores_by_family(own)
        found = clustered_wilson(by_family, [str(number) for number in range(len(by_family))])
        right = sum(one.score == 1 for one in own)
        return LadderRate(apis=len(own), right=right, mean=found.estimate, low=found.low, high=found.high)

    def _knowledge(self, cell: LadderCell) -> list[LadderKnowledge]:
        """A row per measure that was asked with and without the cell's knowledge."""
        with_knowledge = api_scores(self._items, [one for one in cell.results if not self._is_given_away(one)])
        rungs: dict[str, str] = {measure_of(item): item.rung for item in self._items}
        return [
            row
            for measure in MEASURES
            if (row := self._shown(cell.condition, measure, with_knowledge, rungs.get(measure, "")))
        ]

    def _is_given_away(self, result: Result) -> bool:
        """True where an item's own prompt held the answer, though those of its rung do not."""
        return bool(result.detail.get("shown")) and self._rungs[result.task_id] in _BY_ITEM

    def _shown(
        self, condition: Condition, measure: str, shown: Sequence[ApiScore], rung: str
    ) -> LadderKnowledge | None:
        before, after = (
            {(one.group, one.library, one.api_name, one.pair): one for one in scores if one.measure == measure}
            for scores in (self._scores, shown)
        )
        both = sorted(key for key in before if key in after)
        new = [key for key in both if key[0] == "new"]
        if not new:
            return None
        rows = [*((before[key], _WITHOUT) for key in both), *((after[key], condition.name) for key in both)]
        is_check = is_reading_check(rung, condition.name)
        has_controls = len(new) < len(both)
        found = cure(answers_of(rows), _WITHOUT, condition.name)
        kind: Kind = "reading check" if is_check else "cure"
        stated = has_controls and not is_check
        return LadderKnowledge(
            condition=condition.name,
            title=condition.title,
            measure=measure,
            kind=kind,
            apis=len(new),
            without=_mean(scores_by_family([before[key] for key in new])),
            with_knowledge=_mean(scores_by_family([after[key] for key in new])),
            cure=found.estimate if stated else None,
            low=found.low if stated else None,
            high=found.high if stated else None,
            pairs=found.pairs if stated else 0,
            families=found.families if stated else 0,
            reason=None if is_check else found.reason if has_controls else _NO_CONTROLS,
        )

    def _apis(self, kept: KeptItems) -> list[LadderApi]:
        """The chosen APIs of a release, those that matter most first."""
        if kept.report is None:
            return []
        lost = {(loss.rung, api): loss.reason for loss in kept.report.losses if loss.rung for api in loss.apis}
        asked = {item.api_name: item for item in kept.items if item.group == "new"}
        by_rung = sorted(kept.items, key=lambda item: item.rung in READABLE)  # on others a pair may be another
        controls = {item.pair: item.api_name for item in by_rung if item.group == "control"}
        chosen = {*asked, *(api for _, api in lost)}
        candidates = {one.api_name: one for one in self.candidates.get(kept.target.library, ())}
        ranked = [one.api_name for one in in_rank_order(list(candidates.values())) if one.api_name in chosen]
        order = [*ranked, *sorted(chosen - set(ranked))]
        library = kept.target.library
        return [
            LadderApi(
                library=library,
                api_name=name,
                change=_change(asked.get(name), candidates.get(name)),
                control=controls.get(name),
                marks=tuple(self._mark(library, name, gap.measure, lost) for gap in self._summary.gaps),
                no_task=self.no_task.get((library, name), ""),
            )
            for name in order
        ]

    def _mark(self, library: str, api: str, measure: str, lost: Mapping[tuple[str, str], str]) -> LadderMark:
        own = [one for one in self._asked if one.is_of(library, api, measure)]
        scores = {
            one.group: one.score
            for one in self._scores
            if (one.library, one.pair, one.measure) == (library, api, measure)
        }
        new = mark_of([one for one in own if one.item.group == "new"], scores.get("new"))
        control = mark_of([one for one in own if one.item.group == "control"], scores.get("control"))
        rung = next(item.rung for item in self._items if measure_of(item) == measure)
        reason = lost.get((rung, api), "no such question could be made of it") if new == "not asked" else ""
        return LadderMark(
            measure=measure, new=new, new_score=scores.get("new"), control=control,
            control_score=scores.get("control"), reason=reason, twin_score=scores.get("twin"),
            control_twin_score=scores.get("control twin"),
        )  # fmt: skip


def _old_apis(count: int) -> str:
    return f"there {'is' if count == 1 else 'are'} {count or 'no'} old API{'' if count == 1 else 's'}"


def _library(kept: KeptItems) -> LadderLibrary:
    versions = {
        "library": kept.target.library,
        "old_version": kept.target.old,
        "new_version": kept.target.new,
        "nothing": kept.nothing,
    }
    if kept.report is None:
        return LadderLibrary.model_validate(versions)
    counts = kept.report.model_dump(include={"candidates", "chosen", "pairs", "pool", "steady_since", "notes"})
    balance = [{**one.model_dump(), "large": one.is_large} for one in kept.report.balance]
    return LadderLibrary.model_validate({**versions, **counts, "balance": balance})


def _losses(kept: KeptItems) -> list[LadderLoss]:
    losses = kept.report.losses if kept.report else ()
    return [
        LadderLoss(library=kept.target.library, rung=loss.rung, reason=loss.reason, apis=loss.apis) for loss in losses
    ]


def _notes(kept: KeptItems) -> list[str]:
    """Notes on the questions for a reader: that there are none, or that controls are too few or unlike."""
    if kept.report is None:
        return [f"no single question is asked: {kept.nothing}"]
    found = list(kept.report.notes)
    if kept.report.pairs < kept.report.chosen:
        found.append(
            f"{kept.report.pairs} of {kept.report.chosen} new APIs have a matched control: "
            f"{kept.report.pool} APIs are the same since {kept.report.steady_since}"
        )
    return found


def _change(item: LadderItem | None, candidate: Candidate | None):
    if item is not None:
        return "modified" if item.change == "modified" else "added"
    return "modified" if candidate is not None and candidate.change == "modified" else "added"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
