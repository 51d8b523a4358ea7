"""How many tokens a text has, where nobody has counted them, and how many a call will take at most."""

import functools
import json
import math

from pydantic import BaseModel

from apigap.models.request import GenerationRequest, Message
from apigap.models.transcripts import Call

BYTES_PER_TOKEN = 4
"""Of English text in UTF-8, about; used where a provider counts no tokens, and for estimates. A Chinese character has
three bytes, and about a token."""
_CAREFUL = 3
"""Fewer, so that what is set aside for a call before it is made is rather too much."""


class Sizes:
    """What calls take at most, with answers of at most `longest` tokens; it learns from those that are finished."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._ratio = 1.0

    def of(self, request: GenerationRequest, form: type[BaseModel]) -> tuple[int, int]:
        """Tokens that the call will read and write, rather too many. The schema of `form` may be sent with it."""
        return math.ceil(self._ratio * _bytes_of(request.messages(), form) / _CAREFUL), self._longest

    def learn(self, call: Call, form: type[BaseModel]) -> None:
        """Correct what is reckoned by a call that took more."""
        reckoned = _bytes_of(call.messages, form) / _CAREFUL
        self._ratio = max(self._ratio, call.input_tokens / reckoned)
        self._longest = max(self._longest, call.output_tokens)


def tokens_of(call: Call) -> tuple[int, int]:
    """Tokens read and written; estimated where the provider counts none."""
    if call.input_tokens:
        return call.input_tokens, call.output_tokens
    return sum(estimated(message.content) for message in call.messages), estimated(call.answer)


def estimated(text: str) -> int:
    """About how many tokens a text has."""
    return _size(text) // BYTES_PER_TOKEN


def _bytes_of(messages: tuple[Message, ...], form: type[BaseModel]) -> int:
    return sum(_size(message.content) for message in messages) + _schema_bytes(form)


@functools.cache
def _schema_bytes(form: type[BaseModel]) -> int:
    return _size(json.dumps(form.model_json_schema()))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
