"""Further targets of a task: APIs that changed alike in the same release and do its work as well.

A description that fits one of a family fits its sisters: who asks for a weighted quantile may be given it by two
functions that got the same parameter on the same day. An API counts as a further target where the reference, with that
API in the place of its own, gives the same values in every scenario and is judged right; nothing is believed of names.
"""

from collections.abc import Sequence

from apigap.discovery.importance.families import families_of
from apigap.records.candidate import Candidate
from apigap.records.run import Ablation, Program
from apigap.records.task import Spy, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import Verdict, judge_trials
from apigap.sandbox.verdict.trials import Trial, basic_scenario, called_by_answer, is_right, program_of
from apigap.tasks.mutants.siblings import renamed

_WAYS: tuple[Ablation, ...] = ("alter", "nothing")
MOST = 12
"""So many sisters of one target are tried."""


def changed_alike(api_name: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of the kind of `api_name` that are new or changed as it is; none where it is not among them.

    Of changed ones, those that share one of its changes (the same parameter was added); of new ones those of its
    family, or with its parameters beside it. Those in the same place come first.
    """
    target = next((c for c in candidates if c.api_name == api_name), None)
    if target is None:
        return []
    family = dict(zip((c.api_name for c in candidates), families_of(candidates), strict=True))
    parent = api_name.rpartition(".")[0]

    def is_alike(other: Candidate) -> bool:
        if other.kind != target.kind or other.change != target.change or other.api_name == api_name:
            return False
        return family[other.api_name] == family[api_name] or _same_news(target, other)

    found = [c for c in candidates if is_alike(c) and c.leaf != target.leaf]
    found.sort(key=lambda c: (c.api_name.rpartition(".")[0] != parent, c.api_name))
    return found[:MOST]


def _same_news(target: Candidate, other: Candidate) -> bool:
    if target.change == "modified":
        return bool({(c.what, c.parameter) for c in target.changes} & {(c.what, c.parameter) for c in other.changes})
    beside = target.api_name.rpartition(".")[0] == other.api_name.rpartition(".")[0]
    return (
        beside and bool(target.parameters) and [p.name for p in target.parameters] == [p.name for p in other.parameters]
    )


def further_targets(
    tasks: Sequence[Task],
    candidates: Sequence[Candidate],
    engine: Engine,
    environment: Environment,
    preload: Sequence[str],
) -> list[tuple[str, ...]]:
    """For each task the APIs that stand in for its target: its reference with each of them passes."""
    tried = [
        (task, c, renamed(task.masked_region, task.harness.spy.target.rpartition(".")[2], c))
        for task in tasks
        for c in changed_alike(task.api_name, candidates)
    ]
    answers = [(task, c.api_name, code) for task, c, code in tried]
    fitting = fitting_answers(answers, engine, environment, preload)
    return [
        tuple(name for (one, name, _), fits in zip(answers, fitting, strict=True) if one is task and fits)
        for task in tasks
    ]


def fitting_answers(
    answers: Sequence[tuple[Task, str, str]], engine: Engine, environment: Environment, preload: Sequence[str]
) -> list[bool]:
    """Tell for each (task, API, code) whether the code is right and calls that API, with that alone as the target.

    Without the API the values must be others, or it is called for show: of that the reference, which does not call it,
    says nothing.
    """
    trials = [Trial(with_spy(task, Spy(target=name)), code) for task, name, code in answers]
    verdicts = judge_trials(engine, environment, trials, preload=preload)
    switched = [_without(*answer, how) for answer in answers for how in _WAYS]
    runs = iter(engine.run(environment, switched, preload=preload))
    fitting: list[bool] = []
    for (task, _, _), verdict in zip(answers, verdicts, strict=True):
        own = [next(runs) for _ in _WAYS]
        same = all(is_right(basic_scenario(task), run) for run in own)
        fitting.append(_fits(verdict) and not same)
    return fitting


def with_spy(task: Task, spy: Spy) -> Task:
    """The task, another by its id, with other targets."""
    harness = task.harness.model_copy(update={"spy": spy})
    return Task.model_validate({**task.model_dump(exclude={"task_id", "harness"}), "harness": harness})


def _without(task: Task, name: str, code: str, how: Ablation) -> Program:
    return program_of(task, basic_scenario(task), code).model_copy(update={"target": name, "ablate": how, "salt": 1})


def _fits(verdict: Verdict) -> bool:
    return verdict.outcome == "pass" and verdict.recorded is not None and called_by_answer(verdict.recorded)
