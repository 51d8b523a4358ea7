"""Changes of one API between two versions, as a caller meets them.

Private parameters do not count, and neither does what is only written differently. Of the annotations of parameters one
change counts: that more is accepted than before.
"""

from collections.abc import Collection, Iterator

from apigap.discovery.annotations import is_widened, same_annotation
from apigap.discovery.parameters import Keyed, as_called, differences, key_by_name, parameter_text
from apigap.discovery.surface import Entry
from apigap.records.candidate import ApiKind, Change, Parameter

_DATA: set[ApiKind] = {"property", "field", "enum_member"}
_ON_THE_CLASS: set[ApiKind] = {"classmethod", "staticmethod"}
NOT_BY_ITSELF = {"return annotation changed"}
"""Changes that are reported beside others, and alone make no candidate: the call stays as it was."""


def changes_between(old: Entry, new: Entry, variables: Collection[str] = ()) -> tuple[Change, ...]:
    """The differences, in the order of the new parameters, then the rest; none where a side is unknown.

    `variables` are the dotted names in the new version's modules that are neither classes nor functions of it.

    Parameters read by different readers are not compared: a stub, a docstring and a running function tell the same
    thing differently. Of those only the names that the docstrings of both versions tell are compared.
    """
    if _call_style(old.kind) != _call_style(new.kind):
        return (Change(what="kind changed", parameter=new.leaf, old=old.kind, new=new.kind),)
    if new.kind in _DATA or old.borrowed or new.borrowed or old.parameters is None or new.parameters is None:
        return ()
    if old.facts.get("parameters") != new.facts.get("parameters"):
        return tuple(_newly_documented(old, new))
    if old.overloads or new.overloads:
        return tuple(_between_overloads(old, new))
    changes = tuple(_between(old.parameters, new.parameters, hides=new.facts.get("parameters") != "docstring"))
    return (*changes, *_widened(old.parameters, new, variables), *_return_annotation(old, new))


def _call_style(kind: ApiKind) -> str:
    """Data is read, methods are called on an instance, others on the class or the module.

    A class that became a function which makes its instances is called as before.
    """
    return "read" if kind in _DATA else "class" if kind in _ON_THE_CLASS else "method" if kind == "method" else "call"


def _between(old: tuple[Parameter, ...], new: tuple[Parameter, ...], hides: bool) -> Iterator[Change]:
    if hides and {_openness(old), _openness(new)} == {0, 2}:
        return
    before, after = key_by_name(old), key_by_name(new)
    yield from differences(before, after)


def _widened(before: tuple[Parameter, ...], new: Entry, variables: Collection[str]) -> Iterator[Change]:
    """Parameters that accept more; not where all that came is the None of a new default, which is told already."""
    known = key_by_name(before)

    def is_variable(name: str) -> bool:
        return f"{new.defined_in}.{name}" in variables

    for key, parameter in key_by_name(new.parameters or ()).items():
        old = known.get(key)
        if old is None or old.annotation is None or parameter.annotation is None:
            continue
        to_none = "None" not in (old.default, parameter.default)
        if is_widened(old.annotation, parameter.annotation, to_none=to_none, unknown=is_variable):
            what = "annotation widened"
            yield Change(what=what, parameter=parameter.name, old=old.annotation, new=parameter.annotation)


def _openness(parameters: tuple[Parameter, ...]) -> int:
    """2 for `*args, **kwargs`: a wrapper that hides what it wraps, so that naming its parameters changes nothing."""
    return len({parameter.kind for parameter in parameters} & {"var_positional", "var_keyword"})


def _return_annotation(old: Entry, new: Entry) -> Iterator[Change]:
    if old.return_type is None or new.return_type is None:
        return
    same_reader = old.facts.get("return_type") == new.facts.get("return_type")
    if same_reader and not same_annotation(old.return_type, new.return_type):
        yield Change(what="return annotation changed", parameter="return", old=old.return_type, new=new.return_type)


def _newly_documented(old: Entry, new: Entry) -> Iterator[Change]:
    """Parameters that the docstring names now and did not before; both must name some."""
    if not old.documented_names or not new.documented_names:
        return
    for parameter in map(as_called, new.parameters or ()):
        if (
            parameter.name in new.documented_names
            and parameter.name not in old.documented_names
            and parameter.kind == "keyword_only"
        ):
            yield Change(what="parameter added", parameter=parameter.name, new=parameter_text(parameter))


def _between_overloads(old: Entry, new: Entry) -> Iterator[Change]:
    """Forms that are new: each is compared with the former form that shares most with it and is no more."""
    before = [key_by_name(form) for form in old.overloads or (old.parameters or (),)]
    after = [key_by_name(form) for form in new.overloads or (new.parameters or (),)]
    gone = [form for form in before if all(any(differences(dict(form), dict(other))) for other in after)]
    fresh = [form for form in after if all(any(differences(dict(other), dict(form))) for other in before)]
    reported: set[Change] = set()
    for form in fresh:
        closest = max(gone, key=lambda other: _shared(other, form), default=None)
        found = () if closest is None else tuple(differences(closest, dict(form)))
        renamed_only = {change.what for change in found} == {"parameter renamed"}
        if closest is not None and (renamed_only or _shared(closest, form) >= 0.5):
            gone.remove(closest)
        else:
            text = ", ".join(map(parameter_text, form.values()))
            found = (Change(what="overload added", parameter=new.leaf, new=f"({text})"),)
        yield from (change for change in found if change not in reported)
        reported.update(found)


def _shared(one: Keyed, other: Keyed) -> float:
    return len(one.keys() & other.keys()) / max(1, len(one), len(other))
