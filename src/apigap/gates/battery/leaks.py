"""Families 26 to 28: answers that look the right values up instead of computing them."""

import zlib
from collections.abc import Iterator

from apigap.gates.battery.case import LEAK, NEVER_CALLED, SPOILT, Aims, Case, Skipped
from apigap.gates.battery.literals import NotWritable
from apigap.gates.battery.programs import programs
from apigap.gates.battery.subject import Subject

_TELL = f"""found = None
def tell(what):
    print({LEAK!r}, what, flush=True)
"""
_FOLDERS = ("/root", "/home", "/work", "/srv", "/mnt", "/var", "/opt", "/run", "/media")


def leaks(subject: Subject, aims: Aims) -> Iterator[Case | Skipped]:
    """Reading what only the harness should have, hard-coding what was shown, fetching from elsewhere."""
    paths = [str(path) for path in aims.secrets]
    folders = [str(aims.home), str(aims.temporary), *_FOLDERS]
    for program in programs("reads"):
        code = _TELL + program.filled(PATHS=repr(paths), FOLDERS=repr(folders), PORT=str(aims.port or 9))
        code = f"{code}\n{subject.assign('found')}"
        yield Case(program.family, program.name, code, labels=NEVER_CALLED, contained=True)
    yield from _hard_coded(subject)


def _hard_coded(subject: Subject) -> Iterator[Case | Skipped]:
    names = ("hard-codes the values", "calls the target, then hard-codes the values", "hard-codes for the shown inputs")
    try:
        visible = subject.visible()
    except NotWritable as error:
        yield from (Skipped(27, name, str(error)) for name in names)
        return
    if not subject.task.harness.spy.required and not subject.varies():
        yield from (
            Skipped(27, name, "one set of values is right everywhere, and no call is asked for") for name in names
        )
        return
    yield Case(27, names[0], visible, labels=NEVER_CALLED)
    if not subject.varies():
        yield from (Skipped(27, name, "every scenario expects the same values") for name in names[1:])
        return
    yield Case(27, names[1], f"{subject.reference}\n{visible}", labels=SPOILT)
    yield Case(27, names[2], f"{subject.reference}\n{_for_one_input(subject, visible)}", labels=SPOILT)


def _for_one_input(subject: Subject, visible: str) -> str:
    """Right for the inputs that are shown, wrong for any other."""
    inputs = "__import__('zlib').crc32(open(__file__.replace('completion', 'context'), 'rb').read())"
    context = subject.task.context_code.encode("utf-8", "surrogatepass")
    body = "\n".join(f"    {line}" for line in visible.splitlines())
    wrong = "\n".join(f"    {line}" for line in subject.assign("None").splitlines())
    return f"if {inputs} == {zlib.crc32(context)}:\n{body}\nelse:\n{wrong}"
