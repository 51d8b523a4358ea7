"""Names looked up in text alone: through imports, stars, aliases and bases."""

from pathlib import Path

import pytest
from tools.discovery.lookup_text import TextLookup

PACKAGE = """
from .a import f as g, C
from .stars import *
from . import loop
if True:
    from .lazy import late
"""
MODULE = """
VALUE = 3
def f(a, /, b=1, *, c): ...
class Base:
    def m(self, x): ...
    @staticmethod
    def s(y): ...
    @property
    def p(self): ...
    data: int = 3
class C(Base):
    def __init__(self, z): self.own = z
"""
STUB = """
from typing import overload
@overload
def o(a: int) -> int: ...
@overload
def o(a: str, b: int) -> str: ...
"""
FILES = {
    "lib/__init__.py": PACKAGE,
    "lib/a.py": MODULE,
    "lib/stars.py": "def starred(): ...\nalias = starred\n",
    "lib/loop.py": "from lib.loop import *\nfrom lib import *\n",
    "lib/lazy.py": "try:\n    from .a import f as late\nexcept ImportError: ...\n",
    "lib/native.pyi": STUB,
    "lib/broken.py": "def f(:",
}


@pytest.fixture(scope="module")
def lookup(tmp_path_factory: pytest.TempPathFactory) -> TextLookup:
    root = tmp_path_factory.mktemp("site")
    for name, text in FILES.items():
        Path(root / name).parent.mkdir(exist_ok=True)
        Path(root / name).write_text(text)
    return TextLookup(root)


@pytest.mark.parametrize(
    ("name", "kind", "parameters"),
    [
        ("lib.g", "function", ["a", "b", "c"]),
        ("lib.late", "function", ["a", "b", "c"]),
        ("lib.starred", "function", []),
        ("lib.alias", "function", []),
        ("lib.C", "class", ["z"]),
        ("lib.C.m", "function", ["x"]),
        ("lib.C.s", "function", ["y"]),
        ("lib.C.p", "property", []),
        ("lib.C.data", "field", None),
        ("lib.C.own", "field", None),
        ("lib.a.VALUE", "data", None),
        ("lib.native.o", "function", ["a", "b"]),
    ],
)
def test_found(name: str, kind: str, parameters: list[str] | None, lookup: TextLookup) -> None:
    fact = lookup.fact(name)
    assert (fact["found"], fact["kind"]) == (True, kind)
    assert (None if fact["parameters"] is None else [row["name"] for row in fact["parameters"]]) == parameters


@pytest.mark.parametrize("name", ["lib.nothing", "lib.C.nothing", "lib.loop.nothing", "lib.broken.f", "other.f"])
def test_not_found(name: str, lookup: TextLookup) -> None:
    fact = lookup.fact(name)
    assert (fact["found"], fact["reason"]) == (False, "no definition in the text")


def test_overloads_and_kinds(lookup: TextLookup) -> None:
    assert lookup.fact("lib.native.o")["overloads"] == 2
    kinds = [(row["kind"], row["required"], row["default"]) for row in lookup.fact("lib.g")["parameters"]]
    assert kinds == [
        ("positional_only", True, None),
        ("positional_or_keyword", False, "1"),
        ("keyword_only", True, None),
    ]
