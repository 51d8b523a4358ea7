"""Read the JSON object that a model was asked for out of what it wrote; any text gives an object or a reason."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from apigap.models.fences import read_blocks
from apigap.models.traces import without_trace
from apigap.records.base import Json
from apigap.records.parsing.json_shapes import is_object

F = TypeVar("F", bound=BaseModel)

_MAX_CHARACTERS = 100_000
_MAX_STARTS = 20
_MAX_DECISIONS = 200
_MAX_SHOWN = 3
_FIRST_NAME = re.compile(r'\{\s*+"([^"\\]{1,40})"')


class UnreadableAnswer(ValueError):
    """An answer does not hold what was asked for; the reason is in words that can be sent back to the model."""


def read_answer(text: str, form: type[F]) -> F:
    """The object of `form` in `text`: the first one that fits, in a fenced block or between prose.

    Line breaks inside a JSON text are taken as they are, since models forget to escape them. Reasoning before the
    answer is left out.

    Raises:
        UnreadableAnswer: when there is no JSON object, or none of this form; the message says what is wrong with
            the first one.
    """
    text = _answered(text)
    first: str | None = None
    for value in _objects(text):
        try:
            return form.model_validate(value)
        except ValidationError as error:
            first = first or _what_is_wrong(error)
    raise UnreadableAnswer(first or f"the answer is no JSON object ({_why_none(text)})")


def read_every(text: str, form: type[F]) -> list[F]:
    """All objects of `form` in `text`, for a decision that must not be taken from an object that was only quoted.

    Objects without a required field of `form` are passed over.

    Raises:
        UnreadableAnswer: when there is none; when one that has a required field is not whole, names a field twice or
            does not fit; when there are more braces than are looked at.
    """
    text = _answered(text)
    required = {name for name, field in form.model_fields.items() if field.is_required()}
    found: list[F] = []
    at, tried = text.find("{"), 0
    while at >= 0:
        tried += 1
        if tried > _MAX_DECISIONS:
            raise UnreadableAnswer(f"the answer has more than {_MAX_DECISIONS} opening braces")
        value, end = _decoded(text, at, _WITHOUT_DOUBLES)
        if value is None:
            opened = _FIRST_NAME.match(text, at)
            if opened and _folded(opened[1]) in required:
                raise UnreadableAnswer(f"an object with `{opened[1]}` is no JSON, or names a field twice")
        elif is_object(value) and required & {_folded(name) for name in value}:
            try:
                found.append(form.model_validate(value))
            except ValidationError as error:
                raise UnreadableAnswer(_what_is_wrong(error)) from None
        at = text.find("{", end)
    if not found:
        raise UnreadableAnswer(f"the answer is no JSON object ({_why_none(text)})")
    return found


def _answered(text: str) -> str:
    """The answer without the reasoning before it.

    Raises:
        UnreadableAnswer: when it is too long to be read.
    """
    if len(text) > _MAX_CHARACTERS:
        raise UnreadableAnswer(f"the answer has {len(text)} characters, more than {_MAX_CHARACTERS}")
    return without_trace(text)


def _folded(name: str) -> str:
    return name.strip().casefold()


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


_ANY_NAMES = json.JSONDecoder(strict=False)
_WITHOUT_DOUBLES = json.JSONDecoder(strict=False, object_pairs_hook=_each_once)


def _objects(text: str) -> Iterator[dict[str, Json]]:
    for part in (*(block.text for block in read_blocks(text)), text):
        at, tried = part.find("{"), 0
        while at >= 0 and tried < _MAX_STARTS:
            value, end = _decoded(part, at)
            if isinstance(value, dict):
                yield cast("dict[str, Json]", value)
            at, tried = part.find("{", end), tried + 1


def _decoded(text: str, at: int, decoder: json.JSONDecoder = _ANY_NAMES) -> tuple[Json, int]:
    """The JSON value that begins at `at` and where it ends; None where there is none."""
    try:
        return decoder.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at + 1


def _why_none(text: str) -> str:
    start = text.find("{")
    if start < 0:
        return "it has no opening brace"
    try:
        _ANY_NAMES.raw_decode(text, start)
    except ValueError as error:
        return str(error)
    except RecursionError:
        return "it is nested too deeply"
    return "it holds another one inside"


def _what_is_wrong(error: ValidationError) -> str:
    """The first few faults, each with its place."""
    faults = error.errors(include_url=False, include_input=False)[:_MAX_SHOWN]
    return "; ".join(f"{'.'.join(str(part) for part in fault['loc']) or 'it'}: {fault['msg']}" for fault in faults)
