"""What must not change a verdict: a cold start, and a machine that is busy with something else."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Generator

from apigap.sandbox.verdict.judge import Verdict

_BURN = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(1_000_000))\n"
"""It ends with the process that started it, however that ends."""


def told(verdict: Verdict) -> str:
    """All of a verdict that people and tables read; calls without their values, which a task may draw at random."""
    statuses = [(run.status, run.phase, run.limit) for run in verdict.runs]
    detail = {key: verdict.detail[key] for key in ("phase", "limit", "reason", "differences")}
    calls = [{**call, "arguments": sorted(call["arguments"])} for call in verdict.detail["calls"]]
    return json.dumps([verdict.outcome, verdict.score, statuses, detail, calls], sort_keys=True)


@contextlib.contextmanager
def busy_cores() -> Generator[None]:
    """Two busy processes per core for as long as it lasts."""
    burners = [subprocess.Popen([sys.executable, "-c", _BURN]) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
