"""Functions of Python modules: their annotations as types of parameters, and what is left out."""

from pathlib import Path
from typing import Any

import pytest

from apigap.apibank_generator.checks.calls import call_faults
from apigap.apibank_generator.checks.value_types import value_type
from apigap.apibank_generator.records import Step, Tool, Value
from apigap.apibank_generator.seeds.annotations import annotation_type, default_type
from apigap.apibank_generator.seeds.python_module import read_python

NAMES = [
    ("typing.List[str]", "list"), ("t.Optional[int]", "int"), ("Optional[ int ]", "int"), ("None | int", "int"),
    ("int | None", "int"), ("Sequence[str]", "list"), ("collections.abc.Sequence[int]", "list"), ("FrozenSet", "list"),
    ("datetime.date", "date"), ("list<string>", "list"), ("string (a name)", "str"), ("int | str", None),
    ("harbour", None), ("None", None), ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_names_of_types(name: str, kind: str | None) -> None:
    assert value_type(name) == kind


TEXTS, MAPPINGS = "a list of texts", "a list of mappings"
ANNOTATIONS: list[tuple[str, str | None, str]] = [
    ("int", "int", ""), ("typing.Optional[int]", "int", ""), ("Union[None, float]", "float", ""),
    ("None | int", "int", ""), ("'int | None'", "int", ""), ("Annotated[int, Field(gt=0)]", "int", ""),
    ("int | str", "int", ""), ("Path | str", "str", ""), ("list[str] | str", "str", ""), ("int or None", "int", ""),
    ("Literal['r', 'w']", "str", ""), ("typing.Literal[1, 2, None]", "int", ""), ("Literal[Color.RED]", None, ""),
    ("list", "list", ""), ("list[int]", "list", ""), ("list[list[float]]", "list", ""), ("tuple[int, ...]", "list", ""),
    ("Sequence[str]", "list", TEXTS), ("tuple[int, str]", "list", TEXTS), ("list[list[str]]", "list", TEXTS),
    ("list[datetime.date]", "list", TEXTS), ("list[dict[str, int]]", "list", MAPPINGS), ("list[T]", "list", ""),
    ("dict[str, int]", "dict", "a mapping"), ("Mapping[str, int] | None", "dict", "a mapping"),
    ("dict", "dict", "a mapping"), ("Dough", None, ""), ("object", None, ""), ("Any", None, ""), ("None", None, ""),
    ("Callable[[int], None]", None, ""), ("list<string>", "list", ""), ("int (of days)", "int", ""),
    ("1 - 2", None, ""),
    ("(" * 500, None, ""), ("int | " * 5000 + "int", None, ""),
]  # fmt: skip


@pytest.mark.parametrize(("written", "kind", "unsayable"), ANNOTATIONS, ids=[row[0][:40] for row in ANNOTATIONS])
def test_annotations(written: str, kind: str | None, unsayable: str) -> None:
    assert annotation_type(written)[:2] == (kind, unsayable)


DEFAULTS: list[tuple[str | None, str | None, str]] = [
    ("3", "int", ""), ("'rye'", "str", ""), ("(1, 2.5)", "list", ""), ("[]", "list", ""), ("['a']", "list", TEXTS),
    ("{}", "dict", "a mapping"), ("None", None, ""), (None, None, ""), ("b'x'", None, ""), ("make()", None, ""),
]  # fmt: skip


@pytest.mark.parametrize(("default", "kind", "unsayable"), DEFAULTS)
def test_defaults(default: str | None, kind: str | None, unsayable: str) -> None:
    assert default_type(default)[:2] == (kind, unsayable)


GIVEN: list[tuple[str, Any]] = [
    ("int", 3), ("str", "rye"), ("bool", True), ("date", "2025-03-14"), ("list[int]", [1, 2]), ("list[bool]", [True]),
    ("list[list[float]]", [[1.5], [2.5, 3.5]]), ("list[str]", ["rye"]), ("list[date]", ["2025-03-14"]),
    ("dict[str, int]", {"rye": 1}), ("list[dict[str, int]]", [{"rye": 1}]), ("tuple[int, str]", [1, "rye"]),
]  # fmt: skip


@pytest.mark.parametrize(("written", "given"), GIVEN, ids=[row[0] for row in GIVEN])
def test_what_counts_as_unsayable_is_what_the_check_of_calls_refuses(written: str, given: Any) -> None:
    kind, unsayable, _ = annotation_type(written)
    assert kind is not None
    inputs, outputs = (Value(name="x", type=kind),), (Value(name="done", type="bool"),)
    tool = Tool(name="Bake", domain="Bread", description="Bakes.", inputs=inputs, outputs=outputs)
    step = Step(api="Bake", arguments={"x": given}, result={"done": True})
    reasons = [fault.reason for fault in call_faults(step, {"Bake": tool}, {})]
    assert reasons == (["call_unreadable_as_released"] if unsayable else [])


MODULE = '''\
"""A bakery."""
import typing
from typing import Literal, Sequence

def bake(n: typing.Optional[int] = None, mode: Literal["r", "w"] = "r", z: int | str = 3) -> typing.Optional[int]:
    """Bakes.

    Args:
        mode: How to.
    """

def weigh(loaves: typing.Optional[int], sizes: Sequence[float], *more: int, oven: Oven = OVEN, **rest: int) -> "int":
    """Weighs."""

def slice_(loaf: str, thick=None, names: list[str] = (), /, *, end: dict = {}) -> Literal["thin", "thick"]:
    """Slices."""

def cut(loaf: str = "rye", /, thin: bool = True) -> typing.NoReturn:
    """Cuts."""

def cook(x, /):
    """Cooks."""

def label(names: Sequence[str]) -> Label:
    """Labels."""

def mix(of: Dough) -> None:
    """Mixes."""
'''


def test_a_python_module_with_all_sorts_of_parameters(tmp_path: Path) -> None:
    path = tmp_path / "mill_for_tests.py"
    path.write_text(MODULE)
    found = read_python(str(path))
    told = {
        tool.name: ", ".join(f"{one.name}: {one.type}{'' if one.required else '?'}" for one in tool.inputs)
        + f" -> {tool.outputs[0].type}"
        for tool in found.tools
    }
    assert told == {
        "bake": "n: int?, mode: str?, z: int? -> int",
        "weigh": "loaves: int, sizes: list -> int",
        "cut": "thin: bool? -> bool",
    }
    mode = found.tools[0].input("mode")
    assert mode is not None and mode.description == "How to: one of r, w"
    assert [note.removeprefix("mill_for_tests.") for note in found.notes] == [
        "weigh:12 is told without more, which cannot be given by its name",
        "weigh:12 is told without oven, which has the type Oven",
        "weigh:12 is told without rest, which cannot be given by its name",
        "slice_:15 is left out: it needs loaf, which cannot be given by its name",
        "cut:18 is told without loaf, which cannot be given by its name",
        "cook:21 is left out: it needs x, which cannot be given by its name",
        "label:24 is left out: it needs names, a list of texts, which a call in the released form cannot hold",
        "mix:27 is left out: it needs of, which has the type Dough",
    ]
    assert (found.counts["apis_left_out"], found.counts["parameters_left_out"]) == (4, 4)
