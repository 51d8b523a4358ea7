"""The forked child: gives up what it inherited, limits itself, runs one program and reports once."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import random
import resource
import signal
import sys
from typing import Any

from . import kernel, landlock
from .preload import preload
from .program import Run
from .protocol import FINAL, MAX_REPORT, NOTE, PHASE, frame
from .watch.standard_library import StandardLibrary

_exit = os._exit
_write = os.write
_GRACE = 2


def be_child(
    body: bytearray,
    descriptors: list[int],
    loading: int | None,
    folder: str,
    settings: dict[str, Any],
    contained: bool,
    standard: StandardLibrary,
) -> None:
    """Run the program in `body` and end the process; never returns.

    `loading` is a descriptor that is closed once what the program needs has been imported, where that is done here.
    """
    code = 70
    try:
        request = json.loads(body)
        body[:] = bytes(len(body))
        report, loading = _settle(descriptors, loading, folder, contained)
        if settings["keep_signals_inside"]:
            landlock.keep_signals_inside()
        nonce = request.pop("nonce")

        def send(kind: bytes, value: dict[str, Any]) -> None:
            _send(report, kind, {**value, "nonce": nonce})

        code = _serve(request, loading, folder, settings, send, standard)
    except BaseException:
        code = 71
    finally:
        _exit(code)


def _serve(
    request: dict[str, Any],
    loading: int | None,
    folder: str,
    settings: dict[str, Any],
    send: Any,
    standard: StandardLibrary,
) -> int:
    send(PHASE, {"phase": "start"})
    for name in settings["late"]:
        try:
            preload(name)
        except BaseException as error:
            reason = f"importing {name}: {type(error).__name__}: {str(error)[:500]}"
            send(FINAL, {"status": "infra", "phase": "start", "reason": reason})
            return 0
    if loading is not None:
        os.close(loading)
    _limit(settings)
    random.seed(request["seed"])  # Python itself has given a forked child another state
    if request["seed"] or settings["late"]:
        seed_generators(request["seed"])
    run = Run(
        request, folder, lambda phase: send(PHASE, {"phase": phase}), lambda text: send(NOTE, {"note": text}), standard
    )
    outcome = run.execute()
    for stream in (run.stdout, run.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()
    send(FINAL, outcome)
    return 0


def _settle(descriptors: list[int], loading: int | None, folder: str, contained: bool) -> tuple[int, int | None]:
    """A session, a folder and standard streams of its own; returns the other descriptors, moved out of the way."""
    os.setsid()
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL if number == signal.SIGXFSZ else signal.SIG_IGN)
    report = fcntl.fcntl(descriptors[0], fcntl.F_DUPFD_CLOEXEC, 120)
    kept = None if loading is None else fcntl.fcntl(loading, fcntl.F_DUPFD_CLOEXEC, report + 1)
    null = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((null, 0), (descriptors[1], 1), (descriptors[2], 2)):
        os.dup2(source, target)
    os.closerange(3, report)
    os.closerange((report if kept is None else kept) + 1, 4096)
    os.chdir(folder)
    os.environ["HOME"] = os.environ["TMPDIR"] = folder
    if contained:
        kernel.set_dumpable(True)
    with contextlib.suppress(OSError):
        kernel.write_file("/proc/self/oom_score_adj", b"1000", create=False)
    return report, kept


def _limit(settings: dict[str, Any]) -> None:
    """Limits count from here: what a late import has used is not the program's."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = int(used.ru_utime + used.ru_stime + 0.999) + settings["cpu_seconds"] * settings["factor"]
    space = kernel.address_space() + settings["memory"]
    _set(resource.RLIMIT_CPU, cpu, cpu + _GRACE)
    _set(resource.RLIMIT_AS, space, space)
    _set(resource.RLIMIT_FSIZE, settings["temporary"], settings["temporary"])
    _set(resource.RLIMIT_NOFILE, settings["open_files"], settings["open_files"])
    _set(resource.RLIMIT_CORE, 0, 0)
    if settings["processes"]:
        _set(resource.RLIMIT_NPROC, settings["processes"], settings["processes"])


def _set(kind: int, soft: int, hard: int) -> None:
    ceiling = resource.getrlimit(kind)[1]
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(kind, (soft, hard))


def seed_generators(seed: int) -> None:
    """Seed the global generators of numpy and torch where they are loaded: each import draws other seeds for them."""
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % 2**32)
    generator: Any = getattr(sys.modules.get("torch"), "default_generator", None)
    if generator is not None:
        generator.manual_seed(seed)


def _send(report: int, kind: bytes, value: dict[str, Any]) -> None:
    data = frame(kind, value)
    if len(data) > MAX_REPORT:
        small = {"status": "limit", "phase": "report", "limit": "output", "reason": "the report is too large"}
        data = frame(kind, {**small, "nonce": value["nonce"]})
    view, at = memoryview(data), 0
    while at < len(data):
        at += _write(report, view[at : at + 65536])
