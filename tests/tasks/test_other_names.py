"""Inputs under other names than the exemplars'."""

import pytest

from apigap.tasks.cut import Draft, cuts
from apigap.tasks.disjoint import lines_with, repeats
from apigap.tasks.other_names import under_other_names
from tests.tasks.test_cut import candidate
from tests.tasks.test_sources import usage

SHOWN = "import lib\nG = lib.ring(9)\nlib.slugify(G)"
CASES = [
    ("a usual name", "G = lib.ring(5)\ny = lib.slugify(G)", "graph", SHOWN),
    ("an object of a class", "p = lib.Wide(5)\ny = lib.slugify(p)", "wide", SHOWN.replace("G", "p")),
    ("another name", "road = lib.ring(5)\ny = lib.slugify(road)", "given", SHOWN.replace("G", "road")),
    ("no keyword", "p = lib.Lambda(5)\ny = lib.slugify(p)", "given", SHOWN.replace("G", "p")),
    ("no builtin", "p = lib.Range(5)\ny = lib.slugify(p)", "given", SHOWN.replace("G", "p")),
    ("one that is taken", "graph = 1\nG = lib.ring(graph)\ny = lib.slugify(G)", "given", SHOWN),
]


def draft_of(code: str) -> Draft:
    draft = next(cuts(usage(f"import lib\n{code}"), candidate(), named=False))
    assert isinstance(draft, Draft)
    return draft


@pytest.mark.parametrize(("code", "name", "shown"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_no_line_of_the_answer_stands_in_an_exemplar(code: str, name: str, shown: str) -> None:
    before = draft_of(code)
    assert repeats(before.context, before.completion, [shown], "slugify")
    after = under_other_names(before, [shown], "slugify")
    assert f"slugify({name})" in after.completion
    assert f"{name} = lib." in after.context
    assert not lines_with(after.completion, "slugify") & lines_with(shown, "slugify")
    assert not repeats(after.context, after.completion, [shown], "slugify")


def test_the_same_call_on_the_same_data_stays_given_away() -> None:
    after = under_other_names(draft_of("G = lib.ring(9)\ny = lib.slugify(G)"), [SHOWN], "slugify")
    assert repeats(after.context, after.completion, [SHOWN], "slugify")


def test_what_no_exemplar_has_keeps_its_names() -> None:
    draft = draft_of("roads = lib.ring(5)\ny = lib.slugify(roads)")
    assert under_other_names(draft, [SHOWN], "slugify") is draft
