"""Compiled files of an environment's sources: made inside a sandbox, put into their places by the host.

The sandbox is given the names and gives back contents, in order; it names nothing itself, and nothing is written but
`__pycache__/<name>.<tag>.pyc` beside a source that is there.
"""

import base64
import binascii
import contextlib
import os
import stat
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

from apigap.packages.inside import compile_sources
from apigap.packages.interpreters import Interpreter, interpreter_of
from apigap.records.base import Json
from apigap.records.errors import ApigapWarning, InfrastructureError
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.layout import ENVIRONMENT_PATH
from apigap.sandbox.isolation.profile import Profile
from apigap.sandbox.limits import MIB, Limits
from apigap.sandbox.scripts import run_script

COMPILE_SECONDS = 900.0
"""For a whole environment; what is not compiled by then is compiled anew at each import."""
_BATCH_SECONDS = 120
_BATCH_BYTES = 4 * MIB
_MAX_SOURCE = 16 * MIB
_LARGEST_CODE, _TIMES_SOURCE = MIB, 16  # more comes from no honest source
_MAX_SOURCES = 200_000
_SANDBOXES = 4
_SCRIPT = Path(compile_sources.__file__)


@dataclass(frozen=True)
class Source:
    """A source file of an environment, as it was found."""

    path: Path
    size: int
    changed: int

    def header(self, interpreter: Interpreter) -> bytes:
        """The head of its compiled file while it is as it was: mark, flags, time stamp and size (PEP 552)."""
        numbers = (0, self.changed, self.size)
        return bytes.fromhex(interpreter.magic) + b"".join((n & 0xFFFFFFFF).to_bytes(4, "little") for n in numbers)


def compile_environment(environment: Environment, profile: Profile) -> None:
    """Compile the sources of an environment; warns where some could not be: imports of them are slower, and right."""
    until = time.monotonic() + COMPILE_SECONDS
    batches = list(_batches(sources_of(environment.site_packages)))
    work = partial(_compile_batch, environment, interpreter_of(environment), profile, until)
    with ThreadPoolExecutor(min(_SANDBOXES, os.cpu_count() or 1)) as threads:
        problems = [problem for problem in threads.map(work, batches) if problem]
    if problems:
        warnings.warn(
            f"{len(problems)} of {len(batches)} parts of {environment.library} {environment.version} are not compiled, "
            f"so importing them takes longer: {problems[0]}",
            ApigapWarning,
            stacklevel=2,
        )


def sources_of(site_packages: Path) -> Iterator[Source]:
    """The regular `.py` files below a folder, no link followed."""
    number = 0
    for folder, below, names in os.walk(site_packages):
        below[:] = sorted(name for name in below if name != "__pycache__")
        for name in sorted(names):
            path = Path(folder, name)
            if not name.endswith(".py") or not str(path).isprintable():
                continue
            status = path.lstat()
            if stat.S_ISREG(status.st_mode) and status.st_size <= _MAX_SOURCE:
                number += 1
                if number > _MAX_SOURCES:
                    return
                yield Source(path, status.st_size, int(status.st_mtime))


def _batches(sources: Iterable[Source]) -> Iterator[list[Source]]:
    batch: list[Source] = []
    size = 0
    for source in sources:
        batch.append(source)
        size += source.size
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _compile_batch(
    environment: Environment, interpreter: Interpreter, profile: Profile, until: float, batch: Sequence[Source]
) -> str | None:
    """The reason that the batch is not compiled; None where it is."""
    seconds = min(_BATCH_SECONDS, until - time.monotonic())
    if seconds <= 0:
        return f"it took more than {COMPILE_SECONDS:.0f} s"
    limits = Limits()
    paths = [f"{ENVIRONMENT_PATH}/{source.path.relative_to(environment.root)}" for source in batch]
    argument: Json = {"paths": [*paths], "memory": limits.memory, "seconds": _BATCH_SECONDS}
    try:
        found = run_script(environment, profile, limits, _SCRIPT, argument, seconds, bare=True)
    except InfrastructureError as error:
        return str(error)
    codes = cast(list[object], found) if isinstance(found, list) else []
    if len(codes) != len(batch):
        return "the sandbox gave no list of compiled files"
    for source, code in zip(batch, codes, strict=True):
        if isinstance(code, str) and len(code) <= _LARGEST_CODE + _TIMES_SOURCE * source.size:
            _put(source, code, interpreter)
    return None


def _put(source: Source, encoded: str, interpreter: Interpreter) -> None:
    """Write one compiled file; what stands in its way stays there."""
    folder = source.path.with_name("__pycache__")
    target = folder / f"{source.path.stem}.cpython-3{interpreter.number}.pyc"
    temporary = target.with_name(target.name + ".apigap")
    with contextlib.suppress(OSError, binascii.Error):
        code = base64.b64decode(encoded, validate=True)
        folder.mkdir(exist_ok=True)
        if not stat.S_ISDIR(folder.lstat().st_mode):
            return
        temporary.unlink(missing_ok=True)
        with temporary.open("xb") as file:  # anew, so through no link
            file.write(source.header(interpreter) + code)
        temporary.replace(target)
