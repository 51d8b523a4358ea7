"""The time that a step of a run will still take, from the rate that it has shown so far."""

import time
from collections.abc import Callable

_TELLING_SECONDS = 5.0
_TELLING_UNITS = 2


class TimeLeft:
    """An estimate for one step, from what it did after its first unit: a model is loaded, or a cache filled, before.

    What was done before its first call, by an earlier run, tells nothing of the rate either.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._before: int | None = None
        self._first: tuple[float, int] | None = None

    def __call__(self, done: int, total: int) -> str:
        """Words for the time left, as `about 4 min left`; empty until there is a rate, and once all is done."""
        now = self._clock()
        if self._before is None:
            self._before = done
        if self._first is None:
            self._first = (now, done) if done > self._before else None
            return ""
        began, units = now - self._first[0], done - self._first[1]
        if units < _TELLING_UNITS or done >= total or began < _TELLING_SECONDS:
            return ""
        return f"about {_in_words((total - done) * began / units)} left"


def _in_words(seconds: float) -> str:
    """A time to two digits at most: nobody knows it better."""
    if seconds < 50:
        return f"{max(10, round(seconds, -1)):.0f} s"
    if seconds < 5400:
        return f"{max(1, round(seconds / 60)):.0f} min"
    return f"{seconds / 3600:.1f} h"
