"""The base of all records on disk: frozen, strict about unknown keys, one canonical form and one hash."""

import hashlib
import json
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

Json = Any  # a value that json.loads can return


class Record(BaseModel):
    """A record on disk. Frozen; unknown keys are an error, so that a typing mistake in a file is never lost."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_line(self) -> str:
        """One line of canonical JSON: the same record gives the same bytes."""
        return canonical_json(self.model_dump(mode="json"))

    @classmethod
    def from_line(cls, line: bytes | str) -> Self:
        """The record of a line that `to_line` wrote.

        Raises:
            ValidationError: when the line is none.
        """
        try:
            return cls.model_validate_json(line)
        except ValidationError as error:
            try:  # pydantic's own parser refuses lone surrogates, which any text may hold
                value = json.loads(line)
            except (ValueError, RecursionError):
                raise error from None
            return cls.model_validate(value)


def canonical_json(value: Json) -> str:
    """JSON with sorted keys and no spare white space; lone surrogates stay escaped, so any text survives."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def content_hash(value: Json, length: int = 16) -> str:
    """The first `length` hex digits of the sha256 of `value` in canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:length]
