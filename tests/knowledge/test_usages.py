"""From docstrings, pages and tests to stand-alone usages."""

from pathlib import Path

import pytest

from apigap.knowledge.snippets import code_blocks, usage_of_block
from apigap.knowledge.upstream_tests import usages_of_tests
from apigap.knowledge.usage import Step, Usage, identifiers

BLOCKS = [
    ("a fence", "text\n```python\nx = 1\n```\nmore", ["x = 1\n"]),
    ("a fence with options", "```python {test='skip'}\nx = 1\n```", ["x = 1\n"]),
    ("an indented fence", "    ```py\n    x = 1\n    y = 2\n    ```\n", ["x = 1\ny = 2\n"]),
    ("a fence of another language", "```bash\nls\n```", []),
    ("a directive", "Intro\n\n.. code-block:: python\n\n    x = 1\n    y = 2\n\nAfter\n", ["x = 1\ny = 2\n\n"]),
    ("a directive with options", ".. code-block:: python\n   :caption: A\n\n   x = 1\n", ["x = 1\n"]),
    ("a session", "Example:\n\n>>> x = 1\n>>> x\n1\n\nText\n", [">>> x = 1\n>>> x\n1"]),
    ("no code", "just words", []),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in BLOCKS], ids=[row[0] for row in BLOCKS])
def test_code_blocks(text: str, expected: list[str]) -> None:
    assert list(code_blocks(text)) == expected


CHECKS = [
    ("assert f(1) == 2", "f(1)"),
    ("assert 2 == f(1)", "f(1)"),
    ("assert f(1) is None", "f(1)"),
    ("assert a in f(1)", "a in f(1)"),
    ("assert f(1)", "f(1)"),
    ("print(f(1))", "f(1)"),
    ("print(f(1), 2)", None),
    ("x.value", "x.value"),
    ("f(1)", None),
    ("y = f(1)", None),
]


@pytest.mark.parametrize(("code", "expected"), CHECKS)
def test_what_a_statement_lets_us_observe(code: str, expected: str | None) -> None:
    usage = usage_of_block(code, "here", "docs")
    assert usage is not None
    assert [step.expression for step in usage.steps] == [expected]


@pytest.mark.parametrize("block", ["x = ", "await f()", "", "# only a comment", "import os"])
def test_incomplete_blocks_are_no_usage(block: str) -> None:
    assert usage_of_block(block, "here", "docs") is None


def usages(tmp_path: Path, code: str) -> dict[str, Usage]:
    path = tmp_path / "test_it.py"
    path.write_text(code)
    return {usage.source.rpartition("::")[2]: usage for usage in usages_of_tests(path, "tests/test_it.py")}


def test_a_test_becomes_code_that_runs_by_itself(tmp_path: Path) -> None:
    found = usages(
        tmp_path,
        """
import os
import json as j
from decimal import Decimal, getcontext
import pytest

LIMIT = 3
UNUSED = 4

def helper(x):
    return x + LIMIT

def test_plain():
    '''A docstring.'''
    value = helper(1)
    assert value == 4
    assert j.dumps(value) == '4'

@pytest.mark.parametrize('a,b', [(1, Decimal('2')), pytest.param(3, 4, id='x'), pytest.param(0, 0, marks=1)])
def test_rows(a, b):
    assert helper(a) == b

def test_raises():
    with pytest.raises(ValueError):
        helper('x')
    assert helper(0) == 3

def test_fixture(tmp_path):
    assert helper(1)

def test_loop_over_returns():
    return helper(1)

@pytest.mark.skip
def test_marked():
    assert helper(1)
""",
    )
    assert set(found) == {"test_plain", "test_rows", "test_raises"}
    plain = found["test_plain"]
    assert plain.prelude == ("import json as j", "LIMIT = 3", "def helper(x):\n    return x + LIMIT")
    assert [step.expression for step in plain.steps] == [None, "value", "j.dumps(value)"]
    names: dict[str, object] = {}
    exec(plain.code, names)
    assert names["value"] == 4
    rows = found["test_rows"]
    assert rows.inputs == (("a", "1"), ("b", "Decimal('2')"))
    assert rows.variants == ((("a", "3"), ("b", "4")),)
    assert "from decimal import Decimal" in rows.prelude
    raises = found["test_raises"]
    assert [(step.code, step.expression) for step in raises.steps] == [
        ("", "helper('x')"),
        ("assert helper(0) == 3", "helper(0)"),
    ]


def test_identifiers_are_what_the_code_mentions() -> None:
    assert identifiers("from a.b import c\nd.e(f, g=h['i'])") == {"c", "d", "e", "f", "g", "h"}
    assert identifiers("not code at all") == frozenset()


def test_a_changed_usage_has_its_own_code() -> None:
    usage = usage_of_block("x = f(1)\nassert x == 2", "here", "docs")
    assert usage is not None
    assert usage.code.startswith("x = f(1)")
    assert "f" in usage.identifiers
    other = usage.replaced(steps=(Step(code="y = g(2)"),))
    assert other.code == "y = g(2)"
    assert other.identifiers == {"y", "g"}
