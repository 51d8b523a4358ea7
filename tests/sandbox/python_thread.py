"""A library whose import starts a thread of Python."""

import queue
import threading

_asked: "queue.Queue[int]" = queue.Queue()
doubled: list[int] = []


def _serve() -> None:
    while True:
        doubled.append(2 * _asked.get())
        _asked.task_done()


threading.Thread(target=_serve, daemon=True).start()


def double(number: int) -> int:
    """Work that the thread does, and nobody else."""
    _asked.put(number)
    _asked.join()
    return doubled[-1]
