"""Threads that a library's import has started, beside which this process forks.

A forked child has none of them. That is no harm where a thread is the library's own, outside of Python, and sleeps: it
holds no lock that the child would find taken for ever, and the allocators and pools that start such threads make them
anew in a child or at their first use. What a child could miss all the same ends in waiting, hence in a limit, which the
host believes only of a process without such threads.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

_MOMENT = 0.02
_SETTLING = 2.0
_AT_FORK = 0.2
_frames = sys._current_frames  # pyright: ignore[reportPrivateUsage]
_Marks = dict[str, tuple[bytes, bytes]]


def there_are_others() -> bool:
    """Tell whether this process has more threads than its first."""
    return len(os.listdir("/proc/self/task")) > 1


def problem() -> str | None:
    """The reason for which no child can be forked beside the other threads; None where one can."""
    if len(_frames()) > 1:  # a thread whose work is seen from Python, and would not be done in a child
        return "an import started threads of Python"
    return None if come_to_rest(_SETTLING) else "an import started threads that do not rest"


def come_to_rest(seconds: float) -> bool:
    """Wait until no other thread has run for a moment; tells whether that came within `seconds`."""
    until, before = time.monotonic() + seconds, _marks()
    while time.monotonic() < until:
        time.sleep(_MOMENT)
        now = _marks()
        if now == before and all(state == b"S" for state, _ in now.values()):
            return True
        before = now
    return False


def wait_for_sleep() -> None:
    """Wait a moment for a fork at which all other threads sleep; one that works on is the allocator's, which copes."""
    until = time.monotonic() + _AT_FORK
    while any(state != b"S" for state, _ in _marks().values()) and time.monotonic() < until:
        time.sleep(0.001)


def _marks() -> _Marks:
    """Of every other thread its state, and how often it has gone to sleep."""
    found: _Marks = {}
    for name in os.listdir("/proc/self/task"):
        if int(name) != os.getpid():
            with contextlib.suppress(OSError), open(f"/proc/self/task/{name}/status", "rb") as file:
                fields = dict(line.split(b":", 1) for line in file if b":" in line)
                found[name] = fields[b"State"].split()[0], fields[b"voluntary_ctxt_switches"]
    return found
