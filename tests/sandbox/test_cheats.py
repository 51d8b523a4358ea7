"""Answers that lie to the watch, notice the ablation, or call themselves infrastructure: none passes, none is infra."""

import pytest

from apigap.records.run import Program
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.run_outcome import looked_around
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial

from .tasks import SOLUTION, numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

OWN = "result = [int(n) for n in numbers]"
CALL = "pydantic.TypeAdapter(int).validate_python('1')"
TARGET = "pydantic.TypeAdapter.validate_python"
DISGUISED = "import sys\nf = sys._getframe()\nwhile f:\n    s = getattr(f.f_locals.get('self'), 'spy', None)\n    if s: s.calls.append({'target': 't', 'caller': 'candidate', 'completed': True, 'explicit': None, 'arguments': {}, 'raised': None})\n    f = f.f_back"  # fmt: skip  # noqa: E501
CHEATS = {
    "a frozen name": f"exec(compile({DISGUISED!r}, '<frozen x>', 'exec'), {{}})\n{OWN}",
    "an installed name": f"exec(compile({DISGUISED!r}, pydantic.__file__, 'exec'), {{}})\n{OWN}",
    "code with another name": f"import types\nc = compile({DISGUISED!r}, 'x', 'exec').replace(co_filename='<frozen x>')\nexec(c, {{}})\n{OWN}",  # noqa: E501
    "the hook with a made-up frame": f"import sys, types\np = sys.getprofile()\nF = types.SimpleNamespace(f_code={TARGET}.__code__, f_locals={{'self': pydantic.TypeAdapter(int)}}, f_back=None, f_lasti=0)\nif p:\n    p(F, 'call', None)\n    p(F, 'return', 1)\n{OWN}",  # noqa: E501
    "a canary that raises": f"if {CALL} != 1: raise ValueError\n{OWN}",
    "a canary that leaves": f"import sys\nif {CALL} != 1: sys.exit()\n{OWN}",
    "a canary that gives something": f"{OWN}\nif {CALL} != 1: result = [0]",
    "a canary under try": f"try:\n    fine = {CALL} == 1\nexcept Exception:\n    fine = False\n{OWN}\nif not fine: result = None",  # noqa: E501
    "the file of the code": f"{CALL}\nif 'switched' in {TARGET}.__code__.co_filename: raise ValueError\n{OWN}",
    "only under a profile function": f"import sys\nif sys.getprofile(): {CALL}\n{OWN}",
    "classes of the machinery": f"for c in object.__subclasses__():\n    if c.__name__ == 'Spy': c._caller = lambda *a: ('candidate', None)\n{OWN}",  # noqa: E501
    "a context phase of its own": f"import gc\nfor o in gc.get_objects():\n    if hasattr(o, 'phase'): o.phase = 'context'\n{OWN}\nraise ValueError",  # noqa: E501
    "an unparsable text": f"{OWN}\n#" + "x" * 100_000 + "\0",
    "a text too deep": "result = " + "(" * 60_000 + ")" * 60_000,
    "limits of the parent": f"import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_AS, (30 << 20, 30 << 20))\n{SOLUTION}",  # noqa: E501
}

FORGED = """
def forge(frames):
    for f in frames:
        while f is not None:
            run = f.f_locals.get("self")
            if hasattr(run, "observations"):
                if run.request["ablate"] == "raise":
                    raise ValueError
                if run.request["ablate"]:
                    result.append(run.request["salt"])
                if run.spy:
                    run.spy.calls.append({"target": "t", "caller": "candidate", "completed": True, "explicit": None, "arguments": {}, "raised": None})
                return
            f = f.f_back
got = []
"""  # noqa: E501
LOOKS = {
    "by a pool of threads": "import sys\nfrom concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(1) as pool:\n    got = list(pool.submit(sys._current_frames).result().values())",  # noqa: E501
    "as a handler of a signal": "import signal\nsignal.signal(signal.SIGUSR1, lambda n, f: got.append(f))\nsignal.raise_signal(signal.SIGUSR1)",  # noqa: E501
    "as a handler made in C": "import signal\nseen = {}\nsignal.signal(signal.SIGUSR1, seen.__setitem__)\nsignal.raise_signal(signal.SIGUSR1)\ngot = list(seen.values())",  # noqa: E501
    "through logging": "import logging\nlogging._is_internal_frame = lambda f: got.append(f) or False\nlogging.getLogger('x').findCaller()",  # noqa: E501
    "through traceback": "import traceback\nclass S:\n    @staticmethod\n    def extract(g, **k):\n        got.extend(f for f, _ in g)\n        return []\ntraceback.StackSummary = S\ntraceback.extract_stack()",  # noqa: E501
    "through a library": "import sys, numpy\ngot = list(numpy.fromfunction(sys._current_frames, ()).values())",
}
VIA = "import sys, typing, pydantic\ndef via(f, x):\n    return pydantic.TypeAdapter(typing.Annotated[typing.Any, pydantic.BeforeValidator(f)]).validate_python(x)\n"  # noqa: E501
LINK = "os.symlink('/proc/self/mem', 'x')\nopen('x', 'rb')"
NOTICED = {
    "a trace that a library sets": f"{VIA}via(sys.settrace, lambda *a: None)\nvia(sys.settrace, None)",
    "a frame that a library asks for": "import inspect, spied\nspied.calls_back(inspect.currentframe)",
    "a profile that a library sets": f"{VIA}old = sys.getprofile()\nvia(sys.setprofile, None)\nvia(sys.setprofile, old)",  # noqa: E501
    "an audit hook that a library adds": f"{VIA}via(sys.addaudithook, lambda *a: None)",
    "memory that a library opens": "import numpy\nnumpy.lib.npyio.DataSource().open('/proc/self/mem', 'rb')",
    "a link, and no links to be seen": f"import os\nos.path.islink = lambda p: False\n{LINK}",
    "a link, and no files to be seen": f"import os\nos.lstat = os.readlink = os.stat\n{LINK}",
    "a link beneath an open folder": "import os\nos.mkdir('q')\nos.symlink('/proc/self/mem', 'q/x')\nos.open('x', 0, dir_fd=os.open('q', 0))",  # noqa: E501
    "ctypes: cast": "import ctypes\nctypes.cast(id(numbers), ctypes.py_object).value",
    "ctypes: memmove": "from ctypes import memmove\nmemmove(bytearray(8) and id(b'12345678'), id(b'12345678'), 8)",
    "ctypes: string_at": "import ctypes\nctypes.string_at(id(numbers), 8)",
    "ctypes: a text at an address": "import sys\nsys.modules['ctypes'].c_char_p(id(b'x') + 32).value",
    "ctypes: a library's": "import numpy\nnumpy.ctypeslib.ctypes.POINTER",
    "ctypes: by its own name": "import importlib\nimportlib.import_module('_ctypes').POINTER",
    "ctypes: something of its own there": "import ctypes\nctypes.cast = None",
    "a hook of new threads": "import threading\nthreading.setprofile(lambda *a: None)\nt = threading.Thread(target=int)\nt.start()\nt.join()",  # noqa: E501
    "memory beneath an open folder": "import os\nos.open('mem', os.O_RDONLY, dir_fd=os.open('/proc/self', 0))",
    "memory beneath a link": "import os\nos.symlink('/proc/self', 'd')\nopen('d/mem', 'rb')",
    "memory by a text of its own class": "class P(str): pass\nopen(P('/proc/self/mem'), 'rb')",
}
HARMLESS = """import asyncio, collections, ctypes, dataclasses, enum, logging, os, spied, subprocess, threading
import traceback, typing
ctypes.c_int32(1 << 31).value + ctypes.sizeof(ctypes.c_double)
os.symlink("somewhere", "x")
logging.getLogger("x").warning("said")
collections.namedtuple("P", "a b")
typing.NamedTuple("N", [("x", int)])
enum.Enum("E", "A B")
try:
    1 / 0
except ZeroDivisionError:
    traceback.format_exc()
thread = threading.Thread(target=int)
thread.start()
thread.join()
asyncio.run(asyncio.sleep(0))
waiting = asyncio.sleep(0)
spied.state_of(waiting)
waiting.close()
check = getattr(typing, "_check_generic", None)  # gone in Python 3.13
if check:
    typing._check_generic = lambda *given: check(*given)
logging.getLogger("x").warning("said again")
"""


def outcome_of(engine: Engine, environment: Environment, code: str) -> tuple[str, str]:
    """The verdict on an answer to the task of numbers, and its reason."""
    (verdict,) = judge_trials(engine, environment, [Trial(numbers_task(), code)], preload=["pydantic", "numpy"])
    return verdict.outcome, verdict.detail["reason"]


@pytest.mark.parametrize("name", LOOKS)
def test_frames_that_others_hand_over_forge_no_pass(engine: Engine, environment: Environment, name: str) -> None:
    outcome, reason = outcome_of(engine, environment, f"{OWN}\n{FORGED}{LOOKS[name]}\nforge(got)")
    assert outcome == "suspect", reason
    assert "looked into the machinery" in reason


@pytest.mark.parametrize("name", NOTICED)
def test_a_look_is_noticed_by_whatever_way(engine: Engine, environment: Environment, name: str) -> None:
    outcome, reason = outcome_of(engine, environment, f"{NOTICED[name]}\n{SOLUTION}")
    assert outcome == "suspect", reason


def test_what_looks_at_frames_and_gives_none_away_is_no_look(engine: Engine, environment: Environment) -> None:
    outcome, reason = outcome_of(engine, environment, f"{HARMLESS}{SOLUTION}")
    assert outcome == "pass", reason


CLASS = """import sys, types
seen = []
class Module(types.ModuleType):
    def __getattribute__(self, name):
        if name == {asked!r}:
            seen.append(1)
        return types.ModuleType.__getattribute__(self, name)
"""
ASKED = {
    "threading": ("_profile_hook", "import threading\nthreading.__class__ = Module\nt = threading.Thread(target=int)\nt.start()\nt.join()"),  # noqa: E501
    "sys": ("__dict__", "import collections\nsys.__class__ = Module\ncollections.namedtuple('P', 'x')"),
    "os": ("path", "import os\nos.__class__ = Module\nopen('f', 'w').close()"),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_the_guard_asks_no_module_that_the_answer_has_taken_over(
    engine: Engine, environment: Environment, name: str
) -> None:
    asked, code = ASKED[name]
    program = Program(context="", completion=CLASS.format(asked=asked) + code, observe=("seen",))
    (record,) = engine.run(environment, [program])
    assert record.observations == {"seen": []}


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_does_not_pass_and_hurts_nobody(engine: Engine, environment: Environment, name: str) -> None:
    task = numbers_task()
    trials = [Trial(task, CHEATS[name]), Trial(task, SOLUTION), Trial(task, OWN)]
    cheat, right, wrong = judge_trials(engine, environment, trials, preload=["pydantic"])
    assert cheat.outcome in ("fail", "suspect"), cheat.detail
    assert (right.outcome, wrong.outcome) == ("pass", "fail"), (right.detail, wrong.detail)


REPLACES = "import logging\nmake = logging.makeLogRecord\nlogging.makeLogRecord = lambda values: make(values)\n"
WARNS = "import logging\nlogging.warning('x')\n"


@pytest.mark.parametrize(("context", "completion", "looks"), [(REPLACES, WARNS, False), ("", REPLACES + WARNS, True)])
def test_the_standard_library_is_held_against_what_it_was_when_the_answer_began(
    engine: Engine, environment: Environment, context: str, completion: str, looks: bool
) -> None:
    (record,) = engine.run(environment, [Program(context=context, completion=completion)])
    assert record.status == "completed", record
    assert (looked_around(record) is not None) == looks
