"""Time as on a machine that does nothing else: the processor time of this process, and waits that are skipped.

The server is in the same event loop, so its work counts too. A neighbour that empties the caches still counts.
"""

import asyncio
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Clock:
    """Seconds of processor time and of waits that were skipped."""

    def __init__(self) -> None:
        self.skipped = 0.0

    def now(self) -> float:
        """Seconds since the process began."""
        return time.process_time() + self.skipped


class _Skipping(selectors.EpollSelector):
    """What is ready now; where nothing is, the time until the next timer is skipped."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """As of every selector."""
        if timeout is None:
            return super().select()
        found = super().select(0)
        if not found:
            self._clock.skipped += max(timeout, 0)
        return found


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, clock: Clock, begin: Callable[[asyncio.AbstractEventLoop], None]) -> None:
        super().__init__(_Skipping(clock))
        self._own = clock
        begin(self)

    def time(self) -> float:
        """Seconds of the clock, by which timers are set."""
        return self._own.now()


class _Policy(asyncio.DefaultEventLoopPolicy):
    def __init__(self, make: Callable[[], asyncio.AbstractEventLoop]) -> None:
        super().__init__()
        self._make = make

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        """A loop by the clock, with the server in it."""
        return self._make()


@contextmanager
def own_core(protocol: Callable[[], asyncio.Protocol]) -> Iterator[tuple[Clock, int]]:
    """The clock by which every new event loop goes, and the port at which it serves `protocol`."""
    clock = Clock()
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening:

        def begin(loop: asyncio.AbstractEventLoop) -> None:
            loop.call_soon(lambda: loop.create_task(loop.create_server(protocol, sock=listening.dup())))

        asyncio.set_event_loop_policy(_Policy(lambda: _Loop(clock, begin)))
        try:
            yield clock, listening.getsockname()[1]
        finally:
            asyncio.set_event_loop_policy(None)
