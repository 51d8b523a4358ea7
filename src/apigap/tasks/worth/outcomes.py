"""The outcome of a task: one value at least that shows what the API does."""

import ast
import datetime
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from apigap.records.base import canonical_json
from apigap.records.parsing.syntax import parse
from apigap.sandbox.verdict.summary import summary
from apigap.tasks.outcome import BLOCK, WIDTH, is_telling

_SHOWN = 400
_RESULTS = ("result", "result_2")
_NOISE = 1e-8
_READABLE_BYTES = 80
_MOST_ITEMS = 200
_PLAN = re.compile(r"naive plan: |dask\.array<|Dask \w+ Structure")
"""The text of a table that is not computed yet."""


def problem_of_outcome(
    context: str, expressions: Sequence[str], rows: Sequence[Sequence[Any]], idle: Sequence[Sequence[Any]]
) -> str | None:
    """The fault of an outcome: `rows` are the values of `expressions` in each scenario, the basic one first.

    One observed value at least must show what the API does, in words that the context does not have, be another with
    other inputs, and another than with answers that do nothing (`idle` are the values of each of these). Of two
    results that are asked for at once each must.
    """
    columns = zip(expressions, zip(*rows, strict=False), zip(*idle, strict=True), strict=False)
    reasons = [
        _problem_of_expression(expression)
        or _problem_of_value(column[0], context)
        or _problem_of_column(column, without)
        for expression, column, without in columns
    ]
    if any(len(cast("list[Any]", value)) > _MOST_ITEMS for value in rows[0] if isinstance(value, list)):
        return f"it asks for more than {_MOST_ITEMS} values at once"
    results = [reason for text, reason in zip(expressions, reasons, strict=False) if text in _RESULTS]
    if len(results) > 1:
        reasons = [next((reason for reason in results if reason), None)]
    return None if None in reasons else next((reason for reason in reasons if reason), "it has no outcome")


def _problem_of_expression(expression: str) -> str | None:
    sizes = r"len\(.*\)|.*\.(shape|size|ndim|dtype|columns|index|number_of_\w+\(\))"
    return "its outcome is a size or a type" if re.fullmatch(sizes, expression, re.S) else None


def shows(value: Any, context: str) -> bool:
    """Check that a value shows what was done: neither empty, a yes or no, an address, nor an input again."""
    return _problem_of_value(value, context) is None


def is_told(value: Any) -> bool:
    """Check for a value that a description can tell: no error, no iterator, and no object without a value."""
    return is_telling(value) and not (isinstance(value, dict) and ("iterator" in value or "raises" in value))


def is_yes_or_no(value: Any) -> bool:
    """Check for a truth value, of Python or of numpy."""
    return isinstance(value, bool) or isinstance(_inner(value), bool)


def _problem_of_column(column: Sequence[Any], without: Sequence[Any]) -> str | None:
    if canonical_json(column[0]) in map(canonical_json, without):
        return "its outcome is there without the answer, or is an input again"
    if len({canonical_json(value) for value in column}) < 2:
        return "its outcome is the same whatever its inputs are"
    return "its outcome is one value again and again" if _repeats_one_value(column) else None


def _repeats_one_value(column: Sequence[Any]) -> bool:
    """Check for sequences that hold one value alone, of all inputs, however often: `[1, 1]`, then `[1, 1, 1]`."""
    sequences = [_items(value) for value in column]
    items = {canonical_json(item) for sequence in sequences if sequence for item in sequence}
    return None not in sequences and len(items) == 1


def _items(value: Any) -> list[Any] | None:
    """The items of a sequence, or of a column of a table whose rows are only numbered; None for all else."""
    if isinstance(value, list):
        return cast("list[Any]", value)
    form = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if "frame" in form:
        values = form["frame"].get("values", [])
        return values if form["frame"].get("index", {}).get("values") == [*range(len(values))] else None
    return next((form[tag] for tag in ("tuple", "set", "frozenset") if tag in form), None)


def _problem_of_value(value: Any, context: str) -> str | None:
    if value is None or is_yes_or_no(value):
        return "its outcome is None or a yes or no"
    if isinstance(value, dict) and "raises" in value:
        return "its outcome is an error"
    if not is_told(value):
        return "its outcome is an object that shows nothing"
    if _is_made_of_arguments(value):
        return "its outcome is an object with its own arguments"
    text = summary(value, _SHOWN)
    if _PLAN.search(text):
        return "its outcome is a plan of what is not computed yet"
    if " at 0x" in text:
        return "its outcome shows an address"
    if isinstance(value, dict) and "bytes" in value and len(text) > _READABLE_BYTES:
        return "its outcome is bytes that nobody reads"
    if "…" in summary(value, WIDTH) and not _is_block(value):
        return "its outcome is longer than what is shown of it"
    if _is_of_today(text, context):
        return "its outcome is of the day on which it is made"
    if _is_noise(value):
        return "its outcome is rounding noise in part"
    if _is_empty(value) or _is_small(value):
        return "its outcome is empty, or a number that says nothing"
    return "its outcome is in the context already" if _is_echo(value, text, context) else None


def _is_block(value: Any) -> bool:
    """Check for a text of several lines, which is shown as a block of its own."""
    return isinstance(value, str) and value.count("\n") > 1 and len(value) <= BLOCK


def _inner(value: Any) -> Any:
    return cast("dict[str, Any]", value).get("value") if isinstance(value, dict) else None


def _is_made_of_arguments(value: Any) -> bool:
    return isinstance(value, dict) and "type" in value and bool(cast("dict[str, Any]", value).get("args"))


def _is_empty(value: Any) -> bool:
    """Check for a value without any data: an empty text or container, or one that holds nothing but such."""
    if isinstance(value, list):
        return all(item is None or _is_empty(item) for item in cast("list[Any]", value))
    if isinstance(value, dict):
        form = cast("dict[str, Any]", value)
        inside = next((form[tag] for tag in ("tuple", "set", "frozenset", "dict", "bytes") if tag in form), None)
        if inside is not None:
            return not inside or (isinstance(inside, list) and _is_empty(cast("Any", inside)))
        if "array" in form:
            return _is_flat(form["array"])
        return "text" in form and bool(re.fullmatch(r"(?:\w+ )?empty|\w+\(\W*\)", str(form["text"]), re.I))
    return isinstance(value, str) and not value.strip()


def _is_noise(value: Any) -> bool:
    """Check for floats next to zero, of which another processor gives others; and for as many that are no numbers."""
    numbers = list(_floats(value))
    near = [number for number in numbers if 0 < abs(number) < _NOISE]
    return bool(near) or (len(numbers) > 1 and 2 * sum(map(math.isnan, numbers)) >= len(numbers))


def _floats(value: Any) -> Iterator[float]:
    """The numbers in a value, whatever holds them."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)
    elif isinstance(value, list):
        for part in cast("list[Any]", value):
            yield from _floats(part)
    elif isinstance(value, dict):
        form = cast("dict[str, Any]", value)
        if set(form) == {"float"}:
            yield float(form["float"])
        for tag, part in form.items():
            if tag not in ("float", "shape"):
                yield from _floats(part)


def _is_flat(array: dict[str, Any]) -> bool:
    """Check for an array without values, or of one value again and again, as of zeros."""
    values = {canonical_json(value) for value in array.get("values", array.get("samples", []))}
    return len(values) < 2 and (not values or array["shape"] != [1])


def _is_small(value: Any) -> bool:
    """Check for 0, 1, what is no number, and the like, in whatever type."""
    if isinstance(value, dict):
        form = cast("dict[str, Any]", value)
        return "float" in form or ("numpy" in form and _is_small(form.get("value")))
    number = value
    return isinstance(number, (int, float)) and abs(number) in (0, 1)


def _is_of_today(text: str, context: str) -> bool:
    """Check for a date of these days that the inputs do not have: tomorrow the same lines give another one."""
    now = datetime.datetime.now(datetime.UTC)
    days = [(now + datetime.timedelta(days)).date() for days in (-1, 0, 1)]
    forms = [form for day in days for form in (day.isoformat(), f"{day.year}, {day.month}, {day.day}")]
    return any(re.search(rf"(?<!\d){form}(?!\d)", text) and form not in context for form in forms)


def _is_echo(value: Any, text: str, context: str) -> bool:
    """Check for a value that stands in the context: as a literal, or as a text all of whose words are there."""
    if isinstance(value, str):
        words = set(re.findall(r"\w+", value))
        return not words - set(re.findall(r"\w+", context)) if len(words) < 12 else value in context
    nodes = [node for node in ast.walk(parse(context)) if isinstance(node, ast.expr)]
    if isinstance(value, dict) and "array" in value:
        array = cast("dict[str, Any]", value)["array"]
        return str(array.get("values")) in {str(_numbers_of(node)) for node in nodes if isinstance(node, ast.List)}
    literals = {ast.unparse(node) for node in nodes}
    return text in literals or (text.lstrip("-").isdigit() and len(text) > 1 and text in context)


def _numbers_of(node: ast.List) -> list[Any]:
    """The constants of a display in order, whatever it nests."""
    return [part.value for part in _in_order(node) if isinstance(part, ast.Constant)]


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)
