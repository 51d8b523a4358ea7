"""The type that a property gave, read off the fingerprint of its value."""

from collections.abc import Sequence
from typing import Any, cast

from apigap.knowledge.usages.build import OUTCOME
from apigap.knowledge.usages.usage import Usage
from apigap.records.candidate import Candidate
from apigap.records.run import RunRecord

_TAGS = ("tuple", "set", "frozenset", "dict", "complex", "bytes", "int", "float", "str")


def type_name(form: Any) -> str | None:
    """The type's name as one would write it for a fingerprint's `form`; None where it is cut."""
    if form is None:
        return "None"
    if not isinstance(form, dict):
        return type(form).__name__
    fields = cast("dict[str, Any]", form)
    if isinstance(fields.get("type"), str):
        return fields["type"]
    if "numpy" in fields:
        return f"numpy.{fields['numpy']}"
    for tag, name in (("array", "numpy.ndarray"), ("class", "type"), ("function", "Callable"), ("module", "module")):
        if tag in fields:
            return name
    return next((tag for tag in _TAGS if tag in fields), None)


def property_type(runs: Sequence[tuple[Usage, RunRecord]], candidate: Candidate) -> str | None:
    """The type that a property gives, where one of the usages looks at it; None for what is called."""
    if candidate.kind != "property":
        return None
    looked_at = ((usage, step.expression or "", run) for usage, run in runs for step in usage.steps)
    for usage, expression, run in looked_at:
        own = expression == OUTCOME and usage.origin == "built"
        if (own or expression.endswith(f".{candidate.leaf}")) and expression in run.observations:
            return type_name(run.observations[expression])
    return None
