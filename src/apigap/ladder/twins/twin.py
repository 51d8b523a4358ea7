"""The names that APIs and their parameters have in a twin of the library."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apigap.ladder.apis import named_parameters
from apigap.ladder.names import Names
from apigap.ladder.signature import Lenders, new_names
from apigap.ladder.subject import Subject
from apigap.ladder.twins.plausible import words_of
from apigap.ladder.twins.words import Beside, OtherNames
from apigap.records.base import content_hash
from apigap.records.candidate import Candidate

_LOOKED_UP = 5


@dataclass(frozen=True)
class Twin:
    """An API of a library that nobody can know: `api` under its names there, and those of its `parameters` by theirs.

    Parameters come in the order in which they are asked about.
    """

    api: Candidate
    parameters: Mapping[str, str]


def twins_of(subjects: Sequence[Subject], lenders: Lenders, names: Names, seed: int) -> dict[tuple[str, str], Twin]:
    """The twin of each subject that can have one, by its name and that of its pair.

    An API that is asked about as a whole has another name, which neither release has, and other parameters as far as
    there are names for them. Of one that is asked about a parameter only those that came have other names, of its
    control one that is drawn. What most APIs of the library have keeps its name.
    """
    words = OtherNames(lenders.names_of_old_parameters)
    renamed = _other_apis([one.api for one in subjects if not one.is_by_parameter], names, seed)
    found: dict[tuple[str, str], Twin] = {}
    for subject in subjects:
        name = subject.api.api_name if subject.is_by_parameter else renamed.get(subject.api.api_name)
        others = _other_parameters(subject, name, words, lenders, seed)
        if name is not None and (others or not subject.is_by_parameter):
            found[subject.api.api_name, subject.pair.api_name] = Twin(_renamed(subject.api, name, others), others)
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


def _other_parameters(
    subject: Subject, name: str | None, words: OtherNames, lenders: Lenders, seed: int
) -> dict[str, str]:
    """Other names of parameters, none of which the API has or had; its own one is `name` in the twin."""
    api, fresh = subject.api, new_names(subject.api)
    beside = Beside(words_of(api.leaf), words_of((name or api.leaf).rpartition(".")[2]))
    own_count = int(subject.group == "control")
    own = [p.name for p in named_parameters(api) if not (p.name.startswith("_") or lenders.is_common(p))]
    own.sort(key=lambda name: (name not in fresh, content_hash([seed, "twin", api.api_name, name])))
    taken = {p.name for p in api.parameters} | {change.old for change in api.changes if change.old}
    found: dict[str, str] = {}
    for old in own:
        free = next((other for other in words.of(old, seed, beside, own_count) if other not in taken), None)
        if free is not None and old not in ("self", "cls"):
            found[old] = free
            taken.add(free)
    if not subject.is_by_parameter:
        return found
    told = fresh if api.changes else list(found)[:1]
    return {name: other for name, other in found.items() if name in told}


def _renamed(api: Candidate, name: str, names: Mapping[str, str]) -> Candidate:
    """The API under another name, with other `names` of its parameters."""
    parameters = tuple(p.model_copy(update={"name": names.get(p.name, p.name)}) for p in api.parameters)
    changes = tuple(c.model_copy(update={"parameter": names.get(c.parameter, c.parameter)}) for c in api.changes)
    return api.model_copy(update={"api_name": name, "parameters": parameters, "changes": changes})
