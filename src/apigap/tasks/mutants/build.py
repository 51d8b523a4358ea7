"""The mutants of one answer: all kinds, without repetitions, a fixed number of them."""

import ast
from itertools import zip_longest

from apigap.records.parsing.syntax import parse
from apigap.tasks.mutants.arguments import as_before, changed, default_written, omitted, swapped
from apigap.tasks.mutants.facts import Facts
from apigap.tasks.mutants.mutant import KINDS, Mutant
from apigap.tasks.mutants.results import left_out, unused
from apigap.tasks.mutants.siblings import wrong_api
from apigap.tasks.mutants.target import Target

MOST = 24
NO_OP = "pass\n"
_MAKERS = (as_before, omitted, default_written, changed, swapped, unused, left_out, wrong_api)


def mutants(code: str, leaf: str, facts: Facts, most: int = MOST) -> list[Mutant]:
    """Up to `most` wrong answers made from the right one, `code`, which uses the API called `leaf`.

    Each parses and has another tree than `code` and than the others. First those that have to be killed, then, in turn,
    the next of every kind in the order of places. Same arguments, same mutants in the same order.
    """
    target = Target(code, leaf)
    made = [Mutant("no-op", "no-op", NO_OP, vital=True)]
    for make in _MAKERS:
        made += make(target, facts)
    return _chosen(_distinct(code, made), most)


def _distinct(code: str, candidates: list[Mutant]) -> list[Mutant]:
    seen = {ast.dump(parse(code))}
    kept: list[Mutant] = []
    for mutant in candidates:
        try:
            form = ast.dump(parse(mutant.code))
        except SyntaxError:
            continue  # an `await` or a star where the changed call cannot have one
        if form not in seen:
            seen.add(form)
            kept.append(mutant)
    return kept


def _chosen(candidates: list[Mutant], most: int) -> list[Mutant]:
    vital = [mutant for mutant in candidates if mutant.vital]
    rows = [[mutant for mutant in candidates if mutant.kind == kind and not mutant.vital] for kind in KINDS]
    others = [mutant for turn in zip_longest(*rows) for mutant in turn if mutant is not None]
    chosen = [*vital, *others][:most]
    return sorted(chosen, key=candidates.index)
