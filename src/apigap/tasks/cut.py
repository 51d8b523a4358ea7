"""Cut a usage into what a model sees, what it must write, and what is observed afterwards."""

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apigap.knowledge.names import bound_names, identifiers, loaded_names
from apigap.knowledge.usage import Bindings, Step, Usage, bindings
from apigap.records.candidate import Candidate

_MAX_MASKED = 4
_MAX_PLACES = 4
_MAX_OBSERVED = 6
_RESULT = "result"


class CutError(Exception):
    """Why a usage cannot be cut into a task."""


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


def cuts(usage: Usage, candidate: Candidate) -> Iterator[Draft | CutError]:
    """Cut `usage` at every place where `candidate` can be taken out of it; what cannot be cut says why.

    These are the checks that use the API, up to the first statement that does: what comes after that one builds on
    it, and the context must not show the API.
    """
    leaf = candidate.leaf
    usage = _inputs_as_steps(usage, leaf)
    steps = [step for step in usage.steps if step.code]
    try:
        prelude, imports = _without_import(usage.prelude, leaf)
        found = _places(steps, leaf)
    except CutError as error:
        yield error
        return
    for place in found:
        setup = tuple(step.code for step in steps[:place] if step.expression is None)
        masked, observes = _answer(usage, steps, place, leaf)
        if not observes or not masked:
            yield CutError("nothing can be observed after it" if masked else "it is only used to check something else")
            continue
        setup, masked = _hoist(setup, masked, candidate, usage)
        yield Draft(prelude, setup, imports, masked, observes, usage.variants, usage.inputs, usage)


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


def _answer(usage: Usage, steps: Sequence[Step], place: int, leaf: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What must be written, and what is observed then."""
    last = _last(steps, place, leaf) if steps[place].expression is None else place
    masked, observed = _masked(steps[place : last + 1], leaf)
    after = [step for step in usage.steps if step not in steps[: last + 1]]
    observes = dict.fromkeys((*observed, *_observed_after(after, leaf), *_bound_values(masked)))
    return masked, tuple(observes)[:_MAX_OBSERVED]


def _inputs_as_steps(usage: Usage, leaf: str) -> Usage:
    """Where a test is parametrised with uses of the API, its first row is part of what must be written."""
    if leaf not in identifiers("\n".join(bindings(usage.inputs))):
        return usage
    steps = tuple(Step(code=line) for line in bindings(usage.inputs))
    return usage.replaced(inputs=(), variants=(), steps=(*steps, *usage.steps))


def _without_import(prelude: Sequence[str], leaf: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The prelude without the import of `leaf`, and that import by itself."""
    kept: list[str] = []
    imports: list[str] = []
    for code in prelude:
        node = ast.parse(code).body[0]
        if isinstance(node, ast.ImportFrom) and any(alias.name == leaf for alias in node.names):
            imports.append(
                ast.unparse(ast.ImportFrom(node.module, [a for a in node.names if a.name == leaf], node.level))
            )
            others = [alias for alias in node.names if alias.name != leaf]
            if others:
                kept.append(ast.unparse(ast.ImportFrom(node.module, others, node.level)))
        elif leaf in identifiers(code):
            raise CutError("the definitions around it use it too")
        else:
            kept.append(code)
    return tuple(kept), tuple(imports)


def _last(steps: Sequence[Step], first: int, leaf: str) -> int:
    """The last of the statements, close after `first`, that use the API again."""
    window = range(first + 1, min(first + _MAX_MASKED, len(steps)))
    again = [i for i in window if steps[i].expression is None and leaf in identifiers(steps[i].code)]
    return again[-1] if again else first


def _masked(steps: Sequence[Step], leaf: str) -> tuple[tuple[str, ...], list[str]]:
    """The statements to write and what their checks observe; a check that calls the API becomes `result = ...`."""
    masked: list[str] = []
    observed: list[str] = []
    for step in steps:
        if step.expression is None:
            masked.append(step.code)
        elif leaf not in identifiers(step.expression):
            observed.append(step.expression)
        elif _RESULT not in observed and step is steps[0]:
            masked.append(f"{_RESULT} = {step.expression}")
            observed.append(_RESULT)
    return tuple(masked), observed


def _observed_after(steps: Sequence[Step], leaf: str) -> list[str]:
    """Checks after the masked region, made independent of the simple assignments between them."""
    values: dict[str, ast.expr] = {}
    found: list[str] = []
    for step in steps:
        if step.expression is not None:
            expression = _inline(step.expression, values)
            if leaf not in identifiers(expression):
                found.append(expression)
            continue
        node = ast.parse(step.code).body[0]
        if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
            break
        if leaf in identifiers(step.code):
            break
        values[node.targets[0].id] = ast.parse(_inline(ast.unparse(node.value), values), mode="eval").body
    return found


class _Inline(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def _inline(expression: str, values: dict[str, ast.expr]) -> str:
    return ast.unparse(_Inline(values).visit(ast.parse(expression, mode="eval"))) if values else expression


def _bound_values(masked: Sequence[str]) -> list[str]:
    """Names that the masked region assigns: their values are outputs too."""
    nodes = [node for code in masked for node in ast.parse(code).body]
    simple = [node for node in nodes if isinstance(node, (ast.Assign, ast.AnnAssign))]
    return sorted(set[str]().union(*(bound_names(node) for node in simple)))


def _hoist(
    setup: tuple[str, ...], masked: tuple[str, ...], candidate: Candidate, usage: Usage
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give literal arguments a name in the context: what is an input there can be changed later."""
    nodes = [node for code in masked for node in ast.parse(code).body]
    if any(isinstance(node, (ast.ClassDef, ast.FunctionDef)) for node in nodes):
        return setup, masked
    hoist = _Hoist(candidate, identifiers(usage.code))
    lines = tuple(ast.unparse(hoist.visit(node)) for node in nodes)
    return (*setup, *bindings(tuple(hoist.hoisted))), lines


class _Hoist(ast.NodeTransformer):
    def __init__(self, candidate: Candidate, taken: frozenset[str]) -> None:
        self.hoisted: list[tuple[str, str]] = []
        self._names = [p.name for p in candidate.parameters if p.name not in ("self", "cls")]
        self._leaf = candidate.leaf
        self._taken = {*taken, *dir(builtins)}

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        is_target = self._leaf in (getattr(node.func, "id", None), getattr(node.func, "attr", None))
        for index, argument in enumerate(node.args):
            if _is_input(argument) and len(self.hoisted) < 3:
                named = is_target and index < len(self._names)
                node.args[index] = ast.Name(self._bind(self._names[index] if named else "value", argument), ast.Load())
        for keyword in node.keywords:
            # A variable with the keyword's name would tell the parameter.
            if is_target and keyword.arg and _is_input(keyword.value) and len(self.hoisted) < 3:
                keyword.value = ast.Name(self._bind("value", keyword.value), ast.Load())
        return node

    def _bind(self, wish: str, value: ast.expr) -> str:
        name = next(n for n in (wish, *(f"{wish}_{i}" for i in range(2, 99))) if n not in self._taken)
        self._taken.add(name)
        self.hoisted.append((name, ast.unparse(value)))
        return name


def _is_input(node: ast.expr) -> bool:
    """True for a literal that carries data: a number, text, bytes, or a container of literals."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float, str, bytes)) and not isinstance(node.value, bool)
    if not isinstance(node, (ast.List, ast.Dict, ast.Set, ast.Tuple)):
        return False
    try:
        return bool(ast.literal_eval(node))
    except ValueError:
        return False


def used_names(draft: Draft) -> list[str]:
    """Names of the context that the masked region reads, in the order of their definition."""
    read = set[str]().union(*(loaded_names(ast.parse(code)) for code in draft.masked))
    ordered = [name for name, _ in draft.inputs]
    for code in (*draft.prelude, *draft.setup):
        node = ast.parse(code).body[0]
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            ordered.extend(sorted(bound_names(node)))
    return [name for name in dict.fromkeys(ordered) if name in read]
