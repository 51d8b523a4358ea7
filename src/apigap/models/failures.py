"""Turn what a provider raises into one error that says which model, why, and what to do."""

import re
from typing import TYPE_CHECKING, Any

from apigap.records.errors import ApigapError, ModelUnavailable
from apigap.records.names import did_you_mean

if TYPE_CHECKING:
    from inspect_ai.model import Model


def load_model(name: str, arguments: dict[str, Any]) -> "Model":
    """Inspect's model `name`.

    Raises:
        ModelUnavailable: when Inspect, the provider, its package or its key is missing; the message has the remedy.
    """
    try:
        from inspect_ai.model import get_model
    except ModuleNotFoundError as error:
        raise ModelUnavailable(
            f"{name} is asked through Inspect, which is not here ({error}); install apigap[eval]"
        ) from error
    _check_provider(name)
    try:
        return get_model(name, memoize=False, **arguments)
    except ApigapError:
        raise
    except Exception as error:  # providers raise what they like; every one of them becomes typed
        raise ModelUnavailable(f"cannot use the model {name}: {_reason(error)}") from error


def describe_failure(model: str, key: str, error: Exception) -> ApigapError:
    """The error to raise when a call for the request `key` failed for good."""
    if isinstance(error, ApigapError):
        return error
    return ModelUnavailable(
        f"{model} gave no answer to {key}: {_reason(error)}; what was answered before is kept, "
        "so the same command goes on from there once that is repaired"
    )


def _check_provider(name: str) -> None:
    provider, separator, rest = name.partition("/")
    if not separator or not rest:
        raise ModelUnavailable(
            f"{name!r} is not the name of a model; write PROVIDER/MODEL, for example gguf/qwen2.5-coder-1.5b"
        )
    known = _providers()
    if provider not in known:
        hint = did_you_mean(provider, known, f"known are {', '.join(sorted(known))}")
        raise ModelUnavailable(f"no provider is named {provider!r} (in {name}); {hint}")


def _providers() -> set[str]:
    from inspect_ai._util.entrypoints import ensure_entry_points
    from inspect_ai._util.registry import registry_find, registry_unqualified_name

    ensure_entry_points()
    return {registry_unqualified_name(info) for info in registry_find(lambda info: info.type == "modelapi")}


def _reason(error: BaseException) -> str:
    """The innermost message, without Inspect's colour marks."""
    inner = error.__cause__ if type(error).__name__ == "RetryError" and error.__cause__ else error
    text = str(getattr(inner, "message", "") or inner)
    text = re.sub(r"\[/?(?:bold|blue|red|yellow|green|italic|dim)[^\]]*\]", "", text)
    text = " ".join(text.split()).removeprefix("ERROR: ")
    return text if type(inner).__name__ == "PrerequisiteError" else f"{type(inner).__name__}: {text}"
