"""What a model is asked about a task under one condition; no engine is needed for it."""

import ast
from collections.abc import Callable, Mapping

from apigap.knowledge.conditions import render
from apigap.models.prompts import Prompt, build_prompt
from apigap.models.request import GenerationRequest, Message
from apigap.records.configuration import GenerationSettings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.task import Task
from apigap.tasks.outline import outline

KnowledgeOf = Callable[[Task], str | None]
"""The text that a prompt shows with a task; None for no knowledge at all, empty where there should be some."""


def from_bundles(bundles: Mapping[str, KnowledgeBundle], condition: str) -> KnowledgeOf:
    """Knowledge as it is in the `bundles` (by API), without retrieval."""

    def knowledge(task: Task) -> str | None:
        if condition == "baseline":
            return None
        bundle = bundles.get(task.api_name)
        return render(bundle, condition) if bundle else ""

    return knowledge


def beginning(task: Task) -> str:
    """How an answer to `task` begins: its code block, and the outline's own words up to the first `...`.

    It says nothing that the description does not; small models repeat the context otherwise. Where the answer needs
    an import first, only the block is opened.
    """
    leaf = task.api_name.rpartition(".")[2]
    first = ast.parse(task.masked_region).body[0]
    if isinstance(first, (ast.Import, ast.ImportFrom)):
        return "```python\n"
    return f"```python\n{outline([task.masked_region], leaf).partition('...')[0].rstrip()}"


class Prompter:
    """The prompts of one condition; `knowledge` gives what they show."""

    def __init__(self, settings: GenerationSettings, condition: str, knowledge: KnowledgeOf) -> None:
        self.condition = condition
        self._settings = settings
        self._knowledge = knowledge

    def applies(self, task: Task) -> bool:
        """False where the condition has nothing to show for the task's API."""
        return self._knowledge(task) != ""

    def prompt(self, task: Task) -> tuple[Message, ...]:
        """What the model is asked.

        Raises:
            UsageError: when there is no knowledge to show under this condition (see `applies`).
        """
        return self._messages(task, self._prompt(task))

    def request(self, task: Task, name: str, samples: int, temperature: float, seed: int) -> GenerationRequest:
        """The prompt as a request with the key `task_id/name`; see `prompt`."""
        prompt = self._prompt(task)
        return GenerationRequest(
            key=f"{task.task_id}/{name}",
            prompt=self._messages(task, prompt),
            samples=samples,
            temperature=temperature,
            seed=seed,
            shared=prompt.shared,
        )

    def _messages(self, task: Task, prompt: Prompt) -> tuple[Message, ...]:
        asked = Message(role="user", content=prompt.text)
        if not self._settings.begin_answer:
            return (asked,)
        return (asked, Message(role="assistant", content=beginning(task)))

    def _prompt(self, task: Task) -> Prompt:
        knowledge = self._knowledge(task)
        if knowledge == "":
            raise UsageError(f"condition {self.condition} is empty for {task.api_name}; leave the task out of it")
        return build_prompt(
            self._settings.layout,
            context_code=task.context_code,
            description=task.description,
            knowledge=knowledge,
            library=task.library,
            version=task.version,
        )
