"""Answers to items for a run without a model: right on unchanged APIs, and on new ones where documentation is shown.

On new ones without it the first option is chosen, as by whoever knows nothing.

They show that the ladder works from end to end, with a gap and its cure; they say nothing of any model.
"""

from collections.abc import Callable, Sequence

from apigap.benchmarks.items.asking import code_request, request_of
from apigap.models.request import GenerationRequest
from apigap.records.configuration import GenerationSettings
from apigap.records.questions.ladder import LadderItem

_UNKNOWN = "I cannot say."
_DOCUMENTED = "Documentation:\n\n"


def item_replies(items: Sequence[LadderItem], settings: GenerationSettings) -> Callable[[str], str]:
    """The answer to the last message of a prompt about one of `items`, asked for in words, letters and code."""
    new_first = sorted(items, key=lambda item: item.group == "control")
    ends = {_last_message(item): item for item in new_first if item.task is None}
    of_code = [item for item in items[::-1] if item.task is not None]
    bare = {_bare_prompt(item, settings) for item in of_code}

    def reply(prompt: str) -> str:
        item = next((item for text, item in ends.items() if prompt.endswith(text)), None)
        if item is not None:
            return _said(item, right=item.group == "control" or _DOCUMENTED in prompt)
        asked = next((one for one in of_code if one.question in prompt), None)
        if asked is None or asked.task is None:
            return _UNKNOWN
        knows = asked.group == "control" or prompt not in bare
        return f"```python\n{asked.task.masked_region if knows else 'pass'}\n```"

    return reply


def _bare_prompt(item: LadderItem, settings: GenerationSettings) -> str:
    """The whole prompt of an item that code answers, without knowledge."""
    assert item.task is not None
    request = code_request(item, item.task, "", "letters", settings, None)
    return "\n".join(message.content for message in request.messages())


def _last_message(item: LadderItem) -> str:
    """The end of the last message about an item, which is the same whatever knowledge is shown before it."""
    if item.form == "yes or no":
        return item.question
    request = request_of(item, None, "letters")
    assert isinstance(request, GenerationRequest)
    return request.messages()[-1].content


def _said(item: LadderItem, *, right: bool) -> str:
    if item.form == "value":
        return item.truth[0] if right else _UNKNOWN
    if item.right is None:
        return f"{', '.join(item.truth) if right else 'value'}):"
    place = item.right if right else 0
    return item.options[place] if item.form == "yes or no" else "ABCD"[place]
