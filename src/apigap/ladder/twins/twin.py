"""The names that APIs and their parameters have in a twin of the library."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apigap.ladder.apis import named_parameters
from apigap.ladder.names import Names
from apigap.ladder.signature import Lenders
from apigap.ladder.subject import Subject
from apigap.ladder.twins.words import OtherNames
from apigap.records.candidate import Candidate

_LOOKED_UP = 5


@dataclass(frozen=True)
class Twin:
    """The name of an API in the twin, and the names that its parameters can have there, by their own."""

    name: str
    parameters: Mapping[str, str]


def twins_of(subjects: Sequence[Subject], lenders: Lenders, names: Names, seed: int) -> dict[tuple[str, str], Twin]:
    """The twin of each subject that can have one, by its name and that of its pair.

    The name of an API that is asked about as a whole is another one, which neither release has; one that is asked about
    a parameter keeps its own.
    """
    parameters = OtherNames(lenders.names_of_parameters)
    renamed = _other_apis([one.api for one in subjects if not one.is_by_parameter], names, seed)
    found: dict[tuple[str, str], Twin] = {}
    for subject in subjects:
        name = subject.api.api_name if subject.is_by_parameter else renamed.get(subject.api.api_name)
        others = _other_parameters(subject.api, parameters, seed)
        if name is not None and (others or not subject.is_by_parameter):
            found[subject.api.api_name, subject.pair.api_name] = Twin(name, others)
    return found


def _other_apis(apis: Sequence[Candidate], names: Names, seed: int) -> dict[str, str]:
    """The other name of each API: the first that no API of the library has, nor another twin."""
    words = OtherNames(names.taken)
    proposed = {
        api.api_name: [
            f"{api.api_name.rpartition('.')[0]}.{leaf}" for leaf in words.of(api.leaf, seed) if leaf not in names.taken
        ][:_LOOKED_UP]
        for api in apis
    }
    there = names.exists(sorted({name for row in proposed.values() for name in row}))
    found: dict[str, str] = {}
    for api, row in proposed.items():
        free = next((name for name in row if name not in there and name not in found.values()), None)
        if free is not None:
            found[api] = free
    return found


def _other_parameters(api: Candidate, words: OtherNames, seed: int) -> dict[str, str]:
    """Other names of the API's parameters, none of which it has or had."""
    taken = {p.name for p in api.parameters} | {change.old for change in api.changes if change.old}
    found: dict[str, str] = {}
    for parameter in named_parameters(api):
        if parameter.name in ("self", "cls") or parameter.name.startswith("_"):
            continue
        free = next((name for name in words.of(parameter.name, seed) if name not in taken), None)
        if free is not None:
            found[parameter.name] = free
            taken.add(free)
    return found
