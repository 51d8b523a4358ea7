"""M_code: where an API is defined, its source without texts, what it reads, and what is left where it is too long."""

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import apigap.knowledge.components.sources
from apigap.knowledge.components.shortened_source import shortened_source
from apigap.knowledge.components.source import implementation
from apigap.knowledge.components.sources import Sources
from apigap.knowledge.components.without_docstrings import stripped
from tests.tasks.test_cut import candidate


def written(folder: Path, files: dict[str, str]) -> Path:
    """`folder` with these files in it."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"))
    return folder


STRIPPED = [
    ("formatting stays",
     'def f(a, b="x",\n      c=1):\n    return  a\n', 'def f(a, b="x",\n      c=1):\n    return  a'),
    ("a docstring", 'def f():\n    """Doc."""\n\n    return 1\n', "def f():\n    return 1"),
    ("nothing but a docstring", 'def f():\n    """Doc."""\n', "def f():\n    pass"),
    ("on one line", 'def f(): "Doc"; return 1\n', "def f(): return 1"),
    ("comments", "def f():\n    # why\n    return 1  # how\n", "def f():\n    return 1"),
    ("a hash in a string", "def f():\n    return '# no'\n", "def f():\n    return '# no'"),
    ("texts below attributes",
     'class C:\n    x: int = 1\n    """The x."""\n    y = 2\n', "class C:\n    x: int = 1\n    y = 2"),
    ("decorators", "@a.b(1)\ndef f(): ...\n", "@a.b(1)\ndef f(): ..."),
    ("letters of other alphabets", 'def f():\n    "ü"\n    return "ä"  # ö\n', 'def f():\n    return "ä"'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in STRIPPED], ids=[row[0] for row in STRIPPED])
def test_source_without_texts(text: str, expected: str) -> None:
    assert stripped(text, ast.parse(text).body[0]) == expected


@pytest.mark.parametrize("module", [inspect, json, textwrap, pytest, apigap.knowledge.components.sources, ast])
def test_what_is_left_means_the_same(module: ModuleType) -> None:
    text = inspect.getsource(module)
    definitions = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    ]
    for node in definitions:
        short = stripped(text, node)
        assert _meaning(ast.parse(short).body[0]) == _meaning(node)
        for limit in (120, 400):
            kept, cut = shortened_source(short, limit)
            assert cut == (len(short) > limit)
            ast.parse(kept)


def _meaning(node: ast.AST) -> str:
    for holder in ast.walk(node):
        body = getattr(holder, "body", None)
        if isinstance(body, list):
            texts: Iterator[ast.stmt] = (s for s in body if not (isinstance(s, ast.Expr) and _is_text(s.value)))  # pyright: ignore[reportUnknownVariableType]
            holder.body = list(texts) or [ast.Pass()]  # pyright: ignore[reportAttributeAccessIssue]
    return ast.dump(node)


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


LIBRARY = {
    "lib/__init__.py": "from lib.core import slugify as slugify\nfrom .shapes import *\n",
    "lib/core.py": """
        from typing import overload
        from lib.base import Base

        LIMIT = 3
        UNUSED = 4

        def _helper(x):
            '''Help.'''
            return x

        @overload
        def pick(x: int) -> int: ...
        @overload
        def pick(x: str) -> str: ...
        def pick(x):
            return x

        def slugify(text, sep="-"):
            '''Make a slug.'''
            return _helper(text)[:LIMIT]

        class Box(Base):
            '''A box.'''

            @property
            def size(self):
                '''How large.'''
                return self._measure()

            @size.setter
            def size(self, value):
                self._size = value

            def _measure(self):
                return 1

        try:
            from fast import quick
        except ImportError:
            def quick():
                raise RuntimeError
    """,
    "lib/base.py": "class Base:\n    def save(self):\n        'Save.'\n        return 2\n",
    "lib/shapes.py": "def area(r):\n    return r * r\n",
    "lib/fast.pyi": "def speed(x: float, *, unit: str = ...) -> float: ...\n",
}

SLUGIFY = 'LIMIT = 3\n\ndef _helper(x):\n    return x\n\ndef slugify(text, sep="-"):\n    return _helper(text)[:LIMIT]'
FOUND = [
    ("function", "lib.slugify", "lib.core", SLUGIFY),
    ("function", "lib.slugify", None, SLUGIFY),
    ("function", "lib.area", None, "def area(r):\n    return r * r"),
    ("function", "lib.core.pick", "lib.core", "def pick(x):\n    return x"),
    ("property", "lib.core.Box.size", "lib.core", "def _measure(self):\n    return 1\n\n@property\ndef size(self):\n"
     "    return self._measure()\n\n@size.setter\ndef size(self, value):\n    self._size = value"),
    ("method", "lib.core.Box.save", "lib.core", "def save(self):\n    return 2"),
    ("field", "lib.base.Base.x", "lib.base", "class Base:\n    def save(self):\n        return 2"),
    ("function", "lib.fast.speed", "lib.fast", "def speed(x: float, *, unit: str = ...) -> float: ..."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "name", "home", "expected"), FOUND)
def test_where_an_api_is_defined(kind: str, name: str, home: str | None, expected: str, tmp_path: Path) -> None:
    owner = 2 if kind in ("method", "property", "field") else 1
    module = ".".join(name.split(".")[:-owner])
    api = candidate(api_name=name, kind=kind, defined_in=home, import_module=module)
    code = implementation(api, written(tmp_path, LIBRARY), 1000)
    assert code is not None
    assert code.text == expected
    assert code.kind == ("stub" if "fast" in name else "source")
    assert not code.truncated


BOUND = [
    ("def f(x):\n    return x\nf = wrap(f)", "def f(x):\n    return x", "source"),
    ("class f:\n    a = 1\nf = wrap(f, hidden=f)", "class f:\n    a = 1", "source"),
    ("def g(x):\n    return x\nf = g", "def g(x):\n    return x\n\nf = g", "assignment"),
    ("def f(x):\n    return x\nf = None", "f = None", "assignment"),
]


@pytest.mark.parametrize(("text", "expected", "kind"), BOUND)
def test_a_definition_that_is_only_wrapped_later_is_the_api_s_own(
    text: str, expected: str, kind: str, tmp_path: Path
) -> None:
    (tmp_path / "lib.py").write_text(text)
    code = implementation(candidate(api_name="lib.f", defined_in="lib", import_module="lib"), tmp_path, 999)
    assert code is not None
    assert (code.text, code.kind) == (expected, kind)


def test_compiled_code_is_its_signature_and_says_so(tmp_path: Path) -> None:
    code = implementation(
        candidate(api_name="lib.fast.sum", import_module="lib.fast", signature="(x, /)"), tmp_path, 99
    )
    assert code is not None
    assert (code.text, code.kind) == ("def sum(x, /): ...", "signature")
    assert implementation(candidate(import_module="lib.fast", signature=None), tmp_path, 99) is None


CUT = [
    ("a function at a statement", "def f(x):\n" + "    x = x + 1\n" * 30 + "    return x\n", 120,
     "def f(x):\n    x = x + 1\n    x = x + 1\n    x = x + 1\n    x = x + 1\n    ...\n"
     "    # left out: the last 27 lines"),
    ("a class at its members",
     "class C:\n    a = 1\n\n    def one(self):\n        return 1\n\n    def __init__(self):\n        self.b = 2\n\n"
     "    def two(self):\n        return 222222222222222222222222222222222222222222222222222\n", 130,
     "class C:\n    a = 1\n\n    def __init__(self):\n        self.b = 2\n    # left out: one, two"),
    ("a constructor without its body",
     "class C:\n    def a(self):\n        return 1\n\n    def __init__(self, x):\n" + "        self.x = x\n" * 9, 120,
     "class C:\n    def __init__(self, x):\n        ...\n    # left out: the body of __init__, a"),
    ("a long table", "T = {\n" + "    1: 2,\n" * 40 + "}", 60, "# left out: T (42 lines)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "limit", "expected"), [row[1:] for row in CUT], ids=[row[0] for row in CUT])
def test_what_is_too_long_is_cut_at_definitions(text: str, limit: int, expected: str) -> None:
    assert shortened_source(text.rstrip("\n"), limit) == (expected, True)


def test_helpers_that_do_not_fit_are_marked(tmp_path: Path) -> None:
    folder = written(
        tmp_path, {"lib.py": "def _big():\n" + "    pass\n" * 50 + "\ndef slugify():\n    return _big()\n"}
    )
    code = implementation(candidate(defined_in="lib"), folder, 100)
    assert code is not None
    assert (code.text, code.truncated) == ("def slugify():\n    return _big()", True)


def test_a_definition_in_place_of_a_failed_import_is_no_helper(tmp_path: Path) -> None:
    folder = written(tmp_path, LIBRARY)
    (folder / "lib/core.py").open("a").write("\ndef run():\n    return quick()\n")
    code = implementation(
        candidate(api_name="lib.core.run", defined_in="lib.core", import_module="lib.core"), folder, 999
    )
    assert code is not None
    assert "RuntimeError" not in code.text


def test_imports_in_a_circle_end(tmp_path: Path) -> None:
    folder = written(tmp_path, {"lib/a.py": "from lib.b import x\n", "lib/b.py": "from lib.a import x\n"})
    assert Sources(folder).find("lib.a", ("x",)) is None
