"""One question to the Hugging Face hub before its own client is let loose, which tries a dead hub for minutes."""

from importlib import import_module
from pathlib import Path
from typing import Any

from apigap.records.errors import ModelUnavailable, UnknownModel

_SECONDS = 10


def where_to_look(name: str) -> dict[str, bool]:
    """Options to read a folder or a model of the hub: its files on this machine alone, where the hub is not reached.

    Raises:
        ImportError: without the hub's client.
        ModelUnavailable: when the hub has no such model, or is not reached and nothing of the model is here.
    """
    if Path(name).exists():
        return {}
    hub: Any = import_module("huggingface_hub")
    reason = _why_not(hub, name)
    if reason is None:
        return {}
    if isinstance(hub.try_to_load_from_cache(name, "config.json"), str):
        return {"local_files_only": True}
    raise ModelUnavailable(
        f"there is no folder {name}, and the hub gives no model of that name ({reason}); give a folder with config.json"
        " and weights, a name on the hub, or a model of the registry (gguf/NAME)"
    )


def _why_not(hub: Any, name: str) -> str | None:
    """The reason why nothing can be fetched of a model; None where the hub knows it."""
    if hub.constants.HF_HUB_OFFLINE:
        return "HF_HUB_OFFLINE is set"
    try:
        hub.HfApi(endpoint=hub.constants.ENDPOINT).model_info(name, timeout=_SECONDS)
    except hub.errors.HFValidationError as error:
        raise UnknownModel(f"{name} is neither a folder nor a name on the hub: {error}") from error
    except Exception as error:  # noqa: BLE001  kinds of failures differ between releases of the client
        return f"{hub.constants.ENDPOINT}: {str(error).partition(chr(10))[0]}"
    return None
