"""The cache folder for all that can be made again (downloads, environments, surfaces), and locks on it."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from apigap.records.store import disk_error


def cache_home() -> Path:
    """The cache folder: $APIGAP_CACHE, else $XDG_CACHE_HOME/apigap, else ~/.cache/apigap; perhaps not there yet."""
    own = os.environ.get("APIGAP_CACHE")
    if own:
        return Path(own).expanduser().resolve()
    shared = os.environ.get("XDG_CACHE_HOME")
    base = Path(shared).expanduser().resolve() if shared else Path.home() / ".cache"
    return base / "apigap"


@contextmanager
def exclusive(path: Path) -> Generator[None]:
    """Hold the lock file `path` (made when missing): one process or thread at a time, freed by the kernel after a kill.

    Raises:
        InfrastructureError: when the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise disk_error(path, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
