"""The sandbox tried from inside, for what it shows and allows; and the refusal where there is none."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from apigap.records.errors import IsolationMissing
from apigap.records.run import Program
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation import availability as isolation
from apigap.sandbox.isolation import bubblewrap
from apigap.sandbox.isolation.availability import make_profile, sandbox_command
from apigap.sandbox.limits import Limits

from .conftest import TIGHT

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

HELPERS = """
import ctypes, os, socket, subprocess
libc = ctypes.CDLL(None, use_errno=True)
def refused(action):
    try:
        action()
    except OSError as error:
        return True
    return False
def readable(path):
    try:
        return len(open(path, 'rb').read(10)) > 0 if os.path.isfile(path) else bool(os.listdir(path))
    except OSError:
        return False
def others():
    return [name for name in os.listdir('/proc') if name.isdigit() and int(name) != os.getpid()]
def run(*command):
    try:
        return subprocess.run(command, capture_output=True).returncode
    except OSError:
        return -1
"""

# (what is tried, the expression, what it must give)
ATTEMPTS = [
    ("remount the root", "libc.mount(b'none', b'/', b'', 32 | 4096, None)", -1),
    ("remount /usr writable", "libc.mount(b'none', b'/usr', b'', 32 | 4096, None)", -1),
    ("mount a file system", "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)", -1),
    ("a further user namespace", "libc.unshare(0x10000000)", -1),
    ("a further process namespace", "libc.unshare(0x20000000)", -1),
    ("a user namespace by clone", "run('/usr/bin/unshare', '-Ur', 'true') != 0", True),
    ("become root", "refused(lambda: os.setuid(0))", True),
    ("capabilities", "[l.split()[1] for l in open('/proc/self/status') if l.startswith('CapEff')]", ["0" * 16]),
    ("gain privileges", "[l.split()[1] for l in open('/proc/self/status') if l.startswith('NoNewPrivs')]", ["1"]),
    ("the password file", "readable('/etc/shadow') or readable('/etc/passwd')", False),
    ("the checkout", f"readable({str(Path(__file__).resolve().parents[2])!r})", False),
    ("this test file", f"readable({str(Path(__file__).resolve())!r})", False),
    ("the host's home", f"readable({str(Path.home() / '.bashrc')!r})", False),
    ("secrets of the environment", "[n for n in os.environ if 'KEY' in n or 'TOKEN' in n or 'SECRET' in n]", []),
    ("the environment at large", "len(os.environ) < 25", True),
    ("processes of the host", "len([p for p in os.listdir('/proc') if p.isdigit()]) < 10", True),
    ("environments of other processes", "[p for p in others() if readable(f'/proc/{p}/environ')]", []),
    (
        "the zygote's memory",
        "readable(f'/proc/{os.getppid()}/environ') or readable(f'/proc/{os.getppid()}/maps')",
        False,
    ),
    ("trace the zygote", "libc.ptrace(16, os.getppid(), None, None)", -1),
    ("the docker socket", "os.path.exists('/var/run/docker.sock') or os.path.exists('/run/docker.sock')", False),
    ("connect out", "refused(lambda: socket.create_connection(('1.1.1.1', 53), 2))", True),
    ("resolve a name", "refused(lambda: socket.gethostbyname('pypi.org'))", True),
    ("the host's loopback", "sorted(n for _, n in socket.if_nameindex())", ["lo"]),
    ("write into the environment", "refused(lambda: open('/environment/x', 'w'))", True),
    ("write a .pth file", "refused(lambda: open('/environment/lib/python3.11/site-packages/x.pth', 'w'))", True),
    ("write into the worker", "refused(lambda: open('/harness/_apigap_worker/x', 'w'))", True),
    ("write into the root", "refused(lambda: open('/x', 'w'))", True),
    ("write into /usr", "refused(lambda: open('/usr/x', 'w'))", True),
    ("write into /dev", "refused(lambda: open('/dev/x', 'w'))", True),
    ("make a device", "refused(lambda: os.mknod('/tmp/dev', 0o60666, os.makedev(8, 0)))", True),
    ("inherited descriptors", "sorted(n for n in map(int, os.listdir('/proc/self/fd')) if 2 < n < 100)[:-1]", []),
    ("sysctl", "refused(lambda: open('/proc/sys/kernel/core_pattern', 'w').write('x'))", True),
    ("the host's name", "socket.gethostname()", "sandbox"),
    ("other programs", "[n for n in os.listdir('/tmp') if n != 'program']", []),
    ("its own home", "os.environ['HOME'] == os.getcwd() and not refused(lambda: open('x', 'w').close())", True),
]


@pytest.mark.parametrize(("what", "expression", "expected"), ATTEMPTS, ids=[row[0] for row in ATTEMPTS])
def test_from_inside(engine: Engine, environment: Environment, what: str, expression: str, expected: object) -> None:
    (record,) = engine.run(environment, [Program(context=HELPERS, completion="pass", observe=(expression,))])
    assert record.status == "completed", record
    assert record.observations == {expression: expected}, record.errors


def test_a_secret_of_the_host_is_not_inside(
    engine: Engine, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "hush-hush")
    look = "import os\ntext = str(dict(os.environ))"
    with Engine(workers=1) as fresh:
        (record,) = fresh.run(environment, [Program(context=look, completion="", observe=("'hush' in text",))])
    assert record.observations == {"'hush' in text": False}


def test_nothing_of_an_earlier_program_is_left_in_memory(environment: Environment) -> None:
    secret = "result = 'needle-' + 'in-the-haystack'\nother = 'needle-in-the-haystack-verbatim'\n"
    search = (  # backwards, so that the search itself holds no copy of what it looks for
        f"needle = {b'needle-in-the-haystack-verbatim'[::-1]!r}\n"
        "found = 0\nfor line in open('/proc/self/maps'):\n    span, mode = line.split()[:2]\n"
        "    if not mode.startswith('rw') or 'stack' in line: continue\n"
        "    start, end = (int(x, 16) for x in span.split('-'))\n"
        "    with open('/proc/self/mem', 'rb') as memory:\n        memory.seek(start)\n"
        "        try: found += memory.read(end - start)[::-1].count(needle)\n"
        "        except OSError: pass\n"
    )
    with Engine(workers=1) as engine:
        programs = [
            Program(context="", completion=secret, observe=("other",)),
            Program(context="", completion=search, observe=("found",)),
        ]
        first, second = engine.run(environment, programs)
    assert first.observations["other"] == "needle-in-the-haystack-verbatim"
    assert second.observations == {"found": 0}


def test_no_process_is_left(environment: Environment) -> None:
    limits = TIGHT.model_copy(update={"wall_seconds": 4.125})
    with Engine(workers=2, limits=limits) as engine:
        engine.run(environment, [Program(context="", completion="import time\ntime.sleep(0.1)")] * 4)
        assert len(_processes('"wall_seconds":4.125')) >= 2
    assert not _processes('"wall_seconds":4.125')


HOST = """
import sys
from pathlib import Path
from apigap.sandbox.engine import Engine
from apigap.packages.environments import Environment
from apigap.sandbox.limits import Limits
from apigap.records.run import Program
environment = Environment.model_validate_json(sys.argv[1])
program = Program(context="", completion=sys.argv[2])
with Engine(workers=1, limits=Limits(wall_seconds=77.125)) as engine:
    engine.run(environment, [program])
"""


@pytest.mark.parametrize(
    "completion",
    [
        "import time\ntime.sleep(600)",
        "import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(600)",
    ],
    ids=["running", "with its zygote stopped"],
)
def test_a_killed_host_leaves_nothing(environment: Environment, completion: str) -> None:
    host = subprocess.Popen([sys.executable, "-c", HOST, environment.model_dump_json(), completion])
    mark = '"wall_seconds":77.125'
    try:
        assert _eventually(lambda: bool(_processes(mark)))
        time.sleep(0.5)
    finally:
        host.kill()
        host.wait()
    assert _eventually(lambda: not _processes(mark))


def _eventually(true: Callable[[], bool], seconds: float = 600.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.1)
    return False


def _processes(mark: str) -> list[str]:
    """The command lines of all living processes that carry a mark."""
    found: list[str] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if mark in line and "boot.py" in line:
                found.append(line)
    return found


def test_the_command_binds_neither_root_nor_home(environment: Environment) -> None:
    command = sandbox_command(environment, make_profile(Limits(), None, False), ["true"])
    sources = [command[at + 1] for at, part in enumerate(command) if part in ("--ro-bind", "--bind")]
    assert "/" not in sources
    assert "/etc" not in sources
    assert str(Path.home()) not in sources


def test_without_bubblewrap_it_refuses_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)
    isolation._probe.cache_clear()
    try:
        with pytest.raises(IsolationMissing, match=r"apt-get install bubblewrap.*--unsafe-local"):
            Engine()
    finally:
        isolation._probe.cache_clear()


def test_where_the_kernel_refuses_it_says_which_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "_probe_command", lambda *_: ["/bin/sh", "-c", "echo no userns >&2; exit 1"])
    isolation._probe.cache_clear()
    try:
        with pytest.raises(IsolationMissing, match=r"no userns.*user\.max_user_namespaces"):
            Engine()
    finally:
        isolation._probe.cache_clear()


def test_unsafe_local_runs_and_says_so(environment: Environment) -> None:
    with Engine(workers=1, unsafe_local=True) as engine:
        assert engine.profile.name == "none (unsafe-local)"
        good = Program(context="x = 20", completion="y = x + 1", observe=("y",))
        bad = Program(context="", completion="import os\nos._exit(0)")
        first, second = engine.run(environment, [good, bad])
    assert first.observations == {"y": 21}
    assert second.status == "exited"


def test_a_sandbox_works_for_a_normal_user(environment: Environment, tmp_path: Path) -> None:
    """As root the sandbox has two layers; the inner one alone is what a normal user gets."""
    profile = make_profile(Limits(), None, False).model_copy(update={"layers": 1})
    program = "import json, os; print(json.dumps([os.getuid(), os.listdir('/environment') != []]))"
    command = sandbox_command(environment, profile, ["/environment/bin/python", "-c", program])
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [65534, True]
