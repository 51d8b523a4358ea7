"""Try a model before anything is built for it: its client, key, address and route, within seconds."""

import asyncio
import os
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from apigap.models.adapted import IN_PROCESS
from apigap.models.asking import run_apart
from apigap.models.backbones import find_backbone, provider_name
from apigap.models.failures import check_provider, innermost, load_model, reason_of, remedy_of
from apigap.models.model_facts import BATCH, LOCAL, MOCK, decoding_of
from apigap.models.registry import find_model
from apigap.records.errors import ModelUnavailable
from apigap.records.extras import install_command, is_installed
from apigap.records.model_providers import Access, access_of
from apigap.records.progress import Progress
from apigap.records.secrets import hide_in

if TYPE_CHECKING:
    from inspect_ai.model import Model

_CONNECT_SECONDS = 8.0
_ANSWER_SECONDS = 90.0
_QUESTION = "Answer with the one word ok."
_tried: set[tuple[str, int]] = set()


def try_models(models: Iterable[tuple[str | None, int | None]], progress: Progress) -> None:
    """Ask every model, given with the most tokens of its answers (None: its own), for one word; each only once a run.

    A model that is loaded on this machine is not loaded for it: what it needs must be there. A name that is None means
    nobody.

    Raises:
        ModelUnavailable: when one cannot be asked; the message says what to do next.
    """
    for model, most in models:
        if model is None or model.startswith((MOCK, BATCH)):
            continue
        tokens = most or decoding_of(model).max_tokens
        if (model, tokens) not in _tried:
            _try(model, tokens, progress)
            _tried.add((model, tokens))


def _try(model: str, max_tokens: int, progress: Progress) -> None:
    if model.startswith(LOCAL):
        find_model(model.removeprefix(LOCAL))
        return _demand(model, "xllamacpp", install_command("local"))
    if model.startswith(IN_PROCESS):
        return _demand(model, "torch", install_command("adapt"))
    name, address = provider_name(model), None
    access = access_of(name)
    if access is not None:  # what can be told without Inspect, whose import takes seconds
        _demand(model, access.module, access.install)
        address = os.environ.get(access.address or " ")
        if access.here and not address:
            return None
        if (access.needs_address and not address) or not (access.key_is_set() or access.others):
            raise ModelUnavailable(f"{model} cannot be asked{remedy_of(name)}")
        _demand_reply(model, address, access)
    check_provider(name)
    backbone = find_backbone(model)
    loaded = load_model(name, backbone.model_args() if backbone else {})
    if not address:
        _demand_reply(model, address_of(loaded), access)
    started = time.monotonic()
    run_apart(lambda: _ask(model, loaded, max_tokens, access))
    progress.note(
        f"{model} answers ({time.monotonic() - started:.1f} s); its answers may have {max_tokens} tokens, the thinking "
        "of a reasoning model included"
    )
    return None


def _demand(model: str, module: str, command: str) -> None:
    if not is_installed(module):
        raise ModelUnavailable(f"{model} needs the package {module}, which is not installed; run: {command}")


def address_of(loaded: "Model") -> str | None:
    """The address that a provider's client asks; None where it tells none."""
    api = loaded.api
    return str(getattr(api, "base_url", None) or getattr(getattr(api, "client", None), "base_url", None) or "") or None


def _demand_reply(model: str, address: str | None, access: Access | None) -> None:
    """Any reply at the address will do, an error too; a server that is not there is told in seconds."""
    import httpx2

    if address is None or not address.startswith("http"):
        return
    set_by = f" (set by {access.address})" if access and access.address and os.environ.get(access.address) else ""
    where = f"{address}{set_by}"
    remedy = "start the server, or correct the address: it is that of the API, mostly http://HOST:PORT/v1"
    try:
        httpx2.get(f"{address.rstrip('/')}/models", timeout=_CONNECT_SECONDS)
    except httpx2.TimeoutException as error:
        raise ModelUnavailable(
            f"{model}: nothing answers at {where} within {_CONNECT_SECONDS:.0f} s; {remedy}"
        ) from error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise ModelUnavailable(f"{model}: nothing answers at {where} ({hide_in(error)}); {remedy}") from error


async def _ask(model: str, loaded: "Model", max_tokens: int, access: Access | None) -> None:
    from inspect_ai.model import ChatMessageUser, GenerateConfig

    # as many tokens as an answer may have: a server that allows fewer says so now
    config = GenerateConfig(max_tokens=max_tokens, temperature=0.0, max_retries=0, max_connections=1)
    try:
        waiting = loaded.generate([ChatMessageUser(content=_QUESTION)], config=config)
        output = await asyncio.wait_for(waiting, _ANSWER_SECONDS)
    except TimeoutError as error:
        raise ModelUnavailable(
            f"{model} gave no word within {_ANSWER_SECONDS:.0f} s; wait until its server has loaded it, and run the "
            "same command again"
        ) from error
    except Exception as error:  # providers raise what they like; every one of them becomes typed
        raise ModelUnavailable(f"cannot ask {model}: {reason_of(hide_in(error))}{_next(error, access)}") from error
    if output.error or not output.choices:
        raise ModelUnavailable(f"cannot ask {model}: {output.error or 'its answer is not one of the protocol'}")
    if output.stop_reason == "model_length":
        raise ModelUnavailable(
            f"{model} has no room for answers of {max_tokens} tokens ({output.completion[:200]}); "
            "give fewer: --set generation.max_tokens=1024"
        )


def _next(error: BaseException, access: Access | None) -> str:
    """The thing to do about a status that a server gave."""
    status = getattr(innermost(error), "status_code", None)
    keys = " or ".join(access.keys) if access and access.keys else "its variable"
    address = access.address if access and access.address else "its address"
    remedies = {
        400: "; if it is about the number of tokens, give fewer: --set generation.max_tokens=1024",
        401: f"; the key in {keys} is not taken there: put the right one in the variable",
        403: f"; the key in {keys} may not ask this model: choose another one, or another key",
        404: f"; the model's name or the route is wrong: look at the name, and that {address} ends as the API's does "
        "(mostly /v1)",
        429: "; the quota is used up, or others ask with the same key: wait, or raise it there",
        503: "; the server is loading or overloaded: run the same command again in a while",
    }
    return remedies.get(status, "") if isinstance(status, int) else ""
