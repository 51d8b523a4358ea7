"""A function that is switched off keeps its parameters, which decorators around it read and pass on by."""

import asyncio
import inspect
import types
from typing import Any

import pytest

from apigap.sandbox.worker.watch.ablation import switch_off
from apigap.sandbox.worker.watch.target import Target

FUNCTIONS = """
def plain(a, b=2): return a + b
def only(a, /, b, *, c=3): return a + b + c
def all_of(a, *rest, c=3, **more): return a + sum(rest) + c + sum(more.values())
def none(): return 4
def written(a, out=None):
    out[:] = [a]
    return out
def generated(a, b=1): yield a + b
async def awaited(a, *, b=1): return a + b
def closed():
    kept = 5
    def inner(a, call=1): return a + call + kept
    return inner
closed = closed()
"""
CALLS = [
    ("plain", "f(1)", 3), ("plain", "f(b=1, a=1)", 2), ("plain", "f(*[1], **{'b': 5})", 6),
    ("only", "f(1, b=2)", 6), ("only", "f(1, 2, c=1)", 4), ("all_of", "f(1, 2, 3, c=1, d=2)", 9), ("none", "f()", 4),
    ("written", "f(1, [0])[0]", 1), ("written", "f(1, out=[0])[0]", 1), ("generated", "next(f(a=1))", 2),
    ("awaited", "asyncio.run(f(1, b=3))", 4), ("closed", "f(1, call=2)", 8),
]  # fmt: skip


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Any:
    module = types.ModuleType("made_up_library")
    exec(FUNCTIONS, module.__dict__)
    monkeypatch.setitem(__import__("sys").modules, module.__name__, module)
    return module


@pytest.mark.parametrize(("name", "call", "expected"), CALLS)
def test_it_is_called_in_every_form_and_has_the_same_signature(
    library: Any, name: str, call: str, expected: int
) -> None:
    function = getattr(library, name)
    names = {"f": function, "asyncio": asyncio}
    before = inspect.signature(function)
    assert eval(call, names) == expected
    switch_off(Target(f"made_up_library.{name}"), "alter", 7)
    assert inspect.signature(function) == before
    assert eval(call, names) not in (expected, None)
    assert type(eval(call, names)) is type(expected)


def test_one_step_however_the_arguments_come(library: Any) -> None:
    switch_off(Target("made_up_library.plain"), "alter", 7)
    assert len({library.plain(1), library.plain(1, 2), library.plain(a=1), library.plain(b=2, a=1)}) == 1


def test_what_does_not_fit_its_parameters_is_refused_as_ever(library: Any) -> None:
    switch_off(Target("made_up_library.plain"), "alter", 7)
    with pytest.raises(TypeError, match=r"plain\(\) got an unexpected keyword argument 'c'"):
        library.plain(1, c=2)
