"""The prompts about a task under one condition; no engine is needed for it."""

import ast
from collections.abc import Callable, Mapping

from apigap.knowledge.conditions import render
from apigap.models.prompts import Prompt, build_prompt
from apigap.models.request import GenerationRequest, Message
from apigap.records.configuration import GenerationSettings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.parsing.syntax import parse
from apigap.records.task import Task
from apigap.tasks.outline import outline

_END = "```"

KnowledgeOf = Callable[[Task], str | None]
"""The text that a prompt shows with a task; None for no knowledge at all, empty where there should be some."""


def from_bundles(bundles: Mapping[str, KnowledgeBundle], condition: str) -> KnowledgeOf:
    """Knowledge as it is in the `bundles` (by API), without retrieval."""

    def knowledge(task: Task) -> str | None:
        if condition == "baseline":
            return None
        shown = [(render(bundles[name], condition) or "") if name in bundles else "" for name in task.apis]
        return "\n\n".join(shown) if all(shown) else ""

    return knowledge


def beginning(task: Task) -> str:
    """The beginning of an answer to `task`: its code block, and the outline's own words up to the first `...`.

    It says nothing that the description does not; small models repeat the context otherwise. Where the answer needs
    an import first, only the block is opened.
    """
    leaf = task.api_name.rpartition(".")[2]
    first = parse(task.masked_region).body[0]
    if isinstance(first, (ast.Import, ast.ImportFrom)):
        return "```python\n"
    return f"```python\n{outline([task.masked_region], leaf).partition('...')[0].rstrip()}"


class Prompter:
    """The prompts of one condition; `knowledge` gives what they show.

    Where a prompt would have more characters than `room`, its knowledge ends at the last line that fits.
    """

    def __init__(
        self, settings: GenerationSettings, condition: str, knowledge: KnowledgeOf, room: int | None = None
    ) -> None:
        self.condition = condition
        self._settings = settings
        self._knowledge = knowledge
        self._room = room

    def applies(self, task: Task) -> bool:
        """False where the condition has nothing to show for the task's API."""
        return self._knowledge(task) != ""

    def prompt(self, task: Task) -> tuple[Message, ...]:
        """The messages to the model.

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
            tools=prompt.tools,
        )

    def _messages(self, task: Task, prompt: Prompt) -> tuple[Message, ...]:
        return prompt.messages(beginning(task) if self._settings.begin_answer else "")

    def cut(self, task: Task) -> tuple[int, int] | None:
        """The numbers of characters of the knowledge that are shown, and of all; None where all of it is."""
        whole = self._knowledge(task) or ""
        shown = self._shown(task, whole)
        return None if shown == whole else (len(shown), len(whole))

    def _prompt(self, task: Task) -> Prompt:
        knowledge = self._knowledge(task)
        if knowledge == "":
            raise UsageError(f"condition {self.condition} is empty for {task.api_name}; leave the task out of it")
        return self._build(task, knowledge and self._shown(task, knowledge))

    def _shown(self, task: Task, knowledge: str) -> str:
        over = len(self._build(task, knowledge).text) - self._room if self._room is not None and knowledge else 0
        return knowledge if over <= 0 else first_lines(knowledge, len(knowledge) - over)

    def _build(self, task: Task, knowledge: str | None) -> Prompt:
        return build_prompt(
            self._settings.layout,
            context_code=task.context_code,
            description=task.description,
            knowledge=knowledge,
            library=task.library,
            version=task.version,
        )


def first_lines(text: str, most: int) -> str:
    """As many whole lines of `text` as have `most` characters together; a block that is cut open is closed."""
    kept: list[str] = []
    used = len(_END)
    for line in text.split("\n"):
        used += len(line) + 1
        if used > most:
            break
        kept.append(line)
    opened = sum(line.startswith("```") for line in kept) % 2
    return "\n".join([*kept, _END] if opened else kept)
