# ruff: noqa: E501  (each program is kept on as few lines as it takes to read it)
"""No wrong answer passes, whatever it does; each ends as the table says, and the next program is not touched."""

import pytest

from apigap.records.run import Program
from apigap.sandbox import engine as engine_module
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial

from .attacks import ATTACKS, RESOURCES, Attack
from .conftest import TIGHT
from .tasks import SOLUTION, numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_fails_and_leaves_the_next_program_alone(
    engine: Engine, environment: Environment, attack: Attack
) -> None:
    task = numbers_task()
    verdict, after = judge_trials(
        engine, environment, [Trial(task, attack.code), Trial(task, SOLUTION)], preload=["pydantic"]
    )
    assert verdict.outcome == "fail", verdict.detail
    assert verdict.runs[0].status in attack.statuses, verdict.detail
    if attack.limit:
        assert verdict.runs[0].limit == attack.limit
    assert after.outcome == "pass", after.detail


def test_an_early_exit_is_never_called_a_limit(engine: Engine, environment: Environment) -> None:
    programs = [Program(context="", completion=a.code) for a in ATTACKS if a.statuses == ("exited",)]
    assert {record.limit for record in engine.run(environment, programs)} == {None}


_USES_SHARED_MEMORY = (
    "import multiprocessing.shared_memory as m, os, pty\n"
    "s = m.SharedMemory(create=True, size=9)\ns.unlink()\n[os.close(end) for end in pty.openpty()]\nresult = 1"
)
_LIST_OF_RIGHTS = "struct.pack('<I', 2) + b''.join(struct.pack('<HHi', t, p, -1) for t, p in ((1, 5), (4, 0), (32, 0)))"


@pytest.mark.parametrize(
    "change",
    [
        "os.chmod('/dev/shm', 0o555)",
        "os.chmod('/dev/pts', 0)",
        f"os.setxattr('/dev/shm', 'system.posix_acl_default', {_LIST_OF_RIGHTS})",
        "os.setxattr('/tmp', 'user.mark', b'1')",
    ],
)
def test_changed_rights_of_a_shared_folder_are_not_felt_by_the_next_program(
    environment: Environment, change: str
) -> None:
    attack = Program(context="", completion=f"import os, struct\n{change}")
    honest = Program(context="", completion=_USES_SHARED_MEMORY, observe=("result",))
    with Engine(workers=1, limits=TIGHT) as engine:
        changed, after = engine.run(environment, [attack, honest])
    assert changed.status == "tampered", changed.reason
    assert "changed the worker around it: folder" in (changed.reason or "")
    assert after.observations == {"result": 1}, after


def test_a_daemon_does_not_live_into_the_next_program(environment: Environment) -> None:
    daemon = (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        while True:\n            open('/tmp/mark', 'w').close(); time.sleep(0.01)\n    os._exit(0)\ntime.sleep(0.3)\n"
    )
    look = "import os, time\ntime.sleep(0.2)\nseen = os.listdir('/tmp')\npids = [p for p in os.listdir('/proc') if p.isdigit()]\n"
    with Engine(workers=1) as engine:
        first = Program(context="", completion=daemon, observe=("__import__('os').path.exists('/tmp/mark')",))
        second = Program(
            context="", completion=look, observe=("[name for name in seen if 'program' not in name]", "len(pids)")
        )
        one, two = engine.run(environment, [first, second])
    assert list(one.observations.values()) == [True]
    assert list(two.observations.values()) == [[], 3], "the first process, the zygote and the program itself"


RIGHT_VALUES = "result = [int(n) for n in numbers]\n"
FORGED = "{'target': 'x', 'caller': 'candidate', 'completed': True, 'explicit': [], 'arguments': {}, 'raised': None}"
CLIMB = f"""
def climb(frame):
    while frame:
        run = frame.f_locals.get('self')
        if getattr(run, 'spy', None):
            run.spy.calls.append({FORGED})
        frame = frame.f_back
"""

# Right values and forged evidence of the call: never a pass.
FORGED_EVIDENCE = {
    "frames": "import sys\nclimb(sys._getframe())\n",
    "frames of a traceback": "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    climb(error.__traceback__.tb_frame)\n",
    "frames by inspect": "import inspect\nclimb(inspect.currentframe())\n",
    "frames from text": "exec('import sys\\nclimb(sys._getframe())')\n",
    "a running generator": "def g():\n    climb(me.gi_frame)\n    yield\nme = g()\nnext(me)\n",
    "a trace function": "import sys\nsys.settrace(lambda frame, *a: climb(frame))\n(lambda: 1)()\n",
    "the hook": "import sys\nhook = sys.getprofile()\nfor name in ('__self__', '__func__', '_objects', '__wrapped__'):\n"
    f"    found = getattr(hook, name, None)\n    if hasattr(found, 'calls'): found.calls.append({FORGED})\n",
    "the hook of threads": "import threading\nhook = threading._profile_hook\n"
    f"if hasattr(hook, '__self__'): hook.__self__.calls.append({FORGED})\n",
    "the collector": f"import gc\nfor x in gc.get_objects():\n    if type(x).__name__ == 'Spy': x.calls.append({FORGED})\n",
    "raw memory": "import ctypes\nctypes.string_at(id(numbers), 16)\n",
}


@pytest.mark.parametrize("name", FORGED_EVIDENCE)
def test_forged_evidence_of_a_call_never_passes(engine: Engine, environment: Environment, name: str) -> None:
    code = CLIMB + FORGED_EVIDENCE[name] + RIGHT_VALUES
    (verdict,) = judge_trials(engine, environment, [Trial(numbers_task(), code)], preload=["pydantic"])
    assert verdict.outcome in ("fail", "suspect"), verdict.detail


@pytest.mark.parametrize("attack", [a for a in RESOURCES if a.limit], ids=lambda attack: attack.name)
def test_limits_hold_without_a_control_group(
    environment: Environment, attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "writable_version", lambda: None)
    with Engine(workers=1, limits=TIGHT) as alone:
        assert alone.profile.cgroup is None
        (record,) = alone.run(environment, [Program(context="", completion=attack.code)])
    assert (record.status, record.limit) == ("limit", attack.limit)


GRANDCHILDREN = """
import os, time
def work():
    until = time.process_time() + 0.4
    while time.process_time() < until: pass
    os._exit(0)
while True:
    if os.fork() == 0:
        if os.fork() == 0: work()
        os._exit(0)
    os.wait()
    time.sleep(0.1)
"""


@pytest.mark.parametrize("cgroup", [True, False])
def test_the_processor_time_of_grandchildren_counts(
    environment: Environment, cgroup: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not cgroup:
        monkeypatch.setattr(engine_module, "writable_version", lambda: None)
    with Engine(workers=1, limits=TIGHT.model_copy(update={"wall_seconds": 60.0})) as alone:
        (record,) = alone.run(environment, [Program(context="", completion=GRANDCHILDREN)])
    assert (record.status, record.limit) == ("limit", "cpu")


LEAVES_WITH_ITS_CHILD = """
import os, sys
pid = os.fork()
if pid == 0:
    while True: pass
sys.exit(-os.WTERMSIG(os.waitpid(pid, 0)[1]))
"""


def test_a_program_that_leaves_because_its_child_was_out_of_time_is_out_of_time(environment: Environment) -> None:
    """Flask's reloader does so; otherwise the load of the machine decides which of the two limits is told."""
    with Engine(workers=1, limits=TIGHT.model_copy(update={"wall_seconds": 60.0})) as alone:
        (record,) = alone.run(environment, [Program(context="", completion=LEAVES_WITH_ITS_CHILD)])
    assert (record.status, record.limit) == ("limit", "cpu")
