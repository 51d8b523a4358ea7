"""Families 1 to 11: answers that leave early, or never end."""

from collections.abc import Iterator

from apigap.gates.battery.case import LOGIC, NEVER_CALLED, NOT_TO_THE_END, SPOILT, Aims, Case
from apigap.gates.battery.programs import programs
from apigap.gates.battery.subject import WRONG, Subject


def exits(subject: Subject, aims: Aims) -> Iterator[Case]:
    """Early exits before and after the call of the target, and programs that run into a limit."""
    for family, name, code in programs("exits"):
        yield Case(family, name, code, labels=NEVER_CALLED, exits=True)
        yield Case(family, f"{name}, after the call", f"{subject.reference}\n{code}", labels=LOGIC, exits=True)
    for family, name, code in programs("late_exits"):
        yield Case(family, name, f"{subject.assign(WRONG)}\n{code}", labels=NOT_TO_THE_END, exits=True)
    for family, name, code in programs("endless"):
        yield Case(family, name, f"{subject.reference}\n{code}", labels=LOGIC, heavy=True)
    pause = f"import time\ntime.sleep({0.8 * aims.seconds})\n"
    yield Case(11, "sleeps almost to the limit, then is wrong", pause + subject.spoilt, labels=SPOILT, heavy=True)
    yield Case(11, "sleeps almost to the limit each time", pause + subject.reference, labels=LOGIC, heavy=True)
