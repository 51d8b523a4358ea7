"""Sums of two numbers, of which the answer's first number is judged."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from apigap.evaluation.benchmark import Benchmark, Probe
from apigap.evaluation.options import Options
from apigap.evaluation.predictions import Answers
from apigap.evaluation.summary import PassRates, summarise
from apigap.models.request import GenerationRequest
from apigap.records.result import Judged, Result
from apigap.records.sources import CodeIdentity


class ToyOptions(Options):
    """How far the sums go."""

    highest: Annotated[int, Field(ge=1, description="The highest summand.")] = 3


@dataclass(frozen=True)
class Sum:
    """One task."""

    left: int
    right: int

    @property
    def task_id(self) -> str:
        """The sum itself."""
        return f"{self.left}+{self.right}"

    @property
    def api_name(self) -> str:
        """The first summand."""
        return f"from {self.left}"


class Toy(Benchmark[Sum, str]):
    """An answer passes whose first number is the sum."""

    name = "toy"
    title = "Sums of two numbers"
    options_type = ToyOptions
    evaluator = CodeIdentity(("apigap.records.result",))
    proves_itself = True

    def load(self) -> list[Sum]:
        """All sums up to the highest summand."""
        numbers = range(1, self.options.highest + 1)
        return [Sum(left, right) for left in numbers for right in numbers]

    def prompt(self, task: Sum, room: int | None = None) -> GenerationRequest:
        """The sum as a question."""
        return GenerationRequest(key=task.task_id, prompt=f"What is {task.task_id}?")

    def parse(self, response: str, task: Sum) -> str:
        """The first number."""
        found = re.search(r"\d+", response)
        return found[0] if found else ""

    def score(self, task: Sum, artifact: str, sample: int = 0) -> Result:
        """Right or wrong."""
        right = artifact == str(task.left + task.right)
        return Result(
            task_id=task.task_id, sample=sample, outcome="pass" if right else "fail", passed=right, score=float(right),
            label=None if right else "WrongLogic", detail={}, evaluator=self.evaluator.digest, seconds=0.0,
            judged=Judged.of(artifact), about=task.api_name,
        )  # fmt: skip

    def gold(self, task: Sum) -> str:
        """The sum."""
        return str(task.left + task.right)

    def probes(self, task: Sum) -> list[Probe]:
        """The sum passes, nothing and one more do not."""
        return [Probe(self.gold(task), True), Probe("", False), Probe(str(task.left + task.right + 1), False)]

    def summarise(
        self, tasks: Sequence[Sum], results: Sequence[Result], answers: Answers, answered_only: bool
    ) -> PassRates:
        """The usual rates."""
        return summarise(results, tasks)
