"""A command that ends with the process that began it: `python -m apigap.cluster.bound PARENT WORDS...`."""

import ctypes
import os
import runpy
import signal
import sys

_SET_DEATH_SIGNAL = 1


def main() -> None:
    """Bind this process to its parent, whose number is the first word, and run the command of the others.

    The signal is the one that a user would send: sandboxes are closed on the way out.
    """
    parent = int(sys.argv.pop(1))
    ctypes.CDLL(None, use_errno=True).prctl(_SET_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)
    if os.getppid() != parent:  # it ended before it could be bound to
        sys.exit(128 + signal.SIGTERM)
    runpy.run_module("apigap.cli.main", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
