"""Training examples: a prompt, as the evaluation asks it, and the answer that is wanted."""

from collections.abc import Mapping, Sequence

import numpy as np

from apigap.benchmarks.novelapi.prompting import KnowledgeOf, Prompter, from_bundles
from apigap.knowledge.conditions import SEPARATOR, render
from apigap.models.request import Message
from apigap.records.base import Record
from apigap.records.configuration import GenerationSettings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.task import Task


class Example(Record):
    """One line of a tuning set: a conversation whose last message, the assistant's, is to be learnt.

    `shown` are the APIs whose knowledge the prompt has, in order; RAFT may leave out the task's own.
    """

    task_id: str
    api_name: str
    messages: tuple[Message, ...]
    shown: tuple[str, ...] = ()


def answer_of(task: Task, *, whole_program: bool = False) -> str:
    """The answer that teaches: the missing lines as one block, or the whole reference as published (unfenced)."""
    if whole_program:
        return task.reference_solution.strip("\n")
    return f"```python\n{task.masked_region.strip(chr(10))}\n```"


def sft_examples(
    tasks: Sequence[Task],
    bundles: Mapping[str, KnowledgeBundle],
    condition: str,
    settings: GenerationSettings,
    *,
    whole_program: bool = False,
) -> list[Example]:
    """The tasks under a condition, as its oracle cell asks them; those that it has nothing to show for are left out.

    Raises:
        UsageError: when none is left.
    """
    knowledge = from_bundles(bundles, condition)
    shown = {task.task_id: (task.api_name,) if condition != "baseline" else () for task in tasks}
    return _examples(tasks, condition, knowledge, shown, settings, whole_program)


def raft_examples(
    tasks: Sequence[Task],
    bundles: Mapping[str, KnowledgeBundle],
    condition: str,
    settings: GenerationSettings,
    *,
    distractors: int,
    withheld: float,
    seed: int,
    whole_program: bool = False,
) -> list[Example]:
    """The same with `distractors` other bundles of these tasks' APIs among the own, which is left out now and then.

    Zhang et al. 2024 (arXiv:2403.10131), section 3: with probability `withheld` there are distractors alone. What a
    task is shown depends on the seed, its id and the APIs at hand alone, not on the other tasks' order.

    Raises:
        UsageError: when none is left, or there are not enough APIs to distract.
    """
    shown: dict[str, tuple[str, ...]] = {}
    asked = {task.api_name for task in tasks} & bundles.keys()
    names = sorted(name for name in asked if render(bundles[name], condition))
    if len(names) <= distractors:
        raise UsageError(f"{distractors} distractors are asked for, but only {len(names)} APIs have knowledge to show")
    for task in tasks:
        draw = np.random.default_rng([seed, int(task.task_id, 16)])
        others = [name for name in names if name != task.api_name]
        chosen = [others[int(i)] for i in draw.choice(len(others), distractors, replace=False)]
        own = [] if draw.random() < withheld or task.api_name not in names else [task.api_name]
        among = [*own, *chosen]
        shown[task.task_id] = tuple(among[int(i)] for i in draw.permutation(len(among)))

    def knowledge(task: Task) -> str | None:
        texts = (render(bundles[name], condition) for name in shown[task.task_id])
        return SEPARATOR.join(text for text in texts if text) if task.api_name in names else ""

    return _examples(tasks, condition, knowledge, shown, settings, whole_program)


def _examples(
    tasks: Sequence[Task],
    condition: str,
    knowledge: KnowledgeOf,
    shown: Mapping[str, tuple[str, ...]],
    settings: GenerationSettings,
    whole_program: bool,
) -> list[Example]:
    prompter = Prompter(settings.model_copy(update={"begin_answer": False}), condition, knowledge)
    found: list[Example] = []
    for task in filter(prompter.applies, tasks):
        answer = Message(role="assistant", content=answer_of(task, whole_program=whole_program))
        messages, apis = (*prompter.prompt(task), answer), shown[task.task_id]
        found.append(Example(task_id=task.task_id, api_name=task.api_name, messages=messages, shown=apis))
    if not found:
        raise UsageError(
            f"there is nothing to learn from: none of the {len(tasks)} tasks has knowledge to show under "
            f"{condition!r}; give tasks whose APIs have bundles"
        )
    return found
