"""Makes the rung `effect`: what does an expression give after code with a call? All options are values of runs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from apigap.knowledge.usages.names import identifiers
from apigap.knowledge.usages.verify import ApiUsages, changed_parameters
from apigap.ladder.executed.options import Executed, choose
from apigap.ladder.executed.pairs import Paired, paired
from apigap.ladder.executed.plain import literal, stands_in, tells_call
from apigap.ladder.executed.relatives import relatives_of
from apigap.ladder.executed.views import asked_of
from apigap.ladder.executed.written import Cost, Looked, to_write
from apigap.ladder.executed.wrong import WrongProgram, facts_about, wrong_programs
from apigap.records.base import Record, content_hash
from apigap.records.candidate import Candidate
from apigap.records.configuration import TaskSettings
from apigap.records.run import Program, RunRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.tasks.attempt import Attempt, attempts
from apigap.tasks.cut import used_names
from apigap.tasks.mutants import Facts, questions
from apigap.tasks.observations.nondeterminism import is_by_chance
from apigap.tasks.sources import exemplary, left_over, substitutes

_TRIES = 8
_LOOKED_AT = 24
"""The usages that are tried, and those that are looked at: many of those that were given an argument do not run."""
_SLOW = 0.5
"""The seconds of processor time of a usage that is not tried, since its wrong programs take as long: in each of so many
runs, because other work on a machine makes any run longer and none shorter."""
_TIMED = 3
_ENOUGH = 2
_CHECKED = 4
_ABOUT_FORM = re.compile(r"\.shape\b|\blen\(|\.columns\b|__name__|signature\(")
"""Expressions whose value does not depend on what is drawn: nobody knows by heart what a seed gives."""
_SEEDS = (1, 2)
_LOOKS = (1, 2, 3)
"""The seeds of the right program: what differs between its runs is not asked for, and decides nothing."""


class Effect(Record):
    """A question: what `expression` gives after `programs[0]`, which is `options[0]`.

    The other options are what it gives after the programs at their places; `source` is where the code came from.
    """

    expression: str
    options: tuple[str, ...]
    programs: tuple[str, ...]
    source: str


class ApiEffect(Record):
    """The questions about one API: a choice of four, and one whose answer, its only option, is to be written.

    `dropped` says why each usage gave no choice.
    """

    api_name: str
    effect: Effect | None
    written: Effect | None = None
    dropped: tuple[str, ...] = ()


@dataclass
class _Job:
    """One API at work: the attempts that are left, the best choices so far with how far each strains its draw, and the
    best value to write with its cost.
    """

    candidate: Candidate
    attempts: list[Attempt]
    dropped: list[str]
    found: list[tuple[int, Effect]] = field(default_factory=list[tuple[int, Effect]])
    written: tuple[Cost, Effect] | None = None
    tried: int = 0

    @property
    def is_done(self) -> bool:
        if self.tried >= _TRIES:
            return True
        return not self.attempts or any(strain == 0 for strain, _ in self.found) or len(self.found) >= _ENOUGH


@dataclass(frozen=True)
class _Trial:
    """An attempt with the programs that are run beside it, and what is asked of all of them."""

    job: _Job
    attempt: Attempt
    expressions: tuple[str, ...]
    wrong: tuple[WrongProgram, ...]

    def programs(self) -> list[Program]:
        draft = self.attempt.draft
        right = ((draft.context, draft.completion, seed) for seed in _LOOKS)
        rows = [*right, *((one.context, one.completion, _SEEDS[0]) for one in self.wrong)]
        return [Program(context=a, completion=b, observe=self.expressions, seed=seed) for a, b, seed in rows]


@dataclass(frozen=True)
class EffectMaker:
    """Makes questions about the APIs of one release; `seed` is of every draw.

    `others` are APIs of the library: what a relative gives in the place of an API is a wrong option too.
    """

    engine: Engine
    environment: Environment
    preload: Sequence[str]
    limits: TaskSettings
    seed: int
    others: Sequence[Candidate] = ()

    def write(self, batch: Sequence[tuple[Candidate, ApiUsages]]) -> list[ApiEffect]:
        """A question for each API of `batch`, in its order. Same input, same questions."""
        jobs = [self._job(candidate, usages) for candidate, usages in batch]
        for _ in range(_LOOKED_AT):
            trials = self._trials([(job, job.attempts.pop(0)) for job in jobs if not job.is_done])
            rows = self._run([trial.programs() for trial in trials])
            found = [(trial, *self._best(trial, runs)) for trial, runs in zip(trials, rows, strict=True)]
            self._keep_steady([(trial, choices) for trial, choices, _ in found])
            self._keep_written([(trial, value) for trial, _, value in found if value])
        return [self._result(job) for job in jobs]

    def _job(self, candidate: Candidate, usages: ApiUsages) -> _Job:
        dropped: list[str] = []
        own = left_over(candidate, usages, self.limits.usages_tried)
        sources = [*own, *substitutes(candidate, usages), *exemplary(candidate, usages)]
        made = attempts(candidate, sources, [], self.limits, dropped, named=True)
        return _Job(candidate, list(made), dropped if sources else [f": {usages.reason or 'it has no usage'}"])

    def _result(self, job: _Job) -> ApiEffect:
        best = min(job.found, key=lambda pair: pair[0])[1] if job.found else None
        dropped = tuple(dict.fromkeys(job.dropped))
        written = job.written[1] if job.written else None
        return ApiEffect(api_name=job.candidate.api_name, effect=best, written=written, dropped=dropped)

    def _trials(self, work: Sequence[tuple[_Job, Attempt]]) -> list[_Trial]:
        """Those of `work` that run, with what can be asked of them."""
        facts = [facts_about(job.candidate) for job, _ in work]
        rows = self._run([self._looks(attempt, known) for (_, attempt), known in zip(work, facts, strict=True)])
        trials: list[_Trial] = []
        for (job, attempt), known, (before, after) in zip(work, facts, rows, strict=True):
            if after.status != "completed":
                here = after.status == "infra"
                why = f"it could not be run here ({after.reason})" if here else "it does not run by itself"
                job.dropped.append(f"{attempt.source}: {why}")
                continue
            if self._is_slow(after, attempt, known):
                job.dropped.append(f"{attempt.source}: it takes too long to be run in sixty ways")
                continue
            job.tried += 1
            seen = {text: [form] for text, form in before.observations.items()}
            wrong = wrong_programs(attempt, replace(known, values=seen), relatives_of(job.candidate, self.others))
            asked = _expressions(attempt, before, after)
            is_drawn = is_by_chance(_whole(attempt.draft.context, attempt.draft.completion))
            foreseen = tuple(filter(_ABOUT_FORM.search, asked)) if is_drawn else asked
            if foreseen and wrong:
                trials.append(_Trial(job, attempt, foreseen, tuple(wrong)))
            elif asked and wrong:
                job.dropped.append(f"{attempt.source}: what it gives is drawn by chance")
            else:
                job.dropped.append(f"{attempt.source}: nothing that it leaves behind can be asked for as a literal")
        return trials

    def _is_slow(self, first: RunRecord, attempt: Attempt, facts: Facts) -> bool:
        """True where the usage takes long in the `first` run and in every other."""
        if first.cpu_seconds <= _SLOW:
            return False
        again = [self._looks(attempt, facts)[1]] * (_TIMED - 1)
        (runs,) = self._run([again])
        return all(run.cpu_seconds > _SLOW for run in runs)

    def _looks(self, attempt: Attempt, facts: Facts) -> list[Program]:
        """A look before the call, at what goes into it, and one after it."""
        draft = attempt.draft
        given = (*questions(draft.completion, attempt.candidate.leaf, facts), *used_names(draft))
        return [
            Program(context=draft.context, completion="pass", observe=tuple(dict.fromkeys(given)), seed=_SEEDS[0]),
            Program(context=draft.context, completion=draft.completion, observe=draft.observes, seed=_SEEDS[0]),
        ]

    def _best(self, trial: _Trial, runs: Sequence[RunRecord]) -> tuple[list[Paired], Looked | None]:
        """The few expressions whose options are nearest to the draw, and that whose value is to be written.

        There is none with the reason kept where no expression has four options.
        """
        looks, others = runs[: len(_LOOKS)], runs[len(_LOOKS) :]
        whole = _whole(trial.attempt.draft.context, trial.attempt.draft.completion)
        name = trial.attempt.candidate.api_name
        show_change = bool(changed_parameters(trial.attempt.candidate)) and trial.attempt.candidate.change == "modified"
        found: list[Paired] = []
        looked: list[Looked] = []
        problem = "nothing that it leaves behind can be asked for as a literal"
        for expression in trial.expressions:
            seen = {_value(run, expression) for run in looks}
            text = next(iter(seen))
            if text is None or len(seen) > 1:
                continue
            given = [
                (one, value)
                for one, run in zip(trial.wrong, others, strict=True)
                if (value := _value(run, expression)) is not None
            ]
            found.extend(self._pairs(trial, expression, text, given, show_change))
            if stands_in(text, whole) or tells_call(text, trial.attempt.candidate.leaf, whole):
                problem = "what it gives stands in its code"
                continue
            looked.append(Looked(expression, Executed(text, whole), given))
            values = [
                Executed(value, _whole(one.context, one.completion), one.telling, one.change)
                for one, value in given
                if not stands_in(value, whole) and not tells_name(trial.attempt.candidate.leaf, text, one)
            ]
            chosen = choose(Executed(text, whole), values, f"{self.seed}/{name}", show_change=show_change)
            if chosen is None:
                problem = "changed arguments and relatives do not give three other plain values of its kind"
            else:
                found.append((expression, Executed(text, whole), chosen))
        if not found:
            trial.job.dropped.append(f"{trial.attempt.source}: {problem}")
        return sorted(found, key=lambda one: one[2].strain)[:_CHECKED], to_write(looked, show_change=show_change)

    def _pairs(
        self,
        trial: _Trial,
        expression: str,
        right: str,
        given: Sequence[tuple[WrongProgram, str]],
        show_change: bool,
    ) -> Iterator[Paired]:
        """Both the call and another way to make it, asked for at once; of a changed API one that shows the change.

        Whether both are to give the same is drawn.
        """
        draft, candidate = trial.attempt.draft, trial.attempt.candidate
        own = [
            (one, value)
            for one, value in given
            if candidate.leaf in identifiers(one.completion) and (one.change or value == right or not show_change)
        ]
        alike = bool(int(content_hash([self.seed, candidate.api_name, "pair"]), 16) % 2)
        return paired(draft.context, draft.completion, expression, right, own, alike=alike)

    def _keep_steady(self, made: Sequence[tuple[_Trial, list[Paired]]]) -> None:
        """Keep for their jobs the first of each trial whose values are the same alone, again and with another seed."""
        every = [(trial, one) for trial, best in made for one in best]
        rows = [
            [
                Program(context="", completion=one.program, observe=(expression,), seed=seed)
                for one in (right, *chosen.wrong)
                for seed in _SEEDS
            ]
            for _, (expression, right, chosen) in every
        ]
        kept: set[int] = set()
        for (trial, (expression, right, chosen)), runs in zip(every, self._run(rows), strict=True):
            options = (right, *chosen.wrong)
            if id(trial) in kept or [_value(run, expression) for run in runs] != [
                o.text for o in options for _ in _SEEDS
            ]:
                continue
            kept.add(id(trial))
            effect = Effect(
                expression=expression, options=tuple(one.text for one in options),
                programs=tuple(one.program for one in options), source=trial.attempt.source,
            )  # fmt: skip
            trial.job.found.append((chosen.strain, effect))
        for trial, best in made:
            if best and id(trial) not in kept:
                trial.job.dropped.append(f"{trial.attempt.source}: what it gives differs from run to run")

    def _keep_written(self, found: Sequence[tuple[_Trial, Looked]]) -> None:
        """Keep for their jobs the better values that are the same alone, again and with another seed."""
        made = [(trial, one) for trial, one in found if not trial.job.written or one.cost < trial.job.written[0]]
        rows = [
            [Program(context="", completion=one.right.program, observe=(one.expression,), seed=seed) for seed in _SEEDS]
            for _, one in made
        ]
        for (trial, one), runs in zip(made, self._run(rows), strict=True):
            if all(_value(run, one.expression) == one.right.text for run in runs):
                effect = Effect(
                    expression=one.expression, options=(one.right.text,), programs=(one.right.program,),
                    source=trial.attempt.source,
                )  # fmt: skip
                trial.job.written = (one.cost, effect)

    def _run(self, rows: Sequence[Sequence[Program]]) -> list[list[RunRecord]]:
        flat = [program for row in rows for program in row]
        runs = iter(self.engine.run(self.environment, flat, preload=self.preload))
        return [[next(runs) for _ in row] for row in rows]


def _expressions(attempt: Attempt, before: RunRecord, after: RunRecord) -> tuple[str, ...]:
    """The expressions that can be asked for: those observed, or views of them, unless they give what went in."""
    given = list(before.observations.values())
    seen = [(e, after.observations[e]) for e in attempt.draft.observes if e in after.observations]
    return asked_of([(expression, form) for expression, form in seen if form not in given])


def _value(run: RunRecord, expression: str) -> str | None:
    """The literal that a run gave; None where it did not end, or gave none."""
    if run.status != "completed" or expression not in run.observations:
        return None
    return literal(run.observations[expression])


def tells_name(leaf: str, right: str, one: WrongProgram) -> bool:
    """True of what a relative gives, where what the API gives has its name in it: names would tell them apart."""
    return _letters(leaf) in _letters(right) and leaf not in identifiers(one.completion)


def _letters(text: str) -> str:
    """A text without all that is neither letter nor digit: `karate_graph` is named in 'Karate Graph'."""
    return "".join(filter(str.isalnum, text.lower()))


def _whole(context: str, completion: str) -> str:
    return "\n".join(part.strip("\n") for part in (context, completion) if part.strip())
