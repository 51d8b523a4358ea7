"""The choice of four parameter lists: one is right, and its form does not give it away."""

from collections import Counter

import pytest

from apigap.ladder.exists import about_parameter, parameters_of
from apigap.ladder.signature import ALL_COMMON, SHOWN, Choice, Lenders, choice, positions, type_of
from apigap.records.candidate import Candidate, Change, Parameter
from tests.ladder.made import api, parameter

LIBRARY = [
    api(f"lib.f{n}", parameter(f"p{n}"), parameter(f"q{n}", "None"), parameter(f"r{n}", str(n))) for n in range(30)
]
SUBJECT = api("lib.new", parameter("source"), parameter("mode", "None"))


def asked(subject: Candidate, place: int = 0, seed: int = 0) -> Choice:
    found = choice(subject, Lenders(LIBRARY), seed, place)
    assert isinstance(found, Choice), found
    return found


@pytest.mark.parametrize("place", range(4))
def test_the_right_list_stands_at_its_place_and_only_there(place: int) -> None:
    found = asked(SUBJECT, place)
    assert found.right == place
    assert [n for n, text in enumerate(found.options) if text == "(source, mode=None)"] == [place]
    assert len(set(found.options)) == 4


def test_no_option_is_more_like_the_others_than_another_one() -> None:
    """Each parameter stands in two of the four: who picks what they have in common is at chance."""
    counts = Counter(part for text in asked(SUBJECT).options for part in text.strip("()").split(", "))
    assert sorted(counts.values()) == [2, 2, 2, 2]


def test_the_parameter_that_came_is_what_options_differ_in() -> None:
    came = Change(what="parameter added", parameter="mode", new="mode=None")
    options = asked(api("lib.changed", parameter("source"), parameter("mode", "None"), changes=(came,))).options
    assert sum("mode=None" in text for text in options) == 2


def test_a_changed_default_is_told_from_other_defaults_of_its_type() -> None:
    other = Change(what="default changed", parameter="size", old="1", new="5")
    options = asked(api("lib.changed", parameter("size", "5"), changes=(other,))).options
    assert all(text.startswith("(size=") and type_of(text[6:-1]) == "number" for text in options)
    assert len(set(options)) == 4


@pytest.mark.parametrize(
    "subject, reason",
    [
        (api("lib.nothing"), "no named parameters"),
        (api("lib.private", parameter("_hidden")), "no named parameters"),
        (
            api("lib.g", parameter("a"), changes=(Change(what="became keyword-only", parameter="a"),)),
            "neither the name nor the default",
        ),
    ],
)
def test_what_cannot_be_asked_says_why(subject: Candidate, reason: str) -> None:
    found = choice(subject, Lenders(LIBRARY), 0, 0)
    assert isinstance(found, str)
    assert reason in found


def test_a_library_without_other_parameters_has_no_choice() -> None:
    assert "no other parameters" in str(choice(SUBJECT, Lenders([SUBJECT]), 0, 0))


def test_former_names_of_a_parameter_are_never_lent() -> None:
    renamed = Change(what="parameter renamed", parameter="mode", old="q3", new="mode")
    subject = api("lib.new", parameter("mode", "None"), changes=(renamed,))
    for seed in range(20):
        assert not any("q3" in text for text in asked(subject, seed=seed).options)


def test_what_most_apis_have_is_neither_asked_nor_lent() -> None:
    library = [one.model_copy(update={"parameters": (*one.parameters, parameter("axis", "None"))}) for one in LIBRARY]
    subject = api("lib.new", parameter("axis", "None"), parameter("mode", "None"), parameter("depth", "None"))
    for seed in range(10):
        found = choice(subject, Lenders(library), seed, 0)
        assert isinstance(found, Choice)
        assert all("axis=None" in text for text in found.options)


def test_an_api_of_common_parameters_alone_is_not_asked() -> None:
    library = [one.model_copy(update={"parameters": (*one.parameters, parameter("axis", "None"))}) for one in LIBRARY]
    subject = api("lib.new", parameter("axis", "None"))
    came = Change(what="parameter added", parameter="axis", new="axis=None")
    for one in (subject, subject.model_copy(update={"changes": (came,), "change": "modified"})):
        assert choice(one, Lenders(library), 0, 0) == ALL_COMMON
        assert parameters_of(one, Lenders(library), 0) == ALL_COMMON


def test_what_is_asked_of_an_api_that_takes_any_keyword_is_what_its_signature_names() -> None:
    subject = api("lib.new", parameter("mode", "None"), Parameter(name="kwargs", kind="var_keyword", required=False))
    found = parameters_of(subject, Lenders(LIBRARY), 0)
    assert found[0] == "mode" and found[1] not in ("mode", "kwargs")
    assert "signature of `lib.new`" in about_parameter("lib", "lib.new", found[1])


@pytest.mark.parametrize("seed", range(20))
def test_an_option_names_no_parameter_twice(seed: int) -> None:
    """Both parameters that options differ in have the like of their default, and few names can be lent for it."""
    library = [api(f"lib.f{n}", parameter(name, "None")) for n, name in enumerate("uvw")]
    found = choice(api("lib.new", parameter("a", "None"), parameter("b", "None")), Lenders(library), seed, 0)
    assert isinstance(found, Choice)
    for text in found.options:
        names = [part.partition("=")[0] for part in text.strip("()").split(", ")]
        assert len(set(names)) == len(names), found.options


def test_another_spelling_of_a_default_is_no_other_default() -> None:
    came = Change(what="default changed", parameter="tol", old="1", new="1e-3")
    library = [api(f"lib.f{n}", parameter("tol", text)) for n, text in enumerate(("0.001", "0.5", ".5", "2.0", "3"))]
    found = choice(api("lib.solve", parameter("tol", "1e-3"), changes=(came,)), Lenders(library), 0, 0)
    assert isinstance(found, Choice)
    values = [float(text.strip("()").removeprefix("tol=")) for text in found.options]
    assert sorted(values) == [0.001, 0.5, 2.0, 3.0]


def test_a_lent_name_is_about_as_frequent_as_the_true_one() -> None:
    library = [*LIBRARY, *(api(f"lib.g{n}", parameter("shared", "None")) for n in range(8))]
    often = api("lib.new", parameter("often", "None"))
    library += [often.model_copy(update={"api_name": f"lib.h{n}"}) for n in range(8)]
    assert set(Lenders(library).names(often.parameters[0], "lib", "0")[:2]) == {"often", "shared"}
    assert set(Lenders(library).names(parameter("once", "None"), "lib", "0")[-2:]) == {"often", "shared"}


def test_long_lists_are_shown_in_part_and_all_options_in_the_same_part() -> None:
    found = asked(api("lib.new", *(parameter(f"x{n}", "None") for n in range(12))))
    assert all(text.count("=None") == SHOWN and text.endswith(", ...)") for text in found.options)


def test_the_same_seed_gives_the_same_options_and_another_one_others() -> None:
    assert asked(SUBJECT) == asked(SUBJECT)
    assert len({asked(SUBJECT, seed=seed).options for seed in range(5)}) > 1


def test_right_places_are_balanced() -> None:
    places = Counter(positions([f"lib.f{n}" for n in range(42)], 0).values())
    assert sorted(places.values()) == [10, 10, 11, 11]
    alone = Counter(next(iter(positions([f"lib{n}.f"], 0).values())) for n in range(400))
    assert all(70 < alone[place] < 130 for place in range(4))  # of one API in each of 400 libraries


def test_the_length_of_the_right_list_does_not_tell_it() -> None:
    """Always the shortest, and always the longest: at chance over many choices, with one parameter and with two."""
    library = [
        api(
            f"lib.f{n}",
            parameter("x" * (1 + n % 9) + chr(97 + n % 26)),
            parameter("y" * (1 + n % 7) + chr(97 + n % 26), "None"),
        )
        for n in range(200)
    ]
    lenders = Lenders(library)
    for count in (1, 2):
        subjects = [one.model_copy(update={"parameters": one.parameters[:count]}) for one in library]
        found = [choice(one, lenders, 0, n % 4) for n, one in enumerate(subjects)]
        choices = [one for one in found if isinstance(one, Choice)]
        assert len(choices) > 150
        for pick in (min, max):
            hits = sum(pick(range(4), key=lambda k: len(one.options[k])) == one.right for one in choices)
            assert 0.15 < hits / len(choices) < 0.37


def test_nor_does_it_where_no_other_name_is_shorter() -> None:
    library = [
        api(f"lib.f{n}", *(parameter("xyz"[k] * (2 + (n + k) % 7) + chr(97 + n % 26)) for k in (0, 1)))
        for n in range(200)
    ]
    lenders = Lenders(library)
    subjects = [
        api(f"lib.new{n}", parameter("n"), parameter("k" * (3 + n % 4) + "w"))  # the first is as short as can be
        for n in range(200)
    ]  # fmt: skip
    choices = [found for n, one in enumerate(subjects) if isinstance(found := choice(one, lenders, 0, n % 4), Choice)]
    assert len(choices) > 150
    shortest = sum(min(range(4), key=lambda k: len(one.options[k])) == one.right for one in choices)
    assert 0.15 < shortest / len(choices) < 0.37
