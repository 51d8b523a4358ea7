"""Answers to items for a run without a model: right on unchanged APIs, and on new ones where documentation is shown.

On new ones without it the first option is chosen, as by whoever knows nothing.

They show that the ladder works from end to end, with a gap and its cure; they say nothing of any model.
"""

from collections.abc import Callable, Sequence

from apigap.benchmarks.items.asking import request_of
from apigap.models.request import GenerationRequest
from apigap.records.questions.ladder import LadderItem

_UNKNOWN = "I cannot say."
_DOCUMENTED = "Documentation:\n\n"


def item_replies(items: Sequence[LadderItem]) -> Callable[[str], str]:
    """The answer to the last message of a prompt about one of `items`, asked for in words and letters."""
    ends = {_last_message(item): item for item in items if item.group == "new"}
    ends |= {_last_message(item): item for item in items if item.group == "control"}

    def reply(prompt: str) -> str:
        found = next((text for text in ends if prompt.endswith(text)), None)
        if found is None:
            return _UNKNOWN
        item = ends[found]
        return _said(item, right=item.group == "control" or _DOCUMENTED in prompt)

    return reply


def _last_message(item: LadderItem) -> str:
    """The end of the last message about an item, which is the same whatever knowledge is shown before it."""
    if item.form == "yes or no":
        return item.question
    request = request_of(item, None, "letters")
    assert isinstance(request, GenerationRequest)
    return request.messages()[-1].content


def _said(item: LadderItem, *, right: bool) -> str:
    if item.right is None:
        return f"{', '.join(item.truth) if right else 'value'}):"
    place = item.right if right else 0
    return item.options[place] if item.form == "yes or no" else "ABCD"[place]
