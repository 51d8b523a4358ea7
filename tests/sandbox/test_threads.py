"""Libraries whose import starts threads: warm where a fork can do without them, with the verdicts of a cold start."""

import threading
from collections.abc import Iterator

import pytest

from apigap.records.run import Program, RunRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.live_sandbox import Sandbox
from apigap.sandbox.worker import threads
from tests.sandbox.conftest import TIGHT

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

PROGRAMS = {
    "work without threads": "x = native_thread.double(21)",
    "work of the thread": "x = native_thread.done_by_the_thread()",
    "work that is asked for in vain": "x = native_thread.asked_in_vain()",
    "an exception": "x = native_thread.double()",
    "an exit": "raise SystemExit(3)",
    "a thread of its own": "import threading\nx = []\nt = threading.Thread(target=x.append, args=(1,))\n"
    "t.start()\nt.join()",
}


@pytest.fixture(scope="module")
def alone() -> Iterator[Engine]:
    with Engine(workers=1, limits=TIGHT) as made:
        yield made


def _program(module: str, completion: str) -> Program:
    return Program(context=f"import {module}", completion=completion, observe=("x",))


def _verdict(record: RunRecord) -> tuple[object, ...]:
    exception = record.exception and (record.exception.type, record.exception.message)
    return record.status, record.phase, record.limit, exception, record.observations


@pytest.mark.parametrize("completion", PROGRAMS.values(), ids=PROGRAMS)
def test_beside_a_native_thread_a_program_ends_as_it_does_cold(
    alone: Engine, environment: Environment, completion: str
) -> None:
    """One that waits for the thread that a fork lacks has reached its limit there, and is asked again with one."""
    (warm,) = alone.run(environment, [_program("native_thread", completion)], preload=["native_thread"])
    with Engine(workers=1, limits=TIGHT, cold=True) as engine:
        (cold,) = engine.run(environment, [_program("native_thread", completion)], preload=["native_thread"])
    assert _verdict(warm) == _verdict(cold)


def test_a_fork_has_no_thread_of_the_import(alone: Engine, environment: Environment) -> None:
    program = _program("native_thread", "import os\nx = len(os.listdir('/proc/self/task'))")
    records = alone.run(environment, [program] * 3, preload=["native_thread"])
    assert [record.observations for record in records] == [{"x": 1}] * 3


def test_what_a_thread_of_python_does_is_done(alone: Engine, environment: Environment) -> None:
    program = _program("python_thread", "x = python_thread.double(4)")
    records = alone.run(environment, [program] * 3, preload=["python_thread"])
    assert [record.observations for record in records] == [{"x": 8}] * 3


def test_the_host_is_told_of_threads(alone: Engine, environment: Environment) -> None:
    found: dict[str, tuple[bool, bool]] = {}
    for module in ("json", "native_thread", "python_thread"):
        sandbox = Sandbox(environment, alone.profile, TIGHT, [module])
        found[module] = (sandbox.warm_problem is None, sandbox.beside_threads)
        sandbox.close()
    assert found == {"json": (True, False), "native_thread": (True, True), "python_thread": (False, False)}


def test_a_thread_of_python_is_a_problem() -> None:
    ended = threading.Event()
    waiting = threading.Thread(target=ended.wait)
    waiting.start()
    try:
        assert threads.there_are_others()
        assert threads.problem() == "an import started threads of Python"
    finally:
        ended.set()
        waiting.join()


def test_a_thread_that_works_on_does_not_rest() -> None:
    ended = threading.Event()
    busy = threading.Thread(target=lambda: [ended.wait(0.001) for _ in iter(ended.is_set, True)])
    busy.start()
    try:
        assert not threads.come_to_rest(0.3)
    finally:
        ended.set()
        busy.join()


def test_a_cold_program_that_waits_has_its_own_limit_and_not_that_of_the_import(environment: Environment) -> None:
    """The import may take 30 s here, a program 3 s."""
    program = _program("native_thread", "import time\ntime.sleep(60)")
    with Engine(workers=1, limits=TIGHT, cold=True) as engine:
        (record,) = engine.run(environment, [program], preload=["native_thread"])
    assert record.limit == "wall"
    assert record.seconds < TIGHT.preload_seconds
