"""The choice of observations: as few as tell the reference from wrong answers, those that say what was done first.

The inner state of a library's own object can be another after another right answer, so its text is taken in its place,
where it has one and that tells as much.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from apigap.knowledge.usages.verify import changed_parameters
from apigap.records.base import canonical_json
from apigap.records.parsing.syntax import parse
from apigap.records.run import RunRecord
from apigap.tasks.attempt import Attempt
from apigap.tasks.cut import CutError, used_names
from apigap.tasks.inputs.variants import Variant
from apigap.tasks.mutants import Facts, Mutant, mutants, omitted_arguments, without_arguments
from apigap.tasks.observations.observables import views
from apigap.tasks.outcome import is_telling
from apigap.tasks.passed_parameters import shows_by_default

_VAST = 20_000
_WRONG = 8
_SHOWN = 4
_OWN_KINDS = frozenset({"omitted argument", "no-op"})


@dataclass(frozen=True)
class Trial:
    """An attempt with the wrong answers that are run beside its reference.

    `left_out` are the reference's keyword arguments, each with the code without it; `wrong` are other mutants.
    """

    attempt: Attempt
    left_out: tuple[tuple[str, str], ...]
    wrong: tuple[Mutant, ...]

    @property
    def source(self) -> str:
        """The origin of the usage."""
        return self.attempt.source

    @property
    def scenario(self) -> Variant:
        """The basic scenario with everything observed that could be of use."""
        draft = self.attempt.draft
        return Variant(draft.context, tuple(dict.fromkeys((*draft.observes, *_extras(self.attempt)))), edge=False)

    @property
    def codes(self) -> tuple[str, ...]:
        """The answers to run: the reference, then those without an argument, then the mutants."""
        others = (*(code for _, code in self.left_out), *(mutant.code for mutant in self.wrong))
        return (self.attempt.draft.completion, *others)


def trial(attempt: Attempt) -> Trial:
    """`attempt` with its wrong answers."""
    code, leaf = attempt.draft.completion, attempt.candidate.leaf
    others = [mutant for mutant in mutants(code, leaf, Facts(), most=2 * _WRONG) if mutant.kind not in _OWN_KINDS]
    return Trial(attempt, tuple(omitted_arguments(code, leaf)), tuple(others[:_WRONG]))


def has_effect(trial: Trial, runs: Sequence[RunRecord]) -> bool:
    """Check that a changed parameter shows: the runs are those of the reference and of `left_out`."""
    basic, *others = runs
    changed = changed_parameters(trial.attempt.candidate)
    if shows_by_default(trial.attempt.candidate):
        return basic.status == "completed"
    pairs = zip(trial.left_out, others, strict=True)
    own = [run for (name, _), run in pairs if name in changed]
    return basic.status == "completed" and (not own or any(not _alike(basic, run, basic.observed) for run in own))


def observed(trial: Trial, runs: Sequence[RunRecord]) -> Attempt:
    """The attempt with the observations that `runs` (of `Trial.codes`) show to be of use, without idle arguments.

    Raises:
        CutError: where nothing can be observed, or a changed parameter has no effect.
    """
    attempt, basic = trial.attempt, runs[0]
    if basic.status != "completed":
        raise CutError(f"cut at that place it ends in {basic.exception.type if basic.exception else basic.status}")
    idle = [n for n, run in enumerate(runs[1 : 1 + len(trial.left_out)]) if _alike(basic, run, basic.observed)]
    names = [name for name, _ in trial.left_out]
    passed = changed_parameters(attempt.candidate) & set(names)
    without = not passed & {name for n, name in enumerate(names) if n not in idle}
    if passed and without and not shows_by_default(attempt.candidate):
        raise CutError("what it gives for a changed parameter has no effect that can be observed")
    different = [run for n, run in enumerate(runs[1:]) if n not in idle]
    chosen = _chosen(attempt, basic, different)
    if not chosen:
        raise CutError("nothing that it leaves behind can be observed")
    draft = attempt.draft
    if idle:
        code = without_arguments("\n".join(draft.masked), attempt.candidate.leaf, idle)
        draft = replace(draft, masked=tuple(ast.unparse(node) for node in parse(code).body))
    killed = _killed(basic, different, chosen)
    strength = len(killed) / len(different) if different else 1.0
    return replace(attempt, draft=replace(draft, observes=tuple(chosen)), strength=strength)


def _chosen(attempt: Attempt, basic: RunRecord, different: Sequence[RunRecord]) -> list[str]:
    """Up to four telling expressions, then whatever tells a wrong answer that these do not."""
    plain = [e for e in attempt.draft.observes if _is_observable(attempt, basic, e)]
    telling = [e for e in _first_choice(plain, basic) if is_telling(basic.observed[e])]
    chosen = list(dict.fromkeys(telling))[:_SHOWN]
    rest = [e for e in (*plain, *_extras(attempt)) if e not in chosen and _is_observable(attempt, basic, e)]
    missing = set(range(len(different))) - _killed(basic, different, chosen)
    while missing and rest:
        gains = {e: missing & _killed(basic, different, [e]) for e in rest}
        best = max(rest, key=lambda e: len(gains[e]))
        if not gains[best]:
            break
        chosen.append(best)
        rest.remove(best)
        missing -= gains[best]
    if all(_is_yes_or_no(basic.observed[e]) for e in chosen):  # which hardly changes with the inputs
        chosen += [e for e in rest if not _is_yes_or_no(basic.observed[e])][:1]
    return chosen or rest[:1]


def _is_yes_or_no(value: object) -> bool:
    return value is None or isinstance(value, bool)


def _first_choice(plain: Iterable[str], basic: RunRecord) -> Iterator[str]:
    """Each expression, or in place of a library's object what it tells of itself."""
    for expression in plain:
        telling = is_telling(basic.observed[expression])
        forms = () if telling else (form for form in _views_of(expression) if _is_plain_data(form, basic))
        yield next(iter(forms), expression)


def _is_observable(attempt: Attempt, basic: RunRecord, expression: str) -> bool:
    """Check that it was observed, is not too large to be compared, and raises only where it is meant to."""
    known = expression in basic.observations or attempt.raises_on_purpose(expression)
    if expression not in attempt.draft.observes:
        return _is_plain_data(expression, basic)
    return known and not _is_too_large(basic.observed.get(expression))


def _extras(attempt: Attempt) -> Iterator[str]:
    """Further expressions: views of observed objects and defined classes, and identity of a result with an input."""
    names = [expression for expression in attempt.draft.observes if expression.isidentifier()]
    yield from (form for name in names for form in _views_of(name))
    yield from views(attempt.draft.masked)
    given = used_names(attempt.draft)
    yield from (f"{name} is {other}" for name in names[:1] for other in given[:2] if other != name)


def _views_of(expression: str) -> tuple[str, ...]:
    """Expressions for what an object tells of itself: its text, and how it would be made again (fields of django)."""
    return (f"str({expression})", f"{expression}.deconstruct()") if expression.isidentifier() else ()


def _is_plain_data(expression: str, basic: RunRecord) -> bool:
    """Check that it gave plain data, or a text of the object's own."""
    value = basic.observations.get(expression)
    if expression not in basic.observations or not is_telling(value) or _is_too_large(value):
        return False
    return not expression.startswith("str(") or _own_text(value)


def _own_text(text: object) -> bool:
    """True for a text of the value's own, not the default one with its address."""
    return (
        isinstance(text, str)
        and bool(text)
        and " at 0x" not in text
        and not text.startswith("<")
        and not _is_too_large(text)
    )


def _is_too_large(form: object) -> bool:
    return len(canonical_json(form)) > _VAST


def _alike(left: RunRecord, right: RunRecord, expressions: Collection[str]) -> bool:
    return right.status == "completed" and all(_value(left, e) == _value(right, e) for e in expressions)


def _killed(basic: RunRecord, others: Sequence[RunRecord], expressions: Collection[str]) -> set[int]:
    return {number for number, run in enumerate(others) if not _alike(basic, run, expressions)}


def _value(run: RunRecord, expression: str) -> str:
    """An observed value as JSON, where 1 is not True."""
    return canonical_json(run.observed.get(expression))
