"""Family 60: the code before of a migration, which warns, with all that keeps a warning from being heard."""

from collections.abc import Iterator

from apigap.gates.battery.case import DOUBTED, FAIL, Aims, Case, Skipped
from apigap.gates.battery.evasion import indent
from apigap.gates.battery.programs import programs
from apigap.gates.battery.subject import Subject

_NAMELESS = ("the code before, as code of nobody", "the code before, in a module that is None")
"""Python drops the warnings of these without a word; the text of the answer tells, which makes a suspect."""


def migrations(subject: Subject, aims: Aims) -> Iterator[Case | Skipped]:
    """Answers that leave the work to what the new release has taken away, or warns of."""
    before = subject.task.before
    if before is None:
        yield Skipped(60, "the code before", "the task is no migration")
        return
    for program in programs("silences"):
        words = {"BEFORE": before.strip(), "INDENTED": indent(before), "TEXT": repr(before.strip())}
        yield Case(
            program.family, program.name, program.filled(**words), DOUBTED if program.name in _NAMELESS else FAIL
        )
