"""Migrations from stale habits: lines of the old release whose replacement gives the same in three scenarios."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from apigap.knowledge.stale.habit_usages import HabitUsages, Pair
from apigap.records.configuration import TaskSettings
from apigap.records.retired import Retirement
from apigap.records.run import Program, RunRecord
from apigap.records.task import Difficulty
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.comparison import differences
from apigap.tasks.cut import CutError
from apigap.tasks.finish import STRICT
from apigap.tasks.hand_written import WrittenScenario, WrittenTask
from apigap.tasks.inputs.plausible import plausible_variants
from apigap.tasks.inputs.scenarios import Named, chosen_scenarios, judged
from apigap.tasks.inputs.variants import Variant
from apigap.tasks.migrations.habits import Habit, habits, has_new_form, is_called
from apigap.tasks.synthesise import AUTHOR
from apigap.tasks.worth.outcomes import problem_of_outcome

_TRIED = 8
_USAGES = 40


@dataclass(frozen=True)
class Drafted:
    """The migration of a habit, or (`task` is None) why each place gives none, without where that was."""

    retirement: Retirement
    task: WrittenTask | None
    dropped: tuple[str, ...]


@dataclass(frozen=True)
class MigrationAuthor:
    """Writes migrations of what `pair`'s newer release took away; nothing of the library runs outside the sandbox.

    `usages` are those of the old release.
    """

    engine: Engine
    pair: Pair
    usages: HabitUsages
    limits: TaskSettings

    def write(
        self, retirements: Sequence[Retirement], progress: Callable[[int, int], None] = lambda done, total: None
    ) -> Iterator[Drafted]:
        """A migration of each habit, in the same order, or the reasons why it gives none."""
        progress(0, len(retirements))
        for done, retirement in enumerate(retirements, start=1):
            yield self._draft(retirement)
            progress(done, len(retirements))

    def _draft(self, retirement: Retirement) -> Drafted:
        if not is_called(retirement):
            return Drafted(retirement, None, ("it is read and not called, so that no run shows its use",))
        if not has_new_form(retirement):
            return Drafted(retirement, None, ("how it is written now is not known",))
        dropped: list[str] = []
        usages = self.usages.matching(retirement)[:_USAGES]
        for habit in islice(habits(retirement, usages, self.limits, dropped), _TRIED):
            try:
                return Drafted(retirement, self._task(habit), ())
            except CutError as error:
                dropped.append(f"{habit.attempt.source}: {error}")
        reasons = tuple(line.partition(": ")[2] for line in dropped)  # after the source of each usage
        return Drafted(retirement, None, reasons or ("no usage of it was found",))

    def _task(self, habit: Habit) -> WrittenTask:
        """The migration of a habit.

        Raises:
            CutError: where too few inputs show anything, or the release gives something else with the replacement.
        """
        named, rows = self._scenarios(habit)
        context, observes = named[0][1].context, named[0][1].observes
        problem = problem_of_outcome(context, observes, rows, [[None] * len(observes)])
        if problem is not None:
            raise CutError(problem)
        return WrittenTask(
            api=habit.api,
            change="modified",
            difficulty=_difficulty(habit.retirement),
            description=_description(habit.retirement, observes),
            context=context,
            solution=habit.solution,
            observe=observes,
            scenario=tuple(_scenario(context, one) for one in named[1:]),
            before=habit.before,
            author=AUTHOR,
            provenance=(habit.attempt.source,),
        )

    def _scenarios(self, habit: Habit) -> tuple[list[Named], list[list[object]]]:
        """The scenarios of a habit, the basic one first, and what is observed in each."""
        attempt = habit.attempt
        basic = attempt.basic
        tried = [basic, *(one for one in plausible_variants(attempt) if one.observes == basic.observes)]
        now = self._runs(habit.solution, tried, new=True)
        before = self._runs(habit.before, tried, new=False)
        same = [_same(*runs, basic.observes) for runs in zip(before, now, strict=True)]
        if not same[0]:
            raise CutError(_why_not(before[0], now[0]))
        agreed = [(variant, run) for variant, run, is_same in zip(tried, now, same, strict=True) if is_same]
        chosen = judged(chosen_scenarios(attempt, [one for one, _ in agreed[1:]], [run for _, run in agreed]))
        observed = {variant.context: run.observed for variant, run in agreed}
        return chosen, [[observed[one.context].get(text) for text in one.observes] for _, one in chosen]

    def _runs(self, completion: str, tried: Sequence[Variant], *, new: bool) -> list[RunRecord]:
        environment, strict = (self.pair.new, f"{STRICT}\n") if new else (self.pair.old, "")
        programs = [
            Program(context=f"{strict}{one.context}", completion=completion, observe=one.observes, seed=1)
            for one in tried
        ]
        return self.engine.run(environment, programs, preload=self.pair.preload if new else ())


def _same(before: RunRecord, now: RunRecord, observes: Sequence[str]) -> bool:
    """Check that both completed, and gave the same in all that is observed."""
    if before.status != "completed" or now.status != "completed":
        return False
    both = [(before.observed.get(text), now.observed.get(text)) for text in observes]
    return not any(differences(one, other) for one, other in both)


def _why_not(before: RunRecord, now: RunRecord) -> str:
    """The reason why two runs are not the same: that of the one which did not complete, where there is one."""
    runs = (("the old lines end", before), ("the lines with the replacement end", now))
    ended = next(((what, run) for what, run in runs if run.status != "completed"), None)
    if ended is None:
        return "it gives something else with the replacement"
    what, run = ended
    return f"{what} in {run.exception.type if run.exception else run.status}"


def _difficulty(retirement: Retirement) -> Difficulty:
    """Easy is another name; another parameter or a default asks for more than the message of an error."""
    return "easy" if retirement.parameter is None else "medium"


def _description(retirement: Retirement, observes: Sequence[str]) -> str:
    outputs = " and ".join(f"`{text}`" for text in observes)
    return (
        f"The lines below were written for {retirement.library} {retirement.old_version}. Write lines for "
        f"{retirement.library} {retirement.new_version} that do the same work: {outputs} must be what the old lines "
        "gave, for these inputs and for others. They may use nothing that warns that it is going away."
    )


def _scenario(context: str, named: Named) -> WrittenScenario:
    name, variant = named
    return WrittenScenario(name=name, replace=((context, variant.context),))
