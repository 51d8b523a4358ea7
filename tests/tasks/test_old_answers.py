"""Answers that need nothing new: what is tried, what counts as the same, and the tasks that it was found for."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from apigap.discovery.surface import Entry, Surface
from apigap.packages.environments import EnvironmentStore
from apigap.records.base import Json
from apigap.records.candidate import Parameter
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.remembered_runs import RememberedRuns
from apigap.tasks.worth.old_answers.inside.arguments import argument_lists, flags, text_of
from apigap.tasks.worth.old_answers.inside.forms import form, parts
from apigap.tasks.worth.old_answers.old_names import OldNames
from apigap.tasks.worth.old_answers.places import places
from apigap.tasks.worth.old_answers.search import OldAnswers, is_equal
from apigap.tasks.worth.old_answers.shown import shown_contexts
from tests.tasks.test_worth import task

KEPT = Path(__file__).parents[2] / "studies" / "synthesised" / "tasks.jsonl"
GEOMETRY = ("geom", "positional_or_keyword", True, None)
TOLERANCE = ("tolerance", "positional_or_keyword", False, "0.0")
EDGES = ("edges", "positional_or_keyword", False, "False")
ARGUMENTS = [
    ("both orders, then fewer", (["a", "b"], {}, None), ["a, b", "b, a", "a", "b", ""]),
    ("a keyword that is taken", (["a", "b"], {"key": "b"}, None), ["a, key=b", "key=b", "a, b", "b, a", "a", "b", ""]),
    ("parameters that are known", (["a", "b"], {"key": "b"}, [GEOMETRY]), ["a", "b"]),
    ("an input called as a parameter", (["line", "tolerance", "True"], {"only": "True"}, [GEOMETRY, TOLERANCE, EDGES]),
     ["line, tolerance=tolerance", "line, tolerance", "tolerance, line", "line", "tolerance"]),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in ARGUMENTS], ids=[row[0] for row in ARGUMENTS])
def test_arguments_are_tried_in_all_orders_and_in_part(
    given: tuple[list[str], dict[str, str], list[object] | None], expected: list[str]
) -> None:
    assert [text_of(*one) for one in argument_lists(*given)] == expected


def test_a_switch_is_turned_over_once() -> None:
    assert flags([GEOMETRY, TOLERANCE, EDGES], {}, 1) == [("edges", "True")]
    assert flags([GEOMETRY, TOLERANCE, EDGES], {"edges": "True"}, 1) == []
    assert flags(None, {}, 1) == []


class _Line:
    """A thing of a library, with a text of its own."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"<LINE {self.text}>"


class _Lines(_Line):
    """A collection of such things."""

    def __init__(self, *held: _Line) -> None:
        super().__init__(f"OF {held}")
        self._held = held

    @property
    def geoms(self) -> tuple[_Line, ...]:
        return self._held


SAME = [([1, 2], (1, 2)), ([1, 2], iter([1, 2])), ({1: "a"}.keys(), [1]), (0.1 + 0.2, 0.3), (_Line("1"), _Line("1"))]
OTHER = [([1, 2], [2, 1]), ([1, 2], {1, 2}), (True, 1), ("1", 1), (_Line("1"), _Line("2")), (object(), object())]


def test_values_are_compared_without_their_containers_and_rounding() -> None:
    assert [form(one) == form(other) for one, other in SAME] == [True] * len(SAME)
    assert [form(one) == form(other) for one, other in OTHER] == [False] * len(OTHER)
    assert len(form(count())[1]) < 10_000


def test_a_collection_is_compared_by_what_it_holds() -> None:
    one, two = _Line("1"), _Line("2")
    assert parts(_Lines(one, two)) == parts([two, one]) == parts(_Lines(_Lines(one, two)))
    assert parts(_Lines(one)) != parts([two])
    assert parts(one) is None
    assert parts(np.float64(2.0)) is None, "a number of numpy has the members of an array, but no items"


def test_the_places_of_an_answer() -> None:
    (one,) = places("from lib import slugify\ny = slugify(x, sep=s).lower()", "slugify")
    assert (one.hole, one.binds, one.atoms, one.keywords) == ("y = hole_.lower()", "y", ("x", "s"), {"sep": "s"})
    assert one.completion("y = x.low()") == "from lib import slugify\ny = x.low()"
    first, second = places("y = x.slugify()\nz = a.slugify(y)", "slugify")
    assert (first.atoms, first.is_trivial, second.atoms, second.before) == (
        ("x",),
        True,
        ("a", "y"),
        (first.statement,),
    )
    assert not list(places("y = pair(slugify(x), slugify(z))", "slugify"))


def test_the_scenarios_that_a_description_shows() -> None:
    told = "Wanted: it.\n- after `n = 3` and `x = [1]`: `y` is `2`\n- after `z = 1`: `y` is `4`"
    one = task("lib.slugify", "x = [3, 1]\nn = 2", "y = slugify(x, n)").model_copy(update={"description": told})
    assert shown_contexts(one) == ["x = [3, 1]\nn = 2", "x = [1]\nn = 3"]


def _function(path: str, *names: str, docstring: str = "") -> Entry:
    parameters = tuple(Parameter(name=name) for name in names)
    return Entry(name=path, kind="function", paths=(path,), parameters=parameters, docstring=docstring)


OLD = OldNames(
    Surface(
        library="more-itertools",
        version="8.0.2",
        entries=(
            _function(
                "more_itertools.chunked", "iterable", "n", docstring="Break *iterable* into lists of length *n*."
            ),
            _function("more_itertools.unique_everseen", "iterable", "key", docstring="Yield unique elements in order."),
            _function("more_itertools.gone", "iterable"),
            Entry(name="more_itertools.peekable", kind="class", paths=("more_itertools.peekable",), others=("size",)),
            Entry(name="more_itertools.peekable.peek", kind="method", paths=("more_itertools.more.peekable.peek",)),
        ),
    )
)


def test_old_names_are_in_an_order_of_likeness() -> None:
    first, *_ = OLD.functions("chunked_even", "Break an iterable into lists of nearly one length.", 2)
    assert first == [["more_itertools.chunked"], [[n, "positional_or_keyword", True, None] for n in ("iterable", "n")]]
    assert OLD.members({"peekable", "list"}) == {"peekable": {"size": None, "peek": None}}


REFUSED = {
    "1987d0fb9be4a67f": "sorted(set(iterable), key=key)",
    "17f88ba63d7e7973": "more_itertools.unique_everseen(items, key)",
    "b86b457991d81105": "more_itertools.chunked(iterable, n)",
    "9ea0cf3c45316467": "data[:-1]",
    "d47677060bc597b9": None,
    "ed0b9fe7ed9b1d58": None,
}
"""Tasks that two people read, with what the search finds for those that they refused."""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(workers=2) as made:
        yield made


@pytest.mark.network
@pytest.mark.sandbox
def test_tasks_that_readers_refused_have_an_old_answer(engine: Engine) -> None:
    environment = EnvironmentStore().get("more-itertools", "10.8.0")
    search = OldAnswers(RememberedRuns(engine, environment, ["more_itertools"]), OLD, ("more_itertools",))
    tasks = [one for one in load_records(KEPT, Task) if one.task_id in REFUSED]
    assert dict(zip((one.task_id for one in tasks), search.of(tasks, {}), strict=True)) == REFUSED


LOUD = """\
import os, sys, threading, time
def stop(x): sys.exit(1)
def talk(x): print(x * 100); threading.Thread(target=time.sleep, args=(0.1,), daemon=True).start()
def wait(x): time.sleep(60)
def spoil(x): x.clear()
def same(x): return [n * 2 for n in x]
"""


@pytest.mark.network
@pytest.mark.sandbox
def test_what_a_function_does_ends_no_search(engine: Engine) -> None:
    environment = EnvironmentStore().get("more-itertools", "10.8.0")
    names = ("stop", "talk", "wait", "spoil", "same")
    old = OldNames(Surface(library="lib", version="1", entries=tuple(_function(f"lib.{n}", "x") for n in names)))
    context = f"import sys, types\nlib = types.ModuleType('lib')\nexec({LOUD!r}, lib.__dict__)\n"
    context += "lib.twice = lambda x: [n * 2 for n in x]\nsys.modules['lib'] = lib\nx = [3, 5]"
    one = task("lib.twice", context, "y = lib.twice(x)")
    assert OldAnswers(RememberedRuns(engine, environment, []), old, ("lib",)).of([one], {}) == ["lib.same(x)"]


LINES = """\
class Day:
    def weekday(self): return 4
    def new_since(self): return 5
class Line:
    coords = [(0, 0), (3, 4)]
    def day(self): return Day()
    def stop(self): raise SystemExit
"""
STEPS = [("lib.count(line)", "len(line.coords)"), ("lib.second(line, place)", "line.coords[place]"),
         ("lib.weekday(line)", "line.day().weekday()"), ("lib.since(line)", None)]  # fmt: skip
"""Calls of a new function, with the two steps by which the older release gives the same."""


@pytest.mark.network
@pytest.mark.sandbox
def test_what_an_inputs_members_give_is_one_step_more(engine: Engine) -> None:
    environment = EnvironmentStore().get("more-itertools", "10.8.0")
    members = (("Line", "coords", "day", "stop"), ("Day", "weekday"))
    entries = [
        Entry(name=f"lib.{owner}.{name}", kind="property" if name == "coords" else "method",
              paths=(f"lib.{owner}.{name}",))
        for owner, *names in members for name in names
    ]  # fmt: skip
    context = f"import sys, types\nlib = types.ModuleType('lib')\nexec({LINES!r}, lib.__dict__)\n"
    context += "lib.count, lib.second = (lambda x: len(x.coords)), (lambda x, i: x.coords[i])\n"
    context += "lib.weekday, lib.since = (lambda x: 4), (lambda x: 5)\n"
    context += "sys.modules['lib'] = lib\nlib.Line.__module__ = lib.Day.__module__ = 'lib'\nline, place = lib.Line(), 1"
    search = OldAnswers(RememberedRuns(engine, environment, []), OldNames(
        Surface(library="lib", version="1", entries=tuple(entries))), ("lib",))  # fmt: skip
    tasks = [task(call.partition("(")[0], context, f"y = {call}") for call, _ in STEPS]
    assert search.of(tasks, {}) == [old for _, old in STEPS]


@pytest.mark.parametrize(
    ("new", "old", "same"),
    [
        ({"numpy": "float64", "value": 2.0}, 2.0, True),
        (2.0, {"numpy": "float64", "value": 2.0}, True),
        ({"numpy": "float64", "value": 2.0}, 3.0, False),
        ({"numpy": "int64", "value": 2}, 2.0, False),
    ],
)
def test_a_number_of_numpy_is_as_good_as_one_of_the_language(new: Json, old: Json, same: bool) -> None:
    assert is_equal(new, old) is same
