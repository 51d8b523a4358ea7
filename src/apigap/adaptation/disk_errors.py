"""Errors of libraries where a disk is full, as the project's own error."""

import errno
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from safetensors import SafetensorError

from apigap.records.store import disk_error

_TORCH_WRITES = re.compile("PytorchStreamWriter|inline_container.*unexpected pos")


@contextmanager
def disk_errors(path: Path, temporary: Path | None = None) -> Generator[None]:
    """Something is written to `path`, by way of the folder `temporary`, which is removed where that fails.

    safetensors and torch.save have errors of their own for what is an OSError elsewhere.

    Raises:
        InfrastructureError: when the disk is full or the folder cannot be written.
    """
    try:
        yield
    except (OSError, SafetensorError, RuntimeError) as error:
        reason = _reason(error)
        if reason is None:
            raise
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
        raise disk_error(path, reason) from error


def _reason(error: Exception) -> OSError | None:
    """The error as an OSError; None where it is not about a disk. torch says no more than that a write came short."""
    if isinstance(error, OSError):
        return error
    text = str(error)
    number = re.search(r"os error (\d+)", text)
    if isinstance(error, SafetensorError):
        return OSError(int(number[1]) if number else errno.EIO, text)
    return OSError(errno.ENOSPC, text) if _TORCH_WRITES.search(text) else None
