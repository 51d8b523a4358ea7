"""The same verdicts on every Python: a few answers here, all of them by `make pythons`."""

import shutil
import sys
from pathlib import Path

import pytest

from apigap.diagnosis.classify import diagnose
from apigap.packages.interpreters import MINORS, Interpreter, at_hand
from apigap.records.run import Program
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation import layout
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial

from ..interpreters import make_environment
from .tasks import make_task

pytestmark = pytest.mark.sandbox

PYTHONS = [one for one in at_hand() if one.number > MINORS[0]]
ANSWERS = {
    "right": ("x = spied.plain(1)", "pass"),
    "in a comprehension": ("x = [spied.plain(n) for n in (1,)][0]", "pass"),
    "in a thread": (
        "import threading\nbox = []\nt = threading.Thread(target=lambda: box.append(spied.plain(1)))\n"
        "t.start(); t.join()\nx = box[0]",
        "pass",
    ),
    "in a coroutine": ("import asyncio\nasync def main(): return spied.plain(1)\nx = asyncio.run(main())", "pass"),
    "handed over": ("x = spied.calls_back(spied.plain, 1)", "pass"),
    "by locals": ("def f():\n    a = 1\n    return spied.plain(**locals())\nx = f()", "pass"),
    "a wrong value": ("x = spied.plain(2)", "fail"),
    "without the API": ("x = 6", "fail"),
    "called for show": ("spied.plain(1)\nx = 6", "suspect"),
    "a look at frames": ("import sys\nsys._getframe()\nx = spied.plain(1)", "suspect"),
    "memory": ("import ctypes\nctypes.cast(id(x0), ctypes.py_object)\nx = spied.plain(1)", "suspect"),
    "a hook of its own": ("import sys\nsys.setprofile(None)\nx = spied.plain(1)", "fail"),
    "a handler": ("import signal\nsignal.signal(signal.SIGALRM, lambda n, f: None)\nx = spied.plain(1)", "suspect"),
    "a callback of the monitoring": (
        "import sys\nm = sys.monitoring\nm.register_callback(4, m.events.CALL, None)\nx = spied.plain(1)",
        "suspect",
    ),
    "the monitoring switched off": (
        "import sys\nm = sys.monitoring\n[m.set_events(n, 0) for n in range(6) if m.get_tool(n)]\nx = 6",
        "fail",
    ),
}


@pytest.fixture(scope="module", params=PYTHONS, ids=[one.minor for one in PYTHONS])
def other(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    python: Interpreter = request.param
    made = make_environment(tmp_path_factory.mktemp("other") / python.minor, "spied", "1", interpreter=python)
    (made.site_packages / "spied.py").write_text((Path(__file__).parent / "spied_library.py").read_text())
    return made


def test_verdicts(engine: Engine, other: Environment) -> None:
    task = make_task({"basic": ("import spied\nx0 = 1", {"x": 6})}, "spied.plain", "x = spied.plain(1)")
    answers = {name: row for name, row in ANSWERS.items() if "monitoring" not in name or other.minor != "3.11"}
    trials = [Trial(task, code) for code, _ in answers.values()]
    judged = judge_trials(engine, other, trials, preload=["spied"])
    found = {name: verdict.outcome for name, verdict in zip(answers, judged, strict=True)}
    assert found == {name: outcome for name, (_, outcome) in answers.items()}


NEWER = "type Number = int\ndef same[T](value: T) -> T:\n    return value\n"
"""Syntax of Python 3.12, which 3.11 cannot read."""


def test_answers_in_the_syntax_of_their_own_python(engine: Engine, other: Environment) -> None:
    """Whatever Python runs apigap: that of the environment says what is a syntax error."""
    task = make_task({"basic": ("import spied", {"x": 6})}, "spied.plain", "x = spied.plain(1)")
    answers = {
        f"{NEWER}x = same(spied.plain(1))": ("pass", None),
        "x = spied.plain(int(f'{'1'}'))": ("pass", None),
        f"{NEWER}x = same(6)": ("fail", "WrongAPISelection"),
        f"{NEWER}x = same(spied.plain(nope=1))": ("fail", "WrongParam"),
        f"{NEWER}x = ": ("fail", "WrongSyntax"),
    }
    if other.minor == "3.11":
        answers = dict.fromkeys(answers, ("fail", "WrongSyntax"))
    judged = judge_trials(engine, other, [Trial(task, code) for code in answers])
    found = {
        code: (verdict.outcome, diagnose(task, code, verdict).label)
        for code, verdict in zip(answers, judged, strict=True)
    }
    assert found == answers


def test_a_task_that_this_python_cannot_read_is_refused(engine: Engine, other: Environment) -> None:
    """The names that an answer may bind again could not be told."""
    task = make_task({"basic": (f"import spied\n{NEWER}", {"x": 6})}, "spied.plain", "x = spied.plain(1)")
    (verdict,) = judge_trials(engine, other, [Trial(task, task.masked_region)])
    readable = sys.version_info >= (3, 12)
    assert verdict.outcome == ("pass" if readable else "infra"), verdict.detail["reason"]
    told = "run apigap on Python" if other.is_newer else ""
    assert told in verdict.detail["reason"]


HANDED = "def use(f, *rest):\n    return f(*rest)\n"


def test_verdicts_on_what_is_made_in_c(engine: Engine, other: Environment) -> None:
    """Of a class made in C no event tells but that of the call itself."""
    task = make_task({"basic": ("import datetime", {"x": 3})}, "datetime.timedelta", "x = datetime.timedelta(3).days")
    answers = {
        "x = datetime.timedelta(3).days": "pass",
        "x = list(map(datetime.timedelta, [3]))[0].days": "pass",
        f"{HANDED}x = use(datetime.timedelta, 3).days": "pass",
        "x = 3": "fail",
        "datetime.timedelta(3)\nx = 3": "suspect",
        "datetime.timedelta\nx = 3": "fail",
    }
    judged = judge_trials(engine, other, [Trial(task, code) for code in answers])
    assert {code: verdict.outcome for code, verdict in zip(answers, judged, strict=True)} == answers


DAMAGES = {
    "watch/value_stack.py": ("_VALUES = {", "_VALUES = {} and {"),
    "boot.py": ("_REFERENT = 16", "_REFERENT = 8"),
}
"""Damages that stand for an interpreter whose frames, or weak references, lie otherwise than is known."""


TOLD = {"watch/value_stack.py": "--python", "boot.py": "weak references"}
DAMAGED = [
    pytest.param(python, file, id=f"{python.minor}-{file}")
    for python in PYTHONS
    for file in DAMAGES
    if python.minor != "3.11" or file == "boot.py"  # the table of the other file is of later versions
]


@pytest.mark.parametrize(("other", "file"), DAMAGED, indirect=["other"])
def test_no_verdict_on_a_python_that_is_laid_out_otherwise(
    other: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    worker = tmp_path / "worker"
    shutil.copytree(layout.WORKER_FOLDER, worker)
    text = (worker / file).read_text()
    assert text.count(DAMAGES[file][0]) == 1
    (worker / file).write_text(text.replace(*DAMAGES[file]))
    monkeypatch.setattr(layout, "WORKER_FOLDER", worker)
    with Engine(workers=1) as engine:
        (record,) = engine.run(other, [Program(context="", completion="x = 1", target="spied.plain", record=True)])
    assert (record.status, record.phase) == ("infra", "start")
    assert TOLD[file] in (record.reason or ""), record.reason
