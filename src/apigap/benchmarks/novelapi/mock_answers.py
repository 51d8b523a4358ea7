"""Answers for a run without a model: whoever is shown the documentation answers rightly, the others do nothing.

They show that a chain works from end to end; they say nothing of any model, and the model's name says so.
"""

from collections.abc import Sequence

from apigap.benchmarks.novelapi.prompting import KnowledgeOf, Prompter
from apigap.evaluation.model_pool import MakeGenerator
from apigap.models.generate import Generator, Reply
from apigap.records.configuration import GenerationSettings
from apigap.records.task import Task


def mock_reply(tasks: Sequence[Task], settings: GenerationSettings) -> Reply:
    """The answers to prompts about `tasks`, which are told apart by their prompts without knowledge."""
    nothing: KnowledgeOf = lambda task: None  # noqa: E731
    prompter = Prompter(settings, "baseline", nothing)
    plain = {"\n".join(message.content for message in prompter.prompt(task)): task for task in tasks}

    def reply(prompt: str) -> str:
        shown = (task for task in plain.values() if task.description in prompt)
        task = None if prompt in plain else next(shown, None)
        return f"```python\n{task.masked_region if task else 'pass'}\n```"

    return reply


def mock_generator(tasks: Sequence[Task], settings: GenerationSettings) -> MakeGenerator:
    """The maker of the generators of a run over `tasks` with prompts of this benchmark alone."""
    reply = mock_reply(tasks, settings)
    return lambda model, decoding: Generator(model, decoding, reply=reply)
