"""Cut a usage into what a model sees, what it must write, and what is observed afterwards."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apigap.knowledge.usages.names import bound_names, identifiers, loaded_names
from apigap.knowledge.usages.usage import Bindings, Step, Usage, bindings
from apigap.records.candidate import Candidate
from apigap.records.parsing.syntax import parse
from apigap.tasks.inputs.hoist import hoisted
from apigap.tasks.observations.assertion_subject import assertion_subject, without_checks
from apigap.tasks.observations.observables import bound_values, checked_after, touched, views

_MAX_MASKED = 4
_MAX_PLACES = 4
_MAX_OBSERVED = 6
_RESULT = "result"
_GIVEN = f"{_RESULT} = "


class CutError(Exception):
    """Raised with the reason for which a usage cannot be cut into a task."""


@dataclass(frozen=True)
class Draft:
    """A usage, cut.

    `prelude` are imports and definitions, `setup` the statements that hold the inputs, `masked` what the model
    must write, `imports` the target's own import, which belongs to the answer; `observes` are expressions.
    """

    prelude: tuple[str, ...]
    setup: tuple[str, ...]
    imports: tuple[str, ...]
    masked: tuple[str, ...]
    observes: tuple[str, ...]
    variants: tuple[Bindings, ...]
    inputs: Bindings
    usage: Usage

    @property
    def context(self) -> str:
        """The code before the masked region."""
        return "\n".join((*self.prelude, *bindings(self.inputs), *self.setup))

    @property
    def completion(self) -> str:
        """The masked region: the reference answer."""
        return "\n".join((*self.imports, *self.masked))


def cuts(usage: Usage, candidate: Candidate, *, named: bool = True) -> Iterator[Draft | CutError]:
    """Cut `usage` at every place where `candidate` can be taken out of it; what cannot be cut says why.

    Unless the API is `named`, and its parameters so are what is to be known, an input has the name of its parameter.

    These are the checks that use the API, up to the first statement that does: what comes after that one builds on
    it, and the context must not show the API.
    """
    leaf = candidate.leaf
    usage = _definitions_as_steps(_inputs_as_steps(usage, leaf), leaf)
    steps = [step for step in usage.steps if step.code]
    try:
        prelude, imports = _without_import(usage.prelude, leaf)
        found = _places(steps, leaf)
    except CutError as error:
        yield error
        return
    answers = [
        (place, *_answer(usage, steps, place, leaf, last)) for place in found for last in _ends(steps, place, leaf)
    ]
    for place, masked, observes in (*answers, *_joined(answers)):
        setup = tuple(step.code for step in steps[:place] if step.expression is None)
        if not masked:
            yield CutError("it is only used to check something else")
            continue
        setup, masked = hoisted(setup, masked, candidate, usage, named=named)
        observes = observes or tuple(touched(setup, usage.inputs, masked))[:_MAX_OBSERVED] or tuple(views(masked))
        if observes:
            yield Draft(prelude, setup, imports, masked, observes, usage.variants, usage.inputs, usage)
        else:
            yield CutError("nothing can be observed after it")


def _places(steps: Sequence[Step], leaf: str) -> list[int]:
    found: list[int] = []
    for place, step in enumerate(steps):
        if leaf in identifiers(step.code):
            found.append(place)
            if step.expression is None:
                break
    if not found:
        raise CutError("it is only used where it must raise")
    return found[:_MAX_PLACES]


_Answer = tuple[int, tuple[str, ...], tuple[str, ...]]


def _joined(answers: Sequence[_Answer]) -> Iterator[_Answer]:
    """The first two checks asked for at once, where each gives one result."""
    plain = [(place, masked[0]) for place, masked, _ in answers if len(masked) == 1 and masked[0].startswith(_GIVEN)]
    texts = [text.removeprefix(_GIVEN) for _, text in plain[:2]]
    if len(texts) == 2 and texts[0] != texts[1]:
        names = (_RESULT, f"{_RESULT}_2")
        yield plain[1][0], tuple(f"{name} = {text}" for name, text in zip(names, texts, strict=True)), names


def _ends(steps: Sequence[Step], place: int, leaf: str) -> list[int]:
    """Possible ends of the masked region: the statement itself, or the last one near it that uses the API."""
    return sorted({place, _last_use(steps, place, leaf)}) if steps[place].expression is None else [place]


def _answer(
    usage: Usage, steps: Sequence[Step], place: int, leaf: str, last: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The masked region and the observations after it."""
    masked, observed = _masked(steps[place : last + 1], leaf)
    after = [step for step in usage.steps if step not in steps[: last + 1]]
    observes = dict.fromkeys((*observed, *checked_after(after, leaf), *bound_values(masked)))
    if not observes and len(masked) == 1 and isinstance(parse(masked[0]).body[0], ast.Expr):
        return (f"{_GIVEN}{masked[0]}",), (_RESULT,)
    return masked, tuple(observes)[:_MAX_OBSERVED]


def _inputs_as_steps(usage: Usage, leaf: str) -> Usage:
    """Moves the first row of a test that is parametrised with uses of the API into the masked region."""
    if leaf not in identifiers("\n".join(bindings(usage.inputs))):
        return usage
    steps = tuple(Step(code=line) for line in bindings(usage.inputs))
    return usage.replaced(inputs=(), variants=(), steps=(*steps, *usage.steps))


def _definitions_as_steps(usage: Usage, leaf: str) -> Usage:
    """Moves a definition that uses the API into the masked region: it and those after it follow the inputs."""
    uses = [leaf in identifiers(code) and not _is_import(code) for code in usage.prelude]
    if True not in uses:
        return usage
    first = uses.index(True)
    later = usage.prelude[first:]
    imports = tuple(code for code in later if _is_import(code))
    steps = tuple(Step(code=code) for code in later if not _is_import(code))
    return usage.replaced(prelude=(*usage.prelude[:first], *imports), steps=(*steps, *usage.steps))


def _is_import(code: str) -> bool:
    return isinstance(parse(code).body[0], (ast.Import, ast.ImportFrom))


def _without_import(prelude: Sequence[str], leaf: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The prelude without the import of `leaf`, and that import by itself."""
    kept: list[str] = []
    imports: list[str] = []
    for code in prelude:
        node = parse(code).body[0]
        if isinstance(node, ast.ImportFrom) and any(alias.name == leaf for alias in node.names):
            imports.append(
                ast.unparse(ast.ImportFrom(node.module, [a for a in node.names if a.name == leaf], node.level))
            )
            others = [alias for alias in node.names if alias.name != leaf]
            if others:
                kept.append(ast.unparse(ast.ImportFrom(node.module, others, node.level)))
        else:
            kept.append(code)
    return tuple(kept), tuple(imports)


def _last_use(steps: Sequence[Step], first: int, leaf: str) -> int:
    """The last of the statements, close after `first`, that use the API again."""
    window = range(first + 1, min(first + _MAX_MASKED, len(steps)))
    again = [i for i in window if steps[i].expression is None and leaf in identifiers(steps[i].code)]
    return again[-1] if again else first


def _masked(steps: Sequence[Step], leaf: str) -> tuple[tuple[str, ...], list[str]]:
    """The statements to write and what their checks observe; a check that calls the API becomes `result = ...`."""
    masked: list[str] = []
    observed: list[str] = []
    for step in steps:
        asked = assertion_subject(step, leaf) if step is steps[0] else None
        if step.expression is None:
            masked.append(without_checks(step.code, leaf))
        elif asked is not None:
            masked.append(f"{_GIVEN}{asked}")
            observed.append(_RESULT)
        elif leaf not in identifiers(step.expression):
            observed.append(step.expression)
    return tuple(code for code in masked if code), observed


def used_names(draft: Draft) -> list[str]:
    """Names of the context that the masked region reads, in the order of their definition."""
    read = set[str]().union(*(loaded_names(parse(code)) for code in draft.masked))
    ordered = [name for name, _ in draft.inputs]
    for code in (*draft.prelude, *draft.setup):
        node = parse(code).body[0]
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            ordered.extend(sorted(bound_names(node)))
    return [name for name in dict.fromkeys(ordered) if name in read]
