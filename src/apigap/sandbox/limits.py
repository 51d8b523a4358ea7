"""Limits on what one program may use."""

from apigap.records.base import Record

MIB = 1024 * 1024
MAX_PARSED = 100_000
"""Characters of an answer that the host itself parses. A parser turns a text into a hundred times its size in memory;
what is longer is compiled in the sandbox alone, where that is bounded."""
MAX_CODE = 1_000_000
"""Characters of an answer that is run at all; no model writes so many."""


class Limits(Record):
    """Limits of one program.

    `cpu_seconds` is what decides; `wall_seconds` is a backstop that a busy machine must not reach. `memory`
    (bytes) is address space beyond what the preloaded library holds, and, with a cgroup or the watch of the
    zygote, real memory of all processes of the program together. `output` is per stream: more of it ends the
    program. `temporary` bounds the private file system that holds its folder, home and /tmp.
    `preload_seconds` bounds the import of the library, `silence_seconds` how long a sandbox may show no sign of life.
    A run that records calls gets `recording` times the CPU and wall seconds, because watching slows it down.
    """

    cpu_seconds: int = 10
    wall_seconds: float = 20.0
    memory: int = 2048 * MIB
    output: int = 64 * MIB
    temporary: int = 256 * MIB
    processes: int = 64
    open_files: int = 256
    recording: int = 3
    preload_seconds: float = 120.0
    silence_seconds: float = 15.0

    def with_time(self, times: int) -> "Limits":
        """The same limits with a multiple of the CPU and wall seconds."""
        if times == 1:
            return self
        longer = {"cpu_seconds": self.cpu_seconds * times, "wall_seconds": self.wall_seconds * times}
        return self.model_copy(update=longer)
