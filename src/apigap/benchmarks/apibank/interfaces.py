"""Interfaces of APIs as models are shown them: as published, and as JSON schemas for native tool calling."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank.glossary import INPUTS, OUTPUTS, OWN_INPUTS
from apigap.benchmarks.apibank.registry import Api, Input, Pool
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.records.errors import CorruptRecord
from apigap.records.parsing.json_shapes import is_object
from apigap.records.store import read_bytes

Interface = dict[str, Any]
"""`name`, `description`, `input_parameters` and `output_parameters` (each by name: `type` and `description`)."""
Interfaces = dict[Pool, dict[str, Interface]]
FILE = "api_specs.json"


def interface(api: Api) -> Interface:
    """An API's interface in words of our own."""
    kind, meaning = OUTPUTS[api.output]
    return {
        "name": api.name,
        "description": api.description,
        "input_parameters": {
            given.name: {"type": given.type, "description": _meaning(api, given)} for given in api.inputs
        },
        "output_parameters": {api.output: {"type": kind, "description": meaning}},
    }


def _meaning(api: Api, given: Input) -> str:
    told = OWN_INPUTS.get((api.name, given.name)) or INPUTS[given.name]
    return told if given.required else f"{told} May be left out."


def own_interfaces() -> Interfaces:
    """The interfaces of all APIs of both pools, in the registries' order."""
    return {
        registry.pool: {name: interface(api) for name, api in registry.apis.items()}
        for registry in (DIALOGUE, PLANNING)
    }


def load_interfaces(data: Path) -> Interfaces:
    """The interface texts of a data folder.

    Raises:
        CorruptRecord: when the file is not there or does not hold them.
    """
    path = data / FILE
    if not path.is_file():
        raise CorruptRecord(f"{path} is not there; give the folder of API-Bank's data with --data")
    try:
        found: Any = json.loads(read_bytes(path))
        pools: tuple[Pool, ...] = ("level-1-2", "level-3")
        for pool in pools:
            for name, told in found[pool].items():
                if not (
                    is_object(told) and isinstance(told["description"], str) and is_object(told["input_parameters"])
                ):
                    raise CorruptRecord(f"{path}: {pool}/{name} is no interface of an API; download the file again")
        return {pool: found[pool] for pool in pools}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptRecord(f"{path} holds no interfaces of APIs ({error!r}); download it again") from None


_JSON_TYPES: dict[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "list": {"type": "array"},
    "list(str)": {"type": "array", "items": {"type": "string"}},
    "dict": {"type": "object"},
}


def schema(api: Api, told: Interface | None = None) -> dict[str, Any]:
    """An API as a function for native tool calling: types and what is required from the registry, words from `told`.

    Where `told` (the interface texts of a data set) says nothing of a parameter, or is not given, our own words stand.
    """
    words: Mapping[str, Any] = (told or {}).get("input_parameters", {})

    def described(given: Input) -> dict[str, Any]:
        meaning = words.get(given.name, {}).get("description", _meaning(api, given))
        return {**_JSON_TYPES[given.type], "description": meaning}

    properties = {given.name: described(given) for given in api.inputs}
    required = [given.name for given in api.inputs if given.required]
    return {
        "name": api.name,
        "description": (told or {}).get("description", api.description),
        "parameters": {
            "type": "object", "properties": properties, "required": required, "additionalProperties": False,
        },
    }  # fmt: skip
