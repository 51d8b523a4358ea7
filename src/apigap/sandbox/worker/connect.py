"""The worker's end of the control socket."""

from __future__ import annotations

import fcntl
import os
import socket

_OUT_OF_THE_WAY = 100


def open_control(where: str) -> socket.socket:
    """The control socket: `where` is the number of an inherited descriptor, or the path of a socket to connect to."""
    if where.isdigit():
        return socket.socket(fileno=_move_away(int(where)))
    meeting = socket.socket(socket.AF_UNIX)
    meeting.connect(where)
    return socket.socket(fileno=_move_away(meeting.detach()))


def _move_away(descriptor: int) -> int:
    """The same under a high number, which programs do not close by habit, and which they do not inherit."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY)
    os.close(descriptor)
    return moved
