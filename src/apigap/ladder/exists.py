"""Items of the rung `exists`: is there an API, or a parameter, of this name? Each goes with one that there is not.

A changed API existed before, so what is asked of it and of its control is whether it takes a parameter.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from apigap.gates.probe.items import invent
from apigap.ladder.apis import named_parameters
from apigap.ladder.signature import Lenders, new_names, other_names, place_in, telling_parameters, why_none_tells
from apigap.records.base import content_hash
from apigap.records.candidate import Candidate
from apigap.records.errors import UsageError
from apigap.records.questions.probe import ProbeItem

ANSWERS = ("Yes", "No")


def about_api(library: str, name: str) -> str:
    """The question about the name of an API."""
    return f"Does `{name}` exist in the Python library {library}?"


def about_parameter(library: str, name: str, parameter: str) -> str:
    """The question about a parameter of an API; also of one that takes any keyword and names only some."""
    return f"Does the signature of `{name}` of the Python library {library} name a parameter `{parameter}`?"


def parameters_of(api: Candidate, lenders: Lenders, seed: int, first: Sequence[str] = ()) -> tuple[str, str] | str:
    """A parameter of the API, of a changed one a new one, and one that it has not; or the reason why there is none.

    What comes first in `first` is taken where it is there.
    """
    fresh = new_names(api)
    if api.changes and not fresh:
        return "it existed before, and gained no parameter"
    own = [p for p in telling_parameters(api, lenders) if not api.changes or p.name in fresh]
    if not own:
        return why_none_tells(api)
    asked = min(own, key=lambda p: (place_in(first, p.name), content_hash([seed, "exists", api.api_name, p.name])))
    drawn = f"{seed}/exists/{api.api_name}"
    others = other_names(api, asked, lenders, drawn, 1, int(content_hash([drawn, "shorter"]), 16) % 2)
    return (asked.name, others[0]) if others else "the library has no other parameters to ask about"


def invented_names(
    asked: Sequence[Candidate],
    real: Sequence[Candidate],
    taken: set[str],
    exists: Callable[[Sequence[str]], set[str]],
    seed: int,
) -> dict[str, str]:
    """An invented name for each API, of the same kind, by the API's name; none where the library has too few names.

    It stands where the API stands, so that both differ in the last part alone.
    """
    kinds: dict[str, list[Candidate]] = {}
    for api in asked:
        kinds.setdefault(_kind(api), []).append(api)
    found: dict[str, str] = {}
    for apis in kinds.values():
        lenders = [_probed(api) for api in apis]
        try:
            made = invent(real, lenders, taken, exists, seed)
        except UsageError:
            continue
        found.update((api.api_name, item.api_name) for api, item in zip(apis, made, strict=True))
    beside = {name: f"{name.rpartition('.')[0]}.{other.rpartition('.')[2]}" for name, other in found.items()}
    there = exists(sorted(beside.values()))
    return {name: other for name, other in beside.items() if other not in there}


def _kind(api: Candidate) -> str:
    return api.kind if api.kind in ("function", "class") else "method"


def _probed(api: Candidate) -> ProbeItem:
    group: Literal["candidate", "known"] = "known" if api.change == "modified" and not api.changes else "candidate"
    names = tuple(parameter.name for parameter in named_parameters(api))
    return ProbeItem(api_name=api.api_name, group=group, kind=api.kind, parameters=names)
