"""Source code for a value that is only known by its fingerprint: how an answer would hard-code it."""

from collections.abc import Callable
from typing import Any, cast

Form = dict[str, Any]


class NotWritable(Exception):
    """The value behind a fingerprint cannot be written as an expression."""


def literal(form: Any) -> str:
    """An expression whose value has the fingerprint `form`, as far as builtins, numpy and pandas can make one.

    Raises:
        NotWritable: for what only the library itself can make.
    """
    if form is None or isinstance(form, (bool, int, float, str)):
        return repr(form)
    if isinstance(form, list):
        return f"[{_items(cast('list[Any]', form))}]"
    form = cast(Form, form)
    for key, write in _WRITERS.items():
        if key in form and not ("type" in form and key != "frame"):
            return write(form)
    raise NotWritable(f"a {form.get('type') or next(iter(form), 'value')} has no literal")


def _items(forms: list[Any]) -> str:
    return "".join(f"{literal(form)}, " for form in forms)


def _pairs(form: Form) -> str:
    return "".join(f"{literal(key)}: {literal(value)}, " for key, value in form["dict"])


def _whole(form: Form, key: str) -> str:
    if "sha256" in form:
        raise NotWritable("only the beginning of the value is known")
    return repr(bytes.fromhex(form[key]))


def _array(form: Form) -> str:
    array = form["array"]
    if "values" not in array or array["dtype"] == "object" or "[" in array["dtype"]:
        raise NotWritable("only samples of the array are known")
    shape = tuple(array["shape"])
    return f"__import__('numpy').array({literal(array['values'])}, dtype={array['dtype']!r}).reshape({shape!r})"


def _numpy(form: Form) -> str:
    return f"__import__('numpy').{form['numpy']}({literal(form['value'])})"


def _frame(form: Form) -> str:
    frame = form["frame"]
    kind = str(form["type"]).rpartition(".")[2]
    if kind == "DataFrame":
        columns = frame["columns"]["values"]
        data = "".join(
            f"{literal(name)}: __import__('pandas').Series({literal(values)}, dtype={dtype!r}), "
            for name, dtype, values in zip(columns, frame["dtypes"], frame["values"], strict=True)
        )
        return f"__import__('pandas').DataFrame({{{data}}})"
    if kind == "Series":
        name = literal(frame["name"])
        return f"__import__('pandas').Series({literal(frame['values'])}, dtype={frame['dtype']!r}, name={name})"
    raise NotWritable(f"a {kind} has no literal")


_WRITERS: dict[str, Callable[[Form], str]] = {
    "frame": _frame,
    "float": lambda form: f"float({form['float']!r})",
    "int": lambda form: str(int(form["int"], 16)),
    "bytes": lambda form: _whole(form, "bytes"),
    "bytearray": lambda form: f"bytearray({literal(form['bytearray'])})",
    "complex": lambda form: f"complex({_items(form['complex'])})",
    "tuple": lambda form: f"({_items(form['tuple'])})",
    "set": lambda form: f"{{{_items(form['set'])}}}" if form["set"] else "set()",
    "frozenset": lambda form: f"frozenset([{_items(form['frozenset'])}])",
    "dict": lambda form: f"{{{_pairs(form)}}}",
    "range": lambda form: f"range({_items(form['range'])})",
    "array": _array,
    "numpy": _numpy,
}
