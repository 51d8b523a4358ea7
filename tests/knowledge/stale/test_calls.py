"""The calls of a usage that are looked at, each with what went into it."""

import pytest

from apigap.knowledge.stale.calls import calls_in
from apigap.knowledge.usages.usage import Step, Usage

PATHS, LEAVES = frozenset({"lib.read", "lib.make"}), frozenset({"mean"})


def calls(*steps: str) -> list[tuple[str, tuple[str, ...]]]:
    usage = Usage(
        prelude=("import lib",), steps=tuple(Step(code=step) for step in steps), source="page#1", origin="docs"
    )
    return [(call.text, call.inputs) for call in calls_in(usage, PATHS, LEAVES)]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("x = lib.make(1, size=n)", [("lib.make(1, size=n)", ("1", "n"))]),
        (
            "lib.make([1]).mean(axis=0)",
            [("lib.make([1]).mean(axis=0)", ("lib.make([1])", "0")), ("lib.make([1])", ("[1]",))],
        ),
        ("lib.make(*rows)", []),
        ("[lib.make(n) for n in range(3)]", []),
        ("lib.other(1)", []),
        # a file that the program itself wrote may hold another thing in either release
        ("lib.read('./dummy.pkl')", []),
        ("lib.read('out/data.csv', 1)", []),
        ("lib.make('a word. And another')", [("lib.make('a word. And another')", ("'a word. And another'",))]),
        ("lib.make('1.5')", [("lib.make('1.5')", ("'1.5'",))]),
    ],
)
def test_calls(step: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert calls(step) == expected
