"""Surfaces from text alone, by the rules of the walk; two of them are compared like any others."""

from pathlib import Path

import pytest

from apigap.discovery.static.surface import static_surface
from apigap.discovery.static.tree import tree_of
from apigap.discovery.surface import Entry, Surface
from tests.discovery.packages import diff

F = "def f(a, b=1): 'Do f.'\n"


def surface_of(folder: Path, files: dict[str, str], version: str = "1") -> Surface:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return static_surface("lib", version, tree_of(folder, list(files), version))


def found(folder: Path, files: dict[str, str]) -> dict[str, Entry]:
    return {entry.name: entry for entry in surface_of(folder, files).entries}


EVIDENT = [  # (what it is about, files, the public names with evidence)
    ("a plain re-export", {"lib/__init__.py": "from .a import f\n", "lib/a.py": F}, {"lib.f"}),
    ("a re-export in a chain", {"lib/__init__.py": "from .b import g\n",
                                "lib/b/__init__.py": "from ._c import f as g\n", "lib/b/_c.py": F}, {"lib.g"}),
    ("__all__ decides", {"lib/__init__.py": "__all__ = ['f']\nfrom .a import *\n", "lib/a.py": F + "def g(): ...\n"},
     {"lib.f"}),
    ("__all__ in parts", {"lib/__init__.py": "from . import a\nfrom .a import *\n__all__ = []\n__all__ += a.__all__\n",
                          "lib/a.py": "__all__ = ['f']\n" + F}, {"lib.f"}),
    ("__all__ by append", {"lib/__init__.py": "from .a import f\n__all__ = []\n__all__.append('f')\n", "lib/a.py": F},
     {"lib.f"}),
    ("__all__ in a loop", {"lib/__init__.py": "from ._c import *\nfrom . import _c\n__all__ = ['x']\n"
                           "for n in dir(_c):\n    if n[0] != '_' and not n.endswith('Base'):\n"
                           "        __all__.append(n)\n",
                           "lib/_c.pyi": "def f(a): ...\nclass FBase: ...\n"}, {"lib.f"}),
    ("a table of the import structure", {"lib/__init__.py": "_import_structure = {'a': ['f']}\nimport sys\n"
                                         "sys.modules[__name__] = _LazyModule(__name__, _import_structure)\n",
                                         "lib/a.py": F}, {"lib.f"}),
    ("a table that grows", {"lib/__init__.py": "_import_structure = {'a': []}\n_import_structure['a'].extend(['f'])\n"
                            "_import_structure['b.c'] = ['g']\n", "lib/a.py": F, "lib/b/c.py": "def g(): ...\n"},
     {"lib.f", "lib.g"}),
    ("a lazy __getattr__", {"lib/__init__.py": "_lazy = {'f': '.a', 'g': ('.a', 'h'), 'k': 'lib.a:h'}\n"
                            "def __getattr__(name): return _lazy[name]\n", "lib/a.py": F + "def h(): ...\n"},
     {"lib.f", "lib.g"}),
    ("a lazy loader", {"lib/__init__.py": "import lazy_loader as lazy\n"
                       "__getattr__, __dir__, __all__ = lazy.attach(__name__, submod_attrs={'a': ['f']})\n",
                       "lib/a.py": F}, {"lib.f"}),
    ("imports for type checkers of a lazy module", {"lib/__init__.py": "from typing import TYPE_CHECKING\n"
                                                    "if TYPE_CHECKING:\n    from .a import f\n"
                                                    "def __getattr__(name): ...\n", "lib/a.py": F}, {"lib.f"}),
    ("imports for type checkers only", {"lib/__init__.py": "from typing import TYPE_CHECKING\n"
                                        "if TYPE_CHECKING:\n    from .a import f\n", "lib/a.py": F}, set()),
    ("a package without __init__", {"lib/__init__.py": "from .b.a import f\n", "lib/b/a.py": F}, {"lib.f"}),
    ("a name that a submodule hides", {"lib/__init__.py": "from .f import f\n", "lib/f.py": F}, {"lib.f"}),
    ("a name for a name", {"lib/__init__.py": "from .a import g\n", "lib/a.py": F + "g = f\n"}, {"lib.g"}),
    ("a stub with overloads alone", {"lib/__init__.py": "from ._c import f\n", "lib/_c.pyi":
                                     "from typing import overload\n@overload\ndef f(a: int): ...\n"
                                     "@overload\ndef f(a: str, b: int): ...\n"}, {"lib.f"}),
    ("what a stub imports for itself", {"lib/__init__.py": "from ._c import *\n", "lib/a.py": "class K: ...\n",
                                        "lib/_c.pyi": "from .a import K\ndef f(k: K): ...\n"}, {"lib.f"}),
    ("a placeholder for what is not installed", {"lib/__init__.py": "from .utils.dummy_pt_objects import K\n",
                                                 "lib/utils/dummy_pt_objects.py": "class K: ...\n"}, set()),
    ("what another module is generated from", {
        "lib/__init__.py": "", "lib/t.py": "__all__ = ['f']\n" + F,
        "lib/a.py": "# This file was automatically generated from src/lib/t.py.\n__all__ = ['f']\n" + F}, {"lib.a.f"}),
    ("a stub that only says that there is an __all__", {
        "lib/__init__.py": "from ._a import *\nfrom . import _a\n__all__ = _a.__all__.copy()\n",
        "lib/__init__.pyi": "from ._a import f as f\n__all__: list[str]\n",
        "lib/_a.py": "__all__ = ['f']\n" + F, "lib/_a.pyi": "__all__: list[str]\ndef f(a, b=...): ...\n"}, {"lib.f"}),
    ("another library's name", {"lib/__init__.py": "__all__ = ['dumps', 'x']\nfrom json import dumps\nx = 1\n"}, set()),
]  # fmt: skip


@pytest.mark.parametrize(("about", "files", "names"), EVIDENT, ids=[case[0] for case in EVIDENT])
def test_what_is_public(about: str, files: dict[str, str], names: set[str], tmp_path: Path) -> None:
    assert {name for name, entry in found(tmp_path, files).items() if entry.evidence} == names


def test_what_a_stub_calls_any_is_what_the_code_says(tmp_path: Path) -> None:
    surface = surface_of(tmp_path, {
        "lib/__init__.py": "from .a import *\n", "lib/a.py": F,
        "lib/__init__.pyi": "from typing import Any\nf: Any\ng: Any\n",
    })  # fmt: skip
    assert [entry.name for entry in surface.entries if entry.evidence] == ["lib.f"]
    assert surface.variables == ("lib.g",)


CLASSES = """
import enum, dataclasses
from pydantic import BaseModel
class _Base:
    def __init__(self, a, *, b=2): ...
    def inherited(self, x): 'Inherited.'
class C(_Base):
    'C.'
    attribute = 1
    @property
    def p(self) -> int: 'P.'
    @classmethod
    def c(cls, y): ...
    @staticmethod
    def s(z=None): ...
@dataclasses.dataclass
class D:
    x: int
    y: str = 'a'
class E(enum.Enum):
    ONE = 1
class M(BaseModel):
    field: int = 0
class X(Exception):
    'Borrows how it is made.'
def second(a): ...
if True:
    class K:
        def real(self): ...
else:
    class K:
        def placeholder(self): ...
"""


def test_classes_and_their_members(tmp_path: Path) -> None:
    entries = found(tmp_path, {"lib/__init__.py": CLASSES})
    assert {name.removeprefix("lib."): (entry.kind, entry.signature) for name, entry in entries.items()} == {
        "C": ("class", "(a, *, b=2)"),
        "C.inherited": ("method", "(x)"),
        "C.p": ("property", None),
        "C.c": ("classmethod", "(y)"),
        "C.s": ("staticmethod", "(z=None)"),
        "D": ("class", "(x: int, y: str = 'a')"),
        "D.x": ("field", None),
        "D.y": ("field", None),
        "E": ("class", None),
        "E.ONE": ("enum_member", None),
        "M": ("class", "(*, field: int = 0)"),
        "M.field": ("field", None),
        "X": ("class", None),
        "second": ("function", "(a)"),
        "K": ("class", "()"),
        "K.real": ("method", "()"),
    }
    assert entries["lib.X"].borrowed
    assert entries["lib.C"].others == ("attribute",)
    assert entries["lib.D.x"].return_type == "int"
    assert all(entry.sources == ("griffe",) for entry in entries.values())


ALL = "__all__ = ['f', 'g']\n" + F + "def g(): ...\n"
UNREAD = [  # (old files, the module that cannot be read, why, what is new for sure when all of it can be read)
    ({"lib/__init__.py": "", "lib/a.py": "def f(:\n"}, "lib.a", "SyntaxError", {"lib.f", "lib.core.f", "lib.core.g"}),
    ({"lib/__init__.py": "", "lib/a.py": "x = '\0'"}, "lib.a", "null bytes", {"lib.f", "lib.core.f", "lib.core.g"}),
    ({"lib/__init__.py": "", "lib/core.cpython-311-x86_64-linux-gnu.so": ""}, "lib.core", "without a stub",
     {"lib.f", "lib.a.f", "lib.a.g"}),
    ({"lib/__init__.py": F, "lib/__init__.pyi": "def f(:\n"}, "lib", "broken stub __init__.pyi, line 1",
     {"lib.a.f", "lib.a.g", "lib.core.f", "lib.core.g"}),
]  # fmt: skip


@pytest.mark.parametrize(("files", "module", "reason", "added"), UNREAD)
def test_what_cannot_be_read_is_told_and_never_new(
    files: dict[str, str], module: str, reason: str, added: set[str], tmp_path: Path
) -> None:
    old = surface_of(tmp_path / "old", files)
    assert reason in old.failures[module]
    assert surface_of(tmp_path / "old", files).failures == old.failures  # the second time as well
    new = surface_of(tmp_path / "new", {"lib/__init__.py": F, "lib/a.py": ALL, "lib/core.py": ALL}, "2")
    assert {c.api_name for c in diff(old, new, "lib", "1", "2") if c.change == "added"} == added


@pytest.mark.parametrize("base", ["tuple[int, int]", "NamedTuple"])
def test_how_a_result_of_compiled_code_is_made_is_not_told(base: str, tmp_path: Path) -> None:
    stub = f"from typing import NamedTuple\nclass R({base}):\n    def __new__(cls, sequence): ...\n    x: int\n"
    entries = found(tmp_path, {"lib/__init__.py": "__all__ = ['R']\n", "lib/__init__.pyi": stub})
    assert entries["lib.R"].parameters is None


def test_a_broken_stub_does_not_hide_the_module(tmp_path: Path) -> None:
    files = {"lib/__init__.py": F, "lib/__init__.pyi": "def f(:\n", "lib/a.py": "def g(): ...\n", "lib/a.pyi": "(\n"}
    assert {"lib.f", "lib.a.g"} <= set(found(tmp_path, files))


def test_two_readings_are_compared(tmp_path: Path) -> None:
    old = {"lib/__init__.py": "from .a import f, gone\nv = 1\n", "lib/a.py": F + "def gone(): ...\n"}
    new = {
        "lib/__init__.py": "from .b import f, h\nfrom .b import v\nfrom .deprecated.o import o\n",
        "lib/b.py": "def f(a, b=1, *, c=None): 'Do f.'\ndef h(): ...\ndef v(): ...\n",
        "lib/deprecated/o.py": "def o(): ...\n",
    }
    candidates = diff(surface_of(tmp_path / "1", old), surface_of(tmp_path / "2", new, "2"), "lib", "1", "2")
    assert {(c.api_name, c.change, tuple(x.parameter for x in c.changes)) for c in candidates} == {
        ("lib.f", "modified", ("c",)),
        ("lib.h", "added", ()),
    }
