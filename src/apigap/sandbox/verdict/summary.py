"""Fingerprints as a person would write the values."""

import re
from collections.abc import Callable
from typing import Any, cast

from apigap.records.base import Json

_DEEPEST = 12


def summary(form: Json, limit: int = 120) -> str:
    """A fingerprint as a person would write the value: `[1, 2]`, `Model(a=1)`, `<function pkg.name>`.

    What no worker would have written is shown as the JSON value that it is.
    """
    try:
        text = _render(form, 0)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        text = repr(form)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _render(form: Json, depth: int) -> str:
    if isinstance(form, list):
        return f"[{_join(cast('list[Any]', form), depth)}]"
    if not isinstance(form, dict):
        return repr(form)
    if depth > _DEEPEST:
        return "…"
    tagged = cast("dict[str, Any]", form)
    for tag, render in _RENDERERS.items():
        if tag in tagged:
            return render(tagged, depth)
    return "…"


def _join(items: list[Any], depth: int) -> str:
    if depth > 6:
        return "…"
    return ", ".join(_render(item, depth + 1) for item in items)


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _render_tuple(form: dict[str, Any], depth: int) -> str:
    inside = _join(form["tuple"], depth)
    return f"({inside},)" if len(form["tuple"]) == 1 else f"({inside})"


def _render_set(form: dict[str, Any], depth: int) -> str:
    return f"{{{_join(form['set'], depth)}}}" if form["set"] else "set()"


def _render_dict(form: dict[str, Any], depth: int) -> str:
    pairs = [f"{_render(key, depth + 1)}: {_render(value, depth + 1)}" for key, value in form["dict"]]
    return "{" + ", ".join(pairs) + "}"


def _render_complex(form: dict[str, Any], depth: int) -> str:
    return f"complex({_join(form['complex'], depth)})"


def _render_bytes(form: dict[str, Any], depth: int) -> str:
    try:
        return repr(bytes.fromhex(form["bytes"]))
    except ValueError:
        return "b'?'"


def _render_array(form: dict[str, Any], depth: int) -> str:
    array = form["array"]
    values = array.get("values", array.get("samples", []))
    shape = "x".join(str(size) for size in array["shape"]) or "scalar"
    return f"array({shape} {array['dtype']}: {_join(values, depth)})"


def _render_frame(form: dict[str, Any], depth: int) -> str:
    frame = form["frame"]
    if "columns" in frame:
        columns = _render(frame["columns"].get("values"), depth)
        return f"{_short(form['type'])}({columns}, {_render(frame['values'], depth)})"
    return f"{_short(form['type'])}({_render(frame.get('values'), depth)})"


def _render_type(form: dict[str, Any], depth: int) -> str:
    """An object: enum members by name, exceptions by arguments, the rest by attributes."""
    name = _short(form["type"])
    if "enum" in form:
        return f"{name}.{form['enum']}"
    if "base" in form:
        return f"{name}({_render(form['base'], depth + 1)})"
    if "iterator" in form:
        return f"{name} of {_render(form['iterator'], depth + 1)}"
    if form.get("args"):
        return f"{name}({_join(form['args'], depth)})"
    if "fields" in form and depth <= 6:
        shown = [(key, value) for key, value in form["fields"] if not re.match(r"_|model_config", str(key))]
        return f"{name}({', '.join(f'{key}={_render(value, depth + 1)}' for key, value in shown)})"
    return f"{name}({_render(form['text'], depth)})" if "text" in form else f"{name}()"


_RENDERERS: dict[str, Callable[[dict[str, Any], int], str]] = {
    "unstable": lambda form, depth: "<varies>",
    "frame": _render_frame,
    "type": _render_type,
    "tuple": _render_tuple,
    "set": _render_set,
    "frozenset": lambda form, depth: f"frozenset({{{_join(form['frozenset'], depth)}}})",
    "dict": _render_dict,
    "float": lambda form, depth: str(form["float"]),
    "int": lambda form, depth: str(form["int"]),
    "complex": _render_complex,
    "bytearray": lambda form, depth: f"bytearray({_render(form['bytearray'], depth)})",
    "bytes": _render_bytes,
    "str": lambda form, depth: repr(str(form["str"])[:40] + "…"),
    "range": lambda form, depth: f"range({_join(form['range'], depth)})",
    "slice": lambda form, depth: f"slice({_join(form['slice'], depth)})",
    "view": lambda form, depth: f"view({_join(form['view'], depth)})",
    "mappingproxy": lambda form, depth: f"mappingproxy({_render_dict({'dict': form['mappingproxy']}, depth)})",
    "array": _render_array,
    "numpy": lambda form, depth: f"{form['numpy']}({_render(form['value'], depth)})",
    "class": lambda form, depth: f"<class {form['class']}>",
    "function": lambda form, depth: f"<function {form['function']}>",
    "method": lambda form, depth: f"<method {form['method']}>",
    "module": lambda form, depth: f"<module {form['module']}>",
    "cycle": lambda form, depth: "<cycle>",
}
