"""Confinement that a worker takes on before it serves anybody: landlock and, in a container, the system-call filter."""

from __future__ import annotations

from typing import Any

from . import kernel, landlock


def confine(settings: dict[str, Any]) -> dict[str, Any]:
    """Give up what the host says is not needed, for ever; tells the host what is in force.

    Raises:
        OSError: when the kernel refuses what it seemed to have: then nothing must run here.
    """
    writable = settings["writable"]
    version = landlock.restrict(settings["readable"], writable) if writable else 0
    if settings["filter"]:
        kernel.filter_calls(bytes.fromhex(settings["filter"]))
    return {"landlock": version, "seccomp": kernel.is_filtered()}
