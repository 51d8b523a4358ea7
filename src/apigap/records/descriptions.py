"""Descriptions in YAML of things that have a name: one file each, the package's own and the user's over them."""

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from apigap.records.base import Record
from apigap.records.errors import CorruptRecord

R = TypeVar("R", bound=Record)


def yaml_files(packaged: str, *own: str | Path | None) -> dict[str, Traversable]:
    """The YAML files in the package's `configs/PACKAGED` by name, then those of the user's `own` folders, which win."""
    folders: list[Traversable] = [resources.files("apigap.configs") / packaged]
    folders += [Path(folder).expanduser() for folder in own if folder]
    entries = [entry for folder in folders if folder.is_dir() for entry in folder.iterdir()]
    return {entry.name.removesuffix(".yaml"): entry for entry in entries if entry.name.endswith(".yaml")}


def read_description(file: Traversable, kind: type[R], noun: str, **defaults: str) -> R:
    """The record in a YAML file, with `defaults` for the fields that it leaves out; `noun` names such a thing.

    Raises:
        CorruptRecord: when the file holds something else.
    """
    import yaml

    try:
        content: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
        return kind.model_validate({**defaults, **(content or {})})
    except (ValidationError, yaml.YAMLError, ValueError, TypeError) as error:
        raise CorruptRecord(f"{file} does not describe {noun}: {error}; repair or remove it") from error
