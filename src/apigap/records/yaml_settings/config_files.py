"""Configurations that are one YAML file each: those of the package, and the user's own over them."""

import os
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from apigap.records.base import Record
from apigap.records.errors import CorruptRecord

R = TypeVar("R", bound=Record)


def config_files(kind: str, *folders: Path) -> Iterator[tuple[str, Traversable]]:
    """Name and file of each configuration of a kind (`models`, `libraries`), the file that counts last.

    They come from the package's `configs/KIND`, then from the folder in $APIGAP_KIND, then from `folders`.
    """
    own = os.environ.get(f"APIGAP_{kind.upper()}")
    named = [Path(own).expanduser()] if own else []
    for folder in (resources.files("apigap.configs") / kind, *named, *folders):
        if folder.is_dir():
            for entry in folder.iterdir():
                if entry.name.endswith(".yaml"):
                    yield entry.name.removesuffix(".yaml"), entry


def read_config(file: Traversable, record: type[R], what: str, **defaults: Any) -> R:
    """The record that a YAML file holds, with `defaults` for what it leaves out.

    Raises:
        CorruptRecord: when it describes none; `what` says to a reader what it should be.
    """
    import yaml

    try:
        content: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
        return record.model_validate({**defaults, **(content or {})})
    except (ValidationError, yaml.YAMLError, ValueError, TypeError) as error:
        raise CorruptRecord(f"{file} does not describe {what}: {error}; repair or remove it") from error
