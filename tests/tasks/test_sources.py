"""Usages on other data, and usages that are given a changed parameter."""

import pytest

from apigap.knowledge.usages.usage import Usage
from apigap.knowledge.usages.verify import ApiUsages, VerifiedUsage
from apigap.records.candidate import Change, Parameter
from apigap.tasks.inputs.parameter_values import values_for
from apigap.tasks.sources import insertions, on_like_data, on_other_data, substitutes, upstream
from tests.knowledge.blocks import usage_of_block
from tests.tasks.test_cut import candidate


def usage(code: str) -> Usage:
    found = usage_of_block(code, "here")
    assert found is not None
    return found


CHANGED = candidate(
    change="modified",
    parameters=(Parameter(name="text"), Parameter(name="loud", default="False", required=False)),
    changes=(Change(what="parameter added", parameter="loud"),),
)


def test_texts_change_wherever_they_stand() -> None:
    one = on_other_data(usage("from lib import slugify\nx = {'a': 1}\nassert slugify(x)['a'] == 2"))[0]
    assert one.code == "from lib import slugify\nx = {'b': 2}\nprint(slugify(x)['b'])"
    assert one.source == "here on other data"


def test_every_altered_usage_is_another_program() -> None:
    codes = [u.code for u in on_other_data(usage("from lib import slugify\nx = {'a': 1}\nassert slugify(x) == 2"))]
    assert len(set(codes)) == len(codes) > 2
    assert on_other_data(usage("from lib import slugify\nassert slugify(None)")) == []


def test_an_only_usage_that_is_an_exemplar_is_used_on_other_data() -> None:
    shown = VerifiedUsage(usage=usage("from lib import slugify\nassert slugify('a')"), exercises=(), needs_new=True)
    usages = ApiUsages(api_name="lib.slugify", usages=(), tried=1, shown=(shown,))
    assert upstream(candidate(), usages, 6) == []
    assert "slugify('b')" in substitutes(candidate(), usages)[0].code


def test_an_exemplar_in_words_of_work_has_others_of_their_kind() -> None:
    shown = VerifiedUsage(usage=usage("from lib import slugify\nassert slugify(['foo'])"), exercises=(), needs_new=True)
    usages = ApiUsages(api_name="lib.slugify", usages=(), tried=1, shown=(shown,))
    assert "['Madrid']" in substitutes(candidate(), usages, in_words=True)[0].code


LIKE = [
    ("numbers", "x = [2, 3]\ny = slugify(x)", "x = [4, 6]\ny = slugify(x)"),
    ("a city", "x = 'Oslo'\ny = slugify(x)", "x = 'Lima'\ny = slugify(x)"),
    ("a time zone", "x = 'Europe/Berlin'\ny = slugify(x)", "x = 'Europe/London'\ny = slugify(x)"),
    ("a mode", "x = 'nearest'\ny = slugify(x)", None),
    ("a year", "x = day(2024)\ny = slugify(x)", "x = day(2025)\ny = slugify(x)"),
]


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in LIKE], ids=[row[0] for row in LIKE])
def test_like_data_are_of_the_same_kinds(code: str, expected: str | None) -> None:
    found = on_like_data(usage(f"from lib import slugify\n{code}"))
    assert (found[0].code.removeprefix("from lib import slugify\n") if found else None) == expected
    assert "calendar" not in "".join(one.code for one in found)


def test_a_changed_parameter_is_given_to_usages_without_it() -> None:
    codes = [u.code for u in insertions(CHANGED, [usage("from lib import slugify\nx = 'a'\ny = slugify(x)")])]
    assert "from lib import slugify\nx = 'a'\ny = slugify(x, loud=True)" in codes


def test_values_are_of_the_declared_type_near_the_default_or_at_hand() -> None:
    base = usage("x = 'a'\ny = slugify(x)")
    assert values_for(Parameter(name="n", default="3"), base, "slugify")[:2] == ["4", "2"]
    assert (
        values_for(Parameter(name="k", annotation="Literal['up', 'down']", default="'up'"), base, "slugify")[0]
        == "'down'"
    )
    assert "x" in values_for(Parameter(name="z"), base, "slugify")
    assert None not in values_for(Parameter(name="z", default="None"), base, "slugify")
