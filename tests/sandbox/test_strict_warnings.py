"""Warnings that a context makes errors stay errors, by whatever way an answer would have them silent."""

import pytest

from apigap.records.run import Program, RunRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.trials import program_of
from apigap.tasks.finish import STRICT
from tests.records.test_task import make_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

OF_MIGRATIONS = STRICT
OF_A_BUILD = "import warnings\nwarnings.simplefilter('error')\nimport spied\n"
DEFINITIONS = """
def old():
    warnings.warn("it is going away", DeprecationWarning, stacklevel=2)
    return 1

def inside():
    text = "import warnings\\nwarnings.warn('of its own', FutureWarning)"
    exec(compile(text, "library.py", "exec"), {"__name__": "library"})
    return 2
"""
WARNS = [
    "x = old()",
    "import warnings\nwarnings.filterwarnings('ignore')\nx = old()",
    "import warnings\nwarnings.simplefilter('ignore')\nx = old()",
    "import warnings\nwarnings.resetwarnings()\nx = old()",
    "import warnings\nwarnings.filters.clear()\nx = old()",
    "import warnings\nwarnings.filters.insert(0, ('ignore', None, Warning, None, 0))\nx = old()",
    "import warnings\nwarnings.filters[:0] = [('ignore', None, Warning, None, 0)]\nx = old()",
    "import warnings\nwarnings.filters = []\nx = old()",
    "import warnings\nwarnings.warn = lambda *given, **named: None\nx = old()",
    "import unittest.mock\nwith unittest.mock.patch('warnings.warn'): x = old()",
    "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    x = old()",
    "import warnings\nwith warnings.catch_warnings(record=True): x = old()",
    "import logging\nlogging.captureWarnings(True)\nx = old()",
    "__name__ = 'mine'\nx = old()",
    "del __name__\nx = old()",
    "__name__ = 5\nx = old()",
    "import warnings\nvars(warnings)['filters'] = []\nx = old()",
    "import warnings\nvars(warnings)['filters'] = []\nwarnings.simplefilter('ignore')\nx = old()",
    "import types, warnings\nwarnings.__class__ = types.ModuleType\nvars(warnings)['filters'] = []\nx = old()",
    "import types, warnings\ntypes.ModuleType.__setattr__(warnings, 'filters', [])\nx = old()",
    "import warnings\nfor one in warnings.filters:\n    try:\n        one[3].match = lambda name: False\n"
    "    except (AttributeError, TypeError):\n        pass\nx = old()",
    "import warnings\nfor one in warnings.filters:\n    try:\n        type(one[3]).match = lambda *given: False\n"
    "    except (AttributeError, TypeError):\n        pass\nx = old()",
    "import warnings\ntry:\n    type(warnings.filters).clear = list.clear\nexcept TypeError:\n    pass\n"
    "warnings.filters.clear()\nx = old()",
    "import types\nx = types.FunctionType((lambda: old()).__code__, {'old': old})()",
    "space = {'old': old, '__name__': 'elsewhere'}\nexec('x = old()', space)\nx = space['x']",
    "import functools\nx = functools.partial(old)()",
    "import contextlib\nwith contextlib.ExitStack() as stack:\n    stack.callback(old)\nx = 1",
    "from concurrent.futures import ThreadPoolExecutor\n"
    "with ThreadPoolExecutor() as pool: x = pool.submit(old).result()",
]
HIDDEN = [
    "[*(type(one[3]).__dict__ for one in warnings.filters if one[3] is not None)]",
    "type(warnings.filters).append",
    "type(warnings).filters.fget",
    "type(warnings).__setattr__",
]
SILENCES = "import spied\nx = spied.silences()"
DOES_NOT = [
    (SILENCES, 4),
    (f"import warnings\nwarnings.simplefilter('ignore')\n{SILENCES}", 4),
    (f"{SILENCES}\ntry:\n    x = old()\nexcept DeprecationWarning:\n    x = 5", 5),
    ("x = inside()", 2),
    ("try:\n    x = old()\nexcept DeprecationWarning:\n    x = 3", 3),
    (
        "import warnings\nwith warnings.catch_warnings(record=True) as told:\n    warnings.warn('mine')\nx = len(told)",
        1,
    ),
    ("import warnings\nx = next(one[3].pattern for one in warnings.filters if one[3] is not None)", "__main__"),
    ("import pickle, re, warnings\nx = type(pickle.loads(pickle.dumps(warnings.filters))[0][3]) is re.Pattern", True),
    ("import warnings as w\nw.simplefilter('ignore')\nwith w.catch_warnings():\n    x = w.filters[3][0]", "ignore"),
]


def _run(engine: Engine, environment: Environment, code: str, context: str, strict: bool = True) -> RunRecord:
    program = Program(context=context + DEFINITIONS, completion=code, observe=("x",), strict=strict)
    (record,) = engine.run(environment, [program])
    return record


@pytest.mark.parametrize("code", WARNS)
@pytest.mark.parametrize("context", [OF_MIGRATIONS, OF_A_BUILD], ids=["migration", "build"])
def test_an_answer_cannot_silence_what_its_own_calls_warn_of(
    engine: Engine, environment: Environment, context: str, code: str
) -> None:
    record = _run(engine, environment, code, context)
    assert record.status == "raised" and record.exception is not None, record
    assert record.exception.type == "DeprecationWarning"


@pytest.mark.parametrize("reached", HIDDEN)
def test_nothing_of_the_machinery_is_within_reach(engine: Engine, environment: Environment, reached: str) -> None:
    walk = f"""
import types, warnings
seen, waiting, x = [], [{reached}], []
while waiting:
    one = waiting.pop()
    if any(one is other for other in seen):
        continue
    seen.append(one)
    if "_apigap" in type(one).__module__ or "_apigap" in str(getattr(one, "__globals__", {{}}).get("__name__")):
        x.append(repr(one))
    waiting += [cell.cell_contents for cell in getattr(one, "__closure__", None) or ()]
    waiting += one if type(one) is list else one.values() if hasattr(one, "values") else ()
    waiting += [one.__func__] if hasattr(one, "__func__") else []
    waiting += [one.__wrapped__] if hasattr(one, "__wrapped__") else []
"""
    record = _run(engine, environment, walk, OF_MIGRATIONS)
    assert (record.status, record.observations) == ("completed", {"x": []}), record


@pytest.mark.parametrize(("code", "value"), DOES_NOT)
def test_other_warnings_are_nobody_elses_affair(
    engine: Engine, environment: Environment, code: str, value: object
) -> None:
    record = _run(engine, environment, code, OF_MIGRATIONS)
    assert (record.status, record.observations) == ("completed", {"x": value}), record


@pytest.mark.parametrize("code", [code for code, value in DOES_NOT if value == 4])
def test_a_library_may_silence_its_own_warnings_where_all_are_errors(
    engine: Engine, environment: Environment, code: str
) -> None:
    assert _run(engine, environment, code, OF_A_BUILD).observations == {"x": 4}


def test_elsewhere_an_answer_may_do_with_warnings_what_it_likes(engine: Engine, environment: Environment) -> None:
    assert _run(engine, environment, WARNS[1], OF_MIGRATIONS, strict=False).observations == {"x": 1}


@pytest.mark.parametrize(
    ("context", "reference", "strict"),
    [
        (OF_MIGRATIONS, "x = 1", True),
        (OF_A_BUILD, "x = 1", True),
        (OF_A_BUILD, "import warnings\nwarnings.simplefilter('ignore')\nx = 1", False),
        ("import json", "x = 1", False),
    ],
    ids=["migration", "build", "the reference's own affair", "no warnings"],
)
def test_a_context_decides_where_its_reference_leaves_warnings_alone(
    context: str, reference: str, strict: bool
) -> None:
    task = make_task(context_code=context, masked_region=reference)
    scenario = task.harness.scenarios[0].model_copy(update={"context_code": context})
    assert program_of(task, scenario, "x = 1").strict is strict
