"""Twins: the same questions with names that nobody can know, and neither easier nor harder to guess."""

import keyword
import re
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.ladder.controls import Pair
from apigap.ladder.make import make_items, subjects_of, yields_of
from apigap.ladder.names import Names
from apigap.ladder.twins.plausible import Plausible, placed_words
from apigap.ladder.twins.words import OtherNames, like_words
from apigap.records.candidate import Candidate, Change
from apigap.records.questions.ladder import LadderItem
from tests.ladder.made import api, parameter
from tests.ladder.test_make import REAL

NEW = api("lib.merge_rows", parameter("columns"), parameter("strict", "None"))
CHANGED = api(
    "lib.sort_frame", parameter("by"), parameter("stable", "None"),
    changes=(Change(what="parameter added", parameter="stable", new="stable=None"),),
)  # fmt: skip
OLD = api("lib.load_table", parameter("path"), parameter("encoding", "None"))


def items_of(pairs: Sequence[Pair], there: Sequence[str] = ()) -> list[LadderItem]:
    names = Names({one.leaf for one in REAL}, lambda asked: set(asked) & set(there))
    return make_items(subjects_of(pairs, []), REAL, names, 0)[0]


def twins_of(new: Candidate, control: Candidate = OLD, there: Sequence[str] = ()) -> list[LadderItem]:
    return [item for item in items_of([Pair(new, control)], there) if item.is_twin]


def test_a_new_api_has_another_name_in_its_twin_and_so_have_its_parameters() -> None:
    own = [item for item in twins_of(NEW) if item.group == "twin"]
    assert Counter((item.rung, item.form) for item in own) == {
        ("exists", "yes or no"): 1, ("signature", "parameters"): 1, ("signature", "choice"): 2,
    }  # fmt: skip
    (name,) = {item.twin for item in own}
    assert name != NEW.api_name and name.startswith("lib.")
    assert all(name in item.question and NEW.api_name not in item.question for item in own)
    (written,) = [item for item in own if item.form == "parameters"]
    assert set(written.truth).isdisjoint({"columns", "strict"})
    assert written.begin.endswith(f"def {name.removeprefix('lib.')}(")


def test_true_names_are_no_wrong_options_of_a_twin() -> None:
    lent = api("lib.other", parameter("columns"), parameter("strict", "None"))
    items = make_items(subjects_of([Pair(NEW, OLD)], []), [*REAL, lent], Names(set(), lambda asked: set(asked[:0])), 0)[
        0
    ]
    options = [option for item in items if item.group == "twin" for option in item.options]
    assert options and not any(re.search(r"\b(columns|strict)\b", option) for option in options)


def test_a_name_that_a_release_has_is_no_twin() -> None:
    (first,) = {item.twin for item in twins_of(NEW) if item.group == "twin"}
    (second,) = {item.twin for item in twins_of(NEW, there=[first]) if item.group == "twin"}
    assert second not in (first, NEW.api_name)


def test_a_changed_api_keeps_its_name_and_its_control_has_one_parameter_renamed() -> None:
    items = twins_of(CHANGED)
    for item in items:
        assert item.twin == item.api_name
    (new,) = [item for item in items if item.form == "parameters" and item.group == "twin"]
    assert new.truth[0] == "by" and new.truth[1] != "stable"
    (old,) = [item for item in items if item.form == "parameters" and item.group == "control twin"]
    assert sum(a != b for a, b in zip(old.truth, ("path", "encoding"), strict=True)) == 1
    asked = [item.subject for item in items if item.rung == "exists" and item.group == "twin"]
    assert len(asked) == 2 and asked[0] == f"lib.sort_frame({new.truth[1]}=)"


def test_what_has_no_like_word_has_no_twin() -> None:
    items = items_of([Pair(api("lib.qr", parameter("xyz")), REAL[0])])
    assert not [item for item in items if item.group == "twin"]
    assert [y.twins for y in yields_of(items, [api("lib.qr", parameter("xyz"))])] == [0, 0]


def test_questions_about_the_api_ask_what_its_twin_asks() -> None:
    """The choice about the true API is about what has another name in the twin, so that both compare."""
    many = api(
        "lib.merge_rows", parameter("qx"), parameter("columns"), parameter("zy", "1"), parameter("strict", "None")
    )
    items = items_of([Pair(many, OLD)])
    (choice,) = [item for item in items if (item.group, item.form, item.order) == ("new", "choice", 1)]
    differ = {name for name in ("qx", "columns", "zy", "strict") if sum(name in text for text in choice.options) == 2}
    assert differ == {"columns", "strict"}


@given(st.lists(st.sampled_from(sorted(like_words())), min_size=1, max_size=4))
def test_another_name_differs_in_one_word(words: list[str]) -> None:
    name = "_".join(words)
    found = OtherNames([name]).of(name, 0)
    assert found and name not in found
    for other in found:
        parts = other.split("_")
        assert sum(a != b for a, b in zip(words, parts, strict=True)) == 1


@pytest.mark.parametrize(
    "name, others",
    [
        ("ErrorHandler", {"FailureHandler", "FaultHandler", "ErrorCallback", "ErrorHook", "ErrorProcessor"}),
        ("max_size", {"maximum_size", "limit_size", "max_length", "max_len"}),
        ("tracks", {"traces", "follows"}),
        ("logs", {"histories", "journals"}),
    ],
)
def test_words_keep_their_form(name: str, others: set[str]) -> None:
    assert others <= set(OtherNames([name]).of(name, 0))


@pytest.mark.parametrize("names", [["kind", "class_name", "kind"], ["using", "with_labels"], ["within", "in_place"]])
def test_no_name_is_a_word_of_python(names: list[str]) -> None:
    """Nothing can have a parameter `class`: who sees one would know the twin."""
    assert not any(map(keyword.iskeyword, OtherNames(names).of(names[0], 0)))


def test_wrong_options_of_a_twin_have_other_names_as_well() -> None:
    """That a name is not what authors would have chosen must not tell the right option."""
    known = {parameter.name for one in (*REAL, NEW, OLD) for parameter in one.parameters}
    others = {other for name in known for other in OtherNames([]).of(name, 0)}
    for item in (item for item in twins_of(NEW) if item.form == "choice"):
        names = {name for option in item.options for name in re.findall(r"(?:^\(|, )(\w+)", option)}
        assert names <= others


@pytest.mark.parametrize(
    ("name", "placed"),
    [("size", ["size"]), ("max_body_size", ["max_", "_body_", "_size"]), ("RowError", ["row_", "_error"])],
)
def test_a_word_counts_where_it_stands(name: str, placed: list[str]) -> None:
    assert placed_words(name) == placed


def test_a_name_is_plausible_by_libraries_the_library_and_what_stands_beside_it() -> None:
    known = Plausible(["rows", "rows", "max_rows"])
    often, never = known.at("timeout", ()), known.at("qxqx", ())
    assert often.libraries > never.libraries == 0 and often.words > never.words == 0
    assert known.at("rows", ()).own > known.at("rows", (), own=1).own > 0
    assert known.at("max_rows", ("rows",)).fit == 0.5
    assert known.at("max_length", ()).seen > known.at("length_max", ()).seen == 0
    assert often.distance(often) == 0 < often.distance(never) == never.distance(often)


def test_the_word_that_stands_there_as_often_comes_first() -> None:
    assert OtherNames([]).of("max_length", 0)[0] in ("max_len", "max_size")
    assert OtherNames([]).of("max_body_size", 0)[0].startswith("max_")


def test_a_name_that_is_as_frequent_comes_first() -> None:
    names = ["error", "failure", "failure", "failure", "failure", "failure"]
    first, *_ = OtherNames(names).of("error", 0)
    assert first != "failure"
    assert OtherNames([*names, *["error"] * 5]).of("error", 0)[0] == "failure"
