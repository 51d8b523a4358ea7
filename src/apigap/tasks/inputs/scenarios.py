"""The scenarios of a task: the basic one, up to two with other inputs, and one at the edge; and spare ones."""

from collections.abc import Sequence

from apigap.records.base import canonical_json
from apigap.records.run import RunRecord
from apigap.records.task import Observation, Scenario
from apigap.sandbox.verdict.comparison import merge_stable
from apigap.tasks.attempt import Attempt
from apigap.tasks.cut import CutError
from apigap.tasks.inputs.variants import Variant

LEAST = 3
Named = tuple[str, Variant]
_NAMES = ("changed_1", "changed_2")
_SPARE = ("example_1", "example_2", "example_3", "example_4")


def chosen_scenarios(
    attempt: Attempt, tried: Sequence[Variant], runs: Sequence[RunRecord], least: int = LEAST
) -> list[Named]:
    """The basic scenario and those of `tried` whose outcomes differ from it and from each other, spare ones last.

    `runs` are one run of the reference in the basic scenario and in each of `tried`.

    Raises:
        CutError: where there are less than `least`, or, unless that is 1, none but edges differ.
    """
    basic, *others = runs
    if basic.status != "completed":
        raise CutError(f"its reference ends in {basic.exception.type if basic.exception else basic.status}")
    useful = [e for e in attempt.draft.observes if e in basic.observations or attempt.raises_on_purpose(e)]
    if not useful:
        raise CutError("nothing that it leaves behind can be observed")
    chosen = [("basic", Variant(attempt.draft.context, tuple(useful), edge=False))]
    seen = [_outcome(basic, useful)]
    for variant, run in zip(tried, others, strict=True):
        kept = _keep(variant, attempt.draft.observes, useful)
        outcome = _outcome(run, kept.observes)
        if run.status == "completed" and outcome not in seen and (variant.edge or run.observations):
            name = _name(variant, [name for name, _ in chosen])
            if name is not None:
                seen.append(outcome)
                chosen.append((name, kept))
    if least > 1 and not any(name.startswith("changed") for name, _ in chosen):
        raise CutError("no change of its inputs shows in what can be observed")
    if len(judged(chosen)) < least:
        raise CutError(f"only {len(chosen) - 1} change of its inputs shows in what can be observed")
    return sorted(chosen, key=lambda one: one[0] in _SPARE)


def judged(named: Sequence[Named]) -> list[Named]:
    """The scenarios that a task is judged in, without the spare ones, which its description may show."""
    return [one for one in named if one[0] not in _SPARE]


def _name(variant: Variant, taken: Sequence[str]) -> str | None:
    """The name of a further scenario; None where there are enough of its kind."""
    names = ("edge",) if variant.edge else (*_NAMES, *_SPARE)
    return next((name for name in names if name not in taken), None)


def _keep(variant: Variant, observes: Sequence[str], useful: Sequence[str]) -> Variant:
    pairs = zip(observes, variant.observes, strict=True)
    return Variant(variant.context, tuple(new for old, new in pairs if old in useful), variant.edge)


def _outcome(run: RunRecord, expressions: Sequence[str]) -> str:
    """Observed values in order, without the expressions, which variants may change; as JSON, where 1 is not True."""
    return canonical_json([run.observed.get(expression) for expression in expressions])


def not_new(attempt: Attempt, old: RunRecord, new: RunRecord) -> str | None:
    """The reason why the basic scenario shows nothing new, given its runs in both versions; None where it does."""
    if old.status == "completed" and _outcome(old, attempt.draft.observes) == _outcome(new, attempt.draft.observes):
        return "its reference gives the same in the old version"
    before = old.status not in ("completed", "infra") and old.phase in ("start", "context")
    if attempt.candidate.change == "modified" and before:
        return "its context does not run in the old version"
    return None


def scenario(name: str, variant: Variant, runs: Sequence[RunRecord]) -> Scenario:
    """The scenario with what several runs of the reference, with different seeds, agree on.

    Raises:
        CutError: where a run fails, or nothing is the same in all of them.
    """
    if any(run.status != "completed" for run in runs):
        raise CutError("its reference does not run every time")
    observations = [
        Observation(expression=expression, expected=merge_stable([run.observed[expression] for run in runs]))
        for expression in variant.observes
        if all(expression in run.observed for run in runs)
    ]
    stable = [o for o in observations if o.expected != {"unstable": True}]
    if not stable:
        raise CutError("what it leaves behind differs from run to run")
    return Scenario(name=name, context_code=variant.context, observations=tuple(stable))
