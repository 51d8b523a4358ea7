"""Long usages in pieces, test methods without their object, literals, settings that come first, and who gets what."""

import ast

import pytest

from apigap.knowledge.extract import interleaved, split
from apigap.knowledge.usages.divide import LONG, divided
from apigap.knowledge.usages.library_setup import SETUPS, with_setup
from apigap.knowledge.usages.typical_values import values_of_type
from apigap.knowledge.usages.unittest_methods import as_function
from apigap.knowledge.usages.usage import Usage
from apigap.knowledge.usages.verify import VerifiedUsage
from apigap.records.configuration import load_settings
from tests.knowledge.blocks import usage_of_block


def usage(code: str, source: str = "here") -> Usage:
    made = usage_of_block(code, source)
    assert made is not None
    return made


def test_a_short_usage_stays_whole() -> None:
    short = usage("a = 1\nslugify(a)")
    assert list(divided(short, frozenset({"slugify"}))) == [short]


def test_a_long_usage_is_divided_into_stretches_with_what_they_build_on() -> None:
    lines = ["import lib", "a = lib.make()", "b = 2", "x = lib.slugify(a)", "assert x == 1"]
    lines += [f"c{n} = {n}" for n in range(LONG)] + ["y = lib.slugify(b)", "assert y == 2"]
    pieces = list(divided(usage("\n".join(lines)), frozenset({"slugify"})))
    assert [piece.source for piece in pieces] == ["here/1", "here/2"]
    assert pieces[0].body.startswith("a = lib.make()\nx = lib.slugify(a)\nassert x == 1")
    assert pieces[1].body == "b = 2\ny = lib.slugify(b)\nassert y == 2"
    assert all(piece.prelude == ("import lib",) for piece in pieces)
    assert len({piece.family for piece in pieces}) == 2


METHODS = [
    (
        "values of the class and of what runs before",
        "class T:\n    size = 3\n    def setUp(self):\n        self.box = make(self.size)\n"
        "    def test(self):\n        self.assertEqual(self.box.n, 3)",
        ["size = 3", "box = make(size)", "print(box.n)"],
    ),
    (
        "only the values that are read",
        "class T:\n    a = 1\n    b = 2\n    def test(self):\n        assert f(self.b)",
        ["b = 2", "assert f(b)"],
    ),
    (
        "subtests",
        "class T:\n    def test(self):\n        with self.subTest('x'):\n            self.assertTrue(f(1))",
        ["print(f(1))"],
    ),
    (
        "a check that it raises",
        "class T:\n    def test(self):\n        with self.assertRaises(ValueError):\n            f(1)",
        ["with pytest.raises():\n    f(1)"],
    ),
    ("a helper of the object", "class T:\n    def test(self):\n        assert self.helper(1)", None),
]


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in METHODS], ids=[row[0] for row in METHODS])
def test_a_method_of_a_test_class_does_without_its_object(code: str, expected: list[str] | None) -> None:
    cls = ast.parse(code).body[0]
    assert isinstance(cls, ast.ClassDef)
    method = next(node for node in cls.body if isinstance(node, ast.FunctionDef) and node.name == "test")
    made = as_function(cls, method)
    assert (None if made is None else [ast.unparse(node) for node in made.body]) == expected


TYPES = [
    ("int", "3"),
    ("int | None", "3"),
    ("str, optional", "'tea'"),
    ("array_like", "[1.0, 2.5, 4.0, 7.5]"),
    ("Literal['left', 'right'] | None", "'left'"),
    ("{'valid', 'same'}", "'valid'"),
    ("list[str]", "['tea', 'milk', 'bread']"),
    ("Engine", None),
    ("", None),
]


@pytest.mark.parametrize(("annotation", "first"), TYPES)
def test_values_of_a_declared_type(annotation: str, first: str | None) -> None:
    assert next(values_of_type(annotation), None) == first


def test_settings_come_first_and_only_where_they_are_wanted() -> None:
    plain = usage("from django.db.models import Q\nQ(a=1)\nprint(Q)")
    assert with_setup(plain, ("django",)).prelude == (*SETUPS["django"], *plain.prelude)
    assert with_setup(plain, ("numpy",)) is plain
    own = usage("from django.conf import settings\nsettings.configure(DEBUG=True)\nprint(settings.DEBUG)")
    assert with_setup(own, ("django",)) is own


SPLITS = [
    ("a single usage is the exemplar", [("a", True)], ["a"], []),
    ("in turns where several show the change", [("a", True), ("b", True), ("c", True)], ["a", "c"], ["b"]),
    ("the only one that shows it is for the task", [("a", True), ("b", False), ("c", False)], ["b", "c"], ["a"]),
    ("none of a place is on both sides", [("a", True), ("a with x=1", True), ("b", True)], ["a"], ["b"]),
]


@pytest.mark.parametrize(("given", "shown", "left"), [row[1:] for row in SPLITS], ids=[row[0] for row in SPLITS])
def test_exemplars_and_what_is_left_for_tasks(given: list[tuple[str, bool]], shown: list[str], left: list[str]) -> None:
    usages = [VerifiedUsage(usage=usage("f(1)", source), exercises=(), needs_new=new) for source, new in given]
    exemplars, rest = split(usages, load_settings().knowledge)
    assert [verified.usage.source for verified in exemplars] == shown
    assert [verified.usage.source for verified in rest] == left


TURNS = [("a", True), ("a with x=1", True), ("b with x=1", True), ("c", False), ("d with x=2", True)]


def test_no_way_of_making_usages_takes_all_first_places() -> None:
    usages = [VerifiedUsage(usage=usage("f(1)", source), exercises=(), needs_new=new) for source, new in TURNS]
    usages.append(
        VerifiedUsage(usage=usage("f(1)", "e with g()").replaced(origin="built"), exercises=(), needs_new=True)
    )
    assert [verified.usage.source for verified in interleaved(usages)] == [
        "a", "a with x=1", "e with g()", "b with x=1", "d with x=2", "c"
    ]  # fmt: skip
