"""Calls that raise no profile event are seen on every interpreter that can show them, and in the same way."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import apigap.sandbox

FOLDER = Path(apigap.sandbox.__file__).parent
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import datetime, json
from worker.watch.c_call_tracer import Uses, can_watch, make_watch

text = '''import datetime
from functools import partial
f = datetime.timedelta
f(3)
[f(days=n) for n in (1, 2)]
partial(f, days=1)()
f(*[1], **{"hours": 2})
list(map(f, [1, 2]))
try:
    f("x")
except TypeError:
    pass
class Mine(f): pass
Mine(1)
isinstance(1, f)
def g(): return f(1)
x = (g(), 1)[0]
'''
calls = []

def begin(frame):
    calls.append({"line": frame.f_lineno, "completed": False, "raised": None})
    return calls[-1]

uses = Uses(lambda function: function is datetime.timedelta, datetime.timedelta, direct=True)
watch = make_watch(uses, begin)
watch.start(lambda code: code.co_filename == "answer.py")
exec(compile(text, "answer.py", "exec"), {"__name__": "__main__"})
watch.pause()
datetime.timedelta(1)
watch.resume()
watch.stop()
print(json.dumps([can_watch(), [(c["line"], c["completed"], c["raised"]) for c in calls]]))
"""
EXPECTED = [
    [4, True, None], [5, True, None], [5, True, None], [6, True, None], [7, True, None], [8, True, None],
    [10, False, "Exception"], [14, True, None], [16, True, None],
]  # fmt: skip


def interpreters() -> list[str]:
    """This interpreter and others of versions 3.11 to 3.14 that are installed beside it."""
    beside = Path(sys.base_prefix).parent
    others = [str(path) for minor in range(11, 15) for path in sorted(beside.glob(f"3.{minor}.*/bin/python"))]
    return sorted({sys.executable, *others})


@pytest.mark.parametrize("python", interpreters())
def test_every_way_of_calling_is_seen(python: str) -> None:
    done = subprocess.run([python, "-c", PROGRAM, str(FOLDER)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [True, EXPECTED]


OF_NEG = {
    "a generator": ("def g(x): yield x\nlist(g(*[n]))", 1),
    "a generator, by itself": ("def g(x): yield x\nlist(g(n))", 1),
    "a generator, by name": ("def g(x): yield x\nfor y in g(**{'x': n}): pass", 1),
    "a generator that goes on": ("def g(x, y):\n    yield x\n    yield y\nlist(g(*[1, n]))", 1),
    "a generator without it": ("def g(x): yield x\nlist(g(*[1]))", 0),
    "a coroutine": ("import asyncio\nasync def g(x): return x\nasyncio.run(g(*[n]))", 1),
    "a coroutine, by itself": ("import asyncio\nasync def g(x): return x\nasyncio.run(g(n))", 1),
    "a function in C that is handed another": ("def own(a, b): return 1\nf.reduce(*(own, [1, n]))", 0),
    "the same by itself": ("def own(a, b): return 1\nf.reduce(own, [1, n])", 0),
    "both in turn": (
        "def own(a, b=2): return 1\n"
        "for g, a in ((f.reduce, (own, [1, 2])), (own, (n, 1)), (f.reduce, (own, [1, n]))): g(*a)", 1,
    ),
    "a class": ("class C:\n    def __init__(self, x): pass\nC(*[n])", 1),
    "an object": ("class C:\n    def __call__(self, x): pass\nC()(*[n])", 1),
    "a method": ("class C:\n    def m(self, x): pass\nC().m(*[n])", 1),
    "a partial": ("f.partial(keeps)(*[n])", 1),
    "itself": ("n(*[1])\nn(1)", 2),
    "a method caller": ("o.methodcaller('neg', 1)(o)", 1),
    "a method caller, by a star": ("o.methodcaller('neg', 1)(*[o])", 1),
    "a method caller of another": ("class C:\n    def neg(self, x): pass\no.methodcaller('neg', 1)(C())", 0),
    "a method caller for another": ("o.methodcaller('pos', 1)(o)", 0),
    "a method caller that is mapped": ("list(map(o.methodcaller('neg', 1), [o]))", 1),
    "a method caller that is mapped to others": ("list(map(o.methodcaller('neg', 1), []))", 0),
    "a method caller that is named": ("repr(o.methodcaller('neg', 1))", 0),
}  # fmt: skip
"""Ways to hand over `operator.neg`, and the number of its calls that are seen."""
ASK = """
import json, sys
sys.path.insert(0, sys.argv[1])
from worker.watch.self_check import _seen
texts = json.loads(sys.argv[2])
print(json.dumps([_seen("operator.neg", text) for text in texts]))
"""


@pytest.mark.parametrize("python", interpreters())
def test_what_is_handed_over_by_a_star_is_seen_once_and_on_each_interpreter(python: str) -> None:
    begin = "import functools as f\nimport operator as o\nfrom operator import neg as n\n"
    texts = json.dumps([begin + text for text, _ in OF_NEG.values()])
    done = subprocess.run([python, "-c", ASK, str(FOLDER), texts], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    seen = dict(zip(OF_NEG, json.loads(done.stdout), strict=True))
    assert seen == {name: [["candidate", True]] * count for name, (_, count) in OF_NEG.items()}
