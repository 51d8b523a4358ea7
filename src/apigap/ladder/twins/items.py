"""The items of twins: the questions about an API, with the names that it and its parameters have in the twin."""

from collections.abc import Iterator

from apigap.ladder.exists import ANSWERS, about_api, about_parameter, parameters_of
from apigap.ladder.signature import Choice, Lenders, about_parameters, choice, written_names
from apigap.ladder.subject import Subject
from apigap.ladder.twins.twin import Twin
from apigap.models.probing import signature_prompt
from apigap.records.questions.ladder import Group, LadderItem

_TWIN: dict[Group, Group] = {"new": "twin", "control": "control twin"}
_Fields = Iterator[dict[str, object]]


def twin_items(subject: Subject, twin: Twin, others: Lenders, seed: int, place: int) -> Iterator[LadderItem]:
    """The items of a subject's twin; none of a kind where what is asked about has the same name there.

    `others` lend the names of wrong options, which are other ones there as well: that a name is not what its authors
    would have chosen does not tell it. The true names are not among them.
    """
    asked = list(twin.parameters.values())
    for fields in (
        *_exists(subject, twin, others, seed, asked),
        *_parameters(subject, twin),
        *_choice(twin, others, seed, place, asked),
    ):
        yield subject.item(**{"group": _TWIN[subject.group], "twin": twin.api.api_name, "subject": twin.api.api_name,
                              **fields})  # fmt: skip


def _exists(subject: Subject, twin: Twin, lenders: Lenders, seed: int, asked: list[str]) -> _Fields:
    """The question about the other name of an API, beside whose invented one it stands; or about a parameter's."""
    library, name = twin.api.library, twin.api.api_name
    questions = [(name, about_api(library, name))]
    if subject.is_by_parameter:
        found = parameters_of(twin.api, lenders, seed, asked)
        if isinstance(found, str) or found[0] not in asked:
            return
        questions = [(f"{name}({parameter}=)", about_parameter(library, name, parameter)) for parameter in found]
    for right, (about, question) in enumerate(questions):
        yield {"rung": "exists", "form": "yes or no", "subject": about, "question": question, "options": ANSWERS,
               "right": right}  # fmt: skip


def _parameters(subject: Subject, twin: Twin) -> _Fields:
    names = written_names(twin.api)
    if names and (twin.parameters or not subject.is_by_parameter):
        asked, begun = signature_prompt(twin.api.library, twin.api.api_name)
        yield {"rung": "signature", "form": "parameters", "question": asked.content, "begin": begun.content,
               "truth": names}  # fmt: skip


def _choice(twin: Twin, lenders: Lenders, seed: int, place: int, asked: list[str]) -> _Fields:
    found = choice(twin.api, lenders, seed, place, asked)
    if not isinstance(found, Choice) or found.asked[0] not in asked:
        return
    ask = about_parameters(twin.api.library, twin.api.api_name)
    for order, options, right in found.orders():
        yield {"rung": "signature", "form": "choice", "question": ask, "options": options, "right": right,
               "order": order}  # fmt: skip
