"""Read the JSON object that a model was asked for out of what it wrote; any text gives an object or a reason."""

import json
from collections.abc import Iterator
from typing import TypeVar, cast

from pydantic import BaseModel, ValidationError

from apigap.models.fences import read_blocks
from apigap.records.base import Json

F = TypeVar("F", bound=BaseModel)

_MAX_CHARACTERS = 100_000
_MAX_STARTS = 20
_MAX_SHOWN = 3


class UnreadableAnswer(ValueError):
    """An answer does not hold what was asked for; the reason is in words that can be sent back to the model."""


def read_answer(text: str, form: type[F]) -> F:
    """The object of `form` in `text`: the first one that fits, in a fenced block or between prose.

    Line breaks inside a JSON text are taken as they are, since models forget to escape them.

    Raises:
        UnreadableAnswer: when there is no JSON object, or none of this form; the message says what is wrong with
            the first one.
    """
    if len(text) > _MAX_CHARACTERS:
        raise UnreadableAnswer(f"the answer has {len(text)} characters, more than {_MAX_CHARACTERS}")
    first: str | None = None
    for value in _objects(text):
        try:
            return form.model_validate(value)
        except ValidationError as error:
            first = first or _what_is_wrong(error)
    raise UnreadableAnswer(first or f"the answer is no JSON object ({_why_none(text)})")


def _objects(text: str) -> Iterator[dict[str, Json]]:
    for part in (*(block.text for block in read_blocks(text)), text):
        at, tried = part.find("{"), 0
        while at >= 0 and tried < _MAX_STARTS:
            value, end = _decoded(part, at)
            if isinstance(value, dict):
                yield cast("dict[str, Json]", value)
            at, tried = part.find("{", end), tried + 1


def _decoded(text: str, at: int) -> tuple[Json, int]:
    """The JSON value that begins at `at` and where it ends; None where there is none."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at + 1


def _why_none(text: str) -> str:
    start = text.find("{")
    if start < 0:
        return "it has no opening brace"
    try:
        json.JSONDecoder(strict=False).raw_decode(text, start)
    except ValueError as error:
        return str(error)
    except RecursionError:
        return "it is nested too deeply"
    return "it holds another one inside"


def _what_is_wrong(error: ValidationError) -> str:
    """The first few faults, each with its place."""
    faults = error.errors(include_url=False, include_input=False)[:_MAX_SHOWN]
    return "; ".join(f"{'.'.join(str(part) for part in fault['loc']) or 'it'}: {fault['msg']}" for fault in faults)
