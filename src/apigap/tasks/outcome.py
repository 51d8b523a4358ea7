"""An expected value in words: its type, its shape, and the value itself as far as it can be written down."""

from typing import Any, cast

from apigap.sandbox.verdict.summary import summary
from apigap.tasks.leak import leaks

WIDTH = 200
BLOCK = 900
_PLAIN = {"tuple": "a tuple", "set": "a set", "frozenset": "a frozen set", "dict": "a dictionary", "bytes": "bytes"}


def is_telling(value: Any) -> bool:
    """True for a value that shows what an answer did: an exception, plain data, or an object of the program's own.

    The inner state of a library's own object is not: another right answer may reach it in another form. Nor is what
    differs from run to run.
    """
    if isinstance(value, list):
        return all(is_telling(item) for item in cast("list[Any]", value))
    if not isinstance(value, dict):
        return True
    form = cast("dict[str, Any]", value)
    foreign = "fields" in form and not str(form.get("type", "")).startswith("__main__.")
    return not foreign and form != {"unstable": True} and all(is_telling(part) for part in form.values())


def outcome(value: Any, leaf: str, *, whole: bool = True) -> str:
    """The value of an observed expression, as the end of a sentence; without `whole` its kind alone."""
    raised = cast("dict[str, Any]", value).get("raises") if isinstance(value, dict) else None
    if raised:
        return f"raises `{raised}`"
    kind = _kind(value, leaf)
    if not whole or not is_telling(value):
        return f"is {kind}" if kind else "is a plain value"
    if isinstance(value, str) and value.count("\n") > 1 and len(value) <= BLOCK:
        return f"is this text:\n{indent(value)}"
    text = summary(value, WIDTH)
    return f"is {kind}: `{text}`" if kind else f"is `{text}`"


def indent(text: str) -> str:
    """The lines of a text as a block of their own."""
    return "\n".join(f"    {line}".rstrip() for line in text.split("\n"))


def _kind(value: Any, leaf: str) -> str:
    """The type in words; empty where the value says it."""
    if isinstance(value, list):
        return f"a list of {len(cast('list[Any]', value))}"
    if isinstance(value, str):
        return "a text" if len(value) > 1 else ""
    if not isinstance(value, dict):
        return ""
    form = cast("dict[str, Any]", value)
    if "array" in form:
        return _array(form["array"])
    if "frame" in form:
        return _frame(form)
    if "type" in form:
        return _object(str(form["type"]), form, leaf)
    return next((f"{words} of {len(form[tag])}" for tag, words in _PLAIN.items() if tag in form and tag != "bytes"), "")


def _array(array: dict[str, Any]) -> str:
    shape = tuple(array["shape"])
    return f"an array of shape {shape} and type {array['dtype']}" if shape else f"a single {array['dtype']}"


def _frame(form: dict[str, Any]) -> str:
    name = str(form["type"]).rpartition(".")[2]
    columns = form["frame"].get("columns")
    if not isinstance(columns, dict):
        return f"a `{name}`"
    return f"a `{name}` with the columns {summary(cast('dict[str, Any]', columns).get('values'), 80)}"


def _object(path: str, form: dict[str, Any], leaf: str) -> str:
    name = path.rpartition(".")[2]
    if leaks(path, leaf):
        given = f", made with {summary({'tuple': form['args']}, 100)}" if form.get("args") else ""
        return f"an object of the class that is asked for{given}"
    return f"of type `{name}`"
