# ruff: noqa: E501
"""The engine as its callers see it: order, callbacks, retries, scripts, other interpreters."""

import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import uv

from apigap.records.errors import InfrastructureError
from apigap.records.run import Program, RunRecord
from apigap.sandbox import engine as engine_module
from apigap.sandbox.engine import Engine, Runner
from apigap.sandbox.environment import Environment
from apigap.sandbox.live_sandbox import Sandbox, SandboxLost
from apigap.sandbox.worker import kernel, zygote
from apigap.sandbox.worker.zygote import Zygote

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


def test_records_come_in_order_and_each_is_told_once(engine: Engine, environment: Environment) -> None:
    programs = [
        Program(context=f"import time\ntime.sleep({(7 - n) / 100})", completion=f"x = {n}", observe=("x",))
        for n in range(7)
    ]
    told: dict[int, RunRecord] = {}
    records = engine.run(environment, programs, on_result=told.__setitem__)
    assert [record.observations["x"] for record in records] == list(range(7))
    assert [told[n] for n in range(7)] == records


def test_what_a_callback_raises_reaches_the_caller(engine: Engine, environment: Environment) -> None:
    def broken(number: int, record: RunRecord) -> None:
        raise RuntimeError("disk full")

    with pytest.raises(RuntimeError, match="disk full"):
        engine.run(environment, [Program(context="", completion="")] * 3, on_result=broken)


def test_an_engine_with_other_limits_ends_programs_by_these(engine: Engine, environment: Environment) -> None:
    program = Program(context="import time", completion="time.sleep(1.5)")
    with engine.with_limits(engine.limits.model_copy(update={"wall_seconds": 0.5})) as quick:
        assert quick.profile == engine.profile
        assert quick.run(environment, [program])[0].status == "limit"
    assert engine.run(environment, [program])[0].status == "completed"


def test_nothing_to_run_is_nothing(engine: Engine, environment: Environment) -> None:
    assert engine.run(environment, []) == []


def test_every_program_has_the_same_folder(engine: Engine, environment: Environment) -> None:
    """A result may hold the name of its program's folder: a second run must give the same bytes."""
    context, observe = "import os\nfolder = os.getcwd()", ("folder", "__file__", "os.environ['TMPDIR']")
    program = Program(context=context, completion="pass", observe=observe)
    records = [*engine.run(environment, [program] * 3), *engine.run(environment, [program], preload=["pydantic"])]
    assert len({str(record.observations) for record in records}) == 1
    assert records[0].observations["__file__"] == "/tmp/program/completion.py"


def test_the_seed_decides_what_random_gives(engine: Engine, environment: Environment) -> None:
    look = "import random\nx = random.random()"
    programs = [Program(context="", completion=look, observe=("x",), seed=seed) for seed in (0, 0, 1)]
    one, two, three = (record.observations["x"] for record in engine.run(environment, programs))
    assert one == two != three


def test_numpy_is_seeded_where_it_is_loaded(engine: Engine, environment: Environment) -> None:
    program = Program(context="import numpy", completion="x = numpy.random.rand()", observe=("x",))
    one, two = engine.run(environment, [program] * 2, preload=["numpy"])
    assert one.observations == two.observations


def test_programs_do_not_see_each_other(engine: Engine, environment: Environment) -> None:
    leave = "import builtins, json, sys, os\nbuiltins.left = 1\njson.left = 1\nsys.left = 1\nos.environ['LEFT'] = '1'\nopen('/tmp/left', 'w')"
    look = "import builtins, json, sys, os\nfound = [hasattr(m, 'left') for m in (builtins, json, sys)] + ['LEFT' in os.environ, os.path.exists('/tmp/left')]"
    with Engine(workers=1) as alone:
        _, record = alone.run(
            environment,
            [Program(context="", completion=leave), Program(context="", completion=look, observe=("found",))],
        )
    assert record.observations == {"found": [False] * 5}


def test_exceptions_are_data_with_owners(engine: Engine, environment: Environment) -> None:
    rows = {
        "import pydantic\npydantic.TypeAdapter(int).validate_python('x')": ("ValidationError", None, None),
        "import pydantic\npydantic.NoSuch": ("AttributeError", "NoSuch", "pydantic"),
        "import pydantic\npydantic.BaseModel.nope": ("AttributeError", "nope", "pydantic.main.BaseModel"),
        "from pydantic import NoSuch": ("ImportError", "NoSuch", "pydantic"),
        "import no_such": ("ModuleNotFoundError", "no_such", None),
        "nowhere": ("NameError", "nowhere", None),
        "{}['k']": ("KeyError", "k", None),
        "helper(0)": ("ZeroDivisionError", None, None),
    }
    context = "def helper(x):\n    return 1 / x\n"
    records = engine.run(environment, [Program(context=context, completion=code) for code in rows])
    for record, (name, missing, owner) in zip(records, rows.values(), strict=True):
        assert record.status == "raised"
        assert record.phase == "completion"
        assert record.exception is not None
        assert (record.exception.type, record.exception.name, record.exception.owner_type) == (name, missing, owner)
        assert record.exception.frames[0].owner == "candidate"
    last = records[-1].exception
    assert last is not None
    assert [frame.owner for frame in last.frames] == ["candidate", "context"]


def test_an_observation_that_raises_is_an_error_and_the_others_are_kept(
    engine: Engine, environment: Environment
) -> None:
    program = Program(context="", completion="x = 1", observe=("x", "nope", "x + 1"))
    (record,) = engine.run(environment, [program])
    assert record.status == "completed"
    assert record.observations == {"x": 1, "x + 1": 2}
    assert record.errors["nope"].type == "NameError"


def test_where_the_sandbox_cannot_start_the_record_is_infra_with_the_reason(environment: Environment) -> None:
    broken = environment.model_copy(update={"root": Path("/no/such/environment"), "lock": "broken"})
    with Engine(workers=1) as engine:
        (record,) = engine.run(broken, [Program(context="", completion="")])
    assert record.status == "infra"
    assert "/no/such/environment" in (record.reason or "")


def test_a_sandbox_that_dies_before_the_program_is_replaced(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    class Flaky(Sandbox):
        def run(self, request: dict[str, object]):
            tries.append(1)
            if len(tries) < 3:
                raise SandboxLost("lost on the way")
            return super().run(request)

    monkeypatch.setattr(engine_module, "Sandbox", Flaky)
    with Engine(workers=1) as engine:
        (record,) = engine.run(environment, [Program(context="", completion="x = 1", observe=("x",))])
    assert record.observations == {"x": 1}
    assert len(tries) == 3


def test_cold_means_an_interpreter_of_its_own_for_each_program(environment: Environment) -> None:
    """Started once for each; a warm sandbox forks its children from one interpreter, which has been up for longer."""
    look = (
        "import os\nstat = open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()\nstarted = stat[19]\n"
    )
    program = Program(context=look, completion="", observe=("started",))
    started: dict[bool, set[str]] = {}
    for cold in (False, True):
        with Engine(workers=1, cold=cold) as engine:
            records = engine.run(environment, [program] * 3, preload=["json"])
            assert not cold or not engine._idle
        started[cold] = {record.observations["started"] for record in records}
    assert len(started[False]) == 1
    assert len(started[True]) == 3


SCRIPT = "import sys\ndef main(argument):\n    print('noise')\n    import pydantic\n    return {'got': argument, 'version': pydantic.VERSION}\n"


def test_a_script_of_ours_runs_in_the_environment(engine: Engine, environment: Environment, tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    result = engine.script(environment, path, {"a": ["é", None, 1.5]})
    assert result == {"got": {"a": ["é", None, 1.5]}, "version": "2.13.3"}


def test_a_script_of_several_files_imports_its_own_and_hides_nothing(
    engine: Engine, environment: Environment, tmp_path: Path
) -> None:
    folder = tmp_path / "several"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .pydantic import version as main\n")
    (folder / "pydantic.py").write_text("def version(argument):\n    import pydantic\n    return pydantic.VERSION\n")
    assert engine.script(environment, folder, None) == "2.13.3"


def test_a_large_result_of_a_script_comes_through(engine: Engine, environment: Environment, tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("def main(n):\n    return 'x' * n\n")
    assert len(engine.script(environment, path, 20_000_000)) == 20_000_000


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise ValueError('what went wrong')", "what went wrong"),
        ("import os; os._exit(3)", "ended without a result"),
        ("import time; time.sleep(60)", "did not end in time"),
        ("return object()", "not JSON serializable"),
    ],
)
def test_a_script_that_fails_says_why(
    engine: Engine, environment: Environment, tmp_path: Path, body: str, message: str
) -> None:
    path = tmp_path / "script.py"
    path.write_text(f"def main(argument):\n    {body}\n")
    with pytest.raises(InfrastructureError, match=message):
        engine.script(environment, path, None, timeout=3.0)


OTHERS = sorted(Path.home().glob(".pyenv/versions/3.*/bin/python3"))


@pytest.mark.parametrize("python", OTHERS, ids=[path.parents[1].name for path in OTHERS])
def test_the_worker_runs_on_other_interpreters(python: Path, tmp_path: Path) -> None:
    base = python.parents[1]
    if tuple(map(int, base.name.split(".")[:2])) < (3, 9):
        pytest.skip("the worker needs Python 3.9")
    root = tmp_path / "venv"
    subprocess.run([uv.find_uv_bin(), "venv", "-q", "--python", str(python), str(root)], check=True)
    (site,) = root.glob("lib/python3.*/site-packages")
    source = Path(__file__).parent / "spied_library.py"
    (site / "spied.py").write_text(source.read_text())
    environment = Environment(
        library="spied", version=base.name, root=root, python=root / "bin/python", base_prefix=base,
        site_packages=site, packages=(), lock=base.name,
    )  # fmt: skip
    code = "import asyncio\nx = (spied.plain(1), asyncio.run(spied.awaited(2)), spied.Data(3), spied.Colour.RED)"
    plain = Program(context="import spied", completion=code, observe=("x",))
    targets = ["spied.plain", "spied.awaited", "spied.Data", "spied.Base.method"]
    recorded = [plain.model_copy(update={"target": target, "record": True}) for target in targets]
    with Engine(workers=1) as engine:
        first, *watched = engine.run(environment, [plain, *recorded], preload=["spied"])
    assert first.status == "completed", first
    assert first.observations["x"]["tuple"][:2] == [6, 2]
    done = [[(call.caller, call.completed) for call in record.calls] for record in watched]
    assert done == [[("candidate", True)]] * 3 + [[]]


def test_the_longest_jobs_begin_first(environment: Environment) -> None:
    begun: list[int] = []

    def job(number: int) -> Callable[[Runner], int]:
        def begin(_: Runner) -> int:
            begun.append(number)
            return number

        return begin

    with Engine(workers=1) as alone:
        results = alone.run_jobs(environment, [job(number) for number in range(4)], costs=[1, 5, 3, 5])
    assert (begun, results) == ([1, 3, 2, 0], [0, 1, 2, 3])


def test_after_a_failure_no_job_begins_another_program(environment: Environment) -> None:
    ran: list[int] = []
    begun = threading.Event()
    program = Program(context="", completion="x = 1", observe=("x",))

    def long(run: Runner) -> None:
        for number in range(500):
            run(program)
            ran.append(number)
            begun.set()

    def failing(_: Runner) -> None:
        begun.wait(60)
        raise KeyboardInterrupt

    with Engine(workers=2) as engine, pytest.raises(KeyboardInterrupt):
        engine.run_jobs(environment, [long, failing])
    assert len(ran) < 500


def test_a_server_that_holds_more_than_at_first_is_given_up(tmp_path: Path) -> None:
    control, other = socket.socketpair()
    server = Zygote(control, False, {"folder": str(tmp_path)})
    server.at_first, server.count = kernel.holdings(), zygote.CHECK_EVERY
    assert not server.has_drifted()
    with (tmp_path / "held").open("w"):
        assert server.has_drifted()
        server.count += 1  # it looks now and then
        assert not server.has_drifted()
    control.close()
    other.close()


@pytest.mark.parametrize(("family", "host"), [("AF_INET", "127.0.0.1"), ("AF_INET6", "::1")])
def test_a_port_that_a_program_leaves_waiting_is_free_for_the_next(
    environment: Environment, family: str, host: str
) -> None:
    lines = [
        f"import socket\na = socket.socket(socket.{family}); a.bind(({host!r}, 45001)); a.listen()",
        f"c = socket.socket(socket.{family}); c.connect(({host!r}, 45001)); d, _ = a.accept()",
        "d.close(); c.recv(1); c.close(); a.close()\nx = True",
    ]
    program = Program(context="", completion="\n".join(lines), observe=("x",))
    with Engine(workers=1) as alone:
        records = alone.run(environment, [program] * 3)
    assert [record.status for record in records] == ["completed"] * 3, records


@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_what_is_left_of_connections_is_seen(family: socket.AddressFamily, host: str) -> None:
    with socket.create_server((host, 0), family=family) as server:
        assert kernel.connections_left()
        with socket.create_connection(server.getsockname()[:2]):
            server.accept()[0].close()
    assert kernel.connections_left(), "the side that closed first waits for a minute"
