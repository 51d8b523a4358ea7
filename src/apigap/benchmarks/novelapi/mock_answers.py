"""Answers for a run without a model: whoever is shown the documentation answers rightly, the others do nothing.

They show that a chain works from end to end; they say nothing of any model, and the model's name says so.
"""

from collections.abc import Sequence

from apigap.benchmarks.novelapi.prompting import KnowledgeOf, Prompter
from apigap.models.generate import Generator, Reply
from apigap.models.request import Decoding
from apigap.records.configuration import GenerationSettings
from apigap.records.task import Task


def mock_generator(tasks: Sequence[Task], settings: GenerationSettings) -> "MakeMock":
    """The maker of the generator of a run over `tasks`."""
    nothing: KnowledgeOf = lambda task: None  # noqa: E731
    plain = Prompter(settings, "baseline", nothing)
    return MakeMock({plain.prompt(task)[0].content: task for task in tasks})


class MakeMock:
    """Makes generators that know the prompts without knowledge, by which they tell the tasks apart."""

    def __init__(self, plain: dict[str, Task]) -> None:
        self._plain = plain

    def __call__(self, model: str, decoding: Decoding) -> Generator:
        """A generator of mock answers."""
        return Generator(model, decoding, reply=self._reply())

    def _reply(self) -> Reply:
        def reply(prompt: str) -> str:
            if prompt in self._plain:
                return "```python\npass\n```"
            task = next((task for task in self._plain.values() if task.description in prompt), None)
            return f"```python\n{task.masked_region}\n```" if task else "```python\npass\n```"

        return reply
