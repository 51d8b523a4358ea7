"""The same program with another call: an argument less, another value, one more, a relative; else on other data."""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

from apigap.knowledge.components.surface import surface_of
from apigap.knowledge.usages.verify import changed_parameters
from apigap.ladder.executed.relatives import with_relative
from apigap.records.candidate import Candidate, Parameter
from apigap.records.parsing.syntax import expression_tree, is_literal, parse
from apigap.tasks.attempt import Attempt
from apigap.tasks.inputs.parameter_values import values_for
from apigap.tasks.inputs.variants import variants
from apigap.tasks.mutants import Facts
from apigap.tasks.mutants.arguments import as_before, changed, default_written, omitted, swapped
from apigap.tasks.mutants.mutant import Mutant
from apigap.tasks.mutants.target import Target

MOST = 60
_PARAMETERS = 5
_VALUES = 3
_EACH = 8
_TWICE = 8
_OTHER_DATA = 14
_NUMBER = ("({} - 1)", "({} + 2)", "({} * 2)")
_SERIES = ("{}[::-1]", "{}[1:]", "{}[:1]")
_TEXT = ("{}.upper()", "{}[::-1]")


@dataclass(frozen=True)
class WrongProgram:
    """A program that differs from the right one.

    It is `telling` where it shows a belief about the parameters: an argument left out, its default, another choice.
    One of a changed API shows the `change` where a changed parameter is what differs. Where the call is the same and
    only what goes into it differs, it is of other `data`.
    """

    context: str
    completion: str
    telling: bool = False
    change: bool = False
    data: bool = False


def facts_about(candidate: Candidate) -> Facts:
    """The facts that mutants need, as far as the candidate has them."""
    own = [p for p in candidate.parameters if p.name not in ("self", "cls")]
    former = {c.parameter: c.old for c in candidate.changes if c.what == "default changed" and _is_code(c.old)}
    return Facts(
        positional=[p.name for p in own if p.kind in ("positional_only", "positional_or_keyword")],
        defaults={p.name: p.default for p in own if p.default is not None and _is_code(p.default)},
        former_defaults={name: text for name, text in former.items() if text is not None},
        changed=changed_parameters(candidate) if candidate.changes else frozenset(),
    )


def _is_code(text: str | None) -> bool:
    return text is not None and is_literal(text)


def wrong_programs(attempt: Attempt, facts: Facts, relatives: Sequence[str] = ()) -> list[WrongProgram]:
    """At most 60 programs: first those that show the change, then single arguments in turn, `relatives`, other data."""
    draft, leaf = attempt.draft, attempt.candidate.leaf
    target = Target(draft.completion, leaf)
    makers: list[Iterable[WrongProgram]] = [
        _of(attempt, as_before(target, facts), telling=True),
        _of(attempt, omitted(target, facts), telling=True),
        _of(attempt, default_written(target, facts), telling=True),
        _other_choices(attempt, target, facts),
        _of(attempt, changed(target, facts)),
        _further(attempt, target, facts),
        _of(attempt, swapped(target, facts)),
    ]
    single = [one for turn in zip_longest(*(islice(row, _EACH) for row in makers)) for one in turn if one is not None]
    double = islice(_twice(attempt, single, facts), _TWICE)
    data = [
        WrongProgram(variant.context, draft.completion, data=True)
        for variant in variants(draft)
        if variant.observes == draft.observes
    ]
    others = [WrongProgram(draft.context, with_relative(draft.completion, leaf, name)) for name in relatives]
    calls = [*sorted(single, key=lambda one: not one.change), *others, *double]
    ordered = [*calls[: MOST - min(len(data), _OTHER_DATA)], *data[:_OTHER_DATA]]
    right = (draft.context, draft.completion)
    distinct = {(one.context, one.completion): one for one in reversed(ordered) if _parses(one.completion)}
    distinct.pop(right, None)
    return list(reversed(list(distinct.values())))[:MOST]


def _of(attempt: Attempt, mutants: Iterator[Mutant], *, telling: bool = False) -> Iterator[WrongProgram]:
    for one in mutants:
        change = one.kind == "old signature" or (one.kind == "omitted argument" and one.vital)
        yield WrongProgram(attempt.draft.context, one.code, telling, change)


def _other_choices(attempt: Attempt, target: Target, facts: Facts) -> Iterator[WrongProgram]:
    """Values of parameters by their type, description and default, as keywords of the first call."""
    candidate = attempt.candidate
    if not target.calls(target.parse()):
        return
    rows = [
        [
            WrongProgram(attempt.draft.context, _with_keyword(target, parameter.name, value), True, is_changed)
            for value in values_for(parameter, attempt.draft.usage, candidate.leaf)[:_VALUES]
        ]
        for parameter in _choosable(candidate, target, facts)
        for is_changed in (parameter.name in facts.changed,)
    ]
    yield from chain.from_iterable(([one for one in turn if one is not None]) for turn in zip_longest(*rows))


def _choosable(candidate: Candidate, target: Target, facts: Facts) -> Sequence[Parameter]:
    """The parameters that can be given by name: first changed ones, then those that the call passes."""
    calls = target.calls(target.parse())
    passed = {keyword.arg for call in calls for keyword in call.keywords}
    by_place = set(facts.positional[: max((len(call.args) for call in calls), default=0)])
    own = [
        p for p in surface_of(candidate).parameters
        if p.kind in ("positional_or_keyword", "keyword_only") and p.name not in ("self", "cls")
    ]  # fmt: skip
    optional = [p for p in own if p.name not in by_place and (p.name in passed or not p.required)]
    return sorted(optional, key=lambda p: (p.name not in facts.changed, p.name not in passed))[:_PARAMETERS]


def _with_keyword(target: Target, name: str, value: str) -> str:
    def change(call: ast.Call) -> None:
        kept = [keyword for keyword in call.keywords if keyword.arg != name]
        call.keywords = [*kept, ast.keyword(name, expression_tree(value))]

    return target.edit(0, change)


def _further(attempt: Attempt, target: Target, facts: Facts) -> Iterator[WrongProgram]:
    """Each argument smaller, larger, turned round or cut, by what it was seen to be."""
    for number, call in enumerate(target.calls(target.parse())):
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        for place, value in enumerate(values):
            if isinstance(value, ast.Starred):
                continue
            for form in _forms(value, facts):
                text = form.format(ast.unparse(value))
                yield WrongProgram(attempt.draft.context, target.edit(number, _putter(place, text)))


def _forms(value: ast.expr, facts: Facts) -> tuple[str, ...]:
    seen = facts.forms(ast.unparse(value))
    form = seen[0] if seen else value.value if isinstance(value, ast.Constant) else None
    if isinstance(form, int | float) and not isinstance(form, bool):
        return _NUMBER
    if isinstance(form, str):
        return _TEXT
    is_series = isinstance(form, list) or (isinstance(form, dict) and bool({"array", "tuple"} & form.keys()))
    return _SERIES if is_series else ()


def _putter(place: int, text: str) -> Callable[[ast.Call], None]:
    def change(call: ast.Call) -> None:
        if place < len(call.args):
            call.args[place] = expression_tree(text)
        else:
            call.keywords[place - len(call.args)].value = expression_tree(text)

    return change


def _twice(attempt: Attempt, single: Sequence[WrongProgram], facts: Facts) -> Iterator[WrongProgram]:
    """Programs in which a second argument differs too."""
    for one in single:
        target = Target(one.completion, attempt.candidate.leaf)
        again = chain(omitted(target, facts), changed(target, facts))
        for mutant in islice(again, 2):
            yield WrongProgram(attempt.draft.context, mutant.code, change=one.change)


def _parses(code: str) -> bool:
    try:
        parse(code)
    except SyntaxError:
        return False
    return True
