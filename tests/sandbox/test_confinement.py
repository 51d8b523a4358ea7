# ruff: noqa: E501  (each program is kept on as few lines as it takes to read it)
"""The second walls: what the system-call filter and landlock refuse inside, and that honest programs feel neither."""

import platform
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.records.run import Program
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.launch import SandboxLost
from apigap.sandbox.isolation.seccomp import EXAMINED, MISSING, OWN_ONLY, REFUSED, machine_here
from apigap.sandbox.live_sandbox import Sandbox
from apigap.sandbox.worker import landlock

from .conftest import TIGHT

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

MACHINE = machine_here()
COLUMN = 0 if MACHINE == "x86_64" else 1
OWN = {name: numbers for name, (numbers, _) in OWN_ONLY.items()}
NUMBERS = {name: numbers[COLUMN] for name, numbers in {**REFUSED, **MISSING, **OWN, **EXAMINED}.items()}
filtered = pytest.mark.skipif(MACHINE is None, reason="there is no filter for this architecture")

HELPERS = f"""
import ctypes, errno, fcntl, os, pty, resource, socket, subprocess
libc = ctypes.CDLL(None, use_errno=True)
numbers = {NUMBERS!r}
def call(name, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(numbers[name]), *map(ctypes.c_long, arguments))
    return 'allowed' if result >= 0 else errno.errorcode[ctypes.get_errno()]
def attempt(action):
    try:
        action()
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)
    return 'allowed'
def connect(family, address):
    with socket.socket(family) as s:
        s.settimeout(2)
        s.connect(address)
def write(path, data=b'x'):
    with open(path, 'wb') as file:
        file.write(data)
def read(path):
    with open(path, 'rb') as file:
        assert file.read(1)
def type_into_terminal(request):
    fcntl.ioctl(pty.openpty()[1], request, b'x')
zygote = os.getppid()
"""

# (what is tried, the expression, what it must give)
FILTERED = [
    ("trace the zygote", "call('ptrace', 16, zygote, 0, 0)", "EPERM"),
    ("trace itself by its parent", "call('ptrace', 0, 0, 0, 0)", "EPERM"),
    ("write into the zygote's memory", "call('process_vm_writev', zygote, 0, 0, 0, 0, 0)", "EPERM"),
    ("read the zygote's memory", "call('process_vm_readv', zygote, 0, 0, 0, 0, 0)", "EPERM"),
    ("take the zygote's descriptors", "call('pidfd_getfd', os.pidfd_open(zygote), 100, 0)", "EPERM"),
    ("io_uring", "call('io_uring_setup', 8, 0)", "EPERM"),
    ("bpf", "call('bpf', 0, 0, 0)", "EPERM"),
    ("perf events", "call('perf_event_open', 0, 0, -1, -1, 0)", "EPERM"),
    ("userfaultfd", "call('userfaultfd', 1)", "EPERM"),
    ("a key ring", "call('keyctl', 0, -3, 1)", "EPERM"),
    ("a new key", "call('add_key', 0, 0, 0, 0, -3)", "EPERM"),
    ("a module", "call('init_module', 0, 0, 0)", "EPERM"),
    ("another kernel", "call('kexec_load', 0, 0, 0, 0)", "EPERM"),
    ("the kernel's log", "call('syslog', 3, 0, 0)", "EPERM"),
    ("an old personality", "call('personality', 0x0040000)", "EPERM"),
    ("which personality", "call('personality', 0xffffffff)", "allowed"),
    ("a new file system context", "call('fsopen', 0, 0)", "EPERM"),
    ("a copy of the mounts", "call('open_tree', -100, 0, 1)", "EPERM"),
    ("a file by its handle", "call('open_by_handle_at', 3, 0, 0)", "EPERM"),
    ("another root", "attempt(lambda: os.chroot('/tmp'))", "EPERM"),
    ("a user namespace by unshare", "call('unshare', 0x10000000)", "EPERM"),
    ("a user namespace by clone", "call('clone', 0x10000011, 0, 0, 0, 0)", "EPERM"),
    ("a network namespace by clone", "call('clone', 0x40000011, 0, 0, 0, 0)", "EPERM"),
    ("clone3, which cannot be looked into", "call('clone3', 0, 0)", "ENOSYS"),
    ("type into a terminal", "attempt(lambda: type_into_terminal(0x5412))", "EPERM"),
    ("the console's clipboard", "attempt(lambda: type_into_terminal(0x541c))", "EPERM"),
    ("the hypervisor", "attempt(lambda: connect(40, (2, 1024)))", "EAFNOSUPPORT"),
    ("the kernel's cryptography", "attempt(lambda: socket.socket(38, socket.SOCK_SEQPACKET))", "EAFNOSUPPORT"),
    ("raw packets", "attempt(lambda: socket.socket(17, socket.SOCK_RAW))", "EAFNOSUPPORT"),
    ("the clock", "call('settimeofday', 0, 0)", "EPERM"),
    ("the host's name", "call('sethostname', 0, 0)", "EPERM"),
    ("the zygote's limits", "attempt(lambda: resource.prlimit(zygote, resource.RLIMIT_AS, (30 << 20, 30 << 20)))", "EPERM"),
    ("its own limits", "attempt(lambda: resource.setrlimit(resource.RLIMIT_STACK, resource.getrlimit(resource.RLIMIT_STACK)))", "allowed"),
    ("the zygote's priority", "attempt(lambda: os.setpriority(os.PRIO_PROCESS, zygote, 19))", "EPERM"),
    ("its user's priority", "attempt(lambda: os.setpriority(os.PRIO_USER, 0, 19))", "EPERM"),
    ("its own priority", "attempt(lambda: os.nice(1))", "allowed"),
    ("the zygote's processors", "attempt(lambda: os.sched_setaffinity(zygote, {0}))", "EPERM"),
    ("the zygote's scheduler", "attempt(lambda: os.sched_setscheduler(zygote, os.SCHED_IDLE, os.sched_param(0)))", "EPERM"),
    ("the zygote's i/o class", "call('ioprio_set', 1, zygote, 3 << 13)", "EPERM"),
    ("a file in memory", "attempt(lambda: os.memfd_create('x'))", "ENOSYS"),
    ("a System V segment", "call('shmget', 0, 1 << 20, 0o1600)", "ENOSYS"),
    ("a message queue", "call('mq_open', 0, 0, 0, 0)", "ENOSYS"),
]  # fmt: skip


def observe(engine: Engine, environment: Environment, expression: str) -> object:
    (record,) = engine.run(environment, [Program(context=HELPERS, completion="pass", observe=(expression,))])
    assert record.status == "completed", record
    assert not record.errors, record.errors
    return record.observations[expression]


@filtered
@pytest.mark.parametrize(("what", "expression", "expected"), FILTERED, ids=[row[0] for row in FILTERED])
def test_the_filter_answers(
    engine: Engine, environment: Environment, what: str, expression: str, expected: str
) -> None:
    assert observe(engine, environment, expression) == expected


@filtered
def test_without_the_filter_the_kernel_itself_would_answer(environment: Environment) -> None:
    """Otherwise the table above would say nothing about the filter."""
    with Engine(workers=1, limits=TIGHT) as bare:
        bare.profile = bare.profile.model_copy(update={"seccomp": None})
        expressions = [row[1] for row in FILTERED if row[0] in ("io_uring", "a user namespace by clone", "userfaultfd")]
        found = {observe(bare, environment, expression) for expression in expressions}
        assert observe(bare, environment, "call('clone3', 0, 0)") == "EINVAL"
    assert found != {"EPERM"}


PLACES = [
    ("write into the environment", "attempt(lambda: write('/environment/x'))", ("EACCES", "EROFS")),
    ("change a file of the library", "attempt(lambda: os.truncate(os.__file__, 0))", ("EACCES", "EROFS")),
    ("write into /usr", "attempt(lambda: write('/usr/x'))", ("EACCES", "EROFS")),
    ("write into the worker's folder", "attempt(lambda: write('/harness/_apigap_worker/boot.py'))", ("EACCES", "EROFS")),
    ("write into /dev", "attempt(lambda: write('/dev/x'))", ("EACCES", "EROFS")),
    ("write into the root", "attempt(lambda: write('/x'))", ("EACCES", "EROFS")),
    ("remove the environment", "attempt(lambda: os.rename('/environment/bin', '/tmp/bin'))", ("EXDEV", "EACCES", "EROFS")),
    ("remount read-write", "libc.mount(b'none', b'/environment', b'', 32 | 4096, None)", (-1,)),
    ("a character device", "attempt(lambda: os.mknod('/tmp/node', 0o20666, os.makedev(1, 1)))", ("EPERM", "EACCES")),
    ("a block device", "attempt(lambda: os.mknod('/tmp/node', 0o60666, os.makedev(254, 0)))", ("EPERM", "EACCES")),
    ("the password file", "attempt(lambda: read('/etc/shadow'))", ("ENOENT", "EACCES")),
    ("the checkout", f"attempt(lambda: os.listdir({str(Path(__file__).resolve().parents[2])!r}))", ("ENOENT", "EACCES")),
    ("the user's home", f"sorted(os.listdir({str(Path.home())!r})) if os.path.exists({str(Path.home())!r}) else []", ([], [".pyenv"], [".local"])),
    ("the first process's variables", "attempt(lambda: read('/proc/1/environ'))", ("EACCES", "EPERM")),
    ("the zygote's variables", "attempt(lambda: read(f'/proc/{zygote}/environ'))", ("EACCES", "EPERM")),
    ("the zygote's memory", "attempt(lambda: open(f'/proc/{zygote}/mem', 'r+b'))", ("EACCES", "EPERM")),
    ("the zygote's descriptors", "attempt(lambda: os.listdir(f'/proc/{zygote}/fd'))", ("EACCES", "EPERM")),
    ("the first process's root", "attempt(lambda: os.listdir('/proc/1/root/'))", ("EACCES", "EPERM")),
    ("signal the first process", "attempt(lambda: os.kill(1, 15))", ("EPERM", "allowed")),
    ("gain rights from a file", "[bool(os.statvfs(p).f_flag & os.ST_NOSUID) for p in ('/usr', '/tmp', '/environment')]", ([True] * 3,)),
    ("become root by su", "subprocess.run(['/usr/bin/su', '-c', 'true'], capture_output=True, stdin=subprocess.DEVNULL).returncode != 0", (True,)),
    ("IPv4", "attempt(lambda: connect(socket.AF_INET, ('1.1.1.1', 53)))", ("ENETUNREACH",)),
    ("IPv6", "attempt(lambda: connect(socket.AF_INET6, ('2606:4700:4700::1111', 53)))", ("ENETUNREACH", "EADDRNOTAVAIL")),
    ("the cloud's metadata", "attempt(lambda: connect(socket.AF_INET, ('169.254.169.254', 80)))", ("ENETUNREACH",)),
    ("the gateway of containers", "attempt(lambda: connect(socket.AF_INET, ('172.17.0.1', 2375)))", ("ENETUNREACH",)),
]  # fmt: skip


@pytest.mark.parametrize(("what", "expression", "allowed"), PLACES, ids=[row[0] for row in PLACES])
def test_a_way_out_is_closed(
    engine: Engine, environment: Environment, what: str, expression: str, allowed: tuple[object, ...]
) -> None:
    assert observe(engine, environment, expression) in allowed


@pytest.fixture
def listeners(tmp_path: Path) -> Iterator[list[str]]:
    """Sockets that the host listens on, as expressions that connect to them."""
    abstract = f"apigap-test-{id(tmp_path)}"
    places = [
        (socket.AF_INET, ("127.0.0.1", 0), "AF_INET"),
        (socket.AF_UNIX, str(tmp_path / "socket"), "AF_UNIX"),
        (socket.AF_UNIX, "\0" + abstract, "AF_UNIX"),
    ]
    sockets, expressions = list[socket.socket](), list[str]()
    for family, address, name in places:
        listener = socket.socket(family)
        listener.bind(address)
        listener.listen()
        sockets.append(listener)
        found: object = listener.getsockname()
        found = found.decode() if isinstance(found, bytes) else found
        expressions.append(f"attempt(lambda: connect(socket.{name}, {found!r}))")
    yield expressions
    for listener in sockets:
        listener.close()


def test_nothing_that_the_host_listens_on_can_be_reached(
    engine: Engine, environment: Environment, listeners: list[str]
) -> None:
    found = [observe(engine, environment, expression) for expression in listeners]
    assert found == ["ECONNREFUSED", "ENOENT", "ECONNREFUSED"]


NATIVE = """
import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write({code!r})
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
"""
FOREIGN = {
    "i386, by its own gate": NATIVE.format(code=b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"),  # mov eax, 20; int 0x80; ret
    "x32": "import ctypes\nctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 39))",
}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86_64 has these")
@pytest.mark.parametrize("name", FOREIGN)
def test_calls_of_another_architecture_end_the_program(engine: Engine, environment: Environment, name: str) -> None:
    (record,) = engine.run(environment, [Program(context="", completion=FOREIGN[name])])
    assert (record.status, record.reason) == ("exited", "killed by SIGSYS"), record


HONEST = {
    "threads": "import threading\nbox = []\nts = [threading.Thread(target=box.append, args=(n,)) for n in range(8)]\n[t.start() for t in ts]; [t.join() for t in ts]\nx = sorted(box) == list(range(8))",
    "a subprocess": "import subprocess, sys\nx = subprocess.run([sys.executable, '-c', 'print(6 * 7)'], capture_output=True, text=True).stdout == '42\\n'",
    "a shell": "import subprocess\nx = subprocess.check_output('echo $((6*7)) | tr 4 5', shell=True) == b'52\\n'",
    "spawned processes": "import multiprocessing as mp\nx = None\nif __name__ == '__main__':\n    with mp.get_context('spawn').Pool(1) as p: x = p.map(len, ['abc']) == [3]",
    "forked processes": "import multiprocessing as mp\nx = mp.get_context('fork').Pool(2).map(len, ['abc', 'a']) == [3, 1]",
    "a fork server": "import multiprocessing as mp\nx = None\nif __name__ == '__main__':\n    with mp.get_context('forkserver').Pool(1) as p: x = p.map(len, ['abc']) == [3]",
    "a process pool": "from concurrent.futures import ProcessPoolExecutor\nwith ProcessPoolExecutor(1) as p:\n    x = p.submit(pow, 2, 5).result() == 32",
    "shared memory": "from multiprocessing import shared_memory\ns = shared_memory.SharedMemory(create=True, size=64)\ns.buf[0] = 7\nt = shared_memory.SharedMemory(s.name); x = t.buf[0] == 7\nt.close(); s.close(); s.unlink()",
    "asyncio with a server": "import asyncio\nasync def main():\n    async def echo(r, w):\n        w.write(await r.readline()); w.close()\n    server = await asyncio.start_server(echo, '127.0.0.1', 0)\n    r, w = await asyncio.open_connection(*server.sockets[0].getsockname())\n    w.write(b'hello\\n')\n    return await r.readline()\nx = asyncio.run(main()) == b'hello\\n'",
    "an asyncio subprocess": "import asyncio\nasync def main():\n    p = await asyncio.create_subprocess_exec('/bin/echo', 'hi', stdout=-1)\n    return (await p.communicate())[0]\nx = asyncio.run(main()) == b'hi\\n'",
    "a unix socket": "import socket\na = socket.socket(socket.AF_UNIX); a.bind('s'); a.listen()\nb = socket.socket(socket.AF_UNIX); b.connect('s')\nx = True",
    "an abstract socket": "import socket\na = socket.socket(socket.AF_UNIX); a.bind('\\0s'); a.listen()\nb = socket.socket(socket.AF_UNIX); b.connect('\\0s')\nx = True",
    "IPv6 on its own loopback": "import socket\na = socket.socket(socket.AF_INET6); a.bind(('::1', 0)); a.listen()\nsocket.create_connection(a.getsockname()[:2]).close()\nx = True",
    "interfaces": "import socket\nx = [n for _, n in socket.if_nameindex()] == ['lo']",
    "numpy": "import numpy\nx = int((numpy.ones((300, 300)) @ numpy.ones((300, 300))).sum()) == 300 ** 3",
    "numpy on disk": "import numpy\nnumpy.save('a.npy', numpy.arange(5))\nx = int(numpy.load('a.npy', mmap_mode='r+').sum()) == 10",
    "temporary files": "import tempfile, os\nwith tempfile.TemporaryDirectory() as d:\n    open(os.path.join(d, 'f'), 'w').write('x')\nwith tempfile.TemporaryFile() as f:\n    f.write(b'x')\nx = not os.path.exists(d)",
    "moves between folders": "import os, shutil\nos.makedirs('a/b'); open('a/f', 'w').close()\nos.rename('a/f', 'a/b/g'); os.replace('a/b/g', 'h'); os.link('h', 'a/l'); shutil.move('h', 'a/b')\nx = sorted(os.listdir('a/b')) == ['h']",
    "links, pipes, modes": "import os\nos.symlink('f', 'l'); open('f', 'w').write('x'); os.mkfifo('p'); os.chmod('f', 0o600); os.truncate('f', 0); os.utime('f')\nx = os.readlink('l') == 'f'",
    "a lock": "import fcntl\nf = open('f', 'w'); fcntl.flock(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_EX)\nx = True",
    "mmap": "import mmap\nm = mmap.mmap(-1, 8192); m[:3] = b'abc'\nopen('f', 'wb').write(b'0' * 4096)\nwith open('f', 'r+b') as f:\n    n = mmap.mmap(f.fileno(), 0); n[0] = 65; n.flush()\nx = open('f', 'rb').read(1) == b'A'",
    "sqlite": "import sqlite3\nc = sqlite3.connect('d.db'); c.execute('create table t (x)'); c.execute('insert into t values (1)'); c.commit()\nx = c.execute('select x from t').fetchall() == [(1,)]",
    "a terminal of its own": "import os, pty, termios\na, b = pty.openpty(); termios.tcgetattr(b); os.write(b, b'x'); os.write(a, b'y\\n')\nx = os.isatty(b) and os.read(b, 2) == b'y\\n'",
    "/dev": "import os\nopen('/dev/null', 'w').write('x'); open('/dev/full', 'rb').read(1); print('out', file=open('/dev/stdout', 'w')); print('err', file=open('/dev/stderr', 'w'))\nx = len(open('/dev/urandom', 'rb').read(4) + open('/dev/zero', 'rb').read(4) + os.urandom(4)) == 12",
    "/proc": "import os\nopen('/proc/self/comm', 'w').write('me'); os.listdir('/proc/self/fd')\nx = 'me' in open('/proc/self/status').read() and os.cpu_count() > 0 and bool(os.sched_getaffinity(0))",
    "ended first when memory runs out": "x = open('/proc/self/oom_score_adj').read() == '1000\\n'",
    "looking round": "import os, glob\nx = 'usr' in os.listdir('/') and bool(glob.glob('/environment/lib/python3*/site-packages/*')) and os.path.isdir('/harness') and len(list(os.scandir('/usr/lib'))) > 1",
    "timers and signals": "import os, signal, time\nhits = []\nsignal.signal(signal.SIGALRM, lambda *a: hits.append(1)); signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(0.05)\nsignal.signal(signal.SIGUSR1, lambda *a: hits.append(2)); os.kill(os.getpid(), signal.SIGUSR1)\nx = hits == [1, 2]",
    "signals to its children": "import subprocess\np = subprocess.Popen(['/bin/sleep', '9']); p.terminate()\nx = p.wait() == -15",
    "time zones": "import zoneinfo, datetime\nx = str(datetime.datetime(2020, 7, 1, tzinfo=datetime.timezone.utc)).startswith('2020')",
    "ssl": "import ssl, hashlib\nssl.create_default_context(); x = hashlib.new('sha256', b'').hexdigest().startswith('e3b0')",
    "resources": "import resource, os\nresource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)); os.nice(1); x = True",
    "metadata of packages": "import importlib.metadata\nx = importlib.metadata.version('pydantic') == '2.13.3'",
    "a file beside others of the system": "import os\nwith open('/dev/shm/f', 'w') as f: f.write('x')\nx = os.stat('/dev/shm/f').st_size == 1",
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_program_feels_nothing(engine: Engine, environment: Environment, name: str) -> None:
    (record,) = engine.run(environment, [Program(context="", completion=HONEST[name], observe=("x",))])
    assert record.status == "completed", (record.exception, record.reason, record.stderr)
    assert record.observations == {"x": True}, record


CHANGE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import landlock
print(landlock.restrict([sys.argv[2]], [sys.argv[3]]))
for action in sys.argv[4:]:
    try:
        eval(action)
        print('allowed')
    except OSError as error:
        print(type(error).__name__)
"""


@pytest.mark.skipif(landlock.version() == 0, reason="this kernel has no landlock")
def test_landlock_alone_keeps_to_the_folders(tmp_path: Path) -> None:
    """On the host itself, where no mount refuses anything."""
    readable, writable, secret = tmp_path / "readable", tmp_path / "writable", tmp_path / "secret"
    for folder in (readable, writable, secret):
        folder.mkdir()
        (folder / "f").write_text("x")
    actions = {
        f"open({str(readable / 'f')!r}).read()": "allowed",
        f"open({str(readable / 'f')!r}, 'a')": "PermissionError",
        f"open({str(readable / 'g')!r}, 'w')": "PermissionError",
        f"__import__('os').unlink({str(readable / 'f')!r})": "PermissionError",
        f"open({str(writable / 'g')!r}, 'w')": "allowed",
        f"__import__('os').mkdir({str(writable / 'd')!r})": "allowed",
        f"__import__('os').rename({str(writable / 'g')!r}, {str(writable / 'd/g')!r})": "allowed",
        f"__import__('os').mknod({str(writable / 'n')!r}, 0o20666, 259)": "PermissionError",
        f"open({str(secret / 'f')!r})": "PermissionError",
        f"__import__('os').link({str(writable / 'f')!r}, {str(secret / 'l')!r})": "PermissionError",
        "__import__('os').kill(__import__('os').getppid(), 0)": "PermissionError" if landlock.version() >= 6 else "allowed",
    }  # fmt: skip
    folder = str(Path(landlock.__file__).parent)
    command = [sys.executable, "-I", "-c", CHANGE, folder, str(readable), str(writable), *actions]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    version, *found = done.stdout.split()
    assert int(version) == landlock.version()
    assert dict(zip(actions, found, strict=True)) == actions


@pytest.mark.skipif(landlock.version() == 0, reason="this kernel has no landlock")
def test_a_sandbox_without_landlock_works_as_on_an_older_kernel(environment: Environment) -> None:
    with Engine(workers=1, limits=TIGHT) as older:
        older.profile = older.profile.model_copy(update={"landlock": None})
        assert observe(older, environment, "attempt(lambda: write('/environment/x'))") == "EROFS"


def test_a_sandbox_that_does_not_keep_its_profile_is_not_used(engine: Engine, environment: Environment) -> None:
    promised = engine.profile.model_copy(update={"landlock": 99})
    with pytest.raises(SandboxLost, match="it should be landlock 99"):
        Sandbox(environment, promised, TIGHT, [])


def test_scripts_of_our_own_are_confined_too(engine: Engine, environment: Environment, tmp_path: Path) -> None:
    script = tmp_path / "look.py"
    script.write_text("def main(argument):\n    return open('/proc/self/status').read()\n")
    status = engine.script(environment, script, None)
    assert ("Seccomp:\t2" in status) is (engine.profile.seccomp is not None)
