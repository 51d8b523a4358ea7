"""Stage 3: the deterministic author. Tasks from usages that no bundle shows, expectations from reference runs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeVar

from apigap.discovery.distribution import modules_of
from apigap.discovery.run_time import read_surface
from apigap.knowledge.usages.names import bound_names, identifiers
from apigap.knowledge.usages.usage import Usage
from apigap.knowledge.usages.verify import ApiUsages, changed_parameters
from apigap.records.candidate import Candidate
from apigap.records.configuration import TaskSettings
from apigap.records.parsing.syntax import parse
from apigap.records.run import Program, RunRecord
from apigap.records.task import Harness, Layer, Observation, Scenario, Spy, Task, with_containers
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.remembered_runs import RememberedRuns, is_endless
from apigap.tasks.attempt import Attempt, attempts
from apigap.tasks.cut import CutError, Draft, used_names
from apigap.tasks.describe import Shown, describe, describe_named, left_open_by, untold, wish_of
from apigap.tasks.difficulty import difficulty_of
from apigap.tasks.inputs.plausible import plausible_variants
from apigap.tasks.inputs.scenarios import LEAST, Named, chosen_scenarios, judged, not_new, scenario
from apigap.tasks.inputs.variants import Variant, variants
from apigap.tasks.mutants.omission import omitted_arguments
from apigap.tasks.observations.observation_choice import Trial, has_effect, observed, trial
from apigap.tasks.sources import left_over, plain_forms, shows_change, substitutes, upstream
from apigap.tasks.stand_ins import has_stand_in
from apigap.tasks.tidy import split, tidy, tidy_code, unread
from apigap.tasks.worked_examples import contrast, worked_examples
from apigap.tasks.worth.former import former_place
from apigap.tasks.worth.old_answers.old_names import OldNames
from apigap.tasks.worth.old_answers.search import OldAnswers
from apigap.tasks.worth.outcomes import is_told, is_yes_or_no, problem_of_outcome

__all__ = ["AUTHOR", "ApiResult", "Synthesiser", "shows_change"]

AUTHOR = "synthesised"
_SEEDS = (1, 2, 3)
_EFFECTIVE = 6
_TRIED = 24
_EXAMPLES = 2
_INPUTS = 3
_SEARCHED = 4
_BUILTINS = ("list", "str", "sorted", "set", "tuple", "dict", "len", "sum", "max", "min")
"""Functions that everybody knows: what they give of an input needs no API."""
_OLD = "something old gives the same"
_ABSENT = "nothing of that name"
_Given = TypeVar("_Given", bound="_Work")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class ApiResult:
    """The tasks of one API, and why each usage that gave none was left out."""

    api_name: str
    tasks: tuple[Task, ...]
    dropped: tuple[str, ...]


class _Work(Protocol):
    """A step's piece of work."""

    @property
    def source(self) -> str:
        """The origin of its usage."""
        ...


@dataclass(frozen=True)
class _Chosen:
    """An attempt with other inputs, then with those of them that make its scenarios."""

    attempt: Attempt
    named: list[Named]

    @property
    def others(self) -> list[Program]:
        """What is compared with the reference in the basic scenario: idle answers, and one without what changed."""
        attempt = self.attempt
        changed = changed_parameters(attempt.candidate)
        leaf = attempt.candidate.leaf
        codes = [code for name, code in omitted_arguments(attempt.draft.completion, leaf) if name in changed]
        return [attempt.program(self.named[0][1], _SEEDS[0], code) for code in (*self.idle, *codes[:1])]

    @property
    def idle(self) -> list[str]:
        """Answers that do nothing: none at all, and each input in the place of what the answer gives."""
        draft = self.attempt.draft
        bound = [name for code in draft.masked for name in sorted(bound_names(parse(code).body[0]))]
        given = used_names(draft)[:_INPUTS]
        values = (*given, *(f"{builtin}({name})" for name in given[:1] for builtin in _BUILTINS))
        return ["pass", *(f"{name} = {value}" for name in bound[:1] for value in values)]

    @property
    def source(self) -> str:
        """The origin of its usage."""
        return self.attempt.source


@dataclass(frozen=True)
class _Job:
    """One API at work: its usages, the tasks that it has so far, and the reasons of drops."""

    candidate: Candidate
    usages: ApiUsages
    tasks: list[tuple[Task, float]]
    dropped: list[str]

    def attempts(self, usages: Sequence[Usage], limits: TaskSettings, named: bool) -> list[Attempt]:
        """Attempts from `usages`; unless the API is `named`, none of them makes a call that an exemplar shows."""
        exemplars = [] if named else [verified.usage.code for verified in self.usages.shown]
        known = "" if named else self.known
        return list(attempts(self.candidate, usages, exemplars, limits, self.dropped, named=named, known=known))

    @property
    def has_old_answer(self) -> bool:
        """Whether a task was refused for its data alone, on which something old gives the same."""
        return any(f": {_OLD}" in reason for reason in self.dropped)

    @property
    def known(self) -> str:
        """What the library itself writes about the API: its usages, its documentation, the types of its parameters."""
        found = [*self.usages.usages, *self.usages.shown]
        codes = [verified.usage.code for verified in found if verified.usage.origin != "built"]
        types = [parameter.annotation or "" for parameter in self.candidate.parameters]
        return "\n".join((*codes, self.candidate.docstring or "", *types))


@dataclass(frozen=True)
class Synthesiser:
    """Writes tasks for the APIs of one release.

    Where the API is `named`, descriptions name it, and what its tasks hold need not be new: no exemplar, no context and
    no other version is held against them, and one scenario is enough where no other input shows.
    """

    engine: Engine
    environment: Environment
    preload: Sequence[str]
    domain: str
    limits: TaskSettings
    old: Environment | None = None
    named: bool = False
    beside: tuple[str, ...] = ()

    def write(self, batch: Sequence[tuple[Candidate, ApiUsages]]) -> list[ApiResult]:
        """Tasks for each API of `batch`, in its order. Same input, same tasks."""
        self._remembered.forget()
        jobs = [_Job(candidate, usages, [], []) for candidate, usages in batch]
        first, most = (left_over, self.limits.usages_tried) if self.named else (upstream, _TRIED)
        asked = [job for job in jobs if not self._had_before(job)]
        self._write(asked, lambda job: self._plain(job.candidate, first(job.candidate, job.usages, most)))
        left = [job for job in asked if not job.tasks and job.has_old_answer]
        self._write(left, lambda job: self._plain(job.candidate, first(job.candidate, job.usages, most)), _EFFECTIVE)
        self._write(
            [job for job in asked if not job.tasks],
            lambda job: substitutes(job.candidate, job.usages, in_words=self._choosy),
        )
        return [self._result(job) for job in jobs]

    def _had_before(self, job: _Job) -> bool:
        """Tell whether the older release has a function of that name elsewhere, so that nothing new is asked."""
        place = former_place(job.candidate, self.old) if self.old is not None and self._choosy else None
        if place is not None:
            job.dropped.append(f"{job.candidate.api_name}: the older release has one of that name in {place}")
        return place is not None

    def _plain(self, candidate: Candidate, usages: list[Usage]) -> list[Usage]:
        """The usages, in plain forms where tasks are to be worth asking."""
        return [form for one in usages for form in plain_forms(one, candidate)] if self._choosy else usages

    @property
    def _choosy(self) -> bool:
        """Whether a task is refused that is not worth asking."""
        return self.limits.worth_asking and not self.named

    @cached_property
    def _remembered(self) -> RememberedRuns:
        return RememberedRuns(self.engine, self.environment, self.preload)

    def _result(self, job: _Job) -> ApiResult:
        reasons = job.dropped or ([job.usages.reason] if job.usages.reason else [])
        if not reasons and not job.tasks and job.usages.usages:
            reasons = ["no usage beside the exemplars shows the change"]
        return ApiResult(job.candidate.api_name, tuple(best(job.tasks, self.limits.per_api)), tuple(reasons))

    def _write(self, jobs: Sequence[_Job], sources: Callable[[_Job], list[Usage]], start: int = 0) -> None:
        """Add tasks from the usages that `sources` gives for a job, without the first `start` that were of use."""
        work = [(job, attempt) for job in jobs for attempt in job.attempts(sources(job), self.limits, self.named)]
        trials = self._effective([(job, trial(attempt)) for job, attempt in work], start)
        informative = self._with_observations(trials)
        informative = self._with_observations(
            [(job, trial(self._tidied(attempt))) for job, attempt in informative]
        )  # without what changes nothing
        least = 1 if self.named else LEAST
        chosen = self._each(
            informative,
            lambda one: [one.program(v) for v in (one.basic, *self._variants(one))],
            lambda one, runs: _Chosen(one, chosen_scenarios(one, self._variants(one), runs, least)),
        )
        finished = self._each(
            self._new_only(chosen),
            self._finishing,
            self._task,
        )
        for job, (task, strength) in self._with_no_old_answer(finished):
            looks = {(other.context_code, other.description) for other, _ in job.tasks}
            if (task.context_code, task.description) in looks:
                job.dropped.append(f"{task.provenance[0]}: it looks the same as another task of this API")
            else:
                job.tasks.append((task, strength))

    def _with_no_old_answer(
        self, finished: Sequence[tuple[_Job, tuple[Task, float]]]
    ) -> list[tuple[_Job, tuple[Task, float]]]:
        """Of each job up to `tasks.per_api` tasks of which nothing old gives what they show, as easily.

        The best ones are looked at first, four at most.
        """
        if self._old_answers is None:
            return list(finished)
        about = {job.candidate.api_name: job.candidate.docstring or "" for job, _ in finished}
        jobs = {id(job): job for job, _ in finished}
        rows = {key: best_first([pair for job, pair in finished if id(job) == key], _SEARCHED) for key in jobs}
        kept: dict[int, list[tuple[Task, float]]] = {key: [] for key in rows}
        for turn in range(_SEARCHED):
            asked = [
                (key, row[turn]) for key, row in rows.items() if row[turn:] and len(kept[key]) < self.limits.per_api
            ]
            told = self._old_answers.of([task for _, (task, _) in asked], about)
            for (key, pair), text in zip(asked, told, strict=True):
                if text is None:
                    kept[key].append(pair)
                else:
                    jobs[key].dropped.append(f"{pair[0].provenance[0]}: {_OLD}: {text}")
        return [(jobs[key], pair) for key, row in kept.items() for pair in row]

    @cached_property
    def _old_answers(self) -> OldAnswers | None:
        if self.old is None or not self._choosy:
            return None
        tops = modules_of(self.environment.library, self.environment.site_packages).tops
        return OldAnswers(self._remembered, OldNames(read_surface(self.old, self.engine)), tops)

    def _with_observations(self, trials: Sequence[tuple[_Job, Trial]]) -> list[tuple[_Job, Attempt]]:
        return self._each(trials, lambda one: [one.attempt.program(one.scenario, 1, c) for c in one.codes], observed)

    def _new_only(self, chosen: Sequence[tuple[_Job, _Chosen]]) -> list[tuple[_Job, _Chosen]]:
        """Those whose reference gives something else in the old version, where there is one."""
        if self.old is None or self.named:
            return list(chosen)
        tops = modules_of(self.old.library, self.old.site_packages).tops  # the new version may have others
        preload = [name for name in self.preload if name.partition(".")[0] in tops]
        programs = [[one.attempt.program(one.attempt.basic)] for _, one in chosen]
        before = self.engine.run(self.old, [row[0] for row in programs], preload=preload)
        now = self._remembered.run([row[0] for row in programs])
        kept: list[tuple[_Job, _Chosen]] = []
        for (job, one), old, new in zip(chosen, before, now, strict=True):
            problem = not_new(one.attempt, old, new)
            if problem is None:
                kept.append((job, one))
            else:
                job.dropped.append(f"{one.source}: {problem}")
        return kept

    def _effective(self, trials: Sequence[tuple[_Job, Trial]], start: int) -> list[tuple[_Job, Trial]]:
        """Of each job the first few trials whose changed parameters show; of the others one, to say why it does not."""
        runs = self._runs(
            [[one.attempt.program(one.scenario, 1, c) for c in one.codes[: 1 + len(one.left_out)]] for _, one in trials]
        )
        kept: dict[int, list[tuple[_Job, Trial]]] = {}
        others: dict[int, tuple[_Job, Trial]] = {}
        for (job, one), row in zip(trials, runs, strict=True):
            if is_endless(row[0]):
                job.dropped.append(f"{one.attempt.source}: its program does not end")
            elif has_effect(one, row):
                kept.setdefault(id(job), []).append((job, one))
            else:
                others.setdefault(id(job), (job, one))
        keys = dict.fromkeys(id(job) for job, _ in trials)
        if start:
            return [pair for key in keys for pair in kept.get(key, [])[start : start + _EFFECTIVE]]
        only = {key: [pair] for key, pair in others.items()}
        return [pair for key in keys for pair in kept.get(key, [])[:_EFFECTIVE] or only.get(key, [])]

    def _each(
        self,
        work: Sequence[tuple[_Job, _Given]],
        programs: Callable[[_Given], list[Program]],
        finish: Callable[[_Given, Sequence[RunRecord]], _Result],
    ) -> list[tuple[_Job, _Result]]:
        """The results of `finish` for each piece of work and the runs of its programs; a refusal's reason is kept."""
        rows = self._runs([programs(one) for _, one in work])
        done: list[tuple[_Job, _Result]] = []
        for (job, one), runs in zip(work, rows, strict=True):
            try:
                done.append((job, finish(one, runs)))
            except CutError as error:
                job.dropped.append(f"{one.source}: {error}")
        return done

    def _runs(self, rows: Sequence[Sequence[Program]]) -> list[list[RunRecord]]:
        flat = [program for row in rows for program in row]
        runs = iter(self._remembered.run(flat))
        return [[next(runs) for _ in row] for row in rows]

    def _finishing(self, one: _Chosen) -> list[Program]:
        """The reference in every scenario, with each seed; unless the API is named, what it is compared with too."""
        runs = [one.attempt.program(variant, seed) for _, variant in one.named for seed in _SEEDS]
        return runs if self.named else [*runs, *one.others]

    def _tidied(self, attempt: Attempt) -> Attempt:
        return attempt if self.named else replace(attempt, draft=tidy(attempt.draft))

    def _variants(self, attempt: Attempt) -> list[Variant]:
        """Other inputs for an attempt; of a task worth asking those without placeholders and made-up words."""
        return plausible_variants(attempt) if self._choosy else variants(attempt.draft)

    def _task(self, chosen: _Chosen, runs: Sequence[RunRecord]) -> tuple[Task, float]:
        attempt, count = chosen.attempt, len(_SEEDS)
        every = [scenario(*one, runs[n * count : (n + 1) * count]) for n, one in enumerate(chosen.named)]
        built = every[: len(judged(chosen.named))]
        candidate, draft = attempt.candidate, attempt.draft
        expected = {o.expression: o.expected for o in built[0].observations}
        without: Sequence[RunRecord] = ()
        if not self.named:
            others = runs[len(every) * count :]
            idle, without = others[: len(chosen.idle)], others[len(chosen.idle) :]
            every = [_tidied(one, draft) for one in _of_the_answer(every, idle)]
            draft = replace(draft, prelude=(), inputs=(), setup=tuple(split(every[0].context_code)))
            attempt = replace(attempt, draft=draft)
            built = every[: len(built)]
            if self._choosy and (problem := _problem_of(built, draft, idle)):
                raise CutError(problem)
            expected = {o.expression: o.expected for o in built[0].observations}
        opened = left_open_by(expected, "" if self.named else candidate.leaf)
        task = Task(
            api_name=candidate.api_name,
            library=candidate.library,
            version=candidate.new_version,
            old_version=candidate.old_version,
            domain=self.domain,
            change="added" if candidate.change == "added" else "modified",
            difficulty=difficulty_of("\n".join(draft.masked), candidate),
            description=self._description(attempt, every, len(built), without),
            context_code=draft.context,
            masked_region=draft.completion,
            reference_solution="\n".join((draft.context, draft.completion)),
            harness=Harness(
                layers=_layers("\n".join((draft.context, draft.completion))),
                scenarios=tuple(with_containers(one, opened) for one in built),
                spy=Spy(target=candidate.api_name),
            ),
            author=AUTHOR,
            provenance=(attempt.source,),
            python=self.environment.minor,
            beside=self.beside,
        )
        return task, attempt.strength

    def _description(
        self, attempt: Attempt, every: Sequence[Scenario], built: int, without: Sequence[RunRecord]
    ) -> str:
        """The description; `every` are the scenarios, the first `built` of them judged, `without` are runs without."""
        candidate, draft = attempt.candidate, attempt.draft
        expected = {o.expression: o.expected for o in every[0].observations}
        if self.named:
            return describe_named(draft, candidate, expected, elsewhere=built > 1)
        if self._choosy and wish_of(draft, candidate) is None:
            raise CutError("its documentation does not say plainly, without its name, what it is for")
        if self._choosy and untold(draft, candidate):
            raise CutError("its documentation does not say plainly what the changed parameter does")
        others = [one for one in (*every[built:], *every[1:built]) if one.name != "edge"]
        examples = worked_examples(every[0], others, candidate.leaf, _EXAMPLES)
        if self._choosy and not examples:
            raise CutError("no other input of it makes an example that a reader takes in")
        decides = [contrast(every[0], run, candidate.old_version, candidate.leaf) for run in without]
        if self._choosy and None in decides:
            raise CutError("what changed decides nothing that its description tells")
        description = describe(draft, candidate, Shown(expected, examples, next(iter(decides), None)))
        if description is None:
            raise CutError("its description would name the API")
        return description


def _problem_of(built: Sequence[Scenario], draft: Draft, idle: Sequence[RunRecord]) -> str | None:
    """The reason why what a task shows is not worth asking about."""
    context, asked = built[0].context_code, [o.expression for o in built[0].observations]
    if unread(context, (*draft.masked, *asked)):
        return "its context holds something that nobody reads"
    rows = [[o.expected for o in one.observations] for one in built]
    return problem_of_outcome(context, asked, rows, _values(built[0], idle))


def _values(basic: Scenario, runs: Sequence[RunRecord]) -> list[list[Any]]:
    """What each run gives for the observations of the basic scenario."""
    return [[run.observed.get(o.expression, _ABSENT) for o in basic.observations] for run in runs]


def _of_the_answer(every: Sequence[Scenario], idle: Sequence[RunRecord]) -> list[Scenario]:
    """The scenarios with those observations that can be told and that differ without the answer; all if none do.

    A yes or no is among them where there is nothing else.
    """
    nothing = _values(every[0], idle[:1])[0]
    pairs = zip(every[0].observations, nothing, strict=True)
    places = [n for n, (one, value) in enumerate(pairs) if _is_of_answer(one, value)]
    places = [n for n in places if not is_yes_or_no(every[0].observations[n].expected)] or places
    if not places or any(len(one.observations) != len(nothing) for one in every):
        return list(every)
    return [one.model_copy(update={"observations": tuple(one.observations[n] for n in places)}) for one in every]


def _is_of_answer(one: Observation, without: Any) -> bool:
    """Check for an observation that can be told, of a name that is kept, and that is not there `without` the answer."""
    return is_told(one.expected) and "_" not in identifiers(one.expression) and without != one.expected


def _tidied(scenario: Scenario, draft: Draft) -> Scenario:
    """The scenario without what only its former observations read."""
    rest = (*draft.masked, *(one.expression for one in scenario.observations))
    return scenario.model_copy(update={"context_code": tidy_code(scenario.context_code, rest)})


def _layers(code: str) -> tuple[Layer, ...]:
    layers: tuple[Layer, ...] = ("structural", "comparative")
    return (*layers, "mock") if has_stand_in(code) else layers


def best(tasks: Iterable[tuple[Task, float]], most: int) -> list[Task]:
    """At most `most` tasks: those that tell more wrong answers first, each next one of a difficulty not had yet."""
    return [task for task, _ in best_first(tasks, most)]


def best_first(tasks: Iterable[tuple[Task, float]], most: int) -> list[tuple[Task, float]]:
    """At most `most` tasks in that order, each with its strength."""
    left = sorted(tasks, key=lambda pair: -pair[1])
    chosen: list[tuple[Task, float]] = []
    while left and len(chosen) < most:
        had = {task.difficulty for task, _ in chosen}
        pair = next((pair for pair in left if pair[0].difficulty not in had), left[0])
        left.remove(pair)
        chosen.append(pair)
    return chosen
