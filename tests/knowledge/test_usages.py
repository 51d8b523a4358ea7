"""From docstrings, pages and tests to stand-alone usages."""

import ast
from pathlib import Path

import pytest

from apigap.knowledge.release import Release
from apigap.knowledge.usages.blocks import code_blocks
from apigap.knowledge.usages.imports import ImportBook
from apigap.knowledge.usages.names import free_names, identifiers
from apigap.knowledge.usages.snippets import usages_of_page
from apigap.knowledge.usages.upstream_tests import usages_of_tests
from apigap.knowledge.usages.usage import Step, Usage
from apigap.knowledge.usages.verify import Verifier
from apigap.packages.environments import environment_in
from apigap.packages.interpreters import running
from apigap.sandbox.engine import Engine
from tests.knowledge.blocks import usage_of_block
from tests.tasks.test_cut import candidate

BLOCKS = [
    ("a fence", "text\n```python\nx = 1\n```\nmore", ["x = 1\n"]),
    ("a fence with options", "```python {test='skip'}\nx = 1\n```", ["x = 1\n"]),
    ("an indented fence", "    ```py\n    x = 1\n    y = 2\n    ```\n", ["x = 1\ny = 2\n"]),
    ("a fence of another language", "```bash\nls\n```", []),
    ("a directive", "Intro\n\n.. code-block:: python\n\n    x = 1\n    y = 2\n\nAfter\n", ["x = 1\ny = 2\n\n"]),
    ("a directive with options", ".. code-block:: python\n   :caption: A\n\n   x = 1\n", ["x = 1\n"]),
    ("a session", "Example:\n\n>>> x = 1\n>>> x\n1\n\nText\n", [">>> x = 1\n>>> x\n1"]),
    ("a session in a fence is one block", "```python\n>>> x = 1\n>>> x\n1\n```\n", [">>> x = 1\n>>> x\n1\n"]),
    ("a session in a directive", ".. sourcecode:: pycon+sql\n\n   >>> x = 1\n", [">>> x = 1\n"]),
    ("paragraphs of a session", ">>> x = 1\n\nText\n\n>>> x\n1\n", [">>> x = 1", ">>> x\n1"]),
    ("a literal block", "Like this::\n\n    x = 1\n\nAfter\n", ["x = 1\n\n"]),
    ("in the order of the page", "A::\n\n    a = 1\n\n```python\nb = 1\n```\n", ["a = 1\n\n", "b = 1\n"]),
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
    (">>> f(1)\n2", "f(1)"),
    (">>> f(1)", None),
    ("assert_equal(f(1), 2)", "f(1)"),
    ("tm.assert_frame_equal(f(1), y)", "f(1)"),
    ("eq_(f(1), 2)", "f(1)"),
    ("assert_equal(2, f(1))", "f(1)"),
]


@pytest.mark.parametrize(("code", "expected"), CHECKS)
def test_what_a_statement_lets_us_observe(code: str, expected: str | None) -> None:
    usage = usage_of_block(code)
    assert usage is not None
    assert [step.expression for step in usage.steps] == [expected]


NO_USAGE = ["x = ", "async with f() as x:\n    x()", "[x async for x in f()]", "", "# only a comment", "import os"]


@pytest.mark.parametrize("block", NO_USAGE)
def test_incomplete_blocks_are_no_usage(block: str) -> None:
    assert usage_of_block(block) is None


AWAITED = [
    ("a statement", "x = await f(1)\nx", "import asyncio\nx = asyncio.run(f(1))\nx"),
    ("one in the other", "await f(await g())", "import asyncio\nasyncio.run(f(asyncio.run(g())))"),
    ("not in its own coroutines", "async def f():\n    await g()\nf()", "async def f():\n    await g()\nf()"),
]


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in AWAITED], ids=[row[0] for row in AWAITED])
def test_what_is_awaited_is_run(code: str, expected: str) -> None:
    usage = usage_of_block(code)
    assert usage is not None
    assert usage.code == expected


def test_a_test_that_is_a_coroutine_is_run_where_it_waits(tmp_path: Path) -> None:
    text = "@pytest.mark.asyncio\nasync def test_it():\n    x = await f(1)\n    assert x == 2\n"
    assert usages(tmp_path, text)["test_it"].body == "import asyncio\nx = asyncio.run(f(1))\nassert x == 2"


SLICES = [
    ("what it reads", ["x = 1\ny = x", "z = 3"], "y + 1", ["x = 1", "y = x"]),
    ("the last binding", ["x = 1", "x = 2"], "x", ["x = 2"]),
    ("bindings of bindings", ["x = 1\nx = x + 1"], "x", ["x = 1", "x = x + 1"]),
    (
        "effects on it",
        ["x = []\nx.append(1)\nx[0] = 2\nother = 1\nother.f()"],
        "x",
        ["x = []", "x.append(1)", "x[0] = 2"],
    ),
    ("not what only shows it", [">>> x = 1\n>>> f(x)\n2", "print(x)"], "x", ["x = 1"]),
    (
        "definitions with their imports",
        ["import a\ndef f():\n    return a.b"],
        "f()",
        ["import a", "def f():\n    return a.b"],
    ),
    ("no names of its own", ["x = 1"], "[x for x in (1, 2)]", []),
    ("nothing when it is too much", ["x = 1\n" + "x = x + 1\n" * 20], "x", []),
]


@pytest.mark.parametrize(("page", "block", "expected"), [row[1:] for row in SLICES], ids=[row[0] for row in SLICES])
def test_a_block_takes_what_it_builds_on_from_the_blocks_before(
    page: list[str], block: str, expected: list[str]
) -> None:
    text = "".join(f"```python\n{code}\n```\n" for code in (*page, block))
    assert list(usages_of_page(text, "page.md", "docs"))[-1].prelude == tuple(expected)


def test_missing_imports_are_those_that_the_release_writes_most() -> None:
    texts = ["from lib import one\none()", "from lib.inner import one\none()", "from lib import one, two\ntwo(one)"]
    written = [usage for text in texts if (usage := usage_of_block(text))]
    lacking = usage_of_block("import two\nx = one(lib.three)\ntwo(unknown)")
    assert lacking is not None
    completed = ImportBook(["lib"], written).completed(lacking)
    assert completed.prelude == ("import lib", "from lib import one", "import two")
    assert ImportBook(["lib"], written).completed(completed) is completed


FREE = [
    ("x = y", {"y"}),
    ("x = 1\nx", set[str]()),
    ("x\nx = 1", {"x"}),
    ("x = x + 1", {"x"}),
    ("x += 1", {"x"}),
    ("def f(a, b=c):\n    return a + d + f()", {"c", "d"}),
    ("class A(B):\n    y: C = 1\n    def f(self):\n        return y", {"B", "C", "y"}),
    ("[i for i in z if len(i)]", {"z"}),
    ("lambda q: q + r", {"r"}),
    ("for i in s:\n    print(i, t)", {"s", "t"}),
    ("with open(p) as f:\n    f.read()", {"p"}),
    ("import a.b\na.c", set[str]()),
]


@pytest.mark.parametrize(("code", "expected"), FREE)
def test_free_names_are_those_that_code_needs_from_elsewhere(code: str, expected: set[str]) -> None:
    assert free_names(ast.parse(code).body) == expected


def test_a_check_of_the_test_object_is_what_it_is_about(tmp_path: Path) -> None:
    found = usages(
        tmp_path,
        """
class ThingTest(Base):
    def test_it(self):
        x = make(1)
        self.assert_compile(x, 'SQL')

    def test_more(self):
        self.assertEqual(self.y, 1)
""",
    )
    assert [step.expression for step in found["test_it"].steps] == [None, "x"]
    assert found["test_it"].code == "x = make(1)\nprint(x)"
    assert "test_more" not in found


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


@pytest.mark.parametrize("kind", ["field", "enum_member"])
@pytest.mark.sandbox
def test_what_is_never_called_is_passed_on_with_the_reason(kind: str, tmp_path: Path) -> None:
    usage = usage_of_block("import lib\nprint(lib.Box().slugify)")
    assert usage is not None
    api = candidate(api_name="lib.Box.slugify", kind=kind)
    (tmp_path / "lib/python3.11/site-packages").mkdir(parents=True)
    with Engine() as engine:
        (found,) = Verifier(
            engine, Release(environment_in(tmp_path, "lib", "1", running()), None, None, (), ()), [usage]
        ).usages_of([api], 5)
    assert (found.usages, found.tried) == ((), 0)
    assert found.reason is not None
    assert "never called" in found.reason


def test_identifiers_are_what_the_code_mentions() -> None:
    assert identifiers("from a.b import c\nd.e(f, g=h['i'])") == {"c", "d", "e", "f", "g", "h"}
    assert identifiers("not code at all") == frozenset()


def test_a_changed_usage_has_its_own_code() -> None:
    usage = usage_of_block("x = f(1)\nassert x == 2")
    assert usage is not None
    assert usage.code.startswith("x = f(1)")
    assert "f" in usage.identifiers
    other = usage.replaced(steps=(Step(code="y = g(2)"),))
    assert other.code == "y = g(2)"
    assert other.identifiers == {"y", "g"}
