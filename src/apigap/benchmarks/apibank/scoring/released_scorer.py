"""The released evaluator's verdict on one call of levels 1 and 2, and of level 3."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from apigap.benchmarks.apibank.calls import call
from apigap.benchmarks.apibank.errors import INVALID_ARGUMENT, INVALID_NAME, MISSING_ARGUMENT, ApiError, Refused
from apigap.benchmarks.apibank.registry import Envelope
from apigap.benchmarks.apibank.scoring.released import Found, find_call
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import System

NO_CALL = "NO_API_CALL"
Find = Callable[[str], Found | None]


@dataclass(frozen=True)
class Judged:
    """A verdict: whether the call is right, else the error's category, and what was seen on the way."""

    right: bool
    category: str | None
    detail: dict[str, Any] = field(default_factory=dict[str, Any])


def judge_call(answer: str, truth: Mapping[str, Any], name: str, system: System, find: Find = find_call) -> Judged:
    """Levels 1 and 2: the call that `find` gives of `answer` against the recorded call of `name`, on `system`."""
    found = find(answer)
    if found is None:
        return Judged(False, NO_CALL)
    seen = _seen(found, answer, name)
    if found.name != name:
        return Judged(False, "API_NAME_MISMATCH", {**seen, "message": f"API Name Mismatch: {found.name} vs {name}"})
    try:
        result = call(DIALOGUE, system, found.name, found.arguments)
    except Refused as error:
        return Judged(False, *_refusal(error, seen))
    return _compared(result, truth, name, seen)


def _seen(found: Found, answer: str, name: str) -> dict[str, Any]:
    seen: dict[str, Any] = {"parsed_params": found.arguments}
    if found.name != name:
        seen["parsed_name"] = found.name
    if found.text != answer:
        seen["matched_text"] = found.text
    return seen


def _refusal(error: Refused, seen: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The category of a call that never reached its API; another one than these two ended the original run."""
    if error.message.startswith("invalid parameter name"):
        return "INVALID_INPUT_PARAMETER", {**seen, "message": error.message, "stage": "api_call"}
    if error.kind == MISSING_ARGUMENT:
        return "MISS_INPUT_ARGUMENT", {**seen, "message": error.message, "stage": "api_call"}
    return "CRASH", {**seen, "exception_class": error.kind, "message": error.message, "stage": "api_call"}


def _compared(result: Envelope, truth: Mapping[str, Any], name: str, seen: dict[str, Any]) -> Judged:
    """The API's own rule, then the first difference that explains a no."""
    told = {**seen, "exception": result["exception"]} if result["exception"] else seen
    try:
        right = DIALOGUE.apis[name].rule(result, truth)
    except KeyError:
        return Judged(False, "KEY_ERROR", {**told, "message": "check raised KeyError"})
    except Exception as error:  # noqa: BLE001  (the published checks fail in many ways, which ended the original run)
        crash = {"exception_class": _class_of(error), "message": str(error), "stage": "check"}
        return Judged(False, "CRASH", {**seen, **crash})
    return Judged(right, None if right else _difference(result, truth), told)


def _difference(result: Envelope, truth: Mapping[str, Any]) -> str | None:
    """The first of the published categories that applies; an exception counts even where the recorded one is equal."""
    if result["exception"]:
        return "HAS_EXCEPTION"
    if result["output"] != truth["output"]:
        return "OUTPUT_MISMATCH"
    return "INPUT_MISMATCH" if result["input"] != truth["input"] else None


def _class_of(error: Exception) -> str:
    """The class that the released system raises: its own refusals have none of their own."""
    return "Exception" if isinstance(error, ApiError) else type(error).__name__


_LEVEL_3 = {INVALID_NAME: "INVALID_TOOL_NAME", INVALID_ARGUMENT: "ASSERTION_ERROR", MISSING_ARGUMENT: "TYPE_ERROR"}


def judge_step(answer: str, truth: Mapping[str, Any], name: str, system: System, find: Find = find_call) -> Judged:
    """Level 3: what was called runs, whatever its name, and the recorded API's rule decides."""
    found = find(answer)
    if found is None:
        return Judged(False, NO_CALL)
    seen: dict[str, Any] = {"parsed_name": found.name, "parsed_params": found.arguments}
    if found.text != answer:
        seen["matched_text"] = found.text
    arguments: dict[str, Any] = dict(found.arguments)
    if found.name == "ToolSearcher":
        if "keywords" not in arguments:
            return Judged(False, "CRASH", {**seen, "exception_class": "KeyError", "message": "'keywords'"})
        arguments["keywords"] = spaced(str(arguments["keywords"]))
    try:
        result = call(PLANNING, system, found.name, arguments)
    except Refused as error:
        category = _LEVEL_3.get(error.kind, "CRASH")
        told = {"exception_class": error.kind} if category == "CRASH" else {}
        return Judged(False, category, {**seen, **told, "message": error.message})
    try:
        right = PLANNING.apis[name].rule(result, truth)
    except KeyError:
        right = False
    except Exception as error:  # noqa: BLE001  (as above)
        return Judged(False, "CRASH", {**seen, "exception_class": _class_of(error), "message": str(error)})
    return Judged(right, None if right else "INCORRECT", seen)


def spaced(keywords: str) -> str:
    """A space before every capital letter, so that an API's name is searched by its words."""
    return "".join(f" {letter}" if letter.isupper() else letter for letter in keywords).strip()
