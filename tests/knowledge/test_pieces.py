"""Long usages in pieces, test methods without their object, values for arguments, and settings that come first."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from apigap.execution.engine import Engine
from apigap.knowledge.build import Builder
from apigap.knowledge.declared import by_type
from apigap.knowledge.divide import LONG, divided
from apigap.knowledge.extract import split
from apigap.knowledge.setups import SETUPS, prepared
from apigap.knowledge.snippets import usage_of_block
from apigap.knowledge.testcases import freed
from apigap.knowledge.transplant import ValueBook
from apigap.knowledge.usage import Usage
from apigap.knowledge.values import argument_rows
from apigap.knowledge.verify import VerifiedUsage
from apigap.records.candidate import Parameter
from apigap.records.configuration import load_settings
from tests.execution.conftest import environment_at
from tests.tasks.test_cut import candidate


def usage(code: str, source: str = "here") -> Usage:
    made = usage_of_block(code, source, "docs")
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
    made = freed(cls, method)
    assert (None if made is None else [ast.unparse(node) for node in made.body]) == expected


TYPES = [
    ("int", "3"),
    ("int | None", "3"),
    ("str, optional", "'north'"),
    ("array_like", "[1.0, 2.5, 4.0, 7.5]"),
    ("Literal['left', 'right'] | None", "'left'"),
    ("{'valid', 'same'}", "'valid'"),
    ("list[str]", "['north', 'south', 'east']"),
    ("Engine", None),
    ("", None),
]


@pytest.mark.parametrize(("annotation", "first"), TYPES)
def test_values_of_a_declared_type(annotation: str, first: str | None) -> None:
    assert next(by_type(annotation), None) == first


def test_a_value_is_what_is_at_hand_or_what_the_release_passes_under_that_name() -> None:
    book = ValueBook([usage("f(mode='fast')"), usage("g(mode='fast')"), usage("g(mode='slow')")])
    mode, box, other = Parameter(name="mode"), Parameter(name="box"), Parameter(name="other")
    assert argument_rows([mode], frozenset(), book) == [("'fast'",), ("'slow'",)]
    assert argument_rows([box, mode], frozenset({"box"}), book) == [("box", "'fast'"), ("box", "'slow'")]
    assert argument_rows([other], frozenset(), book) == []
    assert argument_rows([], frozenset(), book) == [()]


def test_settings_come_first_and_only_where_they_are_wanted() -> None:
    plain = usage("from django.db.models import Q\nQ(a=1)\nprint(Q)")
    assert prepared(plain, ("django",)).prelude == (*SETUPS["django"], *plain.prelude)
    assert prepared(plain, ("numpy",)) is plain
    own = usage("from django.conf import settings\nsettings.configure(DEBUG=True)\nprint(settings.DEBUG)")
    assert prepared(own, ("django",)) is own


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


def test_an_optional_parameter_more_is_another_usage(tmp_path: Path) -> None:
    api = candidate(parameters=(Parameter(name="text", annotation="str"),
                                Parameter(name="sep", annotation="str", default="'-'", required=False)))  # fmt: skip
    with Engine() as engine:
        root = tmp_path / "lib/python3.11/site-packages"
        root.mkdir(parents=True)
        (built,) = Builder(engine, environment_at(tmp_path), (), [], ValueBook([])).usages_of([api])
    calls = [one.steps[0].code for one in built]
    assert calls == [
        "outcome = slugify('north')", "outcome = slugify('south east')", "outcome = slugify('north', sep='north')"
    ]  # fmt: skip
    assert len({one.family for one in built}) == len(built)


@pytest.mark.sandbox
def test_a_method_is_called_on_an_object_that_upstream_makes(tmp_path_factory: pytest.TempPathFactory) -> None:
    pool = [usage("from fractions import Fraction\nbox = Fraction(3, 4)\nassert box.numerator == 3", "docs/a.rst#1")]
    api = candidate(api_name="fractions.Fraction.limit_denominator", kind="method", import_module="fractions",
                    parameters=(Parameter(name="self"), Parameter(name="most", annotation="int")))  # fmt: skip
    root = tmp_path_factory.mktemp("environment") / "plain"
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    subprocess.run([str(base), "-m", "venv", "--without-pip", str(root)], check=True)
    with Engine() as engine:
        (built,) = Builder(engine, environment_at(root), (), pool, ValueBook(pool)).usages_of([api])
    assert built[0].code.split("\n") == [
        "from fractions import Fraction",
        "box = Fraction(3, 4)",
        "outcome = box.limit_denominator(3)",
        "print(outcome)",
        "print(box)",
    ]
    assert {one.family for one in built} == {"docs/a.rst#1"}
    assert {one.origin for one in built} == {"built"}
