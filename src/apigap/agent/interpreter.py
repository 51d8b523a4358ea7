"""The interpreter of an agent: a session in the sandbox of the task's release, with the isolation of judging.

What goes into the sandbox are the task's context, which the prompt shows, and the agent's own code: no scenario, no
expected value, no observation, no reference, and not the name of the target.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from apigap.agent import session_script
from apigap.agent.trace import StepOutcome
from apigap.records.errors import InfrastructureError
from apigap.records.run import Program, RunRecord
from apigap.sandbox.engine import Runner

_SCRIPT = Path(session_script.__file__).read_text(encoding="utf-8")
_ADDRESS = re.compile(r"(?<= at )0x[0-9a-fA-F]{5,}")  # of an object in memory: another one in each run
_LIMITS = {
    "cpu": "it was stopped: it took too much time",
    "wall": "it was stopped: it took too much time",
    "memory": "it was stopped: it took too much memory",
    "output": "it was stopped: it wrote too much",
}


_NOTHING_STAYS = "nothing of this run stays for the next"
_ENDED = re.compile(rf"(?:\A|\n)\([^\n]*; {_NOTHING_STAYS}\)\Z")


class Ran(NamedTuple):
    """The text that a run told, and the seconds that it took."""

    outcome: StepOutcome
    text: str
    seconds: float


def session_program(context: str, before: Sequence[str], code: str) -> Program:
    """The program that replays a session and runs `code` in it."""
    session = json.dumps([context, list(before), code])
    return Program(context="", completion=f"{_SCRIPT}\n\nimport json\n\nplay(*json.loads({session!r}))\n")


def run_session(run: Runner, context: str, before: Sequence[str], code: str) -> Ran:
    """Run `code` after the task's `context` and the pieces `before`, whose output is not told again.

    Raises:
        InfrastructureError: when the sandbox fails: that says nothing of the code.
    """
    record = run(session_program(context, before, code))
    if record.status == "infra":
        raise InfrastructureError(f"the code of an agent could not be run: {record.reason}")
    return Ran("ok" if record.status == "completed" else "error", _told(record), record.seconds)


def is_replayed(text: str) -> bool:
    """True of a run that told `text`, but for one that was stopped: replayed, it would stop every later one too."""
    return _ENDED.search(text) is None


def _told(record: RunRecord) -> str:
    said = "\n".join(part for part in (record.stdout.strip("\n"), record.stderr.strip("\n")) if part)
    if record.status == "limit":
        said = f"{said}\n({_LIMITS[record.limit or 'cpu']}; {_NOTHING_STAYS})"
    elif record.status in ("exited", "tampered"):
        said = f"{said}\n(the interpreter ended: {record.reason}; {_NOTHING_STAYS})"
    return _ADDRESS.sub("0x...", said).strip("\n") or "(it ran and printed nothing)"
