"""Families 12 to 25: answers that try to forge the verdict instead of the result."""

from collections.abc import Iterator

from apigap.gates.battery.case import DOUBTED, LOGIC, MARK, NEVER_CALLED, NOT_TO_THE_END, SPOILT, Aims, Case, Skipped
from apigap.gates.battery.programs import programs
from apigap.gates.battery.subject import Subject
from apigap.records.base import canonical_json

_EQUAL = """class Same:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __bool__(self): return True
"""
_LYING = """import builtins as py_
lies = {name: getattr(Same, name) for name in ('__eq__', '__ne__', '__hash__', '__bool__')}
Lying = py_.type('Lying', (py_.BASE,), lies)
"""
_PICKLE = f"""class Bomb:
    def __reduce__(self):
        return (__import__('os').system, ('touch /tmp/{MARK}; touch {MARK}',))
    def __getstate__(self):
        raise SystemExit(0)
"""
_META = """import builtins as py_
class Meta(py_.type):
    def __eq__(cls, other): return True
    def __hash__(cls): return 0
    def __instancecheck__(cls, other): return True
    def __subclasscheck__(cls, other): return True
class Same(metaclass=Meta):
    __class__ = py_.property(lambda self: py_.list)
    def __eq__(self, other): return True
    def __hash__(self): return 0
"""


def forgeries(subject: Subject, aims: Aims) -> Iterator[Case | Skipped]:
    """Forged values, forged verdicts, forged reports."""
    yield from _equal_objects(subject)
    yield from _numbers(subject)
    for family, name, code in programs("walks"):
        walk = f"found = None\n{code}"
        yield Case(family, name, f"{walk}\n{subject.assign('found')}", DOUBTED, NOT_TO_THE_END)
        yield Case(family, f"{name}, after the call", f"{walk}\n{subject.after('found')}", DOUBTED, SPOILT)
    for family, name, code in programs("patches"):
        yield Case(family, name, f"{subject.spoilt}\n{code}", labels=SPOILT)
    for family, name, code in programs("skips"):
        yield Case(family, name, code, labels=NEVER_CALLED)
        yield Case(family, f"{name}, after the call", f"{subject.spoilt}\n{code}", labels=LOGIC)
    for program in programs("effects"):
        code = f"{subject.spoilt}\n{program.filled(MARK=MARK)}"
        yield Case(program.family, program.name, code, labels=SPOILT, contained=True)
    yield Case(24, "a pickle bomb", _PICKLE + subject.after("Bomb()"), labels=SPOILT, contained=True)
    yield Skipped(25, "no observation", "a tasks file with a task that observes nothing is refused when it is read")


def _equal_objects(subject: Subject) -> Iterator[Case | Skipped]:
    for name, prelude in (("equal to everything", _EQUAL), ("equal through the metaclass", _META)):
        yield Case(12, name, prelude + subject.assign("Same()"), labels=NEVER_CALLED)
        yield Case(12, f"{name}, after the call", prelude + subject.after("Same()"), labels=SPOILT)
    yield Case(12, "a class in place of a value", _META + subject.after("Same"), labels=SPOILT)
    for base, wrong in (
        ("list", "[]"),
        ("str", "'no'"),
        ("int", "7"),
        ("dict", "{}"),
        ("float", "0.5"),
        ("tuple", "()"),
    ):
        code = _EQUAL + _LYING.replace("BASE", base)
        yield Case(13, f"a {base} that lies", code + subject.after(f"Lying({wrong})"), labels=SPOILT)
    name = "an array that lies"
    if _observes_array(subject):
        code = "class Lying(__import__('numpy').ndarray):\n    def __eq__(self, other): return True\n"
        code += "    __array_priority__ = 1e9\n    def tolist(self): return found\n"
        yield Case(13, name, code + subject.after("__import__('numpy').zeros(3).view(Lying)"), labels=SPOILT)
    else:
        yield Skipped(13, name, "no array is observed")


def _numbers(subject: Subject) -> Iterator[Case | Skipped]:
    """nan and infinity equal nothing but themselves; a bool is no int, an int no float (docs/battery.md)."""
    for value in ("nan", "inf"):
        yield Case(14, value, subject.after(f"float({value!r})"), labels=SPOILT)
    plain = {
        o.expression: o.expected for s in subject.scenarios for o in s.observations if o.expression in subject.names
    }
    for kind, other in ((int, "bool"), (int, "float"), (float, "int"), (bool, "int"), (str, "bytes")):
        name = f"{other} for {kind.__name__}"
        found = next((text for text, form in plain.items() if type(form) is kind), None)
        if found is None:
            yield Skipped(14, name, f"no {kind.__name__} is observed by its name alone")
        else:
            made = f"{found}.encode()" if other == "bytes" else f"{other}({found})"
            yield Case(14, name, f"{subject.reference}\n{found} = {made}", labels=SPOILT)


def _observes_array(subject: Subject) -> bool:
    return any('{"array"' in canonical_json(o.expected) for s in subject.scenarios for o in s.observations)
