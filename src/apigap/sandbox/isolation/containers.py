"""The second way to make a sandbox: a container of docker or podman, where bubblewrap is not allowed.

The container shows the same files as the bubblewrap sandbox: `/usr`, the interpreter, the environment and the worker
of this machine, bound read-only. So its image is empty but for the folders to bind them on; it is made here, and
nothing is downloaded.

A container inherits no descriptor, so the worker connects to a socket in a folder that is bound for it, and puts the
system-call filter in force itself (on top of the engine's own).
"""

import functools
import hashlib
import io
import os
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path

from apigap.records.errors import IsolationMissing
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.cgroups import whole_memory, whole_processes
from apigap.sandbox.isolation.layout import SANDBOX_USER, VARIABLES, Script, hidden_folders, readable_binds, root_links
from apigap.sandbox.isolation.profile import Profile
from apigap.sandbox.limits import Limits

CONTROL_FOLDER = "/control"
CONTROL_SOCKET = f"{CONTROL_FOLDER}/socket"
_FOLDERS = ("usr", "etc", "proc", "dev", "sys", "tmp", "environment", "harness", "control")
_ANSWER_SECONDS = 30

REPAIR = {
    "docker": "start the daemon with `sudo systemctl start docker`, let this user use it with "
    "`sudo usermod -aG docker $USER` (then log in again), and check with `docker version`",
    "podman": "check with `podman info`",
}


def container_command(
    environment: Environment,
    profile: Profile,
    limits: Limits,
    command: Sequence[str],
    scripts: Sequence[Script],
    name: str,
    control: Path,
) -> list[str]:
    """The full command line that runs `command` in a new container called `name`.

    `control` is the folder on the host that holds the control socket.

    Raises:
        IsolationMissing: when the engine is missing, does not answer, or cannot take the empty image.
    """
    engine = find_engine(profile.backend)
    memory, size = str(whole_memory(limits)), str(profile.tmpfs_bytes)
    private = f"{VARIABLES['HOME']}:rw,exec,nosuid,nodev,mode=1777,size={size}"
    binds = [*readable_binds(environment, scripts), (str(control), CONTROL_FOLDER)]
    return [
        engine, "run", "--rm", "--name", name, "--pull", "never", "--log-driver", "none",
        "--network", "none", "--ipc", "private", "--hostname", "sandbox", "--read-only", "--cap-drop", "ALL",
        "--security-opt", "no-new-privileges", "--user", f"{SANDBOX_USER}:{SANDBOX_USER}",
        "--workdir", VARIABLES["HOME"],
        "--pids-limit", str(whole_processes(limits)), "--memory", memory, "--memory-swap", memory,
        "--ulimit", "core=0", "--shm-size", size, "--tmpfs", private,
        *(part for source, target in binds for part in ("--mount", _mount(source, target))),
        *(part for path in hidden_folders(environment) for part in ("--tmpfs", f"{path}:ro,mode=0555,size=4096")),
        # The engine would add variables of its own.
        _image(engine), "/usr/bin/env", "-i", *(f"{key}={value}" for key, value in VARIABLES.items()), *command,
    ]  # fmt: skip


def remove_container(profile: Profile, name: str) -> None:
    """End a container and everything in it; one that has ended already is no error."""
    engine = shutil.which(profile.backend)
    if engine is not None:
        subprocess.run([engine, "rm", "--force", name], capture_output=True, timeout=_ANSWER_SECONDS, check=False)


@functools.cache
def find_engine(backend: str) -> str:
    """The path of the engine's command, once it is known to answer.

    Raises:
        IsolationMissing: when it is not installed or does not answer.
    """
    found = shutil.which(backend)
    if found is None:
        raise IsolationMissing(
            f"{backend} is not installed, so generated code cannot be isolated with it; install it (for instance "
            f"`apt-get install {'docker.io' if backend == 'docker' else backend}`) or use the bubblewrap backend"
        )
    _ask([found, "version"], f"{backend} does not answer", REPAIR[backend])
    return found


@functools.cache
def _image(engine: str) -> str:
    """The name of the empty image, made when the engine does not have it yet."""
    archive = _empty_root()
    name = f"apigap-sandbox:{hashlib.sha256(archive).hexdigest()[:12]}"
    known = subprocess.run(
        [engine, "image", "inspect", name], capture_output=True, timeout=_ANSWER_SECONDS, check=False
    )
    if known.returncode != 0:
        problem = f"{Path(engine).name} cannot take the sandbox's empty image"
        _ask([engine, "import", "-", name], problem, "check its free disk space and storage driver", archive)
    return name


def _empty_root() -> bytes:
    """A tar archive of the folders and links of the root; the same machine gives the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for folder in _FOLDERS:
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(entry)
        for path, target in root_links().items():
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, target, 0o777
            archive.addfile(entry)
    return buffer.getvalue()


def _ask(command: list[str], problem: str, repair: str, data: bytes = b"") -> None:
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=_ANSWER_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise IsolationMissing(f"{problem} ({error}); {repair}, or use the bubblewrap backend") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()[-300:] or f"exit code {done.returncode}"
        raise IsolationMissing(f"{problem} ({said}); {repair}, or use the bubblewrap backend")


def _mount(source: str, target: str) -> str:
    """A read-only bind as one option; the engines read it as a line of CSV."""
    fields = ("type=bind", f"source={os.path.abspath(source)}", f"target={target}", "readonly")  # noqa: PTH100
    return ",".join(f'"{field}"' if "," in field else field for field in fields)
