"""A check of the watch itself, before anything of a library runs: it has to see calls that are known beforehand.

The watch reads frames by the layout of a version of CPython, and goes by what that version tells of calls. Where
another one, or a build of its own kind, differs, nothing would be wrong but the verdicts.
"""

from __future__ import annotations

from typing import Any

from ..frames import Owners
from .c_call_tracer import can_watch
from .spy import Spy
from .target import Unresolved

_ANSWER, _LIBRARY = "/apigap-self-check/answer.py", "/apigap-self-check/library.py"
_KEEPS = "def keeps(*given, **named): return given, named"
_DONE, _BROKEN = ("candidate", True), ("candidate", False)
_IN_PYTHON = {
    "os.path.split": (
        "import os.path as p\np.split('a')\np.split(*['a'])\ntry:\n    p.split(1)\nexcept TypeError:\n    pass\n",
        [_DONE, _DONE, _BROKEN],
    ),
    "os.walk": ("import os\nlist(os.walk('/no/such/folder'))\n", [_DONE]),
    "os.getpid": ("import os\nos.getpid()\n", [_DONE]),
}
_IN_C = {
    "operator.neg": (
        "from operator import neg as n\nneg = n(1)\nkeeps(1, keeps(2, n))\nkeeps(n, 2)\nkeeps(1, a=n)\n"
        "keeps(*[1, n])\nkeeps(**{'a': n})\nlist(map(*(n, [1])))\nkeeps(1)\n"
        "def g(a, b): yield a\nlist(g(*[1, n]))\nlist(g(*[1, 2]))\n",
        [_DONE] * 8,
    ),
    "operator.itemgetter": (
        "from operator import itemgetter as g\ng(1)\nlist(map(g, [1]))\ntry:\n    g()\nexcept TypeError:\n    pass\n",
        [_DONE, _DONE, _BROKEN],
    ),
}
"""Per target a text and its calls, with their caller and whether they came to their end."""


def problem() -> str | None:
    """The first call that is not seen as it is, in words; None where all are."""
    rows = {**_IN_PYTHON, **(_IN_C if can_watch() else {})}
    for target, (text, wanted) in rows.items():
        try:
            seen = _seen(target, text)
        except Unresolved as error:
            return f"{target} cannot be watched: {error}"
        if seen != wanted:
            return f"of calls of {target} it sees {seen}, where there are {wanted}"
    return None


def _seen(target: str, text: str) -> list[tuple[str, bool]]:
    spy = Spy([target], Owners("", _ANSWER), text, _ignore)
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(_KEEPS, _LIBRARY, "exec", dont_inherit=True), space)
    code = compile(text, _ANSWER, "exec", dont_inherit=True)
    spy.start()
    try:
        exec(code, space)
    finally:
        spy.stop(True, None)
    return [(call["caller"], call["completed"]) for call in spy.calls]


def _ignore(text: str) -> None:
    """Nothing: there is no answer."""
