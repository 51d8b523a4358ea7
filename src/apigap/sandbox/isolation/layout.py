"""The view inside a sandbox, whichever way it is made: its paths and its environment variables."""

import os
from collections.abc import Sequence
from pathlib import Path

from apigap.records.errors import IsolationMissing
from apigap.records.paths import cache_home
from apigap.sandbox.environment import Environment

ENVIRONMENT_PATH = "/environment"
WORKER_PATH = "/harness/_apigap_worker"
WRITABLE = ("/tmp", "/dev/shm")  # noqa: S108
_REPLACED = ("/tmp", "/dev", "/proc", "/harness", ENVIRONMENT_PATH)  # noqa: S108
SANDBOX_USER = 65534
WORKER_FOLDER = Path(__file__).parent.parent / "worker"

VARIABLES = {
    "PATH": f"{ENVIRONMENT_PATH}/bin:/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108
    "TMPDIR": "/tmp",  # noqa: S108
    "USER": "nobody",
    "LOGNAME": "nobody",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "HF_HUB_OFFLINE": "1",
    "NO_COLOR": "1",
}
"""The whole environment of a program. Threads are few and the hash seed is fixed, so that a run can be repeated."""

Script = tuple[Path, str]
"""A further file to bind read-only, as (path on the host, path inside)."""


def readable_binds(environment: Environment, scripts: Sequence[Script] = ()) -> list[tuple[str, str]]:
    """(source, target) of all that is readable inside; the interpreter keeps its path, for its symlinks point there.

    Raises:
        IsolationMissing: when that path is one that each program has for itself.
    """
    binds = _system_binds(environment)
    for path, _ in binds:
        if is_replaced(path):
            raise IsolationMissing(
                f"the interpreter {path} lies in a folder that is another one inside the sandbox "
                f"({', '.join(_REPLACED)}); make apigap's own environment with a Python that is installed elsewhere"
            )
    binds.append((str(environment.root), ENVIRONMENT_PATH))
    binds.append((str(WORKER_FOLDER), WORKER_PATH))
    binds.extend((str(path), inside) for path, inside in scripts)
    return binds


def is_replaced(path: str) -> bool:
    """Tell whether a path of the host is another one inside the sandbox, so that no interpreter may lie there."""
    return is_within(path, _REPLACED)


def _system_binds(environment: Environment) -> list[tuple[str, str]]:
    binds = [("/usr", "/usr"), *((path, path) for path in _root_folders())]
    base = os.path.realpath(environment.base_prefix)
    real = os.path.dirname(os.path.dirname(os.path.realpath(environment.python)))  # noqa: PTH120
    for path in dict.fromkeys((str(environment.base_prefix), base, real)):
        if not is_within(path, [target for _, target in binds]):
            binds.append((path, path))
    if os.path.exists("/etc/ld.so.cache"):  # noqa: PTH110
        binds.append(("/etc/ld.so.cache", "/etc/ld.so.cache"))
    return binds


_HIDDEN = ("lib*/python*/site-packages", "lib*/python*/dist-packages", "local/lib*/python*/site-packages",
           "local/lib*/python*/dist-packages", "envs", "pkgs", "src", "local/src")  # fmt: skip
"""Folders of an installation that are hidden: packages that are not the environment's, other environments, sources."""


def hidden_folders(environment: Environment) -> list[str]:
    """Folders beneath what is readable that must look empty inside: one of them may hold apigap and its references.

    Raises:
        IsolationMissing: when apigap's code, its caches or the working folder would be readable all the same.
    """
    roots = _installations(environment)
    hidden = [str(path) for root in roots for pattern in _HIDDEN for path in sorted(Path(root).glob(pattern))]
    own = (WORKER_FOLDER.parents[1], cache_home(), Path.cwd())
    for path in dict.fromkeys(os.path.realpath(path) for path in own):
        if is_within(path, roots) and not is_within(path, [*hidden, *map(os.path.realpath, hidden)]):
            raise IsolationMissing(
                f"{path} would be readable inside the sandbox, and answers could look up the references there, because "
                "it lies in an installation that programs need; install apigap in a virtual environment, keep its "
                "caches (APIGAP_CACHE) and run it from a folder outside /usr and the interpreter's own"
            )
    return hidden


def _installations(environment: Environment) -> list[str]:
    """The folders of programs and libraries that are readable inside, as they are on the host."""
    return [source for source, target in _system_binds(environment) if source == target and Path(source).is_dir()]


def root_links() -> dict[str, str]:
    """The symbolic links of the root folder that lead into /usr on a merged system."""
    return {path: os.readlink(path) for path in _ROOT if os.path.islink(path)}  # noqa: PTH114, PTH115


def is_within(path: str, parents: Sequence[str]) -> bool:
    """Tell whether a path is one of the parents or lies beneath one."""
    return any(path == parent or path.startswith(parent + "/") for parent in parents)


_ROOT = ("/bin", "/sbin", "/lib", "/lib64", "/lib32")


def _root_folders() -> list[str]:
    """The same names where they are folders of their own, on a system that is not merged."""
    return [path for path in _ROOT if os.path.isdir(path) and not os.path.islink(path)]  # noqa: PTH112, PTH114
