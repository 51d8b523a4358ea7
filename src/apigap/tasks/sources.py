"""The usages that tasks of an API are cut from: those that show the change, else others made from what there is."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from apigap.knowledge.components.surface import surface_of
from apigap.knowledge.usages.transplant import with_argument
from apigap.knowledge.usages.usage import Step, Usage, bindings
from apigap.knowledge.usages.verify import ApiUsages, VerifiedUsage, changed_parameters
from apigap.records.candidate import Candidate, Parameter
from apigap.records.parsing.syntax import parse
from apigap.tasks.inputs.fitting import in_words_of_work, like_text
from apigap.tasks.inputs.letters import with_items
from apigap.tasks.inputs.literals import (
    Change,
    Where,
    all_rewritten,
    in_definitions,
    in_statements,
    in_types,
    only_data,
    other_number,
    other_text,
    other_type,
    otherwise,
    shorter_list,
    smaller_number,
    texts_of,
    twice,
    with_texts,
)
from apigap.tasks.inputs.parameter_values import values_for
from apigap.tasks.passed_parameters import shows_by_default
from apigap.tasks.plain_steps import as_lists, in_plain_steps

_BASES = 4
_PARAMETERS = 6
_INSERTED = 36


def shows_change(verified: VerifiedUsage, candidate: Candidate) -> bool:
    """Check that the usage needs the new version, and, where parameters changed, because of what it passes or omits."""
    passes = bool(verified.exercises) or shows_by_default(candidate) or not changed_parameters(candidate)
    return verified.needs_new and passes


def upstream(candidate: Candidate, usages: ApiUsages, most: int) -> list[Usage]:
    """The usages left for tasks that show the change, the best ones first."""
    return [verified.usage for verified in usages.usages if shows_change(verified, candidate)][:most]


def left_over(candidate: Candidate, usages: ApiUsages, most: int) -> list[Usage]:
    """The usages left for tasks, whatever the old version does; of a changed API those that show what changed."""
    shows = not changed_parameters(candidate) or shows_by_default(candidate)
    return [verified.usage for verified in usages.usages if shows or verified.exercises][:most]


def exemplary(candidate: Candidate, usages: ApiUsages) -> list[Usage]:
    """The usages that bundles show; of a changed API those that show what changed."""
    return left_over(candidate, usages.model_copy(update={"usages": usages.shown}), len(usages.shown))


def substitutes(candidate: Candidate, usages: ApiUsages, *, in_words: bool = False) -> list[Usage]:
    """Usages that stand in where those of `upstream` give no task.

    An API whose only usage is an exemplar is used with other data. One whose parameters changed is given these; where
    a default changed, usages that pass it may do without. `in_words` texts that stand for any other become words of
    work before they are changed, others of their kind take their places, and words of no known kind stay.
    """
    anew = on_like_data if in_words else on_other_data
    if in_words:
        usages = usages.model_copy(update={"shown": tuple(_in_words(usages.shown, candidate))})
    written = [verified.usage for verified in usages.usages if verified.usage.origin != "built"]
    left = written or [verified.usage for verified in usages.usages]
    others = [usage for verified in usages.shown for usage in anew(verified.usage)]
    if not changed_parameters(candidate):
        return others
    telling = [u for v in usages.shown if shows_change(v, candidate) for u in anew(v.usage)]
    passing = [v.usage for v in usages.usages if v.exercises and shows_by_default(candidate)]
    bases = sorted([*left, *others], key=lambda usage: len(usage.code))
    return [*passing, *telling, *insertions(candidate, bases)]


def plain_forms(usage: Usage, candidate: Candidate) -> list[Usage]:
    """`usage` in plain steps, where it can be as a list, and on lists of words for letters; last as it is."""
    plain = in_plain_steps(usage, candidate.leaf)
    listed = as_lists(plain, candidate)
    forms = [plain] if listed is None else [listed, plain]
    items = (with_items(form) for form in forms)
    return [*(form for form in items if form is not None), *forms, *([usage] if plain is not usage else [])]


def _in_words(shown: Sequence[VerifiedUsage], candidate: Candidate) -> Iterator[VerifiedUsage]:
    for verified in shown:
        for form in plain_forms(verified.usage, candidate):
            yield verified.model_copy(update={"usage": in_words_of_work(form)})


def on_like_data(usage: Usage) -> list[Usage]:
    """`usage` on data of the same kinds: other numbers, words for words of a known kind; any other text stays."""
    texts = {text: other for text in _with_texts_of(usage) if (other := like_text(text)) is not None}
    found = [
        _rewritten(usage, texts, twice),
        _rewritten(usage, {}, twice),
        _rewritten(usage, texts, other_number),
        _rewritten(usage, {}, other_number),
        _rewritten(usage, texts, smaller_number),
        _rewritten(usage, texts, None),
        _rewritten(usage, {}, shorter_list),
    ]
    return _others(usage, found)


def _others(usage: Usage, found: Sequence[Usage]) -> list[Usage]:
    same = _rewritten(usage, {}, None).code
    return list({other.code: other for other in found if other.code != same}.values())


def on_other_data(usage: Usage) -> list[Usage]:
    """`usage` on other data: texts changed wherever they stand, numbers, both, others in other ways, types."""
    found = [
        _rewritten(usage, _with_texts_of(usage), other_number),
        _rewritten(usage, _with_texts_of(usage), None),
        _rewritten(usage, {}, other_number),
        _rewritten(usage, {}, only_data),
        _rewritten(usage, {}, otherwise),
    ]
    prelude = tuple(all_rewritten(code, only_data, in_definitions) for code in usage.prelude)
    types = tuple(all_rewritten(code, other_type, in_types) for code in usage.prelude)
    found.append(_rewritten(usage, {}, only_data).replaced(prelude=prelude))
    found.append(_rewritten(usage, {}, other_type, in_types).replaced(prelude=types))
    return _others(usage, found)


def _with_texts_of(usage: Usage) -> dict[str, str]:
    data = [code for code in usage.prelude if _is_data(code)]
    body = "\n".join((*data, *bindings(usage.inputs), *(step.expression or step.code for step in usage.steps)))
    return {text: other_text(text) for text in texts_of(body)}


def _rewritten(usage: Usage, texts: Mapping[str, str], change: Change | None, where: Where = in_statements) -> Usage:
    def anew(code: str) -> str:
        code = with_texts(code, texts) if texts else code
        return all_rewritten(code, change, where) if change else code

    steps: list[Step] = []
    for step in usage.steps:
        if step.expression is not None:
            expression = anew(step.expression)
            steps.append(Step(code=f"print({expression})" if step.code else "", expression=expression))
        else:
            steps.append(Step(code=anew(step.code)))
    return usage.replaced(
        prelude=tuple(anew(code) if _is_data(code) else code for code in usage.prelude),
        inputs=tuple((name, anew(value)) for name, value in usage.inputs),
        steps=tuple(steps),
        variants=(),
        source=f"{usage.source} on other data",
    )


def _is_data(code: str) -> bool:
    """True for a statement of a prelude that holds data: no import, no settings."""
    return isinstance(parse(code).body[0], (ast.Assign, ast.AnnAssign, ast.ClassDef, ast.FunctionDef))


def insertions(candidate: Candidate, bases: Sequence[Usage]) -> list[Usage]:
    """Usages of `bases` with one changed parameter passed too: parameters in turn, and for each its values in turn."""
    changed = changed_parameters(candidate)
    own = [p for p in surface_of(candidate).parameters if p.name in changed and not p.kind.startswith("var_")]
    rows = [list(_with_parameter(candidate, parameter, bases)) for parameter in own[:_PARAMETERS]]
    found = {usage.code: usage for turn in zip_longest(*rows) for usage in turn if usage is not None}
    return list(found.values())[:_INSERTED]


def _with_parameter(candidate: Candidate, parameter: Parameter, bases: Sequence[Usage]) -> Iterator[Usage]:
    for usage in bases[:_BASES]:
        for value in values_for(parameter, usage, candidate.leaf):
            made = with_argument(usage, candidate.leaf, parameter.name, value, instead=True)
            if made is not None:
                yield made
