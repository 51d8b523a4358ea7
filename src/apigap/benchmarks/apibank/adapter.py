"""API-Bank as an adapter: its dialogues and requirements, and the released evaluator's verdicts on answers."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank.dialogues import Dialogue, Level, Sample, Step, load_dialogues, load_steps
from apigap.benchmarks.apibank.outside import ByName, Replay
from apigap.benchmarks.apibank.rouge import rouge_l
from apigap.benchmarks.apibank.tools import PLANNING
from apigap.benchmarks.apibank.verdicts import Judged, judge_call, judge_step
from apigap.benchmarks.apibank.world import Databases, System
from apigap.records.result import FailureLabel, Result
from apigap.records.sources import source_hash

LABELS: dict[str, FailureLabel] = {
    "NO_API_CALL": "WrongSyntax",
    "FAILED_PARSE_API_CALL": "WrongSyntax",
    "API_NAME_MISMATCH": "WrongAPISelection",
    "INVALID_TOOL_NAME": "WrongAPISelection",
    "INVALID_INPUT_PARAMETER": "WrongParam",
    "MISS_INPUT_ARGUMENT": "WrongParam",
    "HAS_EXCEPTION": "WrongParam",
    "INPUT_MISMATCH": "WrongParam",
    "ASSERTION_ERROR": "WrongParam",
    "TYPE_ERROR": "WrongParam",
    "OUTPUT_MISMATCH": "WrongLogic",
    "INCORRECT": "WrongLogic",
    "KEY_ERROR": "WrongLogic",
    "CRASH": "WrongLogic",
}
"""The error categories of the released evaluators in the six classes."""


def evaluator() -> str:
    """The hash of the code that judges."""
    return source_hash(Path(__file__).parent)


@dataclass(frozen=True)
class Reply:
    """A level-3 reply: the requirement's number and the recorded text."""

    sample_id: int
    text: str

    @property
    def task_id(self) -> str:
        """`level-3-SAMPLE_ID#response`."""
        return f"level-3-{self.sample_id}#response"

    @property
    def api_name(self) -> str:
        """The requirement."""
        return f"level-3-{self.sample_id}"


Task = Sample | Step | Reply


@dataclass(frozen=True)
class Bank:
    """All that can be asked, by level, in the order of the files."""

    data: Path
    dialogues: tuple[Dialogue, ...]
    steps: tuple[Step, ...]
    replies: tuple[Reply, ...]

    def tasks(self, level: Level) -> list[Task]:
        """Calls and replies of one level; truths that are a user's words are not scored."""
        if level == "level-3":
            return [*self.steps, *self.replies]
        return [
            sample
            for dialogue in self.dialogues
            if dialogue.level == level
            for sample in dialogue.samples
            if sample.truth.role != "User"
        ]


def load_bank(data: Path) -> Bank:
    """The published data in `data`.

    Raises:
        CorruptRecord: when a file is not there or does not hold what it must.
    """
    replies = tuple(Reply(step.sample_id, step.reply) for step in load_steps(data) if step.api_id == 0)
    levels: tuple[Level, ...] = ("level-1", "level-2")
    dialogues = tuple(dialogue for level in levels for dialogue in load_dialogues(data, level))
    return Bank(data, dialogues, tuple(load_steps(data)), replies)


class ApiBank:
    """The adapter in the released mode: every answer is judged alone, on a fresh system."""

    def __init__(self, bank: Bank) -> None:
        self.bank = bank
        self._databases = Databases(bank.data / "init_database")
        self._replays: dict[str, Replay] = {}
        specifications: dict[str, Any] = json.loads((bank.data / "api_specs.json").read_text("utf-8"))
        self._by_name = ByName(PLANNING, specifications["level-3"].get)

    def score(self, task: Task, answer: str, number: int = 0) -> Result:
        """The verdict on one answer: right or wrong for a call, ROUGE-L for a reply."""
        if isinstance(task, Reply):
            return self._reply(task, answer.replace("User:", "").replace("AI:", "").strip(), task.text, number)
        if isinstance(task, Step):
            judged = judge_step(answer, task.truth, task.api, System(self._databases, self._by_name))
            return _result(task, judged, task.api, number)
        if not task.is_call:
            return self._reply(task, answer, task.truth.text, number)
        system = System(self._databases, self._replay(task.dialogue))
        return _result(
            task, judge_call(answer, task.truth.result, task.truth.api_name, system), task.truth.api_name, number
        )

    def gold(self, task: Task) -> str:
        """The recorded answer, written as the prompts ask for it."""
        if isinstance(task, Reply):
            return task.text
        if isinstance(task, Step):
            return written(task.api, task.arguments)
        return written(task.truth.api_name, task.truth.param_dict) if task.is_call else task.truth.text

    def _replay(self, dialogue: Dialogue) -> Replay:
        if dialogue.file not in self._replays:
            self._replays[dialogue.file] = Replay(self.bank.dialogues, dialogue)
        return self._replays[dialogue.file]

    def _reply(self, task: Task, answer: str, truth: str, number: int) -> Result:
        try:
            score, reason = rouge_l(truth, answer), None
        except ValueError as error:
            score, reason = 0.0, str(error)
        passed = score > 1 - 1e-6
        detail = {"kind": "reply", "rouge_l": score, "reason": reason}
        return Result(
            task_id=task.task_id, sample=number, outcome="pass" if passed else "fail", passed=passed, score=score,
            label=None, detail=detail, evaluator=evaluator(), seconds=0.0,
        )  # fmt: skip


def written(name: str, arguments: Any) -> str:
    """A call as text."""
    return f"[{name}({', '.join(f'{key}={_quoted(value)}' for key, value in arguments.items())})]"


def _quoted(value: Any) -> str:
    return f"'{value}'"


def _result(task: Task, judged: Judged, api: str, number: int) -> Result:
    return Result(
        task_id=task.task_id,
        sample=number,
        outcome="pass" if judged.right else "fail",
        passed=judged.right,
        score=float(judged.right),
        label=None if judged.right else LABELS.get(judged.category or "", "WrongLogic"),
        detail={"kind": "call", "api": api, "category": judged.category, **judged.detail},
        evaluator=evaluator(),
        seconds=0.0,
    )
