"""Old source, new source, and what must be found: one row per case that is easy to get wrong."""

from pathlib import Path
from typing import NamedTuple

import pytest

from apigap.records.candidate import Candidate
from tests.discovery.packages import diff, surface_of

ALL = "__all__ = ['f', 'C']\n"
F = "def f(a): 'Do f with a and no other thing at all.'\n"
C = "class C:\n    'A thing.'\n    def __init__(self, a): self.a = a\n    def m(self, x): 'Do m.'\n"


class Row(NamedTuple):
    name: str
    old: dict[str, str] | str
    new: dict[str, str] | str
    found: set[str]


def both(text: str) -> str:
    return "__all__ = ['f', 'C']\n" + text


ROWS = [
    Row("nothing", ALL + F + C, ALL + F + C, set()),
    Row("added function", ALL + C, ALL + C + F, {"added lib.f"}),
    Row("added class brings its methods", ALL + F, ALL + F + C, {"added lib.C", "added lib.C.m"}),
    Row("second name", both(F + C), "__all__ = ['f', 'g', 'C']\n" + F + C + "g = f\n", {"moved lib.g from lib.f"}),
    Row("a variable that a loop left", both(F + C), both(F + C + "for g in (C, f): pass\n"), set()),
    Row("second name in a module without a list", F + C, F + C + "g = f\n", set()),
    Row(
        "second name elsewhere alone",
        both(F),
        {"lib/__init__.py": both(F), "lib/a.py": "from lib import f as g\n"},
        set(),
    ),
    Row("added method", ALL + F + C, ALL + F + C + "    def n(self): 'N.'\n", {"added lib.C.n"}),
    Row("added property", ALL + C, ALL + C + "    @property\n    def p(self): 'P.'\n", {"added lib.C.p"}),
    Row("added classmethod", ALL + C, ALL + C + "    @classmethod\n    def k(cls, a): 'K.'\n", {"added lib.C.k"}),
    Row("added staticmethod", ALL + C, ALL + C + "    @staticmethod\n    def s(a): 'S.'\n", {"added lib.C.s"}),
    Row(
        "cached property",
        ALL + "import functools\n" + C,
        ALL + "import functools\n" + C + "    @functools.cached_property\n    def p(self): 'P.'\n",
        {"added lib.C.p"},
    ),
    Row("parameter added", both("def f(a): 'F.'"), both("def f(a, b=1): 'F.'"), {"modified lib.f: parameter added b"}),
    Row(
        "parameter removed",
        both("def f(a, b=1): 'F.'"),
        both("def f(a): 'F.'"),
        {"modified lib.f: parameter removed b"},
    ),
    Row("default changed", both("def f(a=1): 'F.'"), both("def f(a=2): 'F.'"), {"modified lib.f: default changed a"}),
    Row("became required", both("def f(a=1): 'F.'"), both("def f(a): 'F.'"), {"modified lib.f: became required a"}),
    Row("became optional", both("def f(a): 'F.'"), both("def f(a=1): 'F.'"), {"modified lib.f: became optional a"}),
    Row(
        "keyword only",
        both("def f(a, b): 'F.'"),
        both("def f(a, *, b): 'F.'"),
        {"modified lib.f: became keyword-only b"},
    ),
    Row(
        "reordered",
        both("def f(a, b): 'F.'"),
        both("def f(b, a): 'F.'"),
        {"modified lib.f: parameters reordered b"},
    ),
    Row("annotations do not count", both("def f(a: 'int | None'): 'F.'"), both("def f(a: int) -> str: 'F.'"), set()),
    Row(
        "but one that accepts more",
        both("def f(a: int): 'F.'"),
        both("def f(a: 'int | str'): 'F.'"),
        {"modified lib.f: annotation widened a"},
    ),
    Row(
        "a container of a type variable accepts more",
        both("class C:\n    'C.'\n    def __init__(self, a: list[str]): 'Make.'"),
        both(
            "from typing import Generic, TypeVar\nfrom collections.abc import Iterable\nValueT = TypeVar('ValueT')\n"
            "class C(Generic[ValueT]):\n    'C.'\n    def __init__(self, a: 'Iterable[ValueT]'): 'Make.'"
        ),
        {"modified lib.C: annotation widened a"},
    ),
    Row(
        "annotations only became text",
        both("from typing import Optional\ndef f(a: Optional[int] = None): 'F.'"),
        both("from __future__ import annotations\nfrom typing import Optional\ndef f(a: Optional[int] = None): 'F.'"),
        set(),
    ),
    Row("private parameters do not count", both("def f(a): 'F.'"), both("def f(a, _depth=2): 'F.'"), set()),
    Row("the name of **kwargs does not count", both("def f(**kw): 'F.'"), both("def f(**options): 'F.'"), set()),
    Row("two underscores are positional only", both("def f(__a): 'F.'"), both("def f(a, /): 'F.'"), set()),
    Row(
        "the same, mangled in a class",
        both("class C:\n    'C.'\n    def m(self, __a): 'M.'"),
        both("class C:\n    'C.'\n    def m(self, a, /): 'M.'"),
        set(),
    ),
    Row(
        "a sentinel has another address in every run",
        both("S = object()\ndef f(a=S): 'F.'"),
        both("S = object()\ndef f(a=S): 'F.'"),
        set(),
    ),
    Row(
        "a folder in a default is this machine's",
        both("import os\ndef f(a=os.path.dirname(os.__file__)): 'F.'"),
        both("import os\ndef f(a=os.path.dirname(os.__file__)): 'F.'"),
        set(),
    ),
    Row(
        "a set has no order",
        both("def f(a=frozenset({'x', 'y', 'z', 'w'})): 'F.'"),
        both("def f(a=frozenset({'w', 'z', 'y', 'x'})): 'F.'"),
        set(),
    ),
    Row(
        "a wrapper that hides its signature is unknown, not changed",
        both("def f(*args, **kwargs): 'F.'"),
        both("def f(a, b=1): 'F.'"),
        set(),
    ),
    Row(
        "the same with a first parameter of its own",
        both("def f(x, *args, **kwargs): 'F.'"),
        both("def f(a, b=1): 'F.'"),
        set(),
    ),
    Row(
        "a wrapper that takes one parameter more",
        both("def f(*args, **kwargs): 'F.'"),
        both("def f(*args, timeout=None, **kwargs): 'F.'"),
        {"modified lib.f: parameter added timeout"},
    ),
    Row(
        "a changed constructor is the class's, once",
        both(C),
        both(C.replace("(self, a)", "(self, a, b=None)")),
        {"modified lib.C: parameter added b"},
    ),
    Row(
        "dataclass fields are parameters",
        both("import dataclasses\n@dataclasses.dataclass\nclass C:\n    'C.'\n    a: int"),
        both("import dataclasses\n@dataclasses.dataclass\nclass C:\n    'C.'\n    a: int\n    b: int = 0"),
        {"modified lib.C: parameter added b"},
    ),
    Row(
        "TypedDict keys are parameters",
        both("from typing import TypedDict\nclass C(TypedDict, total=False):\n    'C.'\n    a: int"),
        both("from typing import TypedDict\nclass C(TypedDict, total=False):\n    'C.'\n    a: int\n    b: int"),
        {"modified lib.C: parameter added b"},
    ),
    Row(
        "a property that became a method",
        both("class C:\n    'C.'\n    @property\n    def m(self): 'M.'"),
        both("class C:\n    'C.'\n    def m(self): 'M.'"),
        {"modified lib.C.m: kind changed m"},
    ),
    Row("private names", ALL + C, ALL + C + "    def _n(self): 'N.'\ndef _g(): 'G.'\n", set()),
    Row("dunder methods", ALL + C, ALL + C + "    def __len__(self): return 0\n", set()),
    Row("module variables", ALL + F, "__all__ = ['f', 'x']\nx = 3\n" + F, set()),
    Row(
        "type aliases and type variables",
        ALL + F,
        "from typing import *\n__all__ = ['f', 'X', 'T', 'N']\nX = Dict[str, int]\nT = TypeVar('T')\n"
        "N = NewType('N', int)\n" + F,
        set(),
    ),
    Row(
        "no evidence",
        {"lib/__init__.py": "", "lib/tools.py": ""},
        {"lib/__init__.py": "", "lib/tools.py": F},
        set(),
    ),
    Row(
        "re-exported by a package without __all__",
        {"lib/__init__.py": "", "lib/_f.py": ""},
        {"lib/__init__.py": "from ._f import f as f", "lib/_f.py": F},
        {"added lib.f"},
    ),
    Row(
        "names of other libraries in the package's namespace",
        ALL + F,
        "from functools import *\nfrom json import JSONDecoder, dumps\n" + ALL + F,
        set(),
    ),
    Row(
        "a helper package's re-exports",
        {"lib/__init__.py": "", "lib/utils/__init__.py": "", "lib/utils/_f.py": F},
        {"lib/__init__.py": "", "lib/utils/__init__.py": "from ._f import f", "lib/utils/_f.py": F},
        set(),
    ),
    Row(
        "the code moved, the public path stayed",
        {"lib/__init__.py": "from .a import f\n__all__ = ['f']", "lib/a.py": F},
        {"lib/__init__.py": "from .b import f\n__all__ = ['f']", "lib/b.py": F},
        set(),
    ),
    Row(
        "moved to another public path",
        {"lib/__init__.py": "", "lib/a.py": "__all__ = ['f']\n" + F},
        {"lib/__init__.py": "", "lib/b.py": "__all__ = ['f']\n" + F},
        {"moved lib.b.f from lib.a.f"},
    ),
    Row(
        "a moved class takes its methods along",
        {"lib/__init__.py": "", "lib/a.py": "__all__ = ['C']\n" + C},
        {"lib/__init__.py": "", "lib/b.py": "__all__ = ['C']\n" + C + "    def n(self): 'N.'\n"},
        {"moved lib.b.C from lib.a.C", "moved lib.b.C.m from lib.a.C.m", "added lib.b.C.n"},
    ),
    Row(
        "an alias under another public path is no news",
        {"lib/__init__.py": "", "lib/a.py": "__all__ = ['f']\n" + F},
        {"lib/__init__.py": "from .a import f\n__all__ = ['f']", "lib/a.py": "__all__ = ['f']\n" + F},
        {"moved lib.f from lib.a.f"},
    ),
    Row(
        "changed and re-exported: the path that both have",
        {"lib/__init__.py": "", "lib/a.py": "__all__ = ['f']\ndef f(a): 'F.'"},
        {
            "lib/__init__.py": "from .a import f\n__all__ = ['f']",
            "lib/a.py": "__all__ = ['f']\ndef f(a, b=1): 'F.'",
        },
        {"modified lib.a.f: parameter added b"},
    ),
    Row(
        "changed, and the path that both have is nobody's business",
        {"lib/__init__.py": "", "lib/a.py": "from lib._f import f", "lib/_f.py": "def f(a): 'Do f.'"},
        {
            "lib/__init__.py": "from lib._f import f\n__all__ = ['f']",
            "lib/a.py": "from lib._f import f",
            "lib/_f.py": "def f(a, b=1): 'Do f.'",
        },
        {"modified lib.f: parameter added b"},
    ),
    Row(
        "a double whose original is still there is added",
        {"lib/__init__.py": "", "lib/a.py": "__all__ = ['f']\n" + F},
        {"lib/__init__.py": "", "lib/a.py": "__all__ = ['f']\n" + F, "lib/b.py": "__all__ = ['f']\n" + F},
        {"added lib.b.f"},
    ),
    Row(
        "inherited from a private base: reported under the public class",
        both("class _B:\n    def m(self): 'M.'\nclass C(_B): 'C.'"),
        both("class _B:\n    def m(self): 'M.'\n    def n(self): 'N.'\nclass C(_B): 'C.'"),
        {"added lib.C.n"},
    ),
    Row(
        "inherited from a public base: reported there, once",
        "__all__ = ['B', 'C']\nclass B: 'B.'\nclass C(B): 'C.'",
        "__all__ = ['B', 'C']\nclass B:\n    'B.'\n    def n(self): 'N.'\nclass C(B): 'C.'",
        {"added lib.B.n"},
    ),
    Row(
        "an override of what was inherited is not added",
        "__all__ = ['B', 'C']\nclass B:\n    'B.'\n    def n(self): 'N.'\nclass C(B): 'C.'",
        "__all__ = ['B', 'C']\nclass B:\n    'B.'\n    def n(self): 'N.'\nclass C(B):\n    'C.'\n    def n(self): 'N.'",
        set(),
    ),
    Row(
        "an override with another parameter is modified",
        "__all__ = ['B', 'C']\nclass B:\n    'B.'\n    def n(self): 'N.'\nclass C(B): 'C.'",
        "__all__ = ['B', 'C']\nclass B:\n    'B.'\n    def n(self): 'N.'\n"
        "class C(B):\n    'C.'\n    def n(self, a=1): 'N.'",
        {"modified lib.C.n: parameter added a"},
    ),
    Row(
        "a method that dict lent before",
        both("class C(dict): 'C.'"),
        both("class C(dict):\n    'C.'\n    def get(self, key, default=None): 'G.'"),
        set(),
    ),
    Row(
        "a property that was an attribute set by the constructor",
        both("class C:\n    'C.'\n    def __init__(self): self.p = 1"),
        both("class C:\n    'C.'\n    def __init__(self): self._p = 1\n    @property\n    def p(self): return self._p"),
        set(),
    ),
    Row(
        "a function under the name of a former variable",
        both("f = [1]"),
        both(F),
        set(),
    ),
    Row("deprecated by its docstring", ALL + F, ALL + F + "class C:\n    'Deprecated: use f.'\n", set()),
    Row(
        "deprecated by a directive",
        ALL + F,
        ALL + F + "class C:\n    '''A thing.\n\n    .. deprecated:: 2.0\n    '''\n    def m(self): 'M.'",
        set(),
    ),
    Row(
        "a deprecated parameter is no deprecated function",
        ALL,
        ALL
        + "def f(a):\n    '''Do f.\n\n    Parameters\n    ----------\n    a\n        .. deprecated:: 2.0\n    '''\n",
        {"added lib.f"},
    ),
    Row(
        "deprecated by PEP 702",
        ALL,
        ALL + "def f(a): 'Do f.'\nf.__deprecated__ = 'use g'\n",
        set(),
    ),
    Row(
        "a subtree that could not be imported before is unknown, not added",
        {"lib/__init__.py": "", "lib/a.py": "import missing_dependency\n"},
        {"lib/__init__.py": "", "lib/a.py": "__all__ = ['f']\n" + F},
        set(),
    ),
    Row(
        "what griffe saw in a module that cannot be imported",
        {"lib/__init__.py": "", "lib/a.py": "import missing_dependency\n__all__ = ['f']\n" + F},
        {"lib/__init__.py": "", "lib/a.py": "import missing_dependency\n__all__ = ['f', 'g']\n" + F + "def g(): 'G.'"},
        {"added lib.a.g"},
    ),
    Row(
        "`__all__` of what the library keeps for itself",
        {"lib/__init__.py": "", "lib/core/__init__.py": "", "lib/core/a.py": "__all__ = []\n"},
        {"lib/__init__.py": "", "lib/core/__init__.py": "", "lib/core/a.py": "__all__ = ['f']\n" + F},
        set(),
    ),
    Row(
        "a base of its own business: its methods are those of the class that users have",
        {
            "lib/__init__.py": "from lib.core.a import C\n__all__ = ['C']",
            "lib/core/__init__.py": "",
            "lib/core/a.py": "__all__ = ['B', 'C']\nclass B: 'B.'\nclass C(B): 'C.'",
        },
        {
            "lib/__init__.py": "from lib.core.a import C\n__all__ = ['C']",
            "lib/core/__init__.py": "",
            "lib/core/a.py": "__all__ = ['B', 'C']\nclass B:\n    'B.'\n    def n(self): 'N.'\nclass C(B): 'C.'",
        },
        {"added lib.C.n"},
    ),
    Row(
        "a module that was an attribute under another name",
        {
            "lib/__init__.py": "from lib.deep import a as char\n__all__ = ['char']",
            "lib/deep/__init__.py": "",
            "lib/deep/a.py": "__all__ = ['f']\ndef f(a): 'Do f.'",
        },
        {
            "lib/__init__.py": "from lib import char\n__all__ = ['char']",
            "lib/deep/__init__.py": "",
            "lib/char.py": "__all__ = ['f']\ndef f(a, b=1): 'Do f in some other way.'",
        },
        {"modified lib.char.f: parameter added b"},
    ),
    Row(
        "an attribute that the class's docstring lists became a property",
        both(
            "class C:\n    '''C.\n\n    Attributes\n    ----------\n    p : int\n        A number.\n    '''\n"
            "    def __init__(self): setattr(self, 'p', 1)"
        ),
        both("class C:\n    'C.'\n    @property\n    def p(self): 'P.'"),
        set(),
    ),
    Row(
        "a signature that another library changed",
        {"lib/__init__.py": "import other\n" + both("class C(other.B): 'C.'"), "other.py": "class B: pass"},
        {
            "lib/__init__.py": "import other\n" + both("class C(other.B): 'C.'"),
            "other.py": "class B:\n    def __init__(self, a): pass",
        },
        set(),
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_what_is_found(row: Row, tmp_path: Path) -> None:
    old, new = surface_of(tmp_path / "old", row.old), surface_of(tmp_path / "new", row.new)
    assert {shown(candidate) for candidate in diff(old, new, "lib", "1", "2", tmp_path / "new")} == row.found


def test_all_of_a_library_without_a_former_version_is_added(tmp_path: Path) -> None:
    new = surface_of(tmp_path, ALL + F + C)
    found = diff(type(new)(library="lib", version=None), new, "lib", None, "2")
    assert {shown(candidate) for candidate in found} == {"added lib.C", "added lib.C.m", "added lib.f"}


def test_a_candidate_tells_all_that_a_reader_needs(tmp_path: Path) -> None:
    old = surface_of(tmp_path / "old", both("def f(a): 'Do f.'"))
    new = surface_of(tmp_path / "new", both("def f(a, /, *, b: int = 3) -> str: 'Do f.'"))
    (found,) = diff(old, new, "lib", "1", "2")
    assert found.signature == "(a, /, *, b: int = 3) -> str"
    assert (found.old_signature, found.import_module, found.docstring) == ("(a)", "lib", "Do f.")
    assert [(e.kind, e.where) for e in found.evidence] == [("__all__", "lib")]
    assert found.sources == ("runtime", "griffe")


def shown(found: Candidate) -> str:
    changes = ", ".join(f"{change.what} {change.parameter}" for change in found.changes)
    moved = f" from {found.old_api_name}" if found.change == "moved" else ""
    return f"{found.change} {found.api_name}{moved}" + (f": {changes}" if changes else "")
