"""The items of twins: the questions about an API, with the names that it and its parameters have in the twin."""

from collections.abc import Iterator

from apigap.ladder.apis import named_parameters
from apigap.ladder.exists import ANSWERS, about_api, about_parameter, parameters_of
from apigap.ladder.signature import Choice, Lenders, about_parameters, choice, new_names
from apigap.ladder.subject import Subject
from apigap.ladder.twins.twin import Twin
from apigap.models.probing import signature_prompt
from apigap.records.base import content_hash
from apigap.records.questions.ladder import Group, LadderItem, Rung

_TWIN: dict[Group, Group] = {"new": "twin", "control": "control twin"}
_FEWEST = 0.5
"""The share of its parameters that have other names in the twin of an API whose parameters are to be written."""


def twin_items(
    subject: Subject, twin: Twin, lenders: Lenders, seed: int, place: int, rung: Rung
) -> Iterator[LadderItem]:
    """The items of a subject's twin at a `rung`; none where what is asked about has the same name in it."""
    made = {"exists": _exists, "signature": _signature}
    if rung in made:
        for fields in made[rung](subject, twin, lenders, seed, place):
            yield subject.item(group=_TWIN[subject.group], twin=twin.name, rung=rung, **fields)


def _exists(subject: Subject, twin: Twin, lenders: Lenders, seed: int, place: int) -> Iterator[dict[str, object]]:
    """The question about the other name alone: that about the invented one is the same as that of the API."""
    del place
    api = subject.api
    name, question = twin.name, about_api(api.library, twin.name)
    if subject.is_by_parameter:
        found = parameters_of(api, lenders, seed)
        other = twin.parameters.get(found[0]) if not isinstance(found, str) else None
        if other is None or other == found[1]:
            return
        name, question = f"{api.api_name}({other}=)", about_parameter(api.library, api.api_name, other)
    yield {"form": "yes or no", "subject": name, "question": question, "options": ANSWERS, "right": 0}


def _signature(subject: Subject, twin: Twin, lenders: Lenders, seed: int, place: int) -> Iterator[dict[str, object]]:
    yield from _parameters(subject, twin, seed)
    found = choice(subject.api, lenders, seed, place)
    if not isinstance(found, Choice):
        return
    first, *_ = found.asked
    other = found.renamed(subject.api, _names(subject, twin, first), 1 if subject.is_by_parameter else len(found.asked))
    if other is None:
        return
    ask = about_parameters(subject.api.library, twin.name)
    for order, options, right in other.orders():
        yield {"form": "choice", "subject": twin.name, "question": ask, "options": options, "right": right,
               "order": order}  # fmt: skip


def _parameters(subject: Subject, twin: Twin, seed: int) -> Iterator[dict[str, object]]:
    """The parameters to be written: of a changed API or its control those that came, or one, have other names."""
    api = subject.api
    own = [parameter.name for parameter in named_parameters(api) if parameter.name not in ("self", "cls")]
    fresh = sorted(new_names(api) or own, key=lambda name: content_hash([seed, "written", api.api_name, name]))
    names = _names(subject, twin, next((name for name in fresh if name in twin.parameters), ""))
    if len(names) < (1 if subject.is_by_parameter else _FEWEST * len(own)) or not own:
        return
    asked, begun = signature_prompt(api.library, twin.name)
    truth = tuple(names.get(name, name) for name in own)
    yield {"form": "parameters", "subject": twin.name, "question": asked.content, "begin": begun.content,
           "truth": truth}  # fmt: skip


def _names(subject: Subject, twin: Twin, asked: str) -> dict[str, str]:
    """The other names of the parameters: all of an API that is new, else of those that came and of the one `asked`."""
    if not subject.is_by_parameter:
        return dict(twin.parameters)
    told = new_names(subject.api) | {asked}
    return {name: other for name, other in twin.parameters.items() if name in told}
