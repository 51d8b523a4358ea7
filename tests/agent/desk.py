"""An agent's session with a scripted model, and steps made by hand."""

from collections.abc import Callable, Sequence
from typing import Any

from apigap.agent.session import Session, Terms
from apigap.agent.trace import Step
from apigap.models.generate import Generator
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.records.configuration import AgentBudget
from apigap.records.task import Task
from tests.records.test_task import make_task

TASK = make_task(context_code="x = 1", description="Make y.")


def budget(**bounds: Any) -> AgentBudget:
    return AgentBudget.model_validate(
        {"calls": 12, "rounds": 8, "tokens": None, "seconds": None, "dollars": None, **bounds}
    )


def terms(**changes: Any) -> Terms:
    made = Terms("all", "text", budget(), None, 1024, 0.0, 0)
    return made._replace(**changes)


def session(task: Task = TASK, **changes: Any) -> Session:
    return Session(task, 0, terms(**changes))


def answer(one: Session, text: str, **fields: Any) -> Step:
    """An answer, which the session takes."""
    step = Step(
        task_id=one.task.task_id, sample=one.sample, number=len(one.steps), round=one.spent.rounds + 1, kind="answer",
        text=text, **{"stop_reason": "stop", "input_tokens": 10, "output_tokens": 5, **fields},
    )  # fmt: skip
    one.take(step)
    return step


def blocks(*calls: tuple[str, str]) -> str:
    return "\n\n".join(f"```{tool}\n{text}\n```" for tool, text in calls)


class Scripted(Generator):
    """Answers by a rule from the messages; `asked` are the requests."""

    def __init__(self, rule: Callable[[GenerationRequest], str | Answer]) -> None:
        self.model = "mockllm/model"
        self.decoding = Decoding()
        self.rule = rule
        self.asked: list[GenerationRequest] = []

    def ask(self, requests: Sequence[Any], on_answer: Callable[[str, int, Answer], None]) -> None:
        for request in requests:
            self.asked.append(request)
            given = self.rule(request)
            on_answer(request.key, 0, given if isinstance(given, Answer) else Answer(text=given, stop_reason="stop"))
