"""Modules that misbehave while they are imported, and what the walk makes of objects that are not what they seem."""

from pathlib import Path

import pytest

from apigap.discovery.surface import Entry, Surface
from tests.discovery.packages import surface_of

GOOD = "__all__ = ['f']\ndef f(a): 'Do f.'\n"

MISBEHAVIOUR = {
    "raises": ("raise RuntimeError('no such device')", "RuntimeError: no such device"),
    "exits": ("raise SystemExit(3)", "SystemExit: 3"),
    "interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "ends the process": ("import os; os._exit(0)", "ends the interpreter (exit status 0)"),
    "kills itself": ("import os; os.kill(os.getpid(), 9)", "ends the interpreter (signal 9)"),
    "needs what is not there": ("import no_such_module", "ModuleNotFoundError"),
    "is not Python": ("def (", "SyntaxError"),
    "raises what is no Exception": ("class Out(BaseException): pass\nraise Out('now')", "Out: now"),
    "raises what cannot be shown": (
        "class Out(Exception):\n    def __str__(self): raise ValueError\nraise Out",
        "Out: <Out>",
    ),
    "hangs": ("import time; time.sleep(60)", "Slow: took more than 1 s"),
    "hangs and will not be interrupted": (
        "import time\nwhile True:\n    try: time.sleep(60)\n    except BaseException: pass",
        "does not end: stopped after 1 s",
    ),
    "takes itself out of sys.modules": ("import sys; del sys.modules[__name__]", "KeyError: 'lib.bad'"),
    "closes what it does not know": ("import os; os.closerange(0, 1000)", "ends the interpreter"),
    "leaves a process and ends": (
        "import os, time\nif os.fork(): os._exit(5)\ntime.sleep(30); os._exit(0)",
        "status 5",
    ),
    "has a `__dir__` that fails": ("def __dir__(): raise ValueError('no')", "its __dir__ fails with ValueError: no"),
}


@pytest.mark.parametrize(("text", "reason"), MISBEHAVIOUR.values(), ids=MISBEHAVIOUR)
def test_a_module_that_cannot_be_imported_is_a_failure_with_a_reason(text: str, reason: str, tmp_path: Path) -> None:
    files = {"lib/__init__.py": "", "lib/bad.py": text, "lib/good.py": GOOD}
    surface = surface_of(tmp_path, files, seconds=1 if "while" in text or "(60)" in text else 30)
    assert set(surface.failures) == {"lib.bad"}
    assert reason in surface.failures["lib.bad"]
    assert "lib.good.f" in names(surface)


@pytest.mark.parametrize(
    "text",
    [
        "print('x' * 100_000)",
        "import os; os.write(1, b'noise'); os.write(2, b'noise')",
        "import sys; sys.stdout.close()",
        "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()",
        "import sys; sys.setrecursionlimit(60)",
    ],
)
def test_noise_and_threads_do_not_disturb_the_walk(text: str, tmp_path: Path) -> None:
    surface = surface_of(tmp_path, {"lib/__init__.py": "", "lib/loud.py": text + "\n" + GOOD})
    assert "lib.loud.f" in names(surface)


def test_a_library_may_have_to_be_set_up_first(tmp_path: Path) -> None:
    needy = "from lib import settings\nif not settings: raise RuntimeError('set me up')\n" + GOOD
    files = {"lib/__init__.py": "settings = {}\n", "lib/needy.py": needy}
    assert "lib.needy" in surface_of(tmp_path / "not", files).failures
    ready = surface_of(tmp_path / "yes", files, prepare="import lib\nlib.settings['on'] = 1\n")
    assert ready.failures == {}
    assert "lib.needy.f" in names(ready)


def test_a_set_up_that_fails_says_so(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"ended early at its start.*ZeroDivisionError"):
        surface_of(tmp_path, GOOD, prepare="1 / 0")


ODD = {
    "`__getattr__` invents every name": ("def __getattr__(name): return len\n", {"f"}),
    "`__getattr__` raises something else": ("def __getattr__(name): raise RuntimeError\n", {"f"}),
    "`__dir__` lies": ("def __dir__(): return ['f', 'g', 3, None]\n", {"f"}),
    "`__dir__` hides": ("def __dir__(): return ['f']\ndef g(a): 'G.'\n", {"f"}),
    "`__all__` names what is not there": ("__all__ = ['f', 'g', 'h']\n", {"f"}),
    "`__all__` has things in place of names": ("__all__ = [len, 3, 'f']\n", {"f"}),
    "`__all__` is no list": ("__all__ = 7\n", {"f"}),
    "`__all__` fails": (
        "class _Names(list):\n    def __iter__(self): raise RuntimeError\n__all__ = _Names(['f'])\n",
        {"f"},
    ),
    "a class whose metaclass fails": (
        "class _M(type):\n    def __getattribute__(cls, name): raise RuntimeError\nclass C(metaclass=_M): 'C.'\n",
        {"f"},
    ),
    "a class whose `__mro__` lies": (
        "class _M(type):\n    @property\n    def __mro__(cls): return 3\nclass C(metaclass=_M): 'C.'\n",
        {"f"},
    ),
    "a signature that is a text": ("def g(a): 'G.'\ng.__signature__ = 'no'\n", {"f", "g"}),
    "a docstring that is a number": ("def g(a): 'G.'\ng.__doc__ = 3\n", {"f", "g"}),
    "a name that is a number": ("def g(a): 'G.'\ng.__dict__['__name__'] = 3\n", {"f", "g"}),
    "annotations that fail": (
        "class _A:\n    def __repr__(self): raise RuntimeError\ndef g(a: _A()): 'G.'\n",
        {"f", "g"},
    ),
    "a function that wraps itself": ("def g(a): 'G.'\ng.__wrapped__ = g\n", {"f", "g"}),
    "a default with a surrogate": ("def g(a='\\ud800'): 'G.'\n", {"f", "g"}),
}


@pytest.mark.parametrize(("text", "expected"), ODD.values(), ids=ODD)
def test_odd_modules_are_read_as_what_they_are(text: str, expected: set[str], tmp_path: Path) -> None:
    files = {"lib/__init__.py": "", "lib/odd.py": "def f(a): 'Do f.'\n" + text, "lib/good.py": GOOD}
    surface = surface_of(tmp_path, files)
    found = {e.leaf for e in surface.entries if e.name.startswith("lib.odd.") and e.kind == "function"}
    assert found == expected
    assert "lib.good.f" in names(surface)


@pytest.mark.parametrize(("error", "times"), [("RuntimeError", 1), ("ModuleNotFoundError", 1), ("ImportError", 2)])
def test_only_what_a_circle_can_break_is_tried_again(error: str, times: int, tmp_path: Path) -> None:
    text = f"open({str(tmp_path / 'log')!r}, 'a').write('x')\nraise {error}"
    surface_of(tmp_path, {"lib/__init__.py": "", "lib/bad.py": text, "lib/good.py": GOOD})
    assert (tmp_path / "log").read_text() == "x" * times


def test_an_enormous_module(tmp_path: Path) -> None:
    text = "for i in range(20_000): exec(f'def f{i}(a, b=1): \"F.\"')\n"
    surface = surface_of(tmp_path, {"lib/__init__.py": "", "lib/vast.py": text})
    assert len(surface.entries) == 20_000


def test_what_lies_in_a_package_that_cannot_be_imported_is_not_tried(tmp_path: Path) -> None:
    files = {"lib/__init__.py": "", "lib/a/__init__.py": "import missing", "lib/a/b.py": GOOD, "lib/a/c/d.py": GOOD}
    failures = surface_of(tmp_path, files).failures
    assert failures["lib.a"].startswith("ModuleNotFoundError")
    assert failures["lib.a.b"] == failures["lib.a.c.d"] == "its package lib.a could not be imported"


def test_a_lazy_name_that_is_announced_and_not_to_be_had_is_a_failure(tmp_path: Path) -> None:
    text = "__all__ = ['f']\ndef __getattr__(name): raise ImportError('needs torch')\n"
    surface = surface_of(tmp_path, text)
    assert surface.failures == {"lib.f": "ImportError: needs torch"}


def test_a_circular_import_is_closed_the_second_time(tmp_path: Path) -> None:
    files = {
        "lib/__init__.py": "",
        "lib/a.py": "import lib.b\nif not hasattr(lib.b, 'done'): raise ImportError('circular')\n" + GOOD,
        "lib/b.py": "import sys\nif 'lib.a' in sys.modules: raise ImportError('circular')\ndone = True\n",
    }
    surface = surface_of(tmp_path, files)
    assert surface.failures == {}
    assert "lib.a.f" in names(surface)


@pytest.mark.parametrize(
    ("module", "public"),
    [
        ("lib/sub/more.py", True),  # a namespace: no lib/sub/__init__.py
        ("lib/test/client.py", True),
        ("lib/_private.py", False),
        ("lib/_private/sub.py", False),
        ("lib/tests/helpers.py", False),
        ("lib/conftest.py", False),
        ("lib/__main__.py", False),
    ],
)
def test_which_modules_are_public(module: str, public: bool, tmp_path: Path) -> None:
    surface = surface_of(tmp_path, {"lib/__init__.py": "", module: GOOD})
    assert bool(surface.entries) == public


def test_aliases_of_one_object_are_one_entry_under_its_best_path(tmp_path: Path) -> None:
    files = {
        "lib/__init__.py": "from .deep.er import C, C as Other\n__all__ = ['C', 'Other']",
        "lib/deep/__init__.py": "from .er import C",
        "lib/deep/er.py": "__all__ = ['C']\nclass C:\n    'C.'\n    def m(self): 'M.'",
    }
    surface = surface_of(tmp_path, files)
    assert entry(surface, "lib.C").paths == ("lib.C", "lib.Other", "lib.deep.C", "lib.deep.er.C")
    assert names(surface) == {"lib.C", "lib.C.m"}
    assert entry(surface, "lib.C").defined_in == "lib.deep.er"


def test_without_evidence_the_path_is_where_the_code_is(tmp_path: Path) -> None:
    files = {"lib/__init__.py": "", "lib/ab.py": "from lib.longer import f", "lib/longer.py": "def f(a): 'F.'"}
    assert names(surface_of(tmp_path, files)) == {"lib.longer.f"}


def test_proxies_are_neither_called_nor_believed(tmp_path: Path) -> None:
    text = """
class Proxy:
    @property
    def __class__(self): raise RuntimeError('outside of a request')
    def __getattr__(self, name): raise RuntimeError('outside of a request')
    def __call__(self): raise SystemExit
    def __eq__(self, other): raise RuntimeError
request = Proxy()
"""
    surface = surface_of(tmp_path, text + GOOD)
    assert "lib.f" in names(surface)
    assert "lib.request" not in names(surface)


def test_descriptors_of_the_library_s_own(tmp_path: Path) -> None:
    text = """
__all__ = ['C']
class lazy:
    def __init__(self, fget): self.fget, self.__doc__ = fget, fget.__doc__
    def __get__(self, instance, owner): return self if instance is None else self.fget(instance)
class hybrid:
    def __init__(self, func): self.func = func
    def __get__(self, instance, owner): return self.func.__get__(owner if instance is None else instance, owner)
class C:
    'C.'
    @lazy
    def p(self): 'P.'
    @hybrid
    def h(self, a): 'H.'
    x = 3
"""
    surface = surface_of(tmp_path, text)
    kinds = {e.name: e.kind for e in surface.entries}
    assert kinds["lib.C.p"] == "property"
    assert kinds["lib.C.h"] == "method"
    assert "lib.C.x" not in kinds
    assert "x" in entry(surface, "lib.C").others


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("def f(a, /, b, *args, c=1, **kw): 'F.'", "(a, /, b, *args, c=1, **kw)"),
        ("def f(a: int = 1, *, b: 'str') -> list[int]: 'F.'", "(a: int = 1, *, b: str) -> list[int]"),
        ("def f(a=None, b=True, c='x', d=int, e=len): 'F.'", "(a=None, b=True, c='x', d=int, e=len)"),
        ("import enum\nclass E(enum.Enum):\n    A = 1\ndef f(a=E.A): 'F.'", "(a=E.A)"),
        ("class _S:\n    def __repr__(self): raise ValueError\ndef f(a=_S()): 'F.'", "(a=<_S>)"),
        ("class _S: pass\ndef f(a=_S()): 'F.'", "(a=<lib._S object>)"),
        ("import functools\n@functools.lru_cache\ndef f(a): 'F.'", "(a)"),
        ("import functools\ndef g(a, b): 'G.'\nf = functools.wraps(g)(lambda *x, **y: g(*x, **y))", "(a, b)"),
    ],
)
def test_signatures_read_alike_on_every_machine(text: str, signature: str, tmp_path: Path) -> None:
    surface = surface_of(tmp_path, "__all__ = ['f']\n" + text)
    found = next(e for e in surface.entries if "lib.f" in e.paths)
    assert found.signature == signature


def test_docstrings_are_the_object_s_own(tmp_path: Path) -> None:
    text = """
import dataclasses
__all__ = ['A', 'B', 'D']
class A: 'About A.'
class B(A): pass
@dataclasses.dataclass
class D:
    x: int
"""
    surface = surface_of(tmp_path, text)
    assert {e.name: e.docstring for e in surface.entries} == {
        "lib.A": "About A.", "lib.B": None, "lib.D": None, "lib.D.x": None,
    }  # fmt: skip


_MADE_IN_C = """
import ctypes
class Definition(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p)]
_code = ctypes.cast(ctypes.pythonapi.PyObject_Repr, ctypes.c_void_p).value
_texts = ["way(v, to, k=1)", "path($self, v, /, to)", "step(self, to)", "count()"]
_made = [Definition(t.partition("(")[0].encode(), _code, 4, f"{t}\\n--\\n\\nFind.".encode()) for t in _texts]
_new = ctypes.pythonapi.PyDescr_NewMethod
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.py_object, ctypes.POINTER(Definition)]
__all__ = ["Graph"]
class Graph: "A graph."
for _one in _made: setattr(Graph, _one.name.decode(), _new(Graph, ctypes.byref(_one)))
"""


def test_methods_made_in_c_keep_the_parameter_that_is_not_the_object(tmp_path: Path) -> None:
    surface = surface_of(tmp_path, _MADE_IN_C)
    taken = {name: [one.name for one in entry(surface, f"lib.Graph.{name}").parameters or ()] for name in _NAMES_IN_C}
    assert taken == {"way": ["v", "to", "k"], "path": ["v", "to"], "step": ["to"], "count": []}


_NAMES_IN_C = ("way", "path", "step", "count")


def names(surface: Surface) -> set[str]:
    return {e.name for e in surface.entries}


def entry(surface: Surface, name: str) -> Entry:
    return next(e for e in surface.entries if e.name == name)
