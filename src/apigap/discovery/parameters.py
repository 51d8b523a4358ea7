"""The parameters of two versions side by side, each under the name that a caller could use."""

import re
from collections.abc import Iterator

from apigap.discovery.annotations import same_annotation
from apigap.discovery.values import same_value
from apigap.records.candidate import Change, Parameter

Keyed = dict[str, Parameter]
_POSITIONAL = ("positional_only", "positional_or_keyword")
_VARIABLE = {"var_positional": "*", "var_keyword": "**"}
_NAMELESS = re.compile(r"arg\d+$")
"""The name that Boost gives a parameter that its author gave no name."""


def key_by_name(parameters: tuple[Parameter, ...]) -> Keyed:
    """Public parameters under the name that a caller could use: a place, a keyword, or a star."""
    keyed: Keyed = {}
    for place, parameter in enumerate(map(as_called, parameters)):
        star = _VARIABLE.get(parameter.kind)
        if star is None and parameter.kind != "positional_only" and parameter.name.startswith("_"):
            continue
        keyed[star or (f"#{place}" if parameter.kind == "positional_only" else parameter.name)] = parameter
    return keyed


def as_called(parameter: Parameter) -> Parameter:
    """PEP 484: before there was a `/`, two leading underscores made a parameter positional-only."""
    by_convention = parameter.kind == "positional_or_keyword" and parameter.name.startswith("__")
    return parameter.model_copy(update={"kind": "positional_only"}) if by_convention else parameter


def parameter_text(parameter: Parameter) -> str:
    """The parameter as a signature shows it, without its annotation."""
    name = _VARIABLE.get(parameter.kind, "") + parameter.name
    return name if parameter.default is None else f"{name}={parameter.default}"


def differences(old: Keyed, new: Keyed) -> Iterator[Change]:
    """The changes from `old` to `new`, in the order of the new parameters, then the removed ones, then the order."""
    old, new = dict(old), dict(new)
    _match_places(old, new)
    renamed = _match_renamed(old, new)
    for key, parameter in new.items():
        if key in renamed:
            yield Change(what="parameter renamed", parameter=key, old=renamed[key], new=key)
        elif key in old:
            yield from _one_parameter(old[key], parameter)
        else:
            yield Change(what="parameter added", parameter=parameter.name, new=parameter_text(parameter))
    for key, parameter in old.items():
        if key not in new:
            yield Change(what="parameter removed", parameter=parameter.name, old=parameter_text(parameter))
    yield from _reordered(old, new)


def _match_places(old: Keyed, new: Keyed) -> None:
    """A parameter that is positional-only on one side only is known by its name on both; nameless, by its place."""
    for one, other in ((old, new), (new, old)):
        for key, parameter in list(one.items()):
            if not key.startswith("#") or key in other:
                continue
            place = int(key[1:])
            name = parameter.name.lstrip("_")
            if _NAMELESS.match(name) and place < len(other):
                name = list(other)[place]
            if name in other and name not in one:
                _rename(one, key, name)


def _match_renamed(old: Keyed, new: Keyed) -> dict[str, str]:
    """{new name: old name} of parameters at the same place that are alike but for the name; `old` gets the new ones."""
    found: dict[str, str] = {}
    before, after = list(old), list(new)
    for was, now in zip(before, after, strict=False):
        if was in new or now in old or was[0] in "#*" or now[0] in "#*":
            continue
        one, other = old[was], new[now]
        alike = one.kind == other.kind == "positional_or_keyword" and one.required == other.required
        if alike and same_value(one.default, other.default) and _same_type(one, other):
            found[now] = was
            _rename(old, was, now)
    return found


def _same_type(one: Parameter, other: Parameter) -> bool:
    """Check that no annotation contradicts equal types."""
    return one.annotation is None or other.annotation is None or same_annotation(one.annotation, other.annotation)


def _rename(keyed: Keyed, key: str, name: str) -> None:
    renamed = {name if other == key else other: parameter for other, parameter in keyed.items()}
    keyed.clear()
    keyed.update(renamed)


def _one_parameter(old: Parameter, new: Parameter) -> Iterator[Change]:
    nameless = _NAMELESS.match(old.name) or _NAMELESS.match(new.name)
    if old.kind != new.kind and not nameless:
        narrowed = (old.kind, new.kind) == ("positional_or_keyword", "keyword_only")
        what = "became keyword-only" if narrowed else "kind changed"
        yield Change(what=what, parameter=new.name, old=old.kind, new=new.kind)
    if old.required != new.required:
        what = "became required" if new.required else "became optional"
        yield Change(what=what, parameter=new.name, old=old.default, new=new.default)
    elif not same_value(old.default, new.default):
        yield Change(what="default changed", parameter=new.name, old=old.default, new=new.default)


def _reordered(old: Keyed, new: Keyed) -> Iterator[Change]:
    was = [key for key, parameter in old.items() if parameter.kind in _POSITIONAL and key in new]
    now = [key for key, parameter in new.items() if parameter.kind in _POSITIONAL and key in old]
    if was != now and sorted(was) == sorted(now):
        first = next(key for key, other in zip(now, was, strict=True) if key != other)
        yield Change(what="parameters reordered", parameter=new[first].name, old=", ".join(was), new=", ".join(now))
