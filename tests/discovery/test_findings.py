"""Old code, new code, expected finding, one row per change that a library can make to one module.

All rows are modules of one package, so that one walk of each version serves them all; `what` has the findings other
than `unchanged` and `without evidence`. Rows that need a package of their own are in `test_diff.py`.
"""

from typing import NamedTuple

import pytest

from apigap.discovery.diff import Finding, classify
from tests.discovery.packages import surface_of


class Row(NamedTuple):
    name: str
    old: str
    new: str
    what: tuple[str, ...] = ()


def method(signature: str, decorator: str = "pass") -> str:
    head = f"    {decorator}\n" if decorator != "pass" else ""
    return f"class C:\n    'C.'\n{head}    def m({signature}): 'M.'\n"


DATACLASS = "import dataclasses\n@dataclasses.dataclass\nclass C:\n    'C.'\n    a: int\n"
ENUM = "import enum\nclass C(enum.Enum):\n    'C.'\n    A = 1\n"
TYPED_DICT = "from typing import TypedDict\nclass C(TypedDict):\n    'C.'\n    a: int\n"
NAMED_TUPLE = "from typing import NamedTuple\nclass C(NamedTuple):\n    'C.'\n    a: int\n"
MODEL = "import pydantic\nclass C(pydantic.BaseModel):\n    'C.'\n    a: int = 0\n"
WRAPS = "import functools\ndef deco(f):\n    @functools.wraps(f)\n    def g(*a, **k): return f(*a, **k)\n    return g\n"
BARE = "def deco(f):\n    def g(*a, **k): 'F.'\n    g.__name__ = 'f'\n    return g\n"

PARAMETERS = [
    Row("a parameter with a default", "def f(a): 'F.'", "def f(a, b=1): 'F.'", ("modified f: parameter added b",)),
    Row("a required parameter", "def f(a): 'F.'", "def f(a, b): 'F.'", ("modified f: parameter added b",)),
    Row("a keyword-only one", "def f(a): 'F.'", "def f(a, *, b=1): 'F.'", ("modified f: parameter added b",)),
    Row("one before the others", "def f(a): 'F.'", "def f(b, a): 'F.'", ("modified f: parameter added b",)),
    Row("*args gained", "def f(a): 'F.'", "def f(a, *args): 'F.'", ("modified f: parameter added args",)),
    Row("**kwargs gained", "def f(a): 'F.'", "def f(a, **kw): 'F.'", ("modified f: parameter added kw",)),
    Row("**kwargs lost", "def f(a, **kw): 'F.'", "def f(a): 'F.'", ("modified f: parameter removed kw",)),
    Row("a parameter removed", "def f(a, b=1): 'F.'", "def f(a): 'F.'", ("modified f: parameter removed b",)),
    Row("**kwargs spelt out", "def f(a, **kw): 'F.'", "def f(a, b=1, **kw): 'F.'", ("modified f: parameter added b",)),
    Row("renamed at its place", "def f(a, b): 'F.'", "def f(a, c): 'F.'", ("modified f: parameter renamed c",)),
    Row("renamed, with a default", "def f(a, b=1): 'F.'", "def f(a, c=1): 'F.'", ("modified f: parameter renamed c",)),
    Row(
        "another parameter at its place, not the same one renamed",
        "def f(a, b=1): 'F.'",
        "def f(a, c='x'): 'F.'",
        ("modified f: parameter added c, parameter removed b",),
    ),
    Row(
        "of another type",
        "def f(a, b: int): 'F.'",
        "def f(a, c: str): 'F.'",
        ("modified f: parameter added c, parameter removed b",),
    ),
    Row(
        "keyword-only parameters have no place",
        "def f(*, b=1): 'F.'",
        "def f(*, c=1): 'F.'",
        ("modified f: parameter added c, parameter removed b",),
    ),
    Row("positional-only names are nobody's", "def f(a, /): 'F.'", "def f(b, /): 'F.'"),
    Row("became keyword-only", "def f(a, b=1): 'F.'", "def f(a, *, b=1): 'F.'", ("modified f: became keyword-only b",)),
    Row("no longer keyword-only", "def f(a, *, b=1): 'F.'", "def f(a, b=1): 'F.'", ("modified f: kind changed b",)),
    Row("became positional-only", "def f(a): 'F.'", "def f(a, /): 'F.'", ("modified f: kind changed a",)),
    Row("no longer positional-only", "def f(a, /): 'F.'", "def f(a): 'F.'", ("modified f: kind changed a",)),
    Row("became required", "def f(a=1): 'F.'", "def f(a): 'F.'", ("modified f: became required a",)),
    Row("became optional", "def f(a): 'F.'", "def f(a=None): 'F.'", ("modified f: became optional a",)),
    Row("exchanged places", "def f(a, b, c): 'F.'", "def f(a, c, b): 'F.'", ("modified f: parameters reordered c",)),
    Row("keyword-only ones have no order", "def f(*, a, b): 'F.'", "def f(*, b, a): 'F.'"),
    Row(
        "two changes, in order",
        "def f(a, b=1): 'F.'",
        "def f(a, b=2, *, c=3): 'F.'",
        ("modified f: default changed b, parameter added c",),
    ),
    Row("private parameters", "def f(a): 'F.'", "def f(a, _x=1): 'F.'"),
    Row("the names of stars", "def f(*args, **kwargs): 'F.'", "def f(*a, **options): 'F.'"),
    Row("two underscores, then a slash", "def f(__a): 'F.'", "def f(a, /): 'F.'"),
    Row("a method's self", method("self, a"), method("this, a")),
    Row("a method's parameter", method("self"), method("self, a=1"), ("modified C.m: parameter added a",)),
]

DEFAULTS = [
    Row("another number", "def f(a=1): 'F.'", "def f(a=2): 'F.'", ("modified f: default changed a",)),
    Row("a flag turned", "def f(a=True): 'F.'", "def f(a=False): 'F.'", ("modified f: default changed a",)),
    Row("a flag became a number", "def f(a=True): 'F.'", "def f(a=1): 'F.'", ("modified f: default changed a",)),
    Row("None became a value", "def f(a=None): 'F.'", "def f(a='x'): 'F.'", ("modified f: default changed a",)),
    Row("None became an empty tuple", "def f(a=None): 'F.'", "def f(a=()): 'F.'", ("modified f: default changed a",)),
    Row("an exponent written out", "def f(a=1e-3): 'F.'", "def f(a=0.001): 'F.'"),
    Row("an integer with a point", "def f(a=1): 'F.'", "def f(a=1.0): 'F.'"),
    Row("other quotes", "def f(a='x'): 'F.'", 'def f(a="x"): "F."'),
    Row("a list became a tuple", "def f(a=[1, 2]): 'F.'", "def f(a=(1, 2)): 'F.'"),
    Row("a longer list", "def f(a=[1, 2]): 'F.'", "def f(a=(1, 2, 3)): 'F.'", ("modified f: default changed a",)),
    Row("a dictionary in another order", "def f(a={'x': 1, 'y': 2}): 'F.'", "def f(a={'y': 2, 'x': 1}): 'F.'"),
    Row("a set has no order", "def f(a=frozenset('xyzw')): 'F.'", "def f(a=frozenset('wzyx')): 'F.'"),
    Row("not a number", "def f(a=float('nan')): 'F.'", "import math\ndef f(a=math.nan): 'F.'"),
    Row("infinity, otherwise", "def f(a=float('inf')): 'F.'", "def f(a=1e999): 'F.'"),
    Row("a constant that got a name", "def f(a=3): 'F.'", "_N = 3\ndef f(a=_N): 'F.'"),
    Row("a sentinel's address", "S = object()\ndef f(a=S): 'F.'", "S = object()\ndef f(a=S): 'F.'"),
    Row("a sentinel in None's place", "def f(a=None): 'F.'", "S = object()\ndef f(a=S): 'F.'"),
    Row(
        "a private enum as a sentinel",
        "def f(a=None): 'F.'",
        "import enum\nclass _No(enum.Enum):\n    default = 1\ndef f(a=_No.default): 'F.'",
    ),
    Row(
        "an enum's member",
        "import enum\nclass E(enum.Enum):\n    A = 1\n    B = 2\ndef f(a=E.A): 'F.'",
        "import enum\nclass E(enum.Enum):\n    A = 1\n    B = 2\ndef f(a=E.B): 'F.'",
        ("modified f: default changed a",),
    ),
    Row(
        "a function of another module",
        "def g(): ...\ndef f(a=g): 'F.'",
        "from json import dumps as g\ndef f(a=g): 'F.'",
        ("modified f: default changed a",),
    ),
    Row(
        "a value whose repr fails",
        "class _S:\n    def __repr__(self): raise ValueError\ndef f(a=_S()): 'F.'",
        "class _S:\n    def __repr__(self): raise KeyError\ndef f(a=_S()): 'F.'",
    ),
    Row("this machine's folder", "import os\ndef f(a=os.getcwd()): 'F.'", "import sys\ndef f(a=sys.prefix): 'F.'"),
]

ANNOTATIONS = [
    Row("another type of a parameter", "def f(a: int): 'F.'", "def f(a: str): 'F.'"),
    Row("a narrower one", "def f(a: 'int | str'): 'F.'", "def f(a: int): 'F.'"),
    Row("a wider one", "def f(a: int): 'F.'", "def f(a: 'int | None'): 'F.'", ("modified f: annotation widened a",)),
    Row(
        "None with the default",
        "def f(a: int = 1): 'F.'",
        "def f(a: 'int | None' = None): 'F.'",
        ("modified f: default changed a",),
    ),
    Row(
        "annotations as text", "def f(a: int = 1): 'F.'", "from __future__ import annotations\ndef f(a: int = 1): 'F.'"
    ),
    Row("a return annotation gained", "def f(a): 'F.'", "def f(a) -> int: 'F.'"),
    Row("a return annotation alone", "def f(a) -> int: 'F.'", "def f(a) -> str: 'F.'"),
    Row(
        "a return annotation beside another change",
        "def f(a) -> int: 'F.'",
        "def f(a, b=1) -> str: 'F.'",
        ("modified f: parameter added b, return annotation changed return",),
    ),
    Row(
        "the same type written otherwise",
        "from typing import *\ndef f(a) -> Optional[List[int]]: 'F.'",
        "def f(a, b=1) -> 'list[int] | None': 'F.'",
        ("modified f: parameter added b",),
    ),
    Row(
        "the same type with its parameter left open, or by another private name",
        "from typing import Any\nclass _A: ...\ndef f(a) -> 'list[Any] | _A': 'F.'",
        "class _B: ...\ndef f(a, b=1) -> 'list | _B': 'F.'",
        ("modified f: parameter added b",),
    ),
    Row(
        "positional-only by the old convention",
        "class C:\n    'C.'\n    def f(self, instance): 'F.'",
        "class C:\n    'C.'\n    def f(self, __instance): 'F.'",
        ("modified C.f: kind changed __instance",),
    ),
    Row(
        "type variables",
        "from typing import TypeVar\nT = TypeVar('T')\ndef f(a: T) -> T: 'F.'",
        "def f(a): 'F.'",
    ),
    Row(
        "a class became generic",
        "class C:\n    'C.'\n    def __init__(self, a): ...",
        "from typing import Generic, TypeVar\nT = TypeVar('T')\n"
        "class C(Generic[T]):\n    'C.'\n    def __init__(self, a): ...",
    ),
    Row(
        "overloads gained",
        "def f(a, b=None): 'F.'",
        "from typing import overload\n@overload\ndef f(a: int) -> int: ...\n@overload\n"
        "def f(a: str, b: str) -> str: ...\ndef f(a, b=None): 'F.'",
    ),
]

WRAPPERS = [
    Row("a wrapper that hides what it wraps", "def f(*args, **kwargs): 'F.'", "def f(a, b=1): 'F.'"),
    Row("hides all but the first", "def f(x, *args, **kwargs): 'F.'", "def f(x, b=1): 'F.'"),
    Row(
        "names one and keeps the rest hidden",
        "def f(*args, **kwargs): 'F.'",
        "def f(*args, timeout=None, **kwargs): 'F.'",
        ("modified f: parameter added timeout",),
    ),
    Row("decorated with functools.wraps", "def f(a, b=1): 'F.'", WRAPS + "@deco\ndef f(a, b=1): 'F.'"),
    Row(
        "wraps, and a parameter",
        WRAPS + "@deco\ndef f(a): 'F.'",
        WRAPS + "@deco\ndef f(a, b=1): 'F.'",
        ("modified f: parameter added b",),
    ),
    Row("decorated without wraps", "def f(a, b=1): 'F.'", BARE + "@deco\ndef f(a, b=1): 'F.'"),
    Row("cached", "def f(a): 'F.'", "import functools\n@functools.lru_cache\ndef f(a): 'F.'"),
    Row(
        "a context manager",
        "def f(a): 'F.'",
        "import contextlib\n@contextlib.contextmanager\ndef f(a):\n    'F.'\n    yield",
    ),
    Row("became asynchronous", "def f(a): 'F.'", "async def f(a): 'F.'"),
    Row(
        "a partial",
        "def g(a, b): ...\ndef f(a): 'F.'",
        "import functools\ndef g(b, a): ...\nf = functools.partial(g, 1)\nf.__name__ = 'f'\nf.__doc__ = 'F.'",
    ),
]

SHAPES = [
    Row("a function", "", "def f(a): 'F.'", ("added f",)),
    Row("a class with a method", "", method("self"), ("added C", "added C.m")),
    Row("a method", "class C: 'C.'", method("self"), ("added C.m",)),
    Row("a class method", "class C: 'C.'", method("cls", "@classmethod"), ("added C.m",)),
    Row("a static method", "class C: 'C.'", method("a", "@staticmethod"), ("added C.m",)),
    Row("a property", "class C: 'C.'", method("self", "@property"), ("added C.m",)),
    Row("a property became a method", method("self", "@property"), method("self"), ("modified C.m: kind changed m",)),
    Row("a method became a property", method("self"), method("self", "@property"), ("modified C.m: kind changed m",)),
    Row(
        "a method that needs no instance",
        method("self, a"),
        method("a", "@staticmethod"),
        ("modified C.m: kind changed m",),
    ),
    Row("a static method became a class method", method("a", "@staticmethod"), method("cls, a", "@classmethod")),
    Row(
        "a property became cached",
        method("self", "@property"),
        "import functools\n" + method("self", "@functools.cached_property"),
    ),
    Row(
        "a field became a property",
        DATACLASS + "    m: int = 0\n",
        DATACLASS + "    @property\n    def m(self): 'M.'\n",
        ("modified C: parameter removed m",),
    ),
    Row("a class became a function", "class f:\n    'F.'\n    def __init__(self, a): ...", "def f(a): 'F.'"),
    Row(
        "a function became a class, with a parameter",
        "def f(a): 'F.'",
        "class f:\n    'F.'\n    def __init__(self, a, b=1): ...",
        ("modified f: parameter added b",),
    ),
    Row(
        "__new__ took the place of __init__",
        "class C:\n    'C.'\n    def __init__(self, a): ...",
        "class C:\n    'C.'\n    def __new__(cls, a): return object.__new__(cls)",
    ),
    Row(
        "a constructor's parameter",
        "class C:\n    'C.'\n    def __init__(self, a): ...",
        "class C:\n    'C.'\n    def __init__(self, a, b=1): ...",
        ("modified C: parameter added b",),
    ),
    Row("an alias", "def f(a): 'F.'", "def f(a): 'F.'\ng = f\n__all__ = ['f', 'g']"),
    Row(
        "an alias in place of its like",
        "def f(a): 'F.'\ndef g(a): 'G.'\n__all__ = ['f', 'g']",
        "def f(a): 'F.'\ng = f\n__all__ = ['f', 'g']",
    ),
    Row("an alias of a method", method("self"), method("self") + "    n = m\n"),
    Row("a variable", "", "f = 3\n__all__ = ['f']"),
    Row("a function under a variable's name", "f = [1]\n__all__ = ['f']", "def f(a): 'F.'", ("unknown before f",)),
    Row(
        "a type alias, a type variable, a new type",
        "",
        "from typing import *\n__all__ = ['X', 'T', 'N']\nX = Dict[str, int]\nT = TypeVar('T')\nN = NewType('N', int)",
    ),
    Row("names imported from elsewhere", "", "from json import dumps\nfrom functools import partial\nimport os"),
    Row("an instance that can be called", "", "class _F:\n    def __call__(self): ...\nf = _F()\n__all__ = ['f']"),
    Row("a private name", "", "def _f(a): 'F.'\nclass _C: 'C.'"),
    Row("a dunder method", "class C: 'C.'", "class C:\n    'C.'\n    def __len__(self): return 0"),
    Row("a nested class", "class C: 'C.'", "class C:\n    'C.'\n    class Config: 'Config.'"),
    Row(
        "an attribute that the constructor sets became a property",
        "class C:\n    'C.'\n    def __init__(self): self.m = 1",
        "class C:\n    'C.'\n    def __init__(self): ...\n    @property\n    def m(self): 'M.'",
        ("unknown before C.m",),
    ),
    Row(
        "what a base from elsewhere lends",
        "class C(dict): 'C.'",
        "class C(dict):\n    'C.'\n    def get(self, key, default=None): 'G.'",
        ("unknown before C.get",),
    ),
    Row(
        "a lazy name",
        "def __getattr__(name):\n    if name == 'f':\n        from json import tool\n        return tool.main\n"
        "    raise AttributeError(name)\n__all__ = ['f']",
        "def f(a): 'F.'",
        ("unknown before f",),
    ),
    Row(
        "a lazy name that was not to be had",
        "def __getattr__(name):\n    if name == 'f': raise ImportError('needs torch')\n    raise AttributeError(name)\n"
        "__all__ = ['f']",
        "def f(a): 'F.'",
        ("unknown before f",),
    ),
    Row(
        "a name that `__dir__` hid",
        "def __dir__(): return []\ndef f(a): 'F.'\n__all__ = []",
        "def f(a): 'F.'",
        ("unknown before f",),
    ),
    Row("`__all__` named what was not there", "__all__ = ['f']", "def f(a): 'F.'", ("added f",)),
]

BASES = [
    Row(
        "methods pulled up into a new base class",
        method("self") + "__all__ = ['C']",
        "class B:\n    'B.'\n    def m(self): 'M.'\nclass C(B): 'C.'\n__all__ = ['B', 'C']",
        ("added B", "moved B.m from C.m"),
    ),
    Row(
        "a new base class's like of a method that comes from another base",
        "class A:\n    'A.'\n    def m(self, a): 'M.'\n"
        "class C:\n    'C.'\n    def m(self, a): 'M.'\n__all__ = ['A', 'C']",
        "class B:\n    'B.'\n    def m(self): 'M.'\nclass A(B):\n    'A.'\n    def m(self, a): 'M.'\n"
        "class C(A): 'C.'\n__all__ = ['A', 'B', 'C']",
        ("added B", "added B.m"),
    ),
    Row("a private base", method("self"), "class _B:\n    def m(self): 'M.'\nclass C(_B): 'C.'"),
    Row(
        "a base that has more",
        "class _B:\n    def m(self): ...\nclass C(_B): 'C.'",
        "class _B:\n    def m(self): ...\n    def n(self): ...\nclass C(_B): 'C.'",
        ("added C.n",),
    ),
    Row(
        "an override of what was inherited",
        "class B:\n    'B.'\n    def m(self): 'M.'\nclass C(B): 'C.'\n__all__ = ['B', 'C']",
        "class B:\n    'B.'\n    def m(self): 'M.'\nclass C(B):\n    'C.'\n    def m(self): 'M.'\n__all__ = ['B', 'C']",
    ),
    Row(
        "an override no more",
        "class B:\n    'B.'\n    def m(self): 'M.'\nclass C(B):\n    'C.'\n    def m(self): 'M.'\n__all__ = ['B', 'C']",
        "class B:\n    'B.'\n    def m(self): 'M.'\nclass C(B): 'C.'\n__all__ = ['B', 'C']",
    ),
    Row(
        "a protocol",
        "from typing import Protocol\nclass C(Protocol):\n    'C.'\n    def m(self): 'M.'",
        "from typing import Protocol\nclass C(Protocol):\n    'C.'\n    def m(self): 'M.'\n    def n(self): 'N.'",
        ("added C.n",),
    ),
]

FIELDS = [
    Row(
        "a data class's field is its constructor's parameter",
        DATACLASS,
        DATACLASS + "    b: int = 0\n",
        ("modified C: parameter added b", "told by its class C.b"),
    ),
    Row(
        "a field that the constructor does not take",
        DATACLASS,
        DATACLASS + "    b: int = dataclasses.field(init=False, default=0)\n",
        ("added C.b",),
    ),
    Row(
        "a class variable is no field",
        DATACLASS,
        DATACLASS + "    b: 'ClassVar[int]' = 0\n".replace("'ClassVar[int]'", "__import__('typing').ClassVar[int]"),
    ),
    Row("a private field", DATACLASS, DATACLASS + "    _b: int = dataclasses.field(init=False, default=0)\n"),
    Row(
        "a field removed", DATACLASS + "    b: int = 0\n", DATACLASS, ("modified C: parameter removed b", "removed C.b")
    ),
    Row("a field's type", DATACLASS, DATACLASS.replace("a: int", "a: str")),
    Row(
        "a field renamed",
        DATACLASS,
        DATACLASS.replace("a: int", "b: int"),
        ("modified C: parameter renamed b", "removed C.a", "told by its class C.b"),
    ),
    Row("the fields of a new data class", "", DATACLASS, ("added C", "told by its class C.a")),
    Row(
        "a key of a TypedDict",
        TYPED_DICT,
        TYPED_DICT + "    b: int\n",
        ("modified C: parameter added b", "told by its class C.b"),
    ),
    Row(
        "a key no longer required",
        TYPED_DICT,
        TYPED_DICT.replace("a: int", "a: NotRequired[int]").replace(
            "import TypedDict", "import NotRequired, TypedDict"
        ),
        ("modified C: became optional a",),
    ),
    Row(
        "a NamedTuple's field",
        NAMED_TUPLE,
        NAMED_TUPLE + "    b: int = 0\n",
        ("modified C: parameter added b", "told by its class C.b"),
    ),
    Row(
        "a model's field", MODEL, MODEL + "    b: int = 0\n", ("modified C: parameter added b", "told by its class C.b")
    ),
    Row(
        "a model's field behind a constructor of its own",
        MODEL + "    def __init__(self, **data): super().__init__(**data)\n",
        MODEL + "    b: int = 0\n    def __init__(self, **data): super().__init__(**data)\n",
        ("modified C: parameter added b", "told by its class C.b"),
    ),
    Row(
        "a model's field that is made, not given",
        MODEL,
        MODEL + "    b: int = pydantic.Field(default=0, init=False)\n",
        ("modified C: parameter added b", "told by its class C.b"),
    ),
    Row(
        "a model's computed field",
        MODEL,
        MODEL + "    @pydantic.computed_field\n    @property\n    def m(self) -> int: 'M.'\n",
        ("added C.m",),
    ),
    Row("a model's required field", MODEL, MODEL.replace(" = 0", ""), ("modified C: became required a",)),
    Row(
        "a model's default and its factory",
        MODEL.replace("int = 0", "list = []"),
        MODEL.replace("int = 0", "list = pydantic.Field(default_factory=list)"),
    ),
    Row("a member of an enum", ENUM, ENUM + "    B = 2\n", ("added C.B",)),
    Row("an enum's member removed", ENUM + "    B = 2\n", ENUM, ("removed C.B",)),
    Row("an enum's member has another value", ENUM, ENUM.replace("= 1", "= 2")),
    Row("the members of a new enum", "", ENUM, ("added C", "told by its class C.A")),
    Row(
        "a flag's member",
        ENUM.replace("Enum)", "Flag)"),
        ENUM.replace("Enum)", "Flag)") + "    B = 2\n",
        ("added C.B",),
    ),
    Row("a method of an enum", ENUM, ENUM + "    def m(self): 'M.'\n", ("added C.m",)),
]

DEPRECATIONS = [
    Row("newly deprecated", "def f(a): 'F.'", "def f(a): 'Deprecated: use g.'", ("deprecated f",)),
    Row("deprecated before", "def f(a): 'Deprecated.'", "def f(a, b=1): 'Deprecated.'", ("deprecated before f",)),
    Row("born deprecated", "", "def f(a): 'F. This is deprecated.'", ("deprecated f",)),
    Row(
        "by a directive, with its methods",
        method("self"),
        method("self").replace("'C.'", "'''C.\n\n    .. deprecated:: 2\n    '''"),
        ("deprecated C", "deprecated C.m"),
    ),
    Row("by PEP 702", "def f(a): 'F.'", "def f(a): 'F.'\nf.__deprecated__ = 'use g'", ("deprecated f",)),
    Row(
        "only a parameter of it",
        "def f(a): 'F.'",
        "def f(a):\n    '''F.\n\n    Parameters\n    ----------\n    a\n        .. deprecated:: 2\n    '''",
    ),
    Row("removed", "def f(a): 'F.'", "", ("removed f",)),
    Row("a class removed, with its methods", method("self"), "", ("removed C", "removed C.m")),
    Row("made private", "def f(a): 'F.'", "def _f(a): 'F.'", ("removed f",)),
    Row("what was deprecated and is removed", "def f(a): 'Deprecated.'", "", ("removed f",)),
]

ROWS = [*PARAMETERS, *DEFAULTS, *ANNOTATIONS, *WRAPPERS, *SHAPES, *BASES, *FIELDS, *DEPRECATIONS]


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    folder = tmp_path_factory.mktemp("rows")
    old = surface_of(
        folder / "old", {"lib/__init__.py": ""} | {f"lib/r{i}.py": module(r.old) for i, r in enumerate(ROWS)}
    )
    new = surface_of(
        folder / "new", {"lib/__init__.py": ""} | {f"lib/r{i}.py": module(r.new) for i, r in enumerate(ROWS)}
    )
    assert not [name for name in {**old.failures, **new.failures} if name.count(".") == 1]
    found: dict[str, set[str]] = {}
    for finding in classify(old, new):
        _, row, name = finding.entry.name.split(".", 2)
        if finding.verdict not in ("unchanged", "without evidence"):
            found.setdefault(row, set()).add(shown(finding, name, row))
    return found


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_what_is_found(number: int, findings: dict[str, set[str]]) -> None:
    assert findings.get(f"r{number}", set()) == set(ROWS[number].what)


def test_no_two_rows_have_one_name() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS) >= 80


def module(text: str) -> str:
    """The text, and an `__all__` where it has none: everything that it defines under a public name."""
    if "__all__" in text:
        return text
    names = [
        name for name in ("f", "C", "E") if f"def {name}(" in text or f"class {name}" in text or f"\n{name} =" in text
    ]
    return f"{text}\n__all__ = {names}\n"


def shown(finding: Finding, name: str, row: str) -> str:
    changes = ", ".join(f"{change.what} {change.parameter}" for change in finding.changes)
    former = finding.former.path.removeprefix(f"lib.{row}.") if finding.former and finding.verdict == "moved" else ""
    return f"{finding.verdict} {name}" + (f" from {former}" if former else "") + (f": {changes}" if changes else "")
