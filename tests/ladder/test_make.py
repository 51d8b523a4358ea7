"""Items of new APIs and controls: both get the same questions, and what is not asked says why."""

from collections import Counter
from collections.abc import Sequence

from apigap.ladder.controls import Pair
from apigap.ladder.make import chosen, make_items, subjects_of, yields_of
from apigap.ladder.names import Names
from apigap.records.candidate import Change
from apigap.records.questions.ladder import LadderItem
from tests.ladder.made import api, parameter

REAL = [
    api(f"lib.{a}_{b}", parameter(f"{a}_at"), parameter(f"{b}_by", "None"))
    for n, a in enumerate(("load", "save", "split", "merge", "count", "drop"))
    for m, b in enumerate(("table", "frame", "window", "block", "index", "label")) if (n + m) % 2
]  # fmt: skip
NEW = api("lib.pivot_table", parameter("rows"), parameter("margins", "None"))
CHANGED = api(
    "lib.sort_frame", parameter("by"), parameter("stable", "None"),
    changes=(Change(what="parameter added", parameter="stable", new="stable=None"),),
)  # fmt: skip
PAIRS = [Pair(NEW, REAL[0]), Pair(CHANGED, REAL[7])]


def nothing(names: Sequence[str]) -> set[str]:
    del names
    return set()


def made(pairs: list[Pair] = PAIRS, seed: int = 0) -> list[LadderItem]:
    """The items of APIs and controls; twins have tests of their own."""
    names = {one.leaf for one in REAL}
    items, _ = make_items(subjects_of(pairs, []), REAL, Names(names, nothing), seed)
    return [item for item in items if not item.is_twin]


def test_new_apis_and_their_controls_get_the_same_questions() -> None:
    items = made()
    for pair in PAIRS:
        own = [item for item in items if item.pair == pair.new.api_name]
        forms = {g: sorted((i.rung, i.form, i.order) for i in own if i.group == g) for g in ("new", "control")}
        assert forms["new"] == forms["control"]
        assert len(forms["new"]) == 5  # two of existence, the parameters, and a choice in two orders


def test_of_a_new_api_it_is_asked_whether_it_exists_and_of_a_changed_one_whether_it_takes_a_parameter() -> None:
    exists = [item for item in made() if item.rung == "exists"]
    assert [i.subject for i in exists if i.api_name == NEW.api_name and not i.is_invented] == [NEW.api_name]
    of_changed = [i.subject for i in exists if i.api_name == CHANGED.api_name]
    assert of_changed[0] == "lib.sort_frame(stable=)"
    assert of_changed[1].startswith("lib.sort_frame(") and of_changed[1] != of_changed[0]


def test_each_name_goes_with_one_that_there_is_not() -> None:
    taken = {one.api_name for one in REAL}
    by_api: dict[str, list[bool]] = {}
    for item in made():
        if item.rung == "exists":
            by_api.setdefault(item.api_name, []).append(item.is_invented)
            assert not (item.is_invented and item.subject in taken)
            assert item.subject.rpartition(".")[0] == item.api_name.rpartition(".")[0] or "(" in item.subject
    assert all(sorted(row) == [False, True] for row in by_api.values())


def test_both_orders_of_a_choice_have_the_same_right_answer() -> None:
    choices = [item for item in made() if item.form == "choice"]
    right = {(i.api_name, i.order): i.options[i.right or 0] for i in choices}
    assert all(right[name, 1] == right[name, 2] for name, _ in right)


def test_no_place_of_the_right_option_makes_a_gap() -> None:
    """Right places are balanced among new APIs and among controls, each by itself."""
    pairs = [Pair(api(f"lib.pivot_{one.leaf}", *one.parameters), one) for one in REAL[:8]]
    choices = [item for item in made(pairs) if item.form == "choice" and item.order == 1]
    for group in ("new", "control"):
        assert Counter(one.right for one in choices if one.group == group) == dict.fromkeys(range(4), 2)


def test_the_same_input_gives_the_same_items_and_another_seed_others() -> None:
    assert [i.to_line() for i in made()] == [i.to_line() for i in made()]
    assert {i.task_id for i in made()} != {i.task_id for i in made(seed=1)}


def test_what_matters_most_is_asked_and_the_rest_says_why() -> None:
    candidates = [
        api("lib.first", score=0.9), api("lib.second", score=0.8), api("lib.third", score=0.7),
        api("lib.gone", change="moved", score=0.95), api("lib.C.size", kind="property", score=0.99),
        api("lib.Warn", minor="a type variable"),
    ]  # fmt: skip
    asked, lost = chosen(candidates, 2)
    assert [one.api_name for one in asked] == ["lib.first", "lib.second"]
    assert {loss.reason: loss.apis for loss in lost} == {
        "moved, which is nothing new": ("lib.gone",),
        "a property is read, not called": ("lib.C.size",),
        "minor: a type variable": ("lib.Warn",),
        "of lower rank than the last that is asked": ("lib.third",),
    }
    assert len(chosen(candidates, 0)[0]) == 3


def test_only_the_apis_that_are_named_are_asked_minor_or_not() -> None:
    candidates = [api("lib.first", score=0.9), api("lib.second", score=0.8), api("lib.Warn", minor="a type variable")]
    asked, lost = chosen(candidates, 0, {"lib.second", "lib.Warn", "lib.behaves"})
    assert {one.api_name for one in asked} == {"lib.second", "lib.Warn"}
    assert {loss.reason: loss.apis for loss in lost} == {"its change shows in no signature": ("lib.behaves",)}


def test_the_yield_counts_apis_and_losses_name_them() -> None:
    bare = api("lib.bare")
    items, lost = make_items(subjects_of([Pair(bare, REAL[1])], []), REAL, Names(set(), nothing), 0)
    assert [(y.rung, y.asked, y.of) for y in yields_of(items, [bare])] == [("exists", 1, 1), ("signature", 0, 0)]
    assert [(loss.rung, loss.reason, loss.apis) for loss in lost] == [
        ("signature", "it has no named parameters", ("lib.bare",))
    ]
