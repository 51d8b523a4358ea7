"""Reading from a sandbox without believing or waiting for it."""

import os
from dataclasses import dataclass

TAIL = 4096
CHUNK = 1 << 16


@dataclass
class Stream:
    """Size and tail of an output stream: all that is kept of it."""

    size: int = 0
    tail: bytes = b""

    def add(self, data: bytes) -> None:
        """Take in more output."""
        self.size += len(data)
        self.tail = (self.tail + data)[-TAIL:]

    @property
    def text(self) -> str:
        """The tail as text, whatever bytes it holds."""
        return self.tail.decode("utf-8", "replace")


def drain(descriptor: int, stream: Stream) -> bool:
    """Read once into a stream; False at its end or, where reading does not wait, when nothing is there."""
    data = read_part(descriptor)
    stream.add(data)
    return bool(data)


def read_part(descriptor: int) -> bytes:
    """Read the bytes that are there at once; empty at the end, on an error or when nothing is there."""
    try:
        return os.read(descriptor, CHUNK)
    except OSError:
        return b""
