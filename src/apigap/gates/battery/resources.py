"""Families 37 to 47: answers that use up, break, kill or look at what is not theirs."""

from collections.abc import Iterator

from apigap.gates.battery.case import EITHER, LEAK, LOGIC, MARK, NOT_TO_THE_END, Aims, Case
from apigap.gates.battery.programs import programs
from apigap.gates.battery.subject import Subject

_TELL = f"def tell(what):\n    print({LEAK!r}, what, flush=True)\n"


def resources(subject: Subject, aims: Aims) -> Iterator[Case]:
    """Bombs, killings, orphans, damage, and searches for secrets."""
    for family, name, code in programs("bombs"):
        yield Case(family, name, f"{subject.reference}\n{code}", labels=LOGIC, contained=True, heavy=True)
    for family, name, code in programs("killings"):
        yield Case(family, name, f"{subject.spoilt}\n{code}", contained=True, heavy=True)
    for family, name, code in programs("burdens"):
        code = f"{code}\n{subject.reference}"
        yield Case(family, name, code, EITHER, NOT_TO_THE_END, contained=True, heavy=family != 42)
    for family, name, code in programs("neighbours"):
        yield Case(family, name, f"{code}\n{subject.reference}", EITHER, contained=True, heavy=True)
    places = {"ENVIRONMENT": aims.environment, "HOME": aims.home, "TEMPORARY": aims.temporary}
    words = {word: repr(str(path)) for word, path in places.items()}
    for program in programs("damage"):
        code = f"{_TELL}{program.filled(MARK=MARK, **words)}\n{subject.reference}"
        yield Case(program.family, program.name, code, EITHER, contained=True)
