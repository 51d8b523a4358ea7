"""What the text of another release says of an API: tiny libraries, read as any library is."""

from pathlib import Path

import pytest

from apigap.discovery.since.presence import Presence
from apigap.discovery.since.search import Answer
from apigap.discovery.surface import Surface
from apigap.records.candidate import Candidate
from tests.discovery.packages import diff
from tests.discovery.test_static_surface import surface_of

Files = dict[str, str]


def written(folder: Path, number: int, files: Files | str) -> Surface:
    return surface_of(folder / str(number), {"lib/__init__.py": files} if isinstance(files, str) else files)


def asked(folder: Path, old: Files | str, between: Files | str, new: Files | str) -> tuple[Presence, Surface, Surface]:
    """The one candidate from `old` to `new`, the surface between, and the old one."""
    first, middle, last = (written(folder, number, files) for number, files in enumerate((old, between, new)))
    candidates: list[Candidate] = diff(first, last, "lib", "1", "3")
    assert len(candidates) == 1, [candidate.api_name for candidate in candidates]
    return Presence(candidates, last), middle, first


F, G = "def f(a): 'Do f.'\n", "def g(b, c=1): 'Do g.'\n"
CLASS = "class C:\n    'C.'\n    def m(self, a): 'M.'\n"
MAKER = """def views(names):
    def view(cls, word):
        setattr(cls, word, make(word))
    def wrap(cls):
        for name in names:
            view(cls, name)
        return cls
    return wrap
"""
GIVEN: list[tuple[str, str, Answer]] = [
          ("an assignment", CLASS + "C.n = make()\n", "unknown"),
          ("an assignment to another class", CLASS + "class D: 'D.'\nD.n = make()\n", "absent"),
          ("an assignment to an object", CLASS + "c = C()\nc.n = make()\n", "absent"),
          ("its own class method", CLASS + "    @classmethod\n    def _fill(cls):\n        cls.n = make()\n",
           "unknown"),
          ("its base's class method", "class _B:\n    @classmethod\n    def _fill(cls):\n        cls.n = make()\n"
           + CLASS.replace("C:", "C(_B):"), "unknown"),
          ("each object to itself", CLASS + "    def _fill(self):\n        self.n = 1\n", "absent"),
          ("a loop", CLASS + "for word in ('n', 'o'):\n    setattr(C, word, make(word))\n", "unknown"),
          ("a loop over other names", CLASS + "for word in ('o', 'p'):\n    setattr(C, word, make(word))\n", "absent"),
          ("a loop beside other words", CLASS + "KIND = 'n'\nfor word in ('o', 'p'):\n    setattr(C, word, 1)\n",
           "absent"),
          ("a loop over a table", CLASS + "TABLE = {'n': 1}\nfor word, value in TABLE.items():\n"
           "    setattr(C, word, value)\n", "unknown"),
          ("a name that is put together", CLASS + "KIND = 'n'\nfor word in ('n', 'o'):\n"
           "    setattr(C, 'is_' + word, make(word))\n", "absent"),
          ("a name from elsewhere", CLASS + "KIND = 'n'\nfor word in look():\n    setattr(C, word, make(word))\n",
           "unknown"),
          ("a loop over names of constants", CLASS + "N = 'n'\nfor word in (N, 'o'):\n"
           "    setattr(C, word, 1)\n", "unknown"),
          ("a loop over a table that grows", CLASS + "T = ['o']\nT += ['n']\nfor word in T:\n    setattr(C, word, 1)\n",
           "unknown"),
          ("a loop over a table that is filled", CLASS + "T = []\nT.append('n')\nfor word in T:\n"
           "    setattr(C, word, 1)\n", "unknown"),
          ("a text split at commas", CLASS + "N = 'n'\nfor word in 'o,p'.split(','):\n"
           "    setattr(C, word, 1)\n", "unknown"),
          ("a table passed by name", CLASS + "T = ['n']\ndef fill(cls, names):\n    for word in names:\n"
           "        setattr(cls, word, 1)\nfill(C, T)\n", "unknown"),
          ("the default of a parameter", CLASS + "def fill(cls, names=('n',)):\n    for word in names:\n"
           "        setattr(cls, word, 1)\nfill(C)\n", "unknown"),
          ("a function that hands names on", CLASS + "def give(cls, names):\n    for word in names:\n"
           "        setattr(cls, word, 1)\ndef fill(cls, names):\n    give(cls, names)\nfill(C, ['n'])\n", "unknown"),
          ("assignments that go round", CLASS + "def fill(cls, x):\n" + "    y = x\n    x = y\n" * 10
           + "    setattr(cls, y, 1)\nfill(C, 'n')\n", "unknown"),
          ("a decorator by its words", MAKER + "@views(['n'])\n" + CLASS, "unknown"),
          ("a decorator by other words", "KIND = 'n'\n" + MAKER + "@views(['o'])\n" + CLASS, "absent"),
          ("a function", CLASS + "def fill(cls):\n    cls.n = make()\nfill(C)\n", "unknown"),
          ("a function through another", CLASS + "def _fill(cls, **all):\n    for k, v in all.items():\n"
           "        setattr(cls, k, v)\ndef fill(cls):\n    _fill(cls, n=make())\nfill(C)\n", "unknown"),
          ("a function to another class", CLASS + "class D: 'D.'\ndef fill(cls):\n    cls.n = make()\nfill(D)\n",
           "absent"),
          ("a decorator", "def fill(word):\n    def inner(cls):\n        cls.n = make(word)\n        return cls\n"
           "    return inner\n@fill('x')\n" + CLASS, "unknown"),
]  # fmt: skip
CASES: list[tuple[str, Files | str, Files | str, Files | str, Answer]] = [
    ("added since", F, F, F + G, "absent"),
    ("added before", F, F + G, F + G, "present"),
    ("added elsewhere, moved since", F, {"lib/__init__.py": F, "lib/a.py": G},
     {"lib/__init__.py": F + "from lib.b import g\n", "lib/b.py": G}, "present"),
    ("only where a module happened to import its like", {"lib/__init__.py": "", "lib/a.py": F},
     {"lib/__init__.py": "", "lib/a.py": F + "g = make()\n"},
     {"lib/__init__.py": "from lib.b import g\n", "lib/a.py": F + "from lib.b import g\n", "lib/b.py": G}, "absent"),
    ("a variable of that name", F, F + "g = make()\n", F + G, "unknown"),
    ("a method of a class that is there", CLASS, CLASS, CLASS + "    def n(self): 'N.'\n", "absent"),
    ("a method that a base had", CLASS, "class _B:\n    def n(self): 'N.'\nclass C(_B):\n    'C.'\n"
     "    def m(self, a): 'M.'\n", CLASS + "    def n(self): 'N.'\n", "present"),
    ("a method that a decorator may make", CLASS, "@proxies(X, methods=['n', 'm'])\n" + CLASS,
     CLASS + "    def n(self): 'N.'\n", "unknown"),
    *((f"a method given by {about}", CLASS, text, CLASS + "    def n(self): 'N.'\n", answer)
      for about, text, answer in GIVEN),
    ("a parameter added since", F, F, "def f(a, b=1): 'Do f.'\n", "absent"),
    ("a parameter added before", F, "def f(a, b=1): 'Do f.'\n", "def f(a, b=1): 'Do f.'\n", "present"),
    ("one of two parameters", F, "def f(a, b=1): 'Do f.'\n", "def f(a, b=1, c=2): 'Do f.'\n", "absent"),
    ("a parameter with another default", F, "def f(a, b=0): 'Do f.'\n", "def f(a, b=1): 'Do f.'\n", "present"),
    ("a default that changed since", "def f(a=1): 'Do f.'\n", "def f(a=1, *, b=2): 'Do f.'\n",
     "def f(a=3): 'Do f.'\n", "absent"),
    ("a parameter that is still to be renamed", "def f(a, b): 'Do f.'\n", "def f(a, b, c): 'Do f.'\n",
     "def f(x, b): 'Do f.'\n", "absent"),
    ("a parameter removed before", "def f(a, b=1): 'Do f.'\n", F, F, "present"),
    ("a parameter of what cannot be read", F, "f = make()\n", "def f(a, b=1): 'Do f.'\n", "unknown"),
    ("a parameter of what was not there", F, "x = 1\n", "def f(a, b=1): 'Do f.'\n", "absent"),
    ("a module that is no Python", F, {"lib/__init__.py": F, "lib/a.py": "print 'x'\n"},
     {"lib/__init__.py": F, "lib/a.py": "__all__ = ['g']\n" + G}, "unknown"),
    ("compiled, with a stub", {"lib/__init__.py": "from ._c import *\n", "lib/_c.pyi": F},
     {"lib/__init__.py": "from ._c import *\n", "lib/_c.pyi": F},
     {"lib/__init__.py": "from ._c import *\n", "lib/_c.pyi": F + G}, "absent"),
    ("compiled, without a stub", {"lib/__init__.py": "from ._c import *\n", "lib/_c.pyi": F},
     {"lib/__init__.py": "from ._c import *\n"},
     {"lib/__init__.py": "from ._c import *\n", "lib/_c.pyi": F + G}, "unknown"),
    ("its like under a name that is no more", F, {"lib/__init__.py": F, "lib/a.py": "def g(b, c=2): 'Other words.'\n"},
     {"lib/__init__.py": F + "from lib.b import g\n", "lib/b.py": G}, "unknown"),
    ("another of that name", F, {"lib/__init__.py": F, "lib/a.py": "def g(x): 'Other words.'\n"},
     {"lib/__init__.py": F + "from lib.b import g\n", "lib/b.py": G}, "absent"),
    ("under its new path", {"lib/__init__.py": "", "lib/a.py": "__all__ = ['f']\n" + F},
     {"lib/__init__.py": "", "lib/b.py": "__all__ = ['f']\n" + F},
     {"lib/__init__.py": "", "lib/b.py": "__all__ = ['f']\n" + F}, "present"),
    ("under its former path still", {"lib/__init__.py": "", "lib/a.py": "__all__ = ['f']\n" + F},
     {"lib/__init__.py": "", "lib/a.py": "__all__ = ['f']\n" + F},
     {"lib/__init__.py": "", "lib/b.py": "__all__ = ['f']\n" + F}, "absent"),
]  # fmt: skip


@pytest.mark.parametrize(("about", "old", "between", "new", "answer"), CASES, ids=[case[0] for case in CASES])
def test_the_answer_of_a_release(
    about: str, old: Files | str, between: Files | str, new: Files | str, answer: Answer, tmp_path: Path
) -> None:
    presence, middle, first = asked(tmp_path, old, between, new)
    assert presence.in_release(middle) == [answer]
    assert presence.in_release(first) == ["absent"]
    assert presence.shown_by(first) == [True]


def test_a_change_that_the_text_does_not_show_is_not_shown(tmp_path: Path) -> None:
    """As where the running function had another signature than the text: the text of the new release lacks `c`."""
    presence, half, first = asked(tmp_path, F, "def f(a, b=1): 'Do f.'\n", "def f(a, b=1, c=2): 'Do f.'\n")
    assert presence.has_several_changes
    assert Presence(presence.candidates, half).shown_by(first) == [False]


def test_a_single_change_is_told_by_the_search_alone(tmp_path: Path) -> None:
    presence, _, first = asked(tmp_path, F, F, "def f(a, b=1): 'Do f.'\n")
    assert not presence.has_several_changes
    alike = Presence(presence.candidates, first)
    assert alike.in_release(first) == ["present"]


def test_what_the_text_does_not_have_is_not_asked_for(tmp_path: Path) -> None:
    presence, _, first = asked(tmp_path, F, F, F + G)
    assert [candidate.api_name for candidate in presence.candidates] == ["lib.g"]
    assert Presence(presence.candidates, first).candidates == []
