"""Forms of the five agents' answers, as JSON objects; any answer gives one of these or a fault."""

import math
import re
from typing import Annotated, Any, TypeVar, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from apigap.apibank_generator.reasons import PRINCIPLES, Principle
from apigap.apibank_generator.records import Fault
from apigap.models.schemas.structured import UnreadableAnswer, read_answer
from apigap.models.transcripts import Call
from apigap.records.base import Json

F = TypeVar("F", bound=BaseModel)
_NOTE = 300
_DEEPEST = 20
_HALF = re.compile("[\ud800-\udfff]")


def _as_text(value: Json) -> Json:
    """Numbers may stand where a text is wanted."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _as_name(value: Json) -> Json:
    """A principle's name, however it is spelt."""
    return value.strip().lower().replace(" ", "_") if isinstance(value, str) else value


def _as_values(value: Json) -> Json:
    """Parameters may come as a mapping by name too, as the published interfaces have them."""
    if not isinstance(value, dict):
        return value
    named = cast("dict[str, Json]", value)
    return [{"name": name, **value} if isinstance(value, dict) else value for name, value in named.items()]


def _strict(value: Json) -> Json:
    """JSON as it can be kept: no infinities, nothing that is nested without end, no key with half a character."""
    _check(value, 0)
    return value


def _check(value: Json, depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError(f"it is nested more than {_DEEPEST} deep")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no JSON number")
    if isinstance(value, dict):
        for key, inner in cast("dict[str, Json]", value).items():
            if _HALF.search(key):
                raise ValueError(f"the key {key!r} has half a character")
            _check(inner, depth + 1)
    elif isinstance(value, list):
        for inner in cast("list[Json]", value):
            _check(inner, depth + 1)


Text = Annotated[str, BeforeValidator(_as_text)]

Values = Annotated[dict[str, Any], AfterValidator(_strict)]


class DomainAnswer(BaseModel):
    """One domain of agent 1."""

    name: Text
    description: Text = ""


class DomainsAnswer(BaseModel):
    """Agent 1."""

    domains: list[DomainAnswer]


class ValueAnswer(BaseModel):
    """A parameter or an output of agent 2."""

    name: Text
    type: Text
    description: Text = ""
    required: bool = True


class ApiAnswer(BaseModel):
    """One API of agent 2."""

    name: Text
    description: Text
    parameters: Annotated[list[ValueAnswer], BeforeValidator(_as_values)]
    outputs: Annotated[list[ValueAnswer], BeforeValidator(_as_values)]


class ApisAnswer(BaseModel):
    """Agent 2."""

    apis: list[ApiAnswer]


class QueryAnswer(BaseModel):
    """Agent 3."""

    apis: list[Text]
    query: Text


class CallAnswer(BaseModel):
    """One call of agent 4."""

    api: Text
    arguments: Values
    result: Values = Field(default_factory=dict)


class FollowUpAnswer(BaseModel):
    """A further turn of the user, in agent 4's answer."""

    user: Text
    calls: list[CallAnswer]
    reply: Text


class DialogueAnswer(BaseModel):
    """Agent 4."""

    calls: list[CallAnswer]
    reply: Text
    follow_up: list[FollowUpAnswer] = Field(default_factory=list[FollowUpAnswer])


class VerdictAnswer(BaseModel):
    """Agent 5. An answer that names anything but principles is no verdict, and least of all a good one.

    The reason is required and stands first, so that a model has said what it sees before it decides.
    """

    reason: Text
    broken: list[Annotated[Principle, BeforeValidator(_as_name)]]

    @property
    def broken_principles(self) -> list[Principle]:
        """The principles that are broken, in their order."""
        return [name for name in PRINCIPLES if name in self.broken]


def parse_answer(call: Call, form: type[F]) -> F | Fault:
    """The object of `form` that was answered, or the fault for which there is none."""
    if call.stop_reason in ("context", "filtered"):
        return Fault("refused", f"the answer ended with {call.stop_reason!r}")
    try:
        return read_answer(call.answer, form)
    except UnreadableAnswer as error:
        reason = "cut_off" if call.stop_reason == "length" else "unreadable"
        return Fault(reason, " ".join(str(error).split())[:_NOTE])
