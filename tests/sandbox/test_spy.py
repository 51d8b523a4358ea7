# ruff: noqa: E501
"""Calls of the target are seen with their caller, end and arguments; honest programs notice nothing."""

from dataclasses import dataclass

import pytest

from apigap.records.run import CallRecord, Program
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from tests.interpreters import interpreter_under_test

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


@dataclass(frozen=True)
class Row:
    """`calls` are (caller, completed, explicit names) of each call that is seen.

    `since` and `until` are the minors of Python that this is so in.
    """

    target: str
    code: str
    calls: list[tuple[str, bool, tuple[str, ...] | None]]
    since: int = 10
    until: int = 99


DONE = ("candidate", True)

ROWS = [
    Row("spied.plain", "spied.plain(1)", [(*DONE, ("a",))]),
    Row("shadowed.thing", "import shadowed\nshadowed.thing(1)", [(*DONE, ("a",))]),
    Row("spied.plain", "spied.plain(1, c=4)", [(*DONE, ("a", "c"))]),
    Row("spied.plain", "spied.plain(1, 2, 5, d=6)", [(*DONE, None)]),
    Row("spied.plain", "spied.plain(*[1, 2])", [(*DONE, None)]),
    Row("spied.plain", "spied.plain(1); spied.plain(b=1, a=2)", [(*DONE, ("a",)), (*DONE, ("b", "a"))]),
    Row("spied.plain", "f = spied.plain\nf(1)", [(*DONE, ("a",))]),
    Row("spied.plain", "spied.partial()", [(*DONE, None)]),
    Row("spied.plain", "list(map(spied.plain, [1, 2]))", [(*DONE, None), (*DONE, None)]),
    Row("spied.plain", "spied.calls_plain(1)", [("library", True, None)]),
    Row("spied.plain", "spied.calls_back(spied.plain, 1)", [(*DONE, None)]),  # handed over by the answer
    Row("spied.plain", "spied.by_name('plain', 1)", [(*DONE, None)]),
    Row("spied.plain", "spied.by_itself_or_given(spied.plain, 1)", [(*DONE, None)]),
    Row("spied.plain", "spied.under_its_name(spied.plain, 1)", [(*DONE, None)]),
    Row("spied.plain", "spied.labelled(1, unused=spied.plain)", [("library", True, None)], since=11),
    Row("spied.plain", "spied.labelled(1, a_name='plain')", [("library", True, None)], since=11),  # which it calls in any case
    Row("spied.plain", "helper(1)", [("context", True, None)]),
    Row("spied.plain", "apply(spied.plain, 1)", [(*DONE, None)]),  # handed to a function of the context
    Row("spied.plain", "apply(helper, 1)", [("context", True, None)]),
    Row("spied.generated", "rows([spied.generated(1)])", [(*DONE, None)]),
    Row("spied.generated", "rows(iter([[1]]))", []),
    Row("spied.generated", "spied.calls_back(list, spied.generated(1))", [(*DONE, None)]),
    Row("spied.plain", "spied.plain", []),
    Row("spied.plain", "try:\n    spied.plain()\nexcept TypeError: pass", []),
    Row("spied.plain", "plain = lambda a: a\nplain(1)", []),
    Row("spied.plain", "def f():\n    return spied.plain(1)\nf()", [(*DONE, ("a",))]),
    Row("spied.plain", "exec('spied.plain(1)')", [(*DONE, None)]),
    Row("spied.raises", "try:\n    spied.raises(1)\nexcept LookupError: pass", [("candidate", False, ("a",))]),
    Row("spied.decorated", "spied.decorated(1)", [(*DONE, ("a",))]),
    Row("spied.decorated", "spied.other_decorated(1)", []),
    Row("spied.decorated", "spied.decorated.__wrapped__(1)", [(*DONE, None)]),
    Row("spied.machined", "spied.machined(1)", [(*DONE, ("a",))]),
    Row("spied.machined", "spied.calls_machined(1)", [("library", True, None)]),
    Row("spied.Query.fetch", "spied.Query().fetch(1)", [(*DONE, ("a",))]),
    Row("spied.Query.fetch", "spied.Manager().fetch(1)", [(*DONE, ("a",))]),
    Row("spied.Query.first", "spied.Manager().first(a=1)", [(*DONE, ("a",))]),
    Row("spied.Query.first", "spied.Manager().busy(1)", [("library", True, None)]),
    Row("spied.decorated", "spied.calls_decorated(1)", [("library", True, None)]),
    Row("spied.compiled", "spied.compiled(1)", [(*DONE, ("a",))]),
    Row("spied.compiled", "spied.compiled(1)\nspied.compiled(2)", [(*DONE, ("a",)), (*DONE, ("a",))]),
    Row("spied.compiled", "spied.other_compiled(1)", []),
    Row("spied.compiled", "spied.calls_compiled(1)", [("library", True, None)]),
    Row("spied.Strict", "spied.Strict(1)", [(*DONE, ("a",))]),
    Row("spied.Strict", "spied.OtherStrict(1)", []),
    Row("spied.cached", "spied.cached(1)", [(*DONE, ("a",))]),
    Row("spied.dispatched", "spied.dispatched(1)", [(*DONE, ("a",))]),
    Row("spied.managed", "with spied.managed(1) as x: pass", [(*DONE, None)]),
    Row("spied.generated", "list(spied.generated(1))", [(*DONE, None)]),
    Row("spied.awaited", "import asyncio\nasyncio.run(spied.awaited(1))", [(*DONE, None)]),
    Row("spied.awaited", "import asyncio\nasync def f(): return await spied.awaited(1)\nasyncio.run(f())", [(*DONE, None)]),
    Row("spied.awaited", "import asyncio\nasync def f(): await asyncio.gather(spied.awaited(1), spied.awaited(2))\nasyncio.run(f())", [(*DONE, None)] * 2),
    Row("spied.awaited", "c = spied.awaited(1)\nc.close()", [("candidate", False, None)], until=11),
    Row("spied.awaited", "c = spied.awaited(1)\nc.close()", [], since=12),  # what has not begun is not run to be closed
    Row("spied.awaited", "c = spied.awaited(1)\nc.send(None)\nc.close()", [("candidate", False, None)]),
    *[Row("spied.awaited", f"import asyncio\nasyncio.run(spied.{name}(1))", [("library", True, None)] * count, since=since) for name, count, since in [("gathers", 2, 10), ("in_a_group", 1, 11), ("waits_for", 1, 10)]],  # the library gives it to the loop
    *[Row("spied.plain", f"import asyncio\nasyncio.run(spied.{name}(1))", [("library", True, None)]) for name in ("in_a_thread", "soon")],
    Row("spied.awaited", "import asyncio\nasync def f(): return await asyncio.create_task(spied.gathers(1))\nasyncio.run(f())", [("library", True, None)] * 2),
    Row("spied.awaited", "import asyncio\nasyncio.run(spied.runs_all(spied.awaited(1), spied.awaited(2)))", [(*DONE, None)] * 2),  # made by the answer
    Row("spied.awaited", "import asyncio\nasync def f(): return [await c for c in asyncio.as_completed([spied.awaited(1)])]\nasyncio.run(f())", [(*DONE, None)]),
    Row("spied.awaited", "import asyncio, threading\nt = threading.Thread(target=asyncio.run, args=(spied.awaited(1),))\nt.start(); t.join()", [(*DONE, None)]),
    Row("spied.awaited", "spied.runs(spied.awaited(1))", [(*DONE, None)]),
    Row("spied.awaited", "spied.runs(spied.gathers(1))", [("library", True, None)] * 2),
    Row("spied.plain", "import asyncio\nasyncio.run(spied.calls_back_later(spied.plain, 1))", [(*DONE, None)]),  # handed over by the answer
    Row("spied.plain", "import asyncio\nasync def f(): return await asyncio.gather(spied.calls_back_later(spied.plain, 1))\nasyncio.run(f())", [(*DONE, None)]),
    Row("spied.plain", "import asyncio\nasync def f(): return await asyncio.to_thread(len, []), await spied.in_a_thread(1)\nasyncio.run(f())", [("library", True, None)]),  # in the answer's thread
    Row("spied.plain", "from concurrent.futures import ThreadPoolExecutor as P\nwith P() as p: list(p.map(spied.plain, [1, 2]))", [(*DONE, None)] * 2),
    Row("spied.plain", "from concurrent.futures import ThreadPoolExecutor as P\nwith P() as p: list(p.map(spied.calls_plain, [1]))", [("library", True, None)]),
    Row("spied.Base", "spied.Base(1)", [(*DONE, ("a",))]),
    Row("spied.Base", "spied.Base(1, b=2)", [(*DONE, ("a", "b"))]),
    Row("spied.Base", "spied.Child(1)", [(*DONE, None)]),
    Row("spied.Child", "spied.Base(1)", []),
    Row("spied.Child", "spied.Child(1)", [(*DONE, ("a",))]),
    Row("spied.Grandchild", "spied.Grandchild(1)", [(*DONE, ("a",))]),
    Row("spied.Base", "class Mine(spied.Base): pass", [(*DONE, ("subclass",))]),
    Row("spied.Base", "class Mine(spied.Base): pass\nMine(1)", [(*DONE, None), (*DONE, ("subclass",))]),
    Row("spied.Abstract", "class Mine(spied.Abstract):\n    def go(self): pass", [(*DONE, ("subclass",))]),
    Row("spied.OnlyNew", "spied.OnlyNew(1)", [(*DONE, ("a",))]),
    Row("spied.NewAndInit", "spied.NewAndInit(1)", [(*DONE, ("a",))]),
    Row("spied.NewAndInit", "try:\n    spied.NewAndInit(-1)\nexcept ValueError: pass", [("candidate", False, ("a",))]),
    Row("spied.NewAndInit", "[spied.NewAndInit(n) for n in (1, 2)]", [(*DONE, ("a",)), (*DONE, ("a",))]),
    Row("spied.Nothing", "spied.Nothing()", [(*DONE, ())]),
    Row("spied.Failing", "try:\n    raise spied.Failing('x')\nexcept spied.Failing: pass", [(*DONE, None)]),
    Row("spied.Data", "spied.Data(1, y=2)", [(*DONE, ("x", "y"))]),
    Row("spied.Tuple", "spied.Tuple(1)", [(*DONE, ("x",))]),
    Row("spied.Colour", "spied.Colour(1)", [(*DONE, ("value",))]),
    Row("spied.Generic", "spied.Generic[int](1)", [(*DONE, ("a",))]),
    Row("spied.WithMeta", "spied.WithMeta(1)", [(*DONE, None)]),
    Row("spied.Base.method", "spied.Base(1).method(2)", [(*DONE, ("x",))]),
    Row("spied.Base.method", "spied.bound()", [(*DONE, None)]),
    Row("spied.Base.method", "spied.Base.method(spied.instance)", [(*DONE, ("x",))]),
    Row("spied.Child.method", "spied.Base(1).method()", []),
    Row("spied.Child.method", "spied.Child(1).method()", [(*DONE, ())]),
    Row("spied.Base.made", "spied.Base.made(1)", [(*DONE, ("a",))]),
    Row("spied.Base.made", "spied.Child.made(a=1)", [(*DONE, ("a",))]),
    Row("spied.Base.static", "spied.Base.static(1)", [(*DONE, ("a",))]),
    Row("spied.Base.static", "spied.instance.static(1)", [(*DONE, ("a",))]),
    Row("spied.Base.prop", "spied.instance.prop", [(*DONE, None)]),
    Row("spied.Base.lazy", "spied.Base(1).lazy", [(*DONE, None)]),
    Row("spied.instance", "spied.instance(1)", [(*DONE, ("x",))]),
    Row("math.sqrt", "import math\nmath.sqrt(4)", [(*DONE, ("x",))]),
    Row("math.sqrt", "import math\ntry:\n    math.sqrt(-1)\nexcept ValueError: pass", [("candidate", False, ("x",))]),
    Row("spied.sqrt", "spied.sqrt(4)", [(*DONE, ("x",))]),
    Row("str.upper", "'a'.upper()", [(*DONE, ())]),
    Row("datetime.timedelta", "import datetime\ndatetime.timedelta(3)", [(*DONE, None)]),
    Row("datetime.timedelta", "from datetime import timedelta as t\nx = t(days=3)", [(*DONE, ("days",))]),
    Row("datetime.timedelta", "import datetime\nf = datetime.timedelta\n[f(days=n) for n in (1, 2)]", [(*DONE, ("days",))] * 2),
    Row("datetime.timedelta", "from functools import partial\nimport datetime\npartial(datetime.timedelta, days=1)()", [(*DONE, None)]),
    Row("datetime.timedelta", "import datetime\ndatetime.timedelta(*[1], **{'hours': 2})", [(*DONE, None)]),
    Row("datetime.timedelta", "import datetime\nlist(map(datetime.timedelta, [1, 2]))", [(*DONE, None)]),
    Row("datetime.timedelta", "import datetime\ntry:\n    datetime.timedelta('x')\nexcept TypeError: pass", [("candidate", False, None)]),
    Row("datetime.timedelta", "import datetime\nclass Mine(datetime.timedelta): pass\nMine(1)", [(*DONE, None), (*DONE, ("subclass",))]),
    Row("datetime.timedelta", "import datetime\ndatetime.timedelta\ndatetime.date(2020, 1, 1) - datetime.date(2019, 1, 1)", []),
    Row("datetime.timedelta", "import datetime\ndef f():\n    return datetime.timedelta(1)\nx = (f(), 1)[0]", [(*DONE, None)]),
    Row("datetime.timedelta", "exec('import datetime; datetime.timedelta(days=1)')", [(*DONE, None)]),
    Row("numpy.add", "import numpy as np\nnp.add(1, 2)", [(*DONE, ("x1", "x2"))]),
    Row("numpy.add", "import numpy as np\nnp.add([1], [2], dtype=int)", [(*DONE, ("x1", "x2", "dtype"))]),
    Row("numpy.add", "import numpy as np, functools\nfunctools.reduce(np.add, [1, 2])", [(*DONE, None)]),
    Row("numpy.add", "import numpy as np\nnp.add.reduce([1])\nnp.subtract(1, 2)\nnp.int64(1) + 2", []),
    Row("numpy.add", "import numpy as np\nspied.calls_back(np.add, 1, 2)", [(*DONE, None)]),
    Row("numpy.add", "import numpy as np\nspied.calls_back(*[np.add, 1, 2])", [(*DONE, None)]),
    Row("numpy.add", "import numpy as np\ngiven = (np.add, 1, 2)\nspied.calls_back(*given)", [(*DONE, None)]),
    Row("numpy.negative", "import numpy as np\nspied.keeps(*[1, np.negative])\nspied.keeps(**{'a': 1, 'b': np.negative})", [(*DONE, None)] * 2),
    Row("numpy.negative", "import numpy as np\nspied.keeps(a=1, **{'b': np.negative})\nspied.keeps(*[1], **{'d': np.negative})", [(*DONE, None)] * 2),
    Row("numpy.negative", "import numpy as np\nspied.keeps(1, spied.keeps(1, np.negative))", [(*DONE, None)]),
    Row("numpy.negative", "import numpy as np\nspied.keeps(spied.keeps(1, c=spied.keeps(1, 2, c=np.negative)), c=0)", [(*DONE, None)]),
    Row("numpy.negative", "import numpy as np\nf = spied.keeps\nwith spied.managed(1) as x:\n    for n in (1, 2):\n        try: f(n, f(0, np.negative if n else f))\n        finally: pass", [(*DONE, None)] * 2),
    Row("numpy.negative", "import numpy as np\ntry:\n    spied.raises(**{'a': np.negative})\nexcept LookupError: pass", [("candidate", False, None)]),
    Row("numpy.negative", "import numpy as np, asyncio\nasync def f(*more): return spied.keeps(*more, **{'c': np.negative})\nasyncio.run(f(1))", [(*DONE, None)]),
    Row("numpy.negative", "import numpy as np\nspied.generated(*[np.negative])\nspied.generated(**{'a': np.negative})", [(*DONE, None)] * 2, since=13),
    Row("numpy.negative", "import numpy as np\nsorted([1, 2], key=np.negative)\nsorted([1, 2])", [(*DONE, None)]),
    Row("numpy.negative", "import numpy as np\nspied.plain(1, 2, 3, d=np.negative(1), c=sum(map(np.negative, [1])))", [(*DONE, ("x",)), (*DONE, None)]),
    Row("numpy.add", "import numpy as np\ntry:\n    spied.calls_back(np.add, 'x', 1)\nexcept TypeError: pass", [("candidate", False, None)]),
    Row("numpy.add", "import numpy as np\nfor last in (2, 'x'):\n    try:\n        spied.calls_back(np.add, 1, last)\n    except TypeError: pass", [(*DONE, None), ("candidate", False, None)]),
    Row("numpy.add", "import numpy as np\nfor f in (np.add, spied.raises):\n    try:\n        spied.calls_back(f, 1)\n    except (TypeError, LookupError): pass", [("candidate", False, None)]),
    Row("numpy.negative", "import numpy as np\nfor f in (np.negative, spied.raises):\n    try:\n        spied.calls_back(f, 1)\n    except LookupError: pass", [(*DONE, None)]),
    Row("numpy.where", "import numpy as np\nnp.where([True], 1, 2)\nnp.lexsort([[1]])", [(*DONE, ("condition", "x", "y"))]),
    Row("numpy.where", "import numpy as np\ntry:\n    np.where([True], 1)\nexcept ValueError: pass", [("candidate", False, ("condition", "x"))]),
    Row("numpy.where", "import numpy as np\nlist(map(np.where, [[1], [0]]))", [(*DONE, None)]),
    Row("numpy.add.reduce", "import numpy as np\nnp.add.reduce([1])\nnp.multiply.reduce([1])\nnp.add(1, 2)", [(*DONE, ("array",))]),
    Row("numpy.ndarray", "import numpy as np\nnp.ndarray((2,))\nnp.zeros(3)", [(*DONE, ("shape",))]),
    Row("spied.plain", "import threading\nt = threading.Thread(target=spied.plain, args=(1,))\nt.start(); t.join()", [(*DONE, None)]),
]  # fmt: skip


HERE = [row for row in ROWS if row.since <= interpreter_under_test().number <= row.until]


@pytest.mark.parametrize("row", HERE, ids=[f"{row.target}: {row.code[:40]}" for row in HERE])
def test_calls(engine: Engine, environment: Environment, row: Row) -> None:
    context = (
        "import spied\ndef helper(a):\n    return spied.plain(a)\n"
        "def apply(f, a):\n    return f(a)\ndef rows(walks):\n    return [x for w in map(list, walks) for x in w]\n"
    )
    program = Program(context=context, completion=row.code, target=row.target, record=True)
    (record,) = engine.run(environment, [program], preload=["spied"])
    assert record.status == "completed", record
    assert [_short(call, row) for call in record.calls] == row.calls, record.calls


def _short(call: CallRecord, row: Row) -> tuple[str, bool, tuple[str, ...] | None]:
    return call.caller, call.completed, call.explicit


def _calls(engine: Engine, environment: Environment, target: str, code: str) -> tuple[CallRecord, ...]:
    program = Program(context="import spied", completion=code, target=target, record=True)
    (record,) = engine.run(environment, [program])
    return record.calls


def test_arguments_are_bound_by_name(engine: Engine, environment: Environment) -> None:
    (call,) = _calls(engine, environment, "spied.plain", "spied.plain(1, 2, 5, d=[6])")
    assert call.arguments == {"a": 1, "b": 2, "rest": {"tuple": [5]}, "c": 3, "more": {"dict": [["d", [6]]]}}


def test_self_is_no_argument(engine: Engine, environment: Environment) -> None:
    (call,) = _calls(engine, environment, "spied.Base.method", "spied.instance.method(7)")
    assert call.arguments == {"x": 7}


def test_an_exception_that_ends_the_program_is_named(engine: Engine, environment: Environment) -> None:
    (call,) = _calls(engine, environment, "spied.raises", "spied.raises(1)")
    assert (call.completed, call.raised) == (False, "LookupError")


def test_a_refused_call_leaves_no_call_but_the_exception(engine: Engine, environment: Environment) -> None:
    program = Program(context="import spied", completion="spied.raises(nope=1)", target="spied.raises", record=True)
    (record,) = engine.run(environment, [program])
    assert record.calls == ()
    assert record.exception is not None
    assert record.exception.frames[-1].owner == "candidate"
    assert "nope" in record.exception.message


def test_a_program_that_takes_the_hook_off_is_tampered(engine: Engine, environment: Environment) -> None:
    for code in ("import sys\nsys.setprofile(None)", "import sys\nsys.setprofile(lambda *a: None)"):
        program = Program(context="import spied", completion=code, target="spied.plain", record=True)
        (record,) = engine.run(environment, [program])
        assert record.status == "tampered", record


@pytest.mark.parametrize("target", ["spied.not_there", "no_such_library.f", "math.pi"])
def test_a_target_that_cannot_be_watched_is_infra(engine: Engine, environment: Environment, target: str) -> None:
    program = Program(context="import spied", completion="pass", target=target, record=True)
    (record,) = engine.run(environment, [program])
    assert record.status == "infra"
    assert target in (record.reason or "")


def test_calls_made_while_observing_count_for_the_answer_that_makes_them(
    engine: Engine, environment: Environment
) -> None:
    program = Program(
        context="import spied",
        completion="def solve():\n    return spied.plain(1)",
        observe=("solve()",),
        target="spied.plain",
        record=True,
    )
    (record,) = engine.run(environment, [program])
    assert [(call.caller, call.completed) for call in record.calls] == [("candidate", True)]


# What a program can ask about a target or what it made: the answers are the same with and without a watch.
ASKED = {
    "spied.plain": ["inspect.signature(spied.plain)", "spied.plain.__code__.co_name", "repr(spied.plain)[:16]", "spied.plain.__defaults__", "[w := spied.Written(), spied.hands_on(w), w.memo][2]", "pickle.loads(pickle.dumps(spied.plain)) is spied.plain", "hasattr(spied.plain, '__wrapped__')"],
    "spied.awaited": ["inspect.iscoroutinefunction(spied.awaited)", "asyncio.iscoroutinefunction(spied.awaited)", "asyncio.run(spied.awaited(3))"],
    "spied.generated": ["inspect.isgeneratorfunction(spied.generated)", "list(spied.generated(1))"],
    "spied.Base": ["type(spied.Base(1)) is spied.Base", "inspect.signature(spied.Base)", "sorted(vars(spied.Base))", "isinstance(spied.Child(1), spied.Base)", "spied.Base.__mro__", "pickle.loads(pickle.dumps(spied.Base(2))).a", "spied.Base.__init__.__qualname__"],
    "spied.Base.method": ["spied.bound(2)", "inspect.ismethod(spied.instance.method)", "inspect.signature(spied.instance.method)"],
    "spied.Base.prop": ["spied.instance.prop", "type(vars(spied.Base)['prop'])"],
    "spied.OnlyNew": ["type(spied.OnlyNew(1)) is spied.OnlyNew", "'__init__' in vars(spied.OnlyNew)"],
    "spied.Data": ["spied.Data(1)", "dataclasses.fields(spied.Data)[0].name", "spied.Data(1) == spied.Data(1)", "inspect.signature(spied.Data)"],
    "spied.Tuple": ["spied.Tuple(1)._asdict()", "spied.Tuple._fields"],
    "spied.Colour": ["spied.Colour(1) is spied.Colour.RED", "list(spied.Colour)", "pickle.loads(pickle.dumps(spied.Colour.RED)) is spied.Colour.RED"],
    "spied.instance": ["type(spied.instance) is spied.Base", "spied.instance(4)"],
    "math.sqrt": ["math.sqrt is spied.sqrt", "math.sqrt(9)", "repr(math.sqrt)"],
    "datetime.timedelta": ["type(datetime.timedelta(1)) is datetime.timedelta", "datetime.timedelta(1)", "inspect.isclass(datetime.timedelta)"],
    "numpy.add": ["type(np.add)", "np.add.nin", "np.add.reduce([1, 2])", "np.add(1, 2)"],
    "Model": ["Model.model_json_schema()", "Model(a=1)", "type(Model(a=1)) is Model", "Model.__pydantic_fields_set__ if False else sorted(Model.model_fields)", "inspect.signature(Model)"],
}  # fmt: skip


@pytest.mark.parametrize("target", ASKED)
def test_a_program_cannot_tell_that_it_is_watched(engine: Engine, environment: Environment, target: str) -> None:
    context = (
        "import asyncio, dataclasses, datetime, inspect, math, pickle\nimport numpy as np\nimport pydantic\nimport spied\n"
        "class Model(pydantic.BaseModel):\n    a: int\n"
    )
    watched = "pydantic.BaseModel" if target == "Model" else target
    questions = tuple(f"repr({expression})" for expression in ASKED[target])
    plain = Program(context=context, completion="answers = 1", observe=questions)
    program = plain.model_copy(update={"target": watched, "record": True})
    unwatched, seen = engine.run(environment, [plain, program], preload=["spied", "numpy", "pydantic"])
    assert (unwatched.status, seen.status) == ("completed", "completed"), (unwatched, seen)
    assert len(unwatched.observations) == len(questions), unwatched.errors
    assert seen.observations == unwatched.observations


# The targets that count, what the answer does, and the targets of its own completed calls.
SEVERAL = [
    (("spied.plain", "spied.decorated"), "spied.plain(1)", ["spied.plain"]),
    (("spied.plain", "spied.decorated"), "spied.decorated(1)", ["spied.decorated"]),
    (("spied.plain", "spied.decorated"), "spied.plain(1); spied.decorated(1)", ["spied.plain", "spied.decorated"]),
    (("spied.decorated", "spied.other_decorated"), "spied.other_decorated(1)", ["spied.other_decorated"]),
    (("spied.plain", "math.sqrt"), "import math\nmath.sqrt(4)", ["math.sqrt"]),
    (("math.sqrt", "math.floor"), "import math\nlist(map(math.floor, [4.0]))", ["math.floor"]),
    (("spied.Base.method", "spied.plain"), "spied.Base(1).method(2)", ["spied.Base.method"]),
    (("spied.plain", "spied.Base"), "class Own(spied.Base): pass", ["spied.Base"]),
    (("spied.plain", "spied.decorated"), "spied.calls_plain(1); spied.calls_decorated(1)", []),
    (("spied.plain", "spied.decorated"), "spied.raises", []),
]


@pytest.mark.parametrize(("targets", "code", "names"), SEVERAL, ids=[row[1] for row in SEVERAL])
def test_a_call_of_any_of_several_targets_is_seen(
    engine: Engine, environment: Environment, targets: tuple[str, ...], code: str, names: list[str]
) -> None:
    program = Program(context="import spied", completion=code, target=targets[0], also=targets[1:], record=True)
    (record,) = engine.run(environment, [program], preload=["spied"])
    assert [call.target for call in record.calls if call.caller == "candidate" and call.completed] == names
