"""What is asked about an effect and what is offered beside it: views of values, relatives, two calls at once."""

from typing import Any

import pytest

from apigap.ladder.executed.asked import why_none
from apigap.ladder.executed.effect import tells_name
from apigap.ladder.executed.pairs import paired
from apigap.ladder.executed.plain import tells_call
from apigap.ladder.executed.relatives import relatives_of, with_relative
from apigap.ladder.executed.views import asked_of, views
from apigap.ladder.executed.wrong import WrongProgram
from apigap.ladder.subject import Subject
from apigap.records.candidate import Importance
from tests.benchmarks.items.made import YES_NO
from tests.ladder.made import api, parameter

LONG = {"dict": [["title", "a" * 90], ["rows", [1, 2, 3]], [4, {"dict": [["deep", True]]}]]}
VIEWS: list[tuple[Any, list[str], list[str]]] = [
    (3, ["y"], ["len(y)"]),
    (0.1234567891, ["round(y, 3)"], ["y"]),
    (LONG, ["sorted(y)", "y['rows']", "y[4]['deep']"], ["y", "y['title']"]),
    ([{"tuple": [1, {"type": "lib.T", "fields": []}]}], ["y[0][0]", "len(y)"], ["y"]),
    ({"class": "lib.C"}, ["y.__name__"], ["y"]),
    ({"type": "lib.T", "fields": [["size", 3], ["_own", 4]]}, ["y.size", "str(y)"], ["y._own"]),
    ({"type": "generator", "iterator": [1], "more": False}, ["list(y)"], ["sorted(y)"]),
    ({"type": "generator", "iterator": [1], "more": True}, ["list(__import__('itertools').islice(y, 4))"], ["list(y)"]),
]


@pytest.mark.parametrize(("form", "asked", "never"), VIEWS)
def test_views_of_a_value(form: Any, asked: list[str], never: list[str]) -> None:
    found = list(views("y", form))
    assert set(asked) <= set(found)
    assert not set(never) & set(found)


def test_views_come_in_turns_and_the_last_one_is_of_two_at_once() -> None:
    found = asked_of([("a", True), ("b", False), ("c", LONG)])
    assert found[:3] == ("a", "b", "sorted(c)")
    assert found[-1] == "(a, b)"
    assert len(asked_of([(f"x{n}", list(range(30))) for n in range(9)])) <= 24


def test_relatives_are_of_the_same_home_and_kind_and_alike_first() -> None:
    own = api("lib.load_table", parameter("path"), parameter("sep", "','"))
    others = [
        api("lib.close"), api("lib.load_frame", parameter("path"), parameter("sep", "','")), own,
        api("lib.Table", kind="class"), api("lib.sub.load_table", parameter("path")),
        api("lib.load_text", parameter("path")),
    ]  # fmt: skip
    assert relatives_of(own, others) == ["load_frame", "load_text", "close"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from lib import load\ny = load(1)", "from lib import open_it\ny = open_it(1)"),
        ("y = lib.load(1).load", "y = lib.open_it(1).open_it"),
        ("from lib import load as read\ny = read(1)", "from lib import open_it as read\ny = read(1)"),
        ("@lib.load\nclass A:\n    x = 1", "@lib.open_it\nclass A:\n    x = 1"),
    ],
)
def test_a_relative_stands_in_the_place_of_the_api(code: str, expected: str) -> None:
    assert with_relative(code, "load", "open_it") == expected


@pytest.mark.parametrize(
    ("value", "completion", "tells"),
    [
        ("{'name': 'Karate Graph'}", "y = lib.other_graph()", True),
        ("'KarateGraph()'", "y = lib.other_graph()", True),
        ("'Karate Graph'", "y = lib.karate_graph(2)", False),  # it is called there as well
        ("3", "y = lib.other_graph()", False),
    ],
)
def test_what_a_relative_gives_is_no_option_beside_the_name(value: str, completion: str, tells: bool) -> None:
    assert tells_name("karate_graph", value, WrongProgram("", completion)) is tells


def pair(first: str, second: str, values: tuple[str, str], expression: str = "y") -> str | None:
    others = [(WrongProgram("import lib", second), values[1])]
    made = next(paired("import lib", first, expression, values[0], others, alike=False), None)
    return made and made[0]


def test_two_calls_are_asked_for_with_both_values_in_both_places() -> None:
    second = WrongProgram("import lib", "from lib import load\ny = load(2)")
    call = "from lib import load\ny = load(1)"
    [(expression, right, chosen)] = paired("import lib", call, "len(y)", "3", [(second, "7")], alike=True)
    assert expression == "(len(y), len(y_2))"
    assert right.program == "import lib\nfrom lib import load\ny = load(1)\ny_2 = load(2)"
    assert {right.text, *(one.text for one in chosen.wrong)} == {"(3, 7)", "(7, 3)", "(3, 3)", "(7, 7)"}
    assert chosen.wrong[0].program.endswith("y = load(2)\ny_2 = load(1)")


def test_two_calls_may_give_the_same() -> None:
    others = [(WrongProgram("", "y = lib.f(2)"), "7"), (WrongProgram("", "y = lib.f(1, 0)"), "3")]
    [(_, right, chosen)] = paired("", "y = lib.f(1)", "y", "3", others, alike=True)
    assert (right.text, right.program) == ("(3, 3)", "y = lib.f(1)\ny_2 = lib.f(1, 0)")
    assert [one.text for one in chosen.wrong] == ["(3, 7)", "(7, 3)", "(7, 7)"]
    assert chosen.wrong[2].program == "y = lib.f(2)\ny_2 = lib.f(2)"


@pytest.mark.parametrize(
    ("data", "values", "asked"),
    [
        (("['fop', 1]", "['foq', 1]"), ("['fop']", "['foq']"), False),  # each value is read off its own data
        (("[1, 2]", "[1]"), ("[1, 2, 0]", "[1, 0]"), False),
        (("['fop', 1]", "['foq', 1]"), ("['FOP']", "['FOQ']"), True),
        (("[1, 2]", "[1]"), ("True", "False"), True),
    ],
)
def test_what_each_call_was_given_is_not_asked_for(data: tuple[str, str], values: tuple[str, str], asked: bool) -> None:
    call = "y = lib.f(x)"
    others = [(WrongProgram(f"x = {data[1]}", call), values[1])]
    assert bool(list(paired(f"x = {data[0]}", call, "y", values[0], others, alike=False))) is asked


@pytest.mark.parametrize(
    ("first", "second", "values", "expression", "expected"),
    [
        ("y = lib.has(a)", "y = lib.has(b)", ("True", "False"), "y", "(y, y_2)"),
        ("y = lib.f(a=True)", "y = lib.f()", ("True", "False"), "y.a", "(y.a, y_2.a)"),  # a default is to be known
        ("y = lib.f(a=True)", "y = lib.f(a=False)", ("True", "False"), "y.a", None),  # what is given is given back
        ("y = lib.f('left')", "y = lib.f('right')", ("'left'", "'right'"), "y", None),
        ("y = lib.has(a)", "y = lib.has(b)", ("True", "True"), "y", None),
        ("y = lib.has(a)", "y = lib.has(b)", ("True", "1"), "y", None),
        ("y = lib.has(a)", "y = lib.has(b)", ("[1]", "None"), "y", "(y, y_2)"),
        ("lib.change(x)", "lib.change(x, 2)", ("1", "2"), "x", None),  # both calls work on the same
        ("y = lib.f(1)", "y = lib.f(2)", (repr("a" * 40), repr("b" * 40)), "y", None),
        ("@lib.f\nclass A:\n    x = 1", "@lib.g\nclass A:\n    x = 1", ("1", "2"), "A.n", "(A.n, A_2.n)"),
    ],
)
def test_what_can_be_paired(
    first: str, second: str, values: tuple[str, str], expression: str, expected: str | None
) -> None:
    assert pair(first, second, values, expression) == expected


def test_the_reason_is_that_of_the_usage_that_came_furthest() -> None:
    dropped = (
        "a: nothing can be observed after it",
        "b: what it gives stands in its code",
        "c: it does not run by itself",
    )
    assert why_none(dropped) == "what it gives stands in its code"
    assert why_none(("3 usages run, and none of them calls it",)) == "3 usages run, and none of them calls it"
    assert why_none(()) == "nothing of the release uses it"


@pytest.mark.parametrize(
    "completion, pairs",
    [("data = lib.f(data)", False), ("data += lib.f(1)", False), ("y = lib.f(data)", True)],
)  # fmt: skip
def test_what_reads_a_name_that_it_binds_is_not_asked_for_twice(completion: str, pairs: bool) -> None:
    name = completion.partition(" ")[0]
    other = [(WrongProgram("data = 1", completion.replace(")", ", k=2)")), "7")]
    assert bool(list(paired("data = 1", completion, name, "3", other, alike=False))) is pairs


ON_OTHER_DATA: list[tuple[str, str, str, str, str]] = [
    ("import lib\nrows = [1]", "import lib\nrows = [2]", "y = lib.f(rows)", "y",
     "rows_2 = [2]\ny_2 = lib.f(rows_2)"),
    ("import lib\nrows = [1]\nk = 3", "import lib\nrows = [2]\nk = 3", "y = lib.f(rows, k)", "y",
     "rows_2 = [2]\ny_2 = lib.f(rows_2, k)"),
    ("g = lib.G()\ng.add(1)", "g = lib.G()\ng.add(2)", "y = lib.f(g)", "y",
     "g_2 = lib.G()\ng_2.add(2)\ny_2 = lib.f(g_2)"),
    ("class A:\n    x = 1\na = A()", "class A:\n    x = 2\na = A()", "y = lib.f(a)", "y",
     "class A_2:\n    x = 2\na_2 = A_2()\ny_2 = lib.f(a_2)"),
    ("g = lib.G(1)", "g = lib.G(2)", "lib.change(g)", "g.size", "g_2 = lib.G(2)\nlib.change(g_2)"),
]  # fmt: skip


@pytest.mark.parametrize(("context", "other", "completion", "expression", "again"), ON_OTHER_DATA)
def test_the_same_call_is_asked_for_twice_on_two_sets_of_data(
    context: str, other: str, completion: str, expression: str, again: str
) -> None:
    data = [(WrongProgram(other, completion), "75")]
    [(asked, right, chosen)] = paired(context, completion, expression, "37", data, alike=False)
    assert right.program == f"{context}\n{completion}\n{again}"
    assert asked.endswith(f", {expression.replace('y', 'y_2').replace('g.', 'g_2.')})")
    assert {right.text, *(one.text for one in chosen.wrong)} == {"(37, 75)", "(75, 37)", "(37, 37)", "(75, 75)"}


def test_an_item_names_the_news_that_its_pair_is_part_of() -> None:
    head, member, old = api("lib.get"), api("lib.put"), api("lib.old")
    member = member.model_copy(update={"importance": Importance(score=0.5, family="lib.get", minor="")})
    own = {**YES_NO, "right": 0, "question": "Does it exist?"}
    alone = Subject(head, "new", head).item(**own)
    told = [Subject(member, "new", member).item(**own), Subject(old, "control", member).item(**own)]
    assert [one.family for one in told] == ["lib.get"] * 2 and not alone.family
    assert "family" not in alone.model_dump()  # so that items of before keep their id


@pytest.mark.parametrize(("text", "expected"), [
    ("\"Version(year=2, level='final')\"", True),
    ("'Version(year=2, level=7)'", False),
    ("'Other(year=2)'", False),
    ("2", False),
])  # fmt: skip
def test_a_text_that_says_what_the_code_says(text: str, expected: bool) -> None:
    assert tells_call(text, "Version", "year = 2\nlevel = 'final'\noutcome = Version(year, level)") == expected
