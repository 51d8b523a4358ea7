"""Turn what a provider raises into one error that says which model, why, and what to do."""

import os
import re
from typing import TYPE_CHECKING, Any

from apigap.models.request import StopReason
from apigap.records.errors import ApigapError, ModelUnavailable, UnknownModel
from apigap.records.extras import install_command, is_installed
from apigap.records.model_providers import access_of
from apigap.records.names import did_you_mean
from apigap.records.secrets import hide_in

if TYPE_CHECKING:
    from inspect_ai.model import Model

_TOO_LONG = re.compile(
    r"context[ _-](?:length|size|window)|maximum context|(?:prompt|input) is too long|input length|too many tokens"
    r"|exceed_context|exceeds? the (?:available )?context|longer than the (?:model|maximum)"
    r"|max(?:imum)?[ _]model[ _]len",
    re.IGNORECASE,
)
_FILTERED = re.compile(r"content[ _](?:filter|policy)|content management policy|safety|moderation", re.IGNORECASE)
GOES_ON = "what was answered before is kept, so the same command goes on from there once that is repaired"
_WRAPPERS = ("RetryError", "ModelGenerateError")
_ONLY_A_CODE = re.compile(r"Error code: \d+")
"""The whole message of OpenAI's client where a server does not put its words where the protocol has them."""
_MOST_OF_BODY = 300
_ANY_KEY = " (any word, where it wants none)"


def load_model(name: str, arguments: dict[str, Any]) -> "Model":
    """Inspect's model `name`.

    Raises:
        ModelUnavailable: when Inspect, the provider, its package or its key is missing; the message has the remedy.
    """
    try:
        from inspect_ai.model import get_model
    except ModuleNotFoundError as error:
        raise ModelUnavailable(
            f"{name} is asked through Inspect, which is not here ({error}); run: {install_command('eval')}"
        ) from error
    check_provider(name)
    try:
        return get_model(name, memoize=False, **arguments)
    except ApigapError:
        raise
    except Exception as error:  # providers raise what they like; every one of them becomes typed
        raise ModelUnavailable(f"cannot use the model {name}: {reason_of(hide_in(error))}{remedy_of(name)}") from error


def describe_failure(model: str, key: str, error: Exception) -> ApigapError:
    """The error to raise when a call for the request `key` failed for good."""
    if isinstance(error, ApigapError):
        return error
    return ModelUnavailable(f"{model} gave no answer to {key}: {reason_of(hide_in(error))}; {GOES_ON}")


def ending_of(error: Exception) -> StopReason | None:
    """`context` or `filtered` where a server refused one request for its length or content; None for any other error.

    Every server has its own words for a prompt that is too long; Inspect reads those of some.
    """
    inner = innermost(error)
    if getattr(inner, "status_code", None) not in (400, 413, 422):
        return None
    return ending_of_text(reason_of(inner))


def ending_of_text(text: str) -> StopReason | None:
    """The same of an error's words."""
    return "context" if _TOO_LONG.search(text) else "filtered" if _FILTERED.search(text) else None


def check_provider(name: str) -> None:
    """Refuse a name that is no PROVIDER/MODEL, or whose provider Inspect does not know, with an UnknownModel."""
    provider, separator, rest = name.partition("/")
    if not separator or not rest:
        raise UnknownModel(
            f"{name!r} is not the name of a model; write PROVIDER/MODEL, for example gguf/qwen2.5-coder-1.5b"
        )
    known = _providers()
    if provider not in known:
        hint = did_you_mean(provider, known, f"known are {', '.join(sorted(known))}")
        raise UnknownModel(f"no provider is named {provider!r} (in {name}); {hint}")


def remedy_of(name: str) -> str:
    """The client and the variables that the provider of `name` wants and that are not there."""
    access = access_of(name)
    if access is None:
        return ""
    if not is_installed(access.module):
        return f"; run: {access.install}"
    wanted: list[str] = []
    if access.needs_address and not os.environ.get(access.address):
        wanted.append(f"{access.address} to the address of the server's API, as http://localhost:8000/v1")
    if not access.key_is_set():
        wanted.append(f"{' or '.join(access.keys)} to its key" + _ANY_KEY * access.needs_address)
    return f"; set {', and '.join(wanted)}" if wanted else ""


def _providers() -> set[str]:
    from inspect_ai._util.entrypoints import ensure_entry_points
    from inspect_ai._util.registry import registry_find, registry_unqualified_name

    ensure_entry_points()
    return {registry_unqualified_name(info) for info in registry_find(lambda info: info.type == "modelapi")}


def innermost(error: BaseException) -> BaseException:
    """The error that the last of several tries ended with, as the provider's client raised it."""
    while type(error).__name__ in _WRAPPERS and error.__cause__:
        error = error.__cause__
    return error


def reason_of(error: BaseException) -> str:
    """The innermost message, without Inspect's colour marks, with what else the server said."""
    inner = innermost(error)
    text = str(getattr(inner, "message", "") or inner)
    if _ONLY_A_CODE.fullmatch(text) and (body := getattr(inner, "body", None)):
        text = f"{text} - {str(body)[:_MOST_OF_BODY]}"
    text = re.sub(r"\[/?(?:bold|blue|red|yellow|green|italic|dim)[^\]]*\]", "", text)
    text = " ".join(text.split()).removeprefix("ERROR: ")
    return text if type(inner).__name__ == "PrerequisiteError" else f"{type(inner).__name__}: {text}"
