"""The libraries that apigap knows by name: one YAML file each, the package's own and the user's over them."""

import re
from importlib.resources.abc import Traversable
from pathlib import Path

from packaging.utils import canonicalize_name
from pydantic import Field, field_validator

from apigap.discovery.surface import Reading
from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.names import path_part
from apigap.records.parsing.syntax import parse
from apigap.records.store import write_text
from apigap.records.yaml_settings.config_files import config_files, read_config

OWN_FOLDER = Path("configs") / "libraries"
DOMAINS = ("agent_tool", "ai4science", "data_science", "dl", "swe", "other")
_CALLED = {"pytorch": "torch"}
"""Libraries that go by another name than their distribution; on the index another one may have that."""
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


class LibraryConfig(Record):
    """Settings for reading one library.

    `distribution` is its name on the index. `companions` are further distributions whose modules belong to it, as
    after a split; they are taken as of the day of the library's release, or in the version that `NAME==VERSION` names
    where it was there on that day. `new` pins the version to look at, else it is the newest stable one. `read` says
    whether both versions run in a sandbox or are only read as text. `prepare` is Python that runs inside the sandbox
    before anything of the library is imported, for one that must be set up first. What is `large` is only read as text:
    its wheels bring gigabytes, which nothing installs unasked; a wheel of this machine is installed where it is named.
    `beside` are further distributions that its modules need to be imported, installed beside it: those of its time, of
    a large one the newest wheel of this machine, or none where there is none.
    """

    name: str
    distribution: str
    domain: str = "other"
    new: str | None = None
    companions: tuple[str, ...] = ()
    read: Reading = "runtime"
    prepare: str = ""
    large: bool = False
    beside: tuple[str, ...] = ()
    groups: tuple[str, ...] = Field(default=())

    @field_validator("name", "distribution", "companions", "beside")
    @classmethod
    def _is_a_name(cls, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
        for name in (value,) if isinstance(value, str) else value:
            if not _NAME.fullmatch(name.partition("==")[0]):
                raise ValueError(f"{name!r} cannot be a name on a package index")
        return value

    @field_validator("prepare")
    @classmethod
    def _is_python(cls, value: str) -> str:
        try:
            parse(value)
        except (SyntaxError, ValueError) as error:
            raise ValueError(f"prepare is no Python: {error}") from None
        return value


def own_name(name: str) -> str:
    """The name of a library's distribution, where it is also called otherwise (`pytorch`: `torch`); else `name`."""
    return _CALLED.get(canonicalize_name(name), name)


def find_library(name: str) -> LibraryConfig:
    """The configuration of `name` in any spelling; one with defaults for a library that has no file.

    Raises:
        UsageError: when `name` cannot be a name on an index.
        CorruptRecord: when the file does not describe a library.
    """
    name, file = own_name(name), library_file(name)
    if file is not None:
        return _read(file)
    check_name(name)
    return LibraryConfig(name=name, distribution=name)


def library_file(name: str) -> Traversable | None:
    """The file with the configuration of `name` in any spelling, where there is one."""
    return _files().get(canonicalize_name(own_name(name)))


def check_name(name: str) -> None:
    """Refuse what no library can be called.

    Raises:
        UsageError: with the name.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot be the name of a library on a package index; check the spelling")


def known_libraries() -> list[LibraryConfig]:
    """All libraries that have a file, sorted by name.

    Raises:
        CorruptRecord: when a file does not describe a library.
    """
    return [_read(file) for _, file in sorted(_files().items())]


def write_library(config: LibraryConfig, folder: Path = OWN_FOLDER) -> Path:
    """Write `config` as YAML into the user's own folder.

    Raises:
        UsageError: when there is a file of that name already.
        InfrastructureError: when the folder cannot be written.
    """
    import yaml

    path = folder / f"{path_part(config.name, 'a library')}.yaml"
    if path.exists():
        raise UsageError(f"{path} is there already; edit it, or remove it first")
    content = config.model_dump(mode="json", exclude={"name"})
    write_text(path, yaml.safe_dump({key: value for key, value in content.items() if value}, sort_keys=False))
    return path


def _files() -> dict[str, Traversable]:
    """Each library's file by its canonical name: the package's, then $APIGAP_LIBRARIES, then ./configs/libraries."""
    return {canonicalize_name(name): file for name, file in config_files("libraries", OWN_FOLDER)}


def _read(file: Traversable) -> LibraryConfig:
    name = file.name.removesuffix(".yaml")
    return read_config(file, LibraryConfig, "a library", name=name, distribution=name)
