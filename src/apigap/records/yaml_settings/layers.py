"""Settings in layers: YAML texts or mappings over one another, `key=value` over all, as plain data.

A whole group of settings may have a name: `knowledge=published` stands for all that a preset of that group says.

Values are what stands there. OmegaConf would also fill in `${...}`, from other keys and from the environment, whose
secrets could so reach a file or an address: it is refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from apigap.records.errors import UsageError

Named = Callable[[str, str], str | None]
"""The YAML text of a preset by its group and name; None of a group that has none at all."""


def plain_settings(
    layers: Sequence[tuple[str, str | Mapping[str, Any]]],
    overrides: Sequence[str],
    named: Named = lambda group, name: None,
    example: str = "gates.c2_samples=8",
) -> dict[str, Any]:
    """The layers, each with the name of where it comes from, merged in their order; `overrides` come last.

    Where a layer has a name in the place of a group, what is `named` so takes it. `example` is an override that would
    do, for whoever wrote one that would not.

    Raises:
        UsageError: for what is no YAML, no mapping or no `key=value`, and for `${...}`, naming the file and the key.
    """
    from omegaconf import OmegaConf  # a tenth of a second that most commands do not need
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError

    where = ""
    try:
        read: list[Any] = []
        for where, content in layers:
            read.append(_checked(_spelled_out(OmegaConf.create(cast("Any", content)), named), where))
        for where in overrides:
            if not where.partition("=")[1]:
                raise UsageError(f"--set {where!r} is not key=value, such as {example}")
            read.append(_checked(_spelled_out(OmegaConf.from_dotlist([where]), named), f"--set {where}"))
        merged = OmegaConf.to_container(OmegaConf.merge(*read), resolve=False)
    except (OmegaConfBaseException, YAMLError, ValueError) as error:
        raise UsageError(f"the settings in {where} cannot be read: {error}") from error
    if not isinstance(merged, dict):
        raise UsageError(f"the settings in {where} are no mapping of names to values")
    return {str(key): value for key, value in cast("dict[Any, Any]", merged).items()}


def _spelled_out(layer: Any, named: Named) -> Any:
    """The layer, with the content of a preset where it only names one."""
    from omegaconf import DictConfig, OmegaConf

    plain = OmegaConf.to_container(layer, resolve=False) if isinstance(layer, DictConfig) else {}
    for group, name in cast("dict[Any, Any]", plain).items():
        text = named(str(group), name) if isinstance(name, str) else None
        if text is not None:
            layer[group] = OmegaConf.create(text)
    return layer


def _checked(layer: Any, where: str) -> Any:
    from omegaconf import OmegaConf

    for key, text in _texts(OmegaConf.to_container(layer, resolve=False), ""):
        if "${" in text:
            raise UsageError(f"{where}: {key} holds {text!r}; write the value itself, ${{...}} is not filled in")
    return layer


def _texts(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """Every text in `value` with the key at which it stands."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, held in cast("dict[Any, Any]", value).items():
            yield f"{key}.{name}".lstrip("."), str(name)
            yield from _texts(held, f"{key}.{name}".lstrip("."))
    elif isinstance(value, list):
        for number, held in enumerate(cast("list[Any]", value)):
            yield from _texts(held, f"{key}[{number}]")
