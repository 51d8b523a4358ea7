"""What differs between two signatures, for somebody who calls: annotations and private parameters do not count."""

from collections.abc import Iterator

from apigap.discovery.surface import Entry
from apigap.records.candidate import Change, Parameter

_POSITIONAL = ("positional_only", "positional_or_keyword")
_VARIABLE = {"var_positional": "*", "var_keyword": "**"}


def changes_between(old: Entry, new: Entry) -> tuple[Change, ...]:
    """The differences, in the order of the new parameters, then the removed ones; none where a side is unknown.

    Parameters read by different readers are not compared: a stub and a running function tell the same thing
    differently.
    """
    if old.kind != new.kind and "property" in (old.kind, new.kind):
        return (Change(what="kind changed", parameter=new.leaf, old=old.kind, new=new.kind),)
    if old.facts.get("parameters") != new.facts.get("parameters"):
        return ()
    if old.borrowed or new.borrowed:
        return ()
    if old.parameters is None or new.parameters is None:
        return ()
    if {_openness(old.parameters), _openness(new.parameters)} == {0, 2}:
        return ()
    return tuple(_differences(_by_key(old.parameters), _by_key(new.parameters)))


def _openness(parameters: tuple[Parameter, ...]) -> int:
    """2 for `*args, **kwargs`: a wrapper that hides what it wraps, so that naming its parameters changes nothing."""
    return len({parameter.kind for parameter in parameters} & set(_VARIABLE))


def _by_key(parameters: tuple[Parameter, ...]) -> dict[str, Parameter]:
    """Public parameters under the name that a caller could use: a place, a keyword, or a star."""
    keyed: dict[str, Parameter] = {}
    for place, parameter in enumerate(map(_as_called, parameters)):
        star = _VARIABLE.get(parameter.kind)
        if star is None and parameter.kind != "positional_only" and parameter.name.startswith("_"):
            continue
        keyed[star or (f"#{place}" if parameter.kind == "positional_only" else parameter.name)] = parameter
    return keyed


def _as_called(parameter: Parameter) -> Parameter:
    """PEP 484: before there was a `/`, two leading underscores made a parameter positional-only."""
    by_convention = parameter.kind == "positional_or_keyword" and parameter.name.startswith("__")
    return parameter.model_copy(update={"kind": "positional_only"}) if by_convention else parameter


def _differences(old: dict[str, Parameter], new: dict[str, Parameter]) -> Iterator[Change]:
    _match_places(old, new)
    for key, parameter in new.items():
        if key in old:
            yield from _one_parameter(old[key], parameter)
        else:
            yield Change(what="parameter added", parameter=parameter.name, new=_shown(parameter))
    for key, parameter in old.items():
        if key not in new:
            yield Change(what="parameter removed", parameter=parameter.name, old=_shown(parameter))
    yield from _reordered(old, new)


def _match_places(old: dict[str, Parameter], new: dict[str, Parameter]) -> None:
    """A parameter that is positional-only on one side only is known by its name on both."""
    for one, other in ((old, new), (new, old)):
        for key, parameter in list(one.items()):
            if key.startswith("#") and key not in other and parameter.name in other:
                _rename(one, key, parameter.name)


def _rename(keyed: dict[str, Parameter], key: str, name: str) -> None:
    renamed = {name if other == key else other: parameter for other, parameter in keyed.items()}
    keyed.clear()
    keyed.update(renamed)


def _one_parameter(old: Parameter, new: Parameter) -> Iterator[Change]:
    if old.kind != new.kind:
        yield Change(what="kind changed", parameter=new.name, old=old.kind, new=new.kind)
    if old.required != new.required:
        what = "became required" if new.required else "became optional"
        yield Change(what=what, parameter=new.name, old=old.default, new=new.default)
    elif old.default != new.default and not (_is_opaque(old.default) and _is_opaque(new.default)):
        yield Change(what="default changed", parameter=new.name, old=old.default, new=new.default)


def _is_opaque(default: str | None) -> bool:
    """A sentinel without a readable form: another one of it means the same to a caller."""
    return default is None or default.startswith("<")


def _reordered(old: dict[str, Parameter], new: dict[str, Parameter]) -> Iterator[Change]:
    was = [key for key, parameter in old.items() if parameter.kind in _POSITIONAL and key in new]
    now = [key for key, parameter in new.items() if parameter.kind in _POSITIONAL and key in old]
    if was != now and sorted(was) == sorted(now):
        first = next(key for key, other in zip(now, was, strict=True) if key != other)
        yield Change(what="parameters reordered", parameter=new[first].name, old=", ".join(was), new=", ".join(now))


def _shown(parameter: Parameter) -> str:
    """How a signature would show the parameter, without its annotation."""
    name = _VARIABLE.get(parameter.kind, "") + parameter.name
    return name if parameter.default is None else f"{name}={parameter.default}"
