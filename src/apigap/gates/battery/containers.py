"""Family 59: containers that lie, for tasks that leave open in which container a result is."""

from collections.abc import Iterator

from apigap.gates.battery.case import SPOILT, Aims, Case, Skipped
from apigap.gates.battery.subject import WRONG, Subject
from apigap.tasks.open_containers import kind_of

_KIND = """class Same:
    def __eq__(self, other): return True
    def __hash__(self): return 0
"""
_SAYS = (
    "'__iter__': lambda self: iter(found), '__len__': lambda self: len(found), "
    "'__getitem__': lambda self, at: found[at], '__eq__': lambda self, other: True, '__hash__': lambda self: 0"
)
_TOLIST = (
    f"'tolist': lambda self: found, 'item': lambda self: found, '__array__': lambda self, *_, **__: found, {_SAYS}"
)
_MADE = "__import__('builtins').type('{0}', ({1}), {{'__module__': '{2}', {3}}})({4})"
_SEQUENCES = {
    "a list that says the right values": _MADE.format("list", "list,", "builtins", _SAYS, WRONG),
    "a tuple that says the right values": _MADE.format("tuple", "tuple,", "builtins", _SAYS, WRONG),
    "a class called ndarray": _MADE.format("ndarray", "", "numpy", _TOLIST, ""),
    "a class called Series": _MADE.format("Series", "", "pandas", _TOLIST, ""),
    "a generator of the right values": "(one for one in found)",
    "an iterator over the right values": "iter(found)",
    "a list of objects that are equal to everything": "[Same() for _ in found]",
    "one list in the place of all values": f"[{WRONG}]",
}
_ARRAYS = {
    "an array of objects that are equal to everything": "numpy.array([Same() for _ in found], dtype=object)",
    "an array whose values lie": _MADE.format("ndarray", "numpy.ndarray,", "numpy", _TOLIST, "3"),
}
_COLUMNS = {
    "a column whose values lie": _MADE.format(
        "Series", "pandas.Series,", "pandas", "'tolist': lambda self: found", WRONG
    ),
    "an index whose values lie": _MADE.format(
        "Index", "pandas.Index,", "pandas", "'tolist': lambda self: found", WRONG
    ),
}
_MAPPINGS = {
    "a dictionary that says the right entries": _MADE.format(
        "dict",
        "dict,",
        "builtins",
        f"'items': lambda self: found.items(), 'keys': lambda self: found.keys(), {_SAYS}",
        "",
    ),
    "a dictionary with every key": _MADE.format(
        "defaultdict", "dict,", "collections", "'__missing__': lambda self, key: found[key]", ""
    ),
    "a default dictionary that would make every entry": "__import__('collections').defaultdict(lambda: found)",
    "the right entries as pairs": "[*found.items(), 1]",
}


def containers(subject: Subject, _aims: Aims) -> Iterator[Case | Skipped]:
    """Answers that call the target and put a container that lies in the place of each container that is observed."""
    forms = {o.expression: o.expected for s in subject.scenarios for o in s.observations}
    names = [name for name in subject.names if name in forms]
    sequences = [name for name in names if kind_of(forms[name]) in ("list", "tuple", "array", "column")]
    mappings = [name for name in names if kind_of(forms[name]) == "dict"]
    libraries = [
        (module, table) for module, table in (("numpy", _ARRAYS), ("pandas", _COLUMNS)) if _has(subject, module)
    ]
    for what, chosen, tables in (
        ("sequence", sequences, [("", _SEQUENCES), *libraries]),
        ("mapping", mappings, [("", _MAPPINGS)]),
    ):
        if not chosen:
            yield Skipped(59, what, f"no {what} is observed by its name alone")
            continue
        for module, table in tables:
            for name, made in table.items():
                yield Case(59, name, _code(subject, chosen, module, made), labels=SPOILT)


def _has(subject: Subject, module: str) -> bool:
    return f"import {module}" in subject.task.context_code


def _code(subject: Subject, names: list[str], module: str, made: str) -> str:
    """The reference, then for each name the lying container, each with the right value of its own."""
    lines = [f"def lying(found):\n    {f'import {module}' if module else 'pass'}\n    return {made}"]
    return "\n".join((subject.reference, _KIND, *lines, *(f"{name} = lying({name})" for name in names)))
