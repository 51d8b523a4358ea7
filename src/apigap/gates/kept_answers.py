"""Answers of solvers that are kept with a tasks file, with the verdict that each must get whenever it is judged again.

A solver saw a printed prompt and nothing else. What passed is a right answer that no later change of the judge or of
the task may refuse; what was refused was read, and `why` says what is wrong with it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from pydantic import model_validator

from apigap.records.base import Record
from apigap.records.result import Outcome
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial


class KeptAnswer(Record):
    """One answer: who gave it, on which day, to the prompt with this hash and under this condition.

    `outcome` is the verdict that it must get. One that does not pass says `why` that is right, as a person read it.
    """

    task_id: str
    solver: str
    day: str
    condition: str
    prompt: str
    code: str
    outcome: Outcome
    why: str | None = None

    @model_validator(mode="after")
    def _is_read(self) -> Self:
        if self.outcome != "pass" and not self.why:
            raise ValueError(f"an answer to {self.task_id} is refused, and nobody says why that is right")
        return self


@dataclass(frozen=True)
class Replayed:
    """A kept answer that was judged again."""

    task: Task
    answer: KeptAnswer
    outcome: Outcome
    reason: str

    @property
    def problem(self) -> str | None:
        """The fault where the verdict is not the one that is kept."""
        if self.outcome == self.answer.outcome:
            return None
        named = f"{self.task.api_name} ({self.task.task_id}), answer of {self.answer.solver}"
        return f"{named}: {self.outcome} and not {self.answer.outcome} ({self.reason})"


def replay(
    tasks: Sequence[Task],
    answers: Sequence[KeptAnswer],
    engine: Engine,
    environment: Environment,
    preload: Sequence[str],
) -> list[Replayed]:
    """Judge the answers to `tasks`, which are of one release; those to other tasks are left out."""
    known = {task.task_id: task for task in tasks}
    rows = [(known[answer.task_id], answer) for answer in answers if answer.task_id in known]
    verdicts = judge_trials(engine, environment, [Trial(task, one.code) for task, one in rows], preload=preload)
    return [
        Replayed(task, answer, verdict.outcome, str(verdict.detail.get("reason")))
        for (task, answer), verdict in zip(rows, verdicts, strict=True)
    ]


def counted(replayed: Sequence[Replayed]) -> dict[str, dict[str, int]]:
    """Per solver and condition the outcomes, such as `{"blind solver 1, full": {"pass": 20}}`."""
    found: dict[str, Counter[str]] = {}
    for one in replayed:
        found.setdefault(f"{one.answer.solver}, {one.answer.condition}", Counter())[one.outcome] += 1
    return {name: dict(sorted(row.items())) for name, row in sorted(found.items())}
