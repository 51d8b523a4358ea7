"""What is wrong with data from outside, in a user's words: the first fault of a failed validation."""

from typing import Any, NamedTuple

from pydantic import ValidationError

_WORDS = {
    "path_not_file": "no file is there; give the path of one",
    "path_not_directory": "no folder is there; give the path of one",
    "int_parsing": "it is no whole number",
    "int_type": "it is no whole number",
    "float_parsing": "it is no number",
    "float_type": "it is no number",
    "bool_parsing": "it is neither true nor false",
    "missing": "it is missing",
}
"""Pydantic's types of faults that are told in words of our own; all others in its message."""
_UNKNOWN = "extra_forbidden"


class Fault(NamedTuple):
    """A fault: the names that lead to it, the value that was given there, and what is wrong with it."""

    place: tuple[str, ...]
    value: Any
    words: str
    unknown: bool
    """Whether nothing of this name can be given."""

    @property
    def where(self) -> str:
        """The place as one name."""
        return ".".join(self.place)


def first_fault(error: ValidationError) -> Fault:
    """The first fault that a validation has found."""
    first = error.errors(include_url=False)[0]
    cause = first.get("ctx", {}).get("error") if first["type"] == "value_error" else None
    words = _WORDS.get(first["type"], first["msg"] if cause is None else str(cause))
    return Fault(tuple(map(str, first["loc"])), first["input"], words, first["type"] == _UNKNOWN)
