"""A library whose import starts a thread outside of Python that waits for work, as the pools of polars do."""

import ctypes
import time

_libc = ctypes.CDLL(None)
_wanted = ctypes.create_string_buffer(64)  # a sem_t and room to spare
_thread = ctypes.c_ulong()
_libc.sem_init(_wanted, 0, 0)
_work = ctypes.cast(_libc.sem_wait, ctypes.c_void_p)
_libc.pthread_create(ctypes.byref(_thread), None, _work, ctypes.byref(_wanted))


def double(number: int) -> int:
    """Work that needs no thread."""
    return 2 * number


def asked_in_vain() -> str:
    """Give the thread its work, and give up waiting after a second."""
    _libc.sem_post(_wanted)
    for _ in range(100):
        if _libc.pthread_tryjoin_np(_thread, None) == 0:
            return "done"
        time.sleep(0.01)
    raise TimeoutError("nobody is there")


def done_by_the_thread() -> str:
    """Give the thread its work and wait until it has ended."""
    _libc.sem_post(_wanted)
    _libc.pthread_join(_thread, None)
    return "done"
