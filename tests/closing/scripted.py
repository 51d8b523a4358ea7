"""A model in the place of a real one: it writes the reference where the text shows what it needs for that API."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from apigap.evaluation.answers import OnAnswer
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.records.task import Task

Needs = Mapping[str, Sequence[str]]
"""Texts by API, all of which must be shown."""


class Scripted:
    """Answers requests about `tasks`. Where tools are told of, it reads the page of the API first.

    `heading` is how the text about an API begins, with its name in the place of `{}`.
    """

    def __init__(self, tasks: Sequence[Task], needs: Needs, heading: str = "# {}\n") -> None:
        self.asked: list[GenerationRequest] = []
        self._tasks = tasks
        self._needs = needs
        self._heading = heading

    @property
    def make(self) -> Callable[[str, Decoding], Any]:
        """The maker of generators that a run takes."""
        return lambda model, decoding: self

    def generate(self, requests: Sequence[GenerationRequest], on_answer: OnAnswer) -> None:
        for request in requests:
            self.asked.append(request)
            text = self.text(request)
            shown = sum(len(message.content) for message in request.messages())
            on_answer(request.key, 0, Answer(text=text, stop_reason="stop", input_tokens=shown // 4, output_tokens=9))

    def text(self, request: GenerationRequest) -> str:
        said = "\n".join(message.content for message in request.messages())
        task = next(task for task in self._tasks if request.key.startswith(task.task_id))
        if "<tools>" in said and "Result of read_api" not in said:
            call = f'{{"name": "read_api", "arguments": {{"api_name": "{task.api_name}"}}}}'
            return f"<tool_call>\n{call}\n</tool_call>"
        known = self._heading.format(task.api_name) in said and all(need in said for need in self._needs[task.api_name])
        return f"```python\n{task.masked_region if known else 'pass'}\n```"

    def close(self) -> None:
        """Nothing is held."""
