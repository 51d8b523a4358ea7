"""A task's checks as the text that NovelAPIBench's release has in their place: a monitor of the target, and a test.

They run in the process of the answer, which can forge them; our own judge does not work so (docs/verdicts.md). The
release's evaluator asks no more of an answer than that the target was called and that the test reaches its end.
"""

from collections.abc import Iterable
from typing import Any, cast

from apigap.records.release import ReleaseHarness
from apigap.records.task import Observation, Task
from apigap.sandbox.task_supplied_test.published_monitor import COUNTER, INSTALLED

_MONITOR = """import functools as _spy_functools
import importlib as _spy_importlib
import sys as _spy_sys
{counter} = [0]
{installed} = False


def _spy_holder(name):
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            holder = _spy_importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:-1]:
            holder = getattr(holder, part)
        return holder, parts[-1]
    raise ImportError(name)


def _spy_counted(function):
    @_spy_functools.wraps(function)
    def counting(*given, **named):
        {counter}[0] += 1
        return function(*given, **named)

    return counting


def _spy_install(name):
    holder, leaf = _spy_holder(name)
    own = vars(holder).get(leaf, getattr(holder, leaf))
    if isinstance(own, type):
        try:
            if own.__init__ is object.__init__:  # a class that is made by its __new__ alone
                own.__new__ = staticmethod(_spy_counted(own.__new__))
            else:
                own.__init__ = _spy_counted(own.__init__)
        except TypeError:  # a class that is compiled
            setattr(holder, leaf, type(leaf, (own,), {{"__init__": _spy_counted(own.__init__)}}))
    elif isinstance(own, (staticmethod, classmethod)):
        setattr(holder, leaf, type(own)(_spy_counted(own.__func__)))
    elif isinstance(own, property):
        setattr(holder, leaf, property(_spy_counted(own.fget), own.fset, own.fdel, own.__doc__))
    else:
        counting = _spy_counted(own)
        setattr(holder, leaf, counting)
        for module in list(_spy_sys.modules.values()):
            if getattr(module, "__name__", "").partition(".")[0] == name.partition(".")[0]:
                for key, value in list(vars(module).items()):
                    if value is own:
                        setattr(module, key, counting)


_spy_install({target!r})
{installed} = True
"""
_CALLED = """assert {installed}, "the target is not watched"
assert {counter}[0] > 0, "solution did not call target API"
{counter}[0] = 0
"""
_SAME = '''

def _same(value, form):
    """Tell whether a value is as its recorded form says, where numbers may differ in their last digits."""
    if isinstance(form, bool) or form is None:
        return value is form or (isinstance(value, bool) and value == form)
    if isinstance(form, (int, float)):
        return not isinstance(value, (str, bool)) and abs(value - form) <= 1e-9 + 1e-6 * abs(form)
    if isinstance(form, str):
        return isinstance(value, str) and str(value) == form
    if isinstance(form, list):
        return isinstance(value, list) and _each(value, form)
    for key, check in _CHECKS.items():
        if key in form:
            return check(value, form)
    return type(value).__name__ == form.get("type", "").rpartition(".")[2]


def _each(values, forms):
    values = list(values)
    return len(values) == len(forms) and all(map(_same, values, forms))


def _array(value, form):
    known = form["array"]
    if list(value.shape) != known["shape"]:
        return False
    return "values" not in known or _each(value.reshape(-1).tolist(), known["values"])


def _members(value, forms):
    return len(value) == len(forms) and all(any(_same(one, form) for one in value) for form in forms)


def _pairs(value, form):
    pairs = form["dict"]
    return len(value) == len(pairs) and all(
        any(_same(key, name) and _same(held, known) for key, held in value.items()) for name, known in pairs
    )


def _frame(value, form):
    known = form["frame"]
    if "columns" in known:
        columns = [value.iloc[:, at] for at in range(value.shape[1])]
        whole = [_column(one, held) for one, held in zip(columns, known["values"])]
        return _column(value.columns, known["columns"]["values"]) and all(whole)
    return _column(value, known["values"]) and ("index" not in known or _column(value.index, known["index"]["values"]))


def _listed(value):
    """A value with a list in the place of every container, for what may be in any."""
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, dict):
        return {key: _listed(held) for key, held in value.items()}
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (set, frozenset)):
        return sorted(map(_listed, value), key=repr)
    return [_listed(one) for one in value] if hasattr(value, "__iter__") else value


def _column(value, forms):
    return isinstance(forms, dict) or _each(value.tolist(), forms)


_CHECKS = {
    "unstable": lambda value, form: True,
    "cut": lambda value, form: True,
    "cycle": lambda value, form: True,
    "array": _array,
    "frame": _frame,
    "numpy": lambda value, form: _same(value.item() if hasattr(value, "item") else value, form["value"]),
    "tuple": lambda value, form: isinstance(value, tuple) and _each(value, form["tuple"]),
    "dict": _pairs,
    "set": lambda value, form: _members(value, form["set"]),
    "frozenset": lambda value, form: _members(value, form["frozenset"]),
    "float": lambda value, form: str(float(value)) == form["float"],
    "int": lambda value, form: value == int(form["int"], 16),
    "complex": lambda value, form: abs(value - complex(*form["complex"])) <= 1e-9 + 1e-6 * abs(value),
    "bytes": lambda value, form: bytes(value).hex().startswith(form["bytes"]),
    "str": lambda value, form: len(value) == form["length"] and value.startswith(form["str"]),
    "iterator": lambda value, form: _each(list(value)[: len(form["iterator"])], form["iterator"]),
    "base": lambda value, form: not isinstance(form["base"], str) or str(value) == form["base"],
    "text": lambda value, form: (
        not isinstance(form["text"], str)
        or form["text"] in (str(value), value.isoformat() if hasattr(value, "isoformat") else "")
    ),
    "enum": lambda value, form: value.name == form["enum"],
    "args": lambda value, form: _each(list(value.args), form["args"]),
    "function": lambda value, form: value.__name__ == form["function"].rpartition(".")[2],
    "class": lambda value, form: value.__name__ == form["class"].rpartition(".")[2],
    "module": lambda value, form: value.__name__ == form["module"],
}


'''


def harness_of(task: Task) -> ReleaseHarness:
    """The checks of a task as the release has them: the target was called, and what the prompt's inputs give is right.

    Only the scenario that the prompt shows is in it: the others change the context, which one test cannot. Every value
    is compared with the form that the reference gave; of objects without a form of their own only the class is.
    """
    names = {"counter": COUNTER, "installed": INSTALLED}
    first, *_ = task.harness.scenarios
    return ReleaseHarness(
        setup_code=_MONITOR.format(target=task.api_name, **names),
        execution_test=_CALLED.format(**names) + _SAME + "\n".join(_asserted(first.observations)) + "\n",
        target_api=task.api_name,
        generation_method="execute_then_assert",
        scenarios_succeeded=len(task.harness.scenarios),
        scenarios_total=len(task.harness.scenarios),
    )


def _asserted(observations: Iterable[Observation]) -> Iterable[str]:
    for one in observations:
        if one.containers:
            yield f"assert _same(_listed({one.expression}), {_listed(one.expected)!r}), {one.expression!r}"
        else:
            yield f"assert _same({one.expression}, {one.expected!r}), {one.expression!r}"


def _listed(form: Any) -> Any:
    """A form with a list in the place of every container; of arrays and frames nothing is asked then."""
    if isinstance(form, list):
        return [_listed(one) for one in cast("list[Any]", form)]
    if not isinstance(form, dict):
        return form
    known = cast("dict[str, Any]", form)
    for key in ("tuple", "set", "frozenset", "iterator"):
        if key in known:
            listed = [_listed(one) for one in known[key]]
            return sorted(listed, key=repr) if "set" in key else listed
    if "dict" in known:
        return {"dict": [[name, _listed(held)] for name, held in known["dict"]]}
    return {"unstable": True} if {"array", "frame"} & known.keys() else known
