"""The interpreter: a session that goes on, whatever ends a run; and attacks that look for what it must not show."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.agent.interpreter import Ran, run_session
from apigap.agent.session import Session
from apigap.agent.tools import make_call
from apigap.agent.workplace import Workplace
from apigap.gates.battery.case import LEAK, Aims, Case
from apigap.gates.battery.leaks import leaks
from apigap.gates.battery.programs import programs
from apigap.gates.battery.subject import Subject
from apigap.records.configuration import load_settings
from apigap.records.task import Harness, Observation, Scenario, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.limits import MIB, Limits
from tests.agent.desk import answer, blocks, terms
from tests.silent import Silent

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


@pytest.fixture(scope="module")
def task(tasks: list[Task]) -> Task:
    return tasks[0]


def ran(workplace: Workplace, task: Task, *pieces: str, context: str = "base = 40") -> Ran:
    return run_session(workplace.runner(task), context, pieces[:-1], pieces[-1])


RUNS: list[tuple[tuple[str, ...], str, str]] = [
    (("import sys\nsys.stdout.buffer.write(b'bytes')\nprint()\nprint('\\ud800')",), "ok", "bytes\n?"),
    (("import sys\nn = sys.stdout.buffer.write(b'bytes')", "n"), "ok", "5"),
    (("base + 2",), "ok", "42"),
    (("print('a')\nbase",), "ok", "a\n40"),
    (("x = 1",), "ok", "(it ran and printed nothing)"),
    (("x = base\nprint('once')", "x += 1", "x"), "ok", "41"),
    (("y = 1\nraise ValueError('no')", "y"), "ok", "1"),
    (("import sys\nsys.exit(3)", "base"), "ok", "40"),
    (("def f():\n    return base / 0\n", "f()"), "error", "ZeroDivisionError: division by zero"),
    (("f(",), "error", "SyntaxError"),
    (("class A: pass\nprint(A(), 0x7f00dead)",), "ok", "<__main__.A object at 0x...> 2130763437"),
    (("import os\nos._exit(0)",), "error", "the interpreter ended"),
    (("import sys\nprint('out')\nprint('err', file=sys.stderr)",), "ok", "out\nerr"),
    (("from more_itertools import subfactorial\nsubfactorial(3)",), "ok", "2"),
    (("class A: pass\nimport pickle\npickle.loads(pickle.dumps(A)) is A",), "ok", "True"),
    (("import asyncio\nasync def f():\n    return base\nasyncio.run(f())",), "ok", "40"),
]


@pytest.mark.parametrize(("pieces", "outcome", "text"), RUNS, ids=[case[0][-1][:40] for case in RUNS])
def test_a_session_goes_on(workplace: Workplace, task: Task, pieces: tuple[str, ...], outcome: str, text: str) -> None:
    found = ran(workplace, task, *pieces)
    assert found.outcome == outcome, found.text
    assert found.text == text if outcome == "ok" else text in found.text
    assert found.seconds > 0


def test_what_does_not_end_is_stopped(tasks: list[Task], engine: Engine) -> None:
    limits = Limits(cpu_seconds=1, wall_seconds=4.0, memory=300 * MIB)
    with engine.with_limits(limits) as tight:
        place = Workplace(tasks, tight, load_settings().agent, Silent())
        for code, words in (("while True: pass", "too much time"), ("x = 'x' * 10**9", "MemoryError")):
            found = ran(place, tasks[0], code)
            assert (found.outcome, words in found.text) == ("error", True), found.text


def test_what_was_stopped_has_no_say_in_the_next_run(tasks: list[Task], engine: Engine) -> None:
    with engine.with_limits(Limits(cpu_seconds=1, wall_seconds=4.0, memory=300 * MIB)) as tight:
        place = Workplace(tasks, tight, load_settings().agent, Silent())
        one = Session(tasks[0], 0, terms())
        codes = ("kept = 41", "while True: pass", "import os\nos._exit(0)", "raise ValueError", "print(kept + 1)")
        answer(one, blocks(*(("run_code", code) for code in codes)))
        while (asked := one.next_call) is not None:
            one.take(make_call(one, asked, place))
        assert [step.outcome for step in one.steps[1:]] == ["ok", "error", "error", "error", "ok"]
        assert one.steps[-1].text == "42"
        assert all("nothing of this run stays" in step.text for step in one.steps[2:4])
        assert one.cells == [codes[0], codes[3], codes[4]]


def test_a_traceback_begins_at_the_code_and_shows_its_lines(workplace: Workplace, task: Task) -> None:
    text = ran(workplace, task, "def f():\n    return base / 0\n", "f()").text
    assert 'File "<run 2>", line 1' in text
    assert 'File "<run 1>", line 2, in f\n    return base / 0' in text
    assert "play" not in text
    assert "_run" not in text


def test_a_long_output_is_told_by_its_two_ends(workplace: Workplace, task: Task) -> None:
    text = ran(workplace, task, "print('first'); print('x' * 100_000); print('last')").text
    assert text.startswith("first")
    assert text.endswith("last")
    assert "bytes left out" in text
    assert len(text) < 4_000


SECRET = {name: f"canary-{name}-5b81c0" for name in ("reference", "hidden", "expected", "observed", "target", "seen")}


def canaries(task: Task) -> Task:
    """A task whose every part has a word of its own; only the context's may be seen."""
    scenarios = (
        Scenario(name="basic", context_code=f"shown = '{SECRET['seen']}'", observations=(
            Observation(expression=f"'{SECRET['observed']}'", expected=SECRET["expected"]),
        )),
        Scenario(name="hidden", context_code=f"shown = '{SECRET['hidden']}'", observations=()),
    )  # fmt: skip
    spy = task.harness.spy.model_copy(update={"target": f"more_itertools.{SECRET['target'].replace('-', '_')}"})
    fields = {
        **task.model_dump(exclude={"task_id", "since"}),
        "context_code": scenarios[0].context_code,
        "masked_region": f"answer = '{SECRET['reference']}'",
        "reference_solution": f"answer = '{SECRET['reference']}'",
        "harness": Harness(layers=task.harness.layers, scenarios=scenarios, spy=spy),
    }
    return Task.model_validate(fields)


SEARCHES = {
    "memory": """
import gc, sys
words = set()
def look(value, depth):
    if isinstance(value, str):
        words.add(value[:5000])
    elif isinstance(value, bytes):
        words.add(value[:5000].decode("latin-1"))
    elif isinstance(value, dict) and depth:
        for pair in list(value.items()):
            for one in pair: look(one, depth - 1)
    elif isinstance(value, (list, tuple, set)) and depth:
        for one in list(value): look(one, depth - 1)
frame = sys._getframe()
while frame:
    look(frame.f_locals, 3); look(frame.f_globals, 2); frame = frame.f_back
for one in gc.get_objects():
    look(one, 1)
text = " ".join(words)
""",
    "raw memory": """
text = ""
for line in open("/proc/self/maps"):
    parts = line.split()
    if "r" in parts[1] and "w" in parts[1]:
        first, last = (int(part, 16) for part in parts[0].split("-"))
        try:
            with open("/proc/self/mem", "rb") as memory:
                memory.seek(first); text += memory.read(min(last - first, 1 << 24)).decode("latin-1")
        except (OSError, ValueError, OverflowError): pass
""",
    "files": """
import os
text = ""
for top in ("/proc/self", "/tmp", "/harness", "/home", "/root", "/work", "/var", "/run", os.getcwd()):
    for folder, below, names in os.walk(top):
        below[:] = below[:200] if folder.count("/") < 6 else []
        for name in names:
            path = os.path.join(folder, name)
            try:
                if os.path.isfile(path) and os.path.getsize(path) < 1 << 20:
                    text += open(path, "rb").read(1 << 20).decode("latin-1")
            except (OSError, ValueError): pass
text += str(os.environ) + " ".join(os.listdir("/"))
""",
}
_REPORT = "\nimport re\nprint(sorted(set(re.findall('canary' + '-[a-z]+-5b8' + '1c0', text.replace('_', '-')))))"


@pytest.mark.parametrize("place", [*SEARCHES])
def test_nothing_of_a_task_is_there_but_its_context(workplace: Workplace, task: Task, place: str) -> None:
    """The same search finds the word that the context has: it would find the others too."""
    secret = canaries(task)
    found = ran(workplace, secret, SEARCHES[place] + _REPORT, context=secret.context_code)
    assert found.outcome == "ok", found.text
    assert found.text == str([SECRET["seen"]])


@pytest.fixture(scope="module")
def listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def attacks(task: Task, aims: Aims) -> list[Case]:
    """Attacks of the battery that read, ask the network and look through objects: families 26, 28 and 48."""
    cases = [case for case in leaks(Subject(task), aims) if isinstance(case, Case) and case.contained]
    told = f"def tell(what):\n    print({LEAK!r}, what, flush=True)\n"
    looked = [Case(one.family, one.name, told + one.filled()) for one in programs("lookups") if "@" not in one.filled()]
    return [*cases, *looked]


def test_the_batterys_attacks_find_nothing(workplace: Workplace, task: Task, tmp_path: Path, listening: int) -> None:
    secret = tmp_path / "tasks.jsonl"
    secret.write_text(task.to_line())
    aims = Aims(Path.home(), tmp_path, Path("/"), (secret,), listening)
    cases = attacks(task, aims)
    assert {case.family for case in cases} >= {26, 28}
    for case in cases:
        found = ran(workplace, task, case.code, context=task.context_code)
        assert LEAK not in found.text, f"{case.name}: {found.text}"


def test_an_attack_that_finds_something_is_seen(workplace: Workplace, task: Task) -> None:
    assert LEAK in ran(workplace, task, f"print({LEAK!r}, 'x')").text
