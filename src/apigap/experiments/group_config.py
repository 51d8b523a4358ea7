"""Groups of libraries that are studied together: one YAML file each, the package's own and the user's over them."""

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

from packaging.utils import canonicalize_name
from pydantic import Field

from apigap.discovery.library import own_name
from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.names import did_you_mean, path_part
from apigap.records.yaml_settings.config_files import config_files, read_config

OWN_FOLDER = Path("configs") / "groups"
_NESTED = 4


class GroupConfig(Record):
    """A group: libraries, or further groups, and how its tasks are divided for training.

    `split` is `none` (every task is a test), `api` (`train_share` of the APIs of each library are for training) or
    `held_out` (the libraries of `held_out` are the test, all others for training).
    """

    name: str
    libraries: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    split: Literal["none", "api", "held_out"] = "none"
    train_share: float = Field(default=0.8, gt=0, lt=1)
    held_out: tuple[str, ...] = ()


def find_group(name: str) -> GroupConfig:
    """The group `name` (`agent_tool` and `agent-tool` are one), with the libraries of its groups in it.

    Raises:
        UsageError: when there is no such group; the message has the nearest names.
        CorruptRecord: when its file does not describe a group.
    """
    return _resolved(_find(name), _NESTED)


def group_names() -> list[str]:
    """The names of all groups, sorted."""
    return sorted(_files())


def write_group(config: GroupConfig, folder: Path = OWN_FOLDER) -> Path:
    """Write `config` as YAML into the user's own folder.

    Raises:
        UsageError: when there is a group of that name already, or it is none.
        InfrastructureError: when the folder cannot be written.
    """
    import yaml

    from apigap.records.store import write_text

    if _key(config.name) in {_key(name) for name in _files()}:
        raise UsageError(f"there is a group {config.name} already; choose another name, or edit its file")
    _resolved(config, _NESTED)
    path = folder / f"{path_part(config.name, 'a group')}.yaml"
    content = config.model_dump(mode="json", exclude={"name"}, exclude_defaults=True)
    write_text(path, yaml.safe_dump(content, sort_keys=False))
    return path


def _find(name: str) -> GroupConfig:
    files = {_key(known): (known, file) for known, file in _files().items()}
    if _key(name) not in files:
        hint = did_you_mean(name, group_names(), f"the groups are {', '.join(group_names())}")
        raise UsageError(f"no group is named {name!r}; {hint}")
    known, file = files[_key(name)]
    return read_config(file, GroupConfig, "a group", name=known)


def _resolved(config: GroupConfig, depth: int) -> GroupConfig:
    if config.groups and not depth:
        raise UsageError(f"group {config.name} is nested more than {_NESTED} deep; name its libraries instead")
    inner = [library for name in config.groups for library in _resolved(_find(name), depth - 1).libraries]
    libraries = tuple(dict.fromkeys(map(own_name, (*config.libraries, *inner))))
    held_out = tuple(map(own_name, config.held_out))
    whole = config.model_copy(update={"libraries": libraries, "groups": (), "held_out": held_out})
    _check(whole)
    return whole


def _check(config: GroupConfig) -> None:
    if not config.libraries:
        raise UsageError(f"group {config.name} has no libraries")
    own = {canonicalize_name(library) for library in config.libraries}
    strange = [library for library in config.held_out if canonicalize_name(library) not in own]
    if strange:
        raise UsageError(f"group {config.name} holds out {strange[0]}, which is none of its libraries")
    if (config.split == "held_out") != bool(config.held_out):
        raise UsageError(f"group {config.name}: the split `held_out` and the list `held_out` need each other")


def _key(name: str) -> str:
    return name.lower().replace("-", "_")


def _files() -> dict[str, Traversable]:
    """Each group's file: the package's, then $APIGAP_GROUPS, then ./configs/groups."""
    return dict(config_files("groups", OWN_FOLDER))
