"""What the code says of an answer: its first fault, or that it is right."""

from functools import cached_property
from typing import NamedTuple

from apigap.benchmarks.apibank.dialogues import LEVELS, Bank, Task, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.calls.benchmark import Calls, CallsOptions
from apigap.benchmarks.calls.queries import OWN as OWN_CALLS
from apigap.benchmarks.calls.queries import Query as CallsQuery
from apigap.benchmarks.calls.queries import load_queries
from apigap.benchmarks.calls.verdict import verdict as verdict_of_calls
from apigap.benchmarks.toolllm.queries import Query as Selection
from apigap.benchmarks.toolllm.queries import load_queries as load_selections
from apigap.benchmarks.toolllm.selection import select
from apigap.benchmarks.toolllm.verdict import verdict as verdict_of_choice
from apigap.records.configuration import load_settings
from apigap.records.result import Result
from tools.labels.answers import DATA, SETS, Answer, BenchmarkName, query_file

RIGHT = "right"
NAMELESS = "no fault"
"""What is wrong by the verdict, and has no fault by name."""


class Said(NamedTuple):
    """The first fault (`right` for a pass), and all of them."""

    first: str
    faults: tuple[str, ...]


class Code:
    """The judges of the three benchmarks; data is read when it is first needed."""

    @cached_property
    def bank(self) -> Bank:
        """API-Bank as published."""
        return load_bank(DATA / "apibank")

    @cached_property
    def tasks(self) -> dict[str, Task]:
        """The calls that API-Bank asks for, by id."""
        return {task.task_id: task for level in LEVELS for task in self.bank.tasks(level) if task.is_call}

    @cached_property
    def selections(self) -> dict[str, Selection]:
        """The queries of ToolBench by id."""
        return {query.task_id: query for query in load_selections([query_file(name) for name in SETS])}

    @cached_property
    def queries(self) -> dict[str, CallsQuery]:
        """The queries of `calls` by id."""
        return {query.task_id: query for query in load_queries(OWN_CALLS)}

    @cached_property
    def judge(self) -> ApiBankJudge:
        """The judge of API-Bank without the faults of the published rules."""
        return ApiBankJudge(self.bank, "corrected")

    @cached_property
    def _calls(self) -> Calls:
        return Calls(CallsOptions(), load_settings())

    def has(self, benchmark: BenchmarkName) -> bool:
        """Tell whether the benchmark's data is here."""
        return benchmark == "calls" or (DATA / {"apibank": "apibank", "toolllm": "toolbench"}[benchmark]).is_dir()

    def knows(self, answer: Answer) -> bool:
        """Tell whether the answer's task is here, and asks for calls."""
        if not self.has(answer.benchmark):
            return False
        if answer.benchmark == "apibank":
            return answer.task_id in self.tasks
        return answer.task_id in (self.selections if answer.benchmark == "toolllm" else self.queries)

    def says(self, answer: Answer) -> Said | None:
        """The faults of an answer; None where it was cut, and has no verdict."""
        result = self.result(answer)
        if not result.has_verdict:
            return None
        faults = tuple(result.detail.get("faults", ()))
        return Said(RIGHT if result.passed else faults[0] if faults else NAMELESS, faults)

    def result(self, answer: Answer) -> Result:
        """The verdict."""
        if answer.benchmark == "apibank":
            return self.judge.score(self.tasks[answer.task_id], answer.text)
        if answer.benchmark == "toolllm":
            query = self.selections[answer.task_id]
            return verdict_of_choice(query, select(answer.text, query))
        asked = self.queries[answer.task_id]
        return verdict_of_calls(asked, self._calls.parse(answer.text, asked), 0, answer.ended)
