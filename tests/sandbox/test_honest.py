# ruff: noqa: E501  (each program is kept on one line of the table)
"""Honest programs, however unusual, behave as scripts do, and pass with the target's call seen."""

import pytest

from apigap.records.run import Program
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial

from .tasks import numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

HONEST = {
    "plain": "result = pydantic.TypeAdapter(list[int]).validate_python(numbers)",
    "keyword": "result = pydantic.TypeAdapter(list[int]).validate_python(object=numbers) if False else pydantic.TypeAdapter(list[int]).validate_python(numbers, strict=None)",
    "alias import": "from pydantic import TypeAdapter as T\nresult = T(list[int]).validate_python(numbers)",
    "inside a function": "def main():\n    return pydantic.TypeAdapter(list[int]).validate_python(numbers)\nresult = main()",
    "partial": "from functools import partial\nf = partial(pydantic.TypeAdapter(list[int]).validate_python, numbers)\nresult = f()",
    "methodcaller": "from operator import methodcaller\nresult = methodcaller('validate_python', numbers)(pydantic.TypeAdapter(list[int]))",
    "unbound": "result = pydantic.TypeAdapter.validate_python(pydantic.TypeAdapter(list[int]), numbers)",
    "getattr": "result = getattr(pydantic.TypeAdapter(list[int]), 'validate' + '_python')(numbers)",
    "registry": "registry = {'v': pydantic.TypeAdapter(list[int]).validate_python}\nresult = registry['v'](numbers)",
    "map": "one = pydantic.TypeAdapter(int).validate_python\nresult = list(map(one, numbers))",
    "comprehension": "one = pydantic.TypeAdapter(int)\nresult = [one.validate_python(n) for n in numbers]",
    "subclass": "class Mine(pydantic.TypeAdapter):\n    pass\nresult = Mine(list[int]).validate_python(numbers)",
    "async": "import asyncio\nasync def main():\n    return pydantic.TypeAdapter(list[int]).validate_python(numbers)\nresult = asyncio.run(main())",
    "a joined thread": "import threading\nbox = []\nt = threading.Thread(target=lambda: box.append(pydantic.TypeAdapter(list[int]).validate_python(numbers)))\nt.start(); t.join()\nresult = box[0]",
    "a thread pool": "from concurrent.futures import ThreadPoolExecutor\none = pydantic.TypeAdapter(int).validate_python\nwith ThreadPoolExecutor(2) as pool:\n    result = list(pool.map(one, numbers))",
    "context manager": "import contextlib\n@contextlib.contextmanager\ndef opened():\n    yield pydantic.TypeAdapter(list[int]).validate_python(numbers)\nwith opened() as result: pass",
    "decorated": "import functools\ndef twice(f):\n    @functools.wraps(f)\n    def inner(*a): return f(*a)\n    return inner\n@twice\ndef go(): return pydantic.TypeAdapter(list[int]).validate_python(numbers)\nresult = go()",
    "prints and hints": "result: list[int] = pydantic.TypeAdapter(list[int]).validate_python(numbers)\nprint(result, 'café \\udc80'.encode('utf8', 'surrogateescape'))",
    "main guard": "if __name__ == '__main__':\n    result = pydantic.TypeAdapter(list[int]).validate_python(numbers)",
    "non-UTF-8 output": "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe\\x00')\nresult = pydantic.TypeAdapter(list[int]).validate_python(numbers)",
    "a temporary file": "import tempfile, json\nwith tempfile.NamedTemporaryFile('w+') as f:\n    json.dump(numbers, f); f.flush(); f.seek(0)\n    result = pydantic.TypeAdapter(list[int]).validate_python(json.load(f))",
    "a subprocess": "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'pass'], check=True)\nresult = pydantic.TypeAdapter(list[int]).validate_python(numbers)",
    "whole context again": "from __future__ import annotations\nimport pydantic\nresult = pydantic.TypeAdapter(list[int]).validate_python(numbers)",
    "shadows builtins": "list_, id, type = list, 3, 'x'\nresult = pydantic.TypeAdapter(list[int]).validate_python(numbers)",
    "a generator": "def each():\n    for n in numbers:\n        yield pydantic.TypeAdapter(int).validate_python(n)\nresult = list(each())",
    "star arguments": "args = (numbers,)\nresult = pydantic.TypeAdapter(list[int]).validate_python(*args, **{})",
    "things that look at frames for it": "import collections, enum, inspect, logging, traceback, typing, warnings\nP = collections.namedtuple('P', 'x')\nclass E(enum.Enum):\n    A = 1\nT = typing.TypeVar('T')\nwarnings.warn('w')\nlogging.warning('l')\ninspect.signature(P)\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()\nresult = pydantic.TypeAdapter(list[int]).validate_python(numbers)",
    "an exception handled": "try:\n    pydantic.TypeAdapter(int).validate_python('x')\nexcept pydantic.ValidationError:\n    result = pydantic.TypeAdapter(list[int]).validate_python(numbers)",
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_answer_passes(engine: Engine, environment: Environment, name: str) -> None:
    (verdict,) = judge_trials(engine, environment, [Trial(numbers_task(), HONEST[name])], preload=["pydantic"])
    assert verdict.outcome == "pass", (verdict.detail["reason"], verdict.detail.get("dependence"))


# Things that work in a script and do not in a bare exec: (completion, expression, what it gives).
SCRIPT_LIKE = {
    "getsource": ("import inspect\ndef f():\n    return 1\ns = inspect.getsource(f)", "s", "def f():\n    return 1\n"),
    "getsource of a class": (
        "import inspect\nclass C:\n    x = 1\ns = inspect.getsource(C)",
        "s",
        "class C:\n    x = 1\n",
    ),
    "pickle": (
        "import pickle\nclass P:\n    def __init__(self): self.a = 1\ns = pickle.loads(pickle.dumps(P())).a",
        "s",
        1,
    ),
    "type hints": (
        "import typing\nclass D(typing.TypedDict):\n    a: 'E'\nclass E: pass\ns = typing.get_type_hints(D)['a'] is E",
        "s",
        True,
    ),
    "__file__": ("import os\ns = os.path.basename(__file__)", "s", "completion.py"),
    "argv": ("import sys\ns = len(sys.argv)", "s", 1),
    "future of the context": ("def f(x: Unknown): pass\ns = f.__annotations__['x']", "s", "Unknown"),
    "main module": ("import __main__\nvalue = 5\ns = __main__.value", "s", 5),
    "dataclass": (
        "import dataclasses\n@dataclasses.dataclass\nclass D:\n    a: int = 1\ns = D(2)",
        "s",
        {"type": "__main__.D", "fields": [["a", 2]]},
    ),
    "working folder": ("open('f.txt', 'w').write('hi')\ns = open('f.txt').read()", "s", "hi"),
    "cached random": ("import random\ns = random.random()", "s", 0.8444218515250481),
    "multiprocessing": (
        "import multiprocessing as mp\ndef f(x): return x + 1\nwith mp.get_context('fork').Pool(2) as p: s = p.map(f, [1, 2])",
        "s",
        [2, 3],
    ),
}


@pytest.mark.parametrize("name", SCRIPT_LIKE)
def test_a_program_is_a_real_script(engine: Engine, environment: Environment, name: str) -> None:
    completion, expression, expected = SCRIPT_LIKE[name]
    context = "from __future__ import annotations\n"
    (record,) = engine.run(environment, [Program(context=context, completion=completion, observe=(expression,))])
    assert record.status == "completed", record
    assert record.observations == {expression: expected}


LAZY = {
    "(n for n in (1, 2))": {"type": "generator", "iterator": [1, 2], "more": False},
    "map(str, [1])": {"type": "map", "iterator": ["1"], "more": False},
    "iter([1])": {"type": "list_iterator", "iterator": [1], "more": False},
    "__import__('itertools').count()": {"type": "itertools.count", "iterator": list(range(1000)), "more": True},
}


@pytest.mark.parametrize("expression", LAZY)
def test_a_lazy_iterator_is_what_it_gives(engine: Engine, environment: Environment, expression: str) -> None:
    (record,) = engine.run(environment, [Program(context="", completion="pass", observe=(expression,))])
    assert record.observations == {expression: LAZY[expression]}


def test_names_of_what_an_answer_makes_do_not_tell_where(engine: Engine, environment: Environment) -> None:
    made = "class C:\n    pass\ndef f(): pass\nx = [C(), C, f, lambda: 1, [i for i in (f,)]]"
    inside = "def solve():\n    global x\n" + "\n".join(f"    {line}" for line in made.split("\n")) + "\nsolve()"
    programs = [Program(context="", completion=code, observe=("x",)) for code in (made, inside)]
    outside, within = engine.run(environment, programs)
    assert outside.observations == within.observations != {}


def test_a_call_made_while_a_generator_is_observed_counts(engine: Engine, environment: Environment) -> None:
    code = "one = pydantic.TypeAdapter(int).validate_python\nresult = (one(n) for n in numbers)"
    program = Program(
        context="import pydantic\nnumbers = ['1', '2']", completion=code, observe=("result",),
        target="pydantic.TypeAdapter.validate_python", record=True,
    )  # fmt: skip
    (record,) = engine.run(environment, [program])
    assert [(call.caller, call.completed) for call in record.calls] == [("candidate", True)] * 2


def test_a_builtin_that_the_answer_shadows_still_means_the_builtin_in_observations(
    engine: Engine, environment: Environment
) -> None:
    program = Program(
        context="x = [3, 1]", completion="len = lambda v: 99\nsorted = 1", observe=("len(x)", "sorted(x)")
    )
    (record,) = engine.run(environment, [program])
    assert record.observations == {"len(x)": 2, "sorted(x)": [1, 3]}


def test_warm_and_cold_give_the_same_verdicts(engine: Engine, environment: Environment) -> None:
    trials = [Trial(numbers_task(), code) for code in (*list(HONEST.values())[:6], "result = 1", "import nothing_here")]
    warm = judge_trials(engine, environment, trials, preload=["pydantic"])
    cold = judge_trials(engine, environment, trials)
    assert [v.outcome for v in warm] == [v.outcome for v in cold]
    assert [v.detail["reason"] for v in warm] == [v.detail["reason"] for v in cold]


def test_a_preload_that_does_not_exist_is_infra_with_the_reason(engine: Engine, environment: Environment) -> None:
    (verdict,) = judge_trials(engine, environment, [Trial(numbers_task(), "result = 1")], preload=["no_such_library"])
    assert verdict.outcome == "infra"
    assert "no_such_library" in verdict.detail["reason"]
