"""Containers: the command that is built, the refusals, and the whole interface over a stand-in for docker.

No daemon is needed: the stand-in makes the container with bubblewrap, so the socket that the worker connects to, the
filter that it puts in force itself and a worker that is the first process are the real ones.
"""

import os
import shutil
import signal
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.records.configuration import Backend
from apigap.records.errors import InfrastructureError, IsolationMissing
from apigap.records.run import Program
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation import availability as isolation
from apigap.sandbox.isolation import containers
from apigap.sandbox.isolation.containers import container_command
from apigap.sandbox.isolation.launch import SandboxLost
from apigap.sandbox.isolation.layout import VARIABLES
from apigap.sandbox.isolation.profile import sandbox_profile
from apigap.sandbox.limits import Limits
from apigap.sandbox.live_sandbox import Sandbox
from apigap.sandbox.scripts import run_script
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial

from .attacks import ATTACKS
from .conftest import TIGHT
from .tasks import SOLUTION, numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


@pytest.fixture
def fresh() -> Iterator[None]:
    """Forget what was found out about the engines of this machine, before and after."""
    caches = (containers.find_engine, containers._image, isolation._probe)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def install(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None) -> Path:
    """The stand-in on the path; gives the folder of its state."""
    stand_in = Path(__file__).with_name("container_engine.py")
    install(tmp_path / "bin", "docker", f'#!/bin/sh\nexec {sys.executable} -I -S {stand_in} "$@"\n')
    state = tmp_path / "state"
    state.mkdir()
    monkeypatch.setenv("STATE", str(state))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{Path(shutil.which('bwrap') or '').parent}:/usr/bin:/bin")
    return state


def option(command: list[str], name: str) -> list[str]:
    return [command[at + 1] for at, word in enumerate(command) if word == name]


def test_the_command_is_hardened(environment: Environment, docker: Path, tmp_path: Path) -> None:
    limits = Limits()
    profile = sandbox_profile(limits, "docker")
    script = tmp_path / "with, comma.py"
    script.touch()
    command = container_command(
        environment, profile, limits, ["python", "boot.py"], [(script, "/harness/script.py")], "name", tmp_path
    )
    assert command[1] == "run"
    assert {"--rm", "--read-only"} <= set(command)
    expected = {
        "--network": "none", "--cap-drop": "ALL", "--security-opt": "no-new-privileges", "--user": "65534:65534",
        "--pids-limit": "76", "--ipc": "private", "--pull": "never", "--name": "name", "--ulimit": "core=0",
        "--shm-size": str(limits.temporary),
    }  # fmt: skip
    assert {name: option(command, name) for name in expected} == {name: [value] for name, value in expected.items()}
    assert option(command, "--memory") == option(command, "--memory-swap") != []
    *hidden, private = sorted(option(command, "--tmpfs"), key=lambda value: ":ro," not in value)
    assert any("/site-packages:ro," in value for value in hidden)
    assert private.startswith("/tmp:") and private.endswith(f"size={limits.temporary}")
    mounts = option(command, "--mount")
    assert mounts and all(mount.rstrip('"').endswith("readonly") for mount in mounts)
    assert f'type=bind,"source={script}",target=/harness/script.py,readonly' in mounts
    sources = [mount.split("source=")[1].split(",target")[0].strip('"') for mount in mounts]
    assert not {"/", "/etc", str(Path.home()), "/var/run/docker.sock"} & set(sources)
    assert not {"--privileged", "--env", "-e", "--volume", "--cap-add", "--device"} & set(command)
    at = command.index("/usr/bin/env")
    assert command[at + 1] == "-i"
    assert command[at + 2 : -2] == [f"{name}={value}" for name, value in VARIABLES.items()]
    assert command[-2:] == ["python", "boot.py"]


@pytest.mark.parametrize("backend", ["docker", "podman"])
def test_without_the_engine_it_refuses(
    backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(IsolationMissing, match=f"{backend} is not installed.*install it.*bubblewrap"):
        Engine(backend=backend)


# (what the engine does, what the refusal says)
BROKEN = {
    "no daemon": (
        "echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.' >&2; exit 1",
        r"docker does not answer \(Cannot connect.*systemctl start docker.*usermod -aG docker.*bubblewrap",
    ),
    "no image": (
        '[ "$1" = version ] || { echo no space left >&2; exit 1; }',
        r"docker cannot take the sandbox's empty image \(no space left\); check its free disk space",
    ),
    "no container": (
        '[ "$1" != run ] || { echo "unknown runtime" >&2; exit 125; }',
        r"docker cannot make a sandbox here \(unknown runtime\).*bubblewrap",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_an_engine_that_does_not_work_is_refused_with_its_own_words(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    script, message = BROKEN[what]
    install(tmp_path / "bin", "docker", f"#!/bin/sh\n{script}\n")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    with pytest.raises(IsolationMissing, match=message):
        Engine(backend="docker")


def test_programs_run_and_are_judged_as_in_bubblewrap(environment: Environment, docker: Path) -> None:
    chosen = [
        attack for attack in ATTACKS if attack.name in ("sys.exit(0)", "kills everyone", "a leak", "endless loop")
    ]
    with Engine(workers=2, limits=TIGHT, backend="docker") as engine:
        assert engine.profile.name == "docker"
        codes = [SOLUTION, *(attack.code for attack in chosen), SOLUTION]
        verdicts = judge_trials(
            engine, environment, [Trial(numbers_task(), code) for code in codes], preload=["pydantic"]
        )
    assert len(chosen) == 4
    assert [verdict.outcome for verdict in verdicts] == ["pass", *["fail"] * len(chosen), "pass"]
    assert {verdict.detail["isolation"] for verdict in verdicts} == {"docker"}


LOOK = """
import os, socket
from pathlib import Path
status = dict(line.split(':\\t', 1) for line in Path('/proc/self/status').read_text().splitlines() if ':\\t' in line)
x = [
    status['Seccomp'], status['NoNewPrivs'], status['CapEff'], os.getuid(), os.getppid(), socket.gethostname(),
    sorted(os.environ), os.path.exists('/control/socket'), sorted(os.listdir('/control')),
    [name for name in os.listdir('/proc') if name.isdigit() and int(name) > 1 and int(name) != os.getpid()],
]
try:
    open('/control/x', 'w')
except OSError:
    x.append('closed')
"""


def test_inside_there_is_nothing_of_the_host(environment: Environment, docker: Path) -> None:
    with Engine(workers=1, limits=TIGHT, backend="docker") as engine:
        (record,) = engine.run(environment, [Program(context="", completion=LOOK, observe=("x",))])
        filtered = "2" if engine.profile.seccomp else "0"
    assert record.status == "completed", record
    assert record.observations["x"] == [
        filtered, "1", "0" * 16, 65534, 1, "sandbox", sorted(VARIABLES), False, [], [], "closed",
    ]  # fmt: skip


def test_scripts_run_there_too(environment: Environment, docker: Path, tmp_path: Path) -> None:
    script = tmp_path / "count.py"
    script.write_text(
        "def main(argument):\n    return [len(argument), open('/proc/self/status').read().count('Seccomp')]\n"
    )
    with Engine(workers=1, limits=TIGHT, backend="docker") as engine:
        assert engine.script(environment, script, "abc")[0] == 3
        script.write_text("def main(argument):\n    raise ValueError('broken')\n")
        with pytest.raises(InfrastructureError, match="ValueError: broken"):
            engine.script(environment, script, "abc")


def test_the_image_is_made_once_and_nothing_is_fetched(environment: Environment, docker: Path) -> None:
    for _ in range(2):
        containers._image.cache_clear()
        with Engine(workers=1, limits=TIGHT, backend="docker") as engine:
            engine.run(environment, [Program(context="", completion="")])
    calls = (docker / "calls").read_text().splitlines()
    assert sum(call.startswith("import ") for call in calls) == 1
    assert not [call for call in calls if call.startswith(("pull", "build"))]


def test_nothing_is_left(environment: Environment, docker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = docker.parent / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with Engine(workers=2, limits=TIGHT, backend="docker") as engine:
        engine.run(environment, [Program(context="", completion="x = 1")] * 4)
        folders = list(temporary.iterdir())
        assert folders and all(stat.S_IMODE(folder.stat().st_mode) == 0o700 for folder in folders)
    assert not list(temporary.iterdir())
    wait_for_end([int(file.read_text()) for file in docker.glob("apigap-*") if file.is_file()])


def wait_for_end(pids: list[int]) -> None:
    """Fail when a process is still there after ten seconds; a killed one may take a moment to be taken apart."""
    until = time.monotonic() + 600
    while any(runs(pid) for pid in pids):
        assert time.monotonic() < until
        time.sleep(0.05)


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_container_that_ends_at_once_says_why(environment: Environment, docker: Path) -> None:
    with Engine(workers=1, limits=TIGHT, backend="docker") as engine:
        profile = engine.profile
        command = docker.parent / "bin" / "docker"
        command.write_text("#!/bin/sh\n[ \"$1\" != run ] || { echo 'out of containers' >&2; exit 125; }\n")
        with pytest.raises(SandboxLost, match=r"exit code 125\): out of containers"):
            Sandbox(environment, profile, TIGHT, [])


def test_a_container_that_hangs_is_removed(environment: Environment, docker: Path) -> None:
    """A worker that does not notice that the host has hung up is ended by the engine."""
    with Engine(workers=1, limits=TIGHT, backend="docker") as engine:
        sandbox = Sandbox(environment, engine.profile, TIGHT, [])
        (first,) = _workers()
        os.kill(first, signal.SIGSTOP)
        sandbox.close()
        wait_for_end([first])
    assert any(call.startswith("rm --force apigap-") for call in (docker / "calls").read_text().splitlines())


def _workers() -> list[int]:
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if b"/control/socket" in line and line.startswith(b"/environment/bin/python"):
                found.append(int(folder.name))
    return found


def test_a_bare_script_loads_nothing_of_the_environment(environment: Environment, docker: Path, tmp_path: Path) -> None:
    script = tmp_path / "bare.py"
    script.write_text("import sys\ndef main(more):\n    return [sys.path, sys.flags.isolated, sys.flags.no_site]\n")
    with Engine(backend="docker") as engine:
        found = run_script(environment, engine.profile, TIGHT, script, None, 30.0, bare=True)
    path, *flags = found
    assert flags == [1, 1]
    assert [entry for entry in path if "site-packages" in entry or entry.startswith("/environment")] == []
