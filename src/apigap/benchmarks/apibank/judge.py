"""Verdicts on answers to API-Bank, in two modes."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from apigap.benchmarks.apibank.api_search import RECORDED, SearchPlan
from apigap.benchmarks.apibank.dialogues import Bank, Dialogue, Reply, Sample, Step, Task, Turn, step_turn
from apigap.benchmarks.apibank.interfaces import load_interfaces
from apigap.benchmarks.apibank.native import find_either, read_either
from apigap.benchmarks.apibank.outside import ByName, ExactReplay, Replay
from apigap.benchmarks.apibank.prompts import Protocol, offered, written
from apigap.benchmarks.apibank.scoring.corrected import Read, read_calls
from apigap.benchmarks.apibank.scoring.corrected_scorer import judge_corrected, play
from apigap.benchmarks.apibank.scoring.faults import faults_of_answer
from apigap.benchmarks.apibank.scoring.released import find_call
from apigap.benchmarks.apibank.scoring.released_scorer import Judged as JudgedCall
from apigap.benchmarks.apibank.scoring.released_scorer import judge_call, judge_step
from apigap.benchmarks.apibank.scoring.rouge import rouge_l
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import Databases, Outside, System
from apigap.benchmarks.taxonomy import label_of_call
from apigap.records.result import FailureLabel, Judged, Result
from apigap.records.sources import CodeIdentity

Mode = Literal["released", "corrected"]
_SHOWN = 200

EVALUATOR = CodeIdentity(
    (__name__,),
    {
        "apigap.benchmarks.apibank.prompts": "the words of prompts, and of gold answers",
        "apigap.models.request": "what is asked of a model",
        "apigap.packages": "downloads of embedding models",
        "apigap.retrieval.embedder": "embedding models, which a manifest names with their hashes",
        "apigap.retrieval.kept_vectors": "vectors that were computed before",
        "apigap.records.extras": "messages for packages that are not installed",
        "apigap.records.errors": "kinds of errors and their exit codes",
        "apigap.records.paths": "folders of caches",
        "apigap.records.sources": "this identity itself",
        "apigap.records.store": "files on disk",
    },
)


class ApiBankJudge:
    """The judge. `released` judges every answer alone, on a fresh system, with the published rules and their faults;
    `corrected` in the state that the dialogue has reached, see `fair`. With the protocol `native` calls may be JSON.
    `search` stands behind ToolSearcher, see `SearchPlan`.
    """

    def __init__(
        self,
        bank: Bank,
        mode: Mode = "released",
        protocol: Protocol = "text",
        search: str = RECORDED,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        self.bank = bank
        self.mode: Mode = mode
        self._find = find_call if protocol == "text" else find_either
        self.read = read_calls if protocol == "text" else read_either
        self._databases = Databases(bank.data / "init_database")
        self._outsides: dict[str, Outside] = {}
        interfaces = load_interfaces(bank.data)
        self.plan = SearchPlan(search, interfaces, mode == "corrected", announce)
        self._level_3 = self.plan.behind("level-3", ByName(PLANNING, interfaces["level-3"].get))
        self._reached: tuple[str, System] | None = None

    def score(self, task: Task, answer: str, number: int = 0) -> Result:
        """The verdict on one answer: right or wrong for a call, ROUGE-L for a reply."""
        if isinstance(task, Reply):
            return self._reply(task, answer.replace("User:", "").replace("AI:", "").strip(), task.text, number)
        if isinstance(task, Sample) and not task.is_call:
            return self._reply(task, answer, task.truth.text, number)
        truth = task.truth if isinstance(task, Sample) else step_turn(task)
        judge = self._judge_released if self.mode == "released" else self._judge_corrected
        judged = judge(task, truth, answer)
        detail = {"kind": "call", "api": truth.api_name, "category": judged.category, **judged.detail}
        detail |= {} if judged.right else self._why(task, truth, answer, judged)
        label, call = _label(judged, truth), _call_text(judged)
        return _result(task, number, judged.right, float(judged.right), label, detail, call)

    def _why(self, task: Sample | Step, truth: Turn, answer: str, judged: JudgedCall) -> dict[str, Any]:
        """The faults by name, the first as `fault`, and the API that was called in the place of the recorded one."""
        name = judged.detail.get("parsed_name", truth.api_name if "parsed_params" in judged.detail else None)
        called = None if name is None else Read(name, dict(judged.detail["parsed_params"]))
        registry = PLANNING if isinstance(task, Step) else DIALOGUE
        faults = faults_of_answer(answer, read_either(answer), called, truth, registry, offered(task))
        confused = [(truth.api_name, name[:_SHOWN])] if name is not None and name != truth.api_name else []
        return {"fault": faults[0] if faults else None, "faults": faults, "confused": confused}

    def _judge_released(self, task: Sample | Step, truth: Turn, answer: str) -> JudgedCall:
        judge = judge_step if isinstance(task, Step) else judge_call
        return judge(answer, truth.result, truth.api_name, self.system_of(task), self._find)

    def _judge_corrected(self, task: Sample | Step, truth: Turn, answer: str) -> JudgedCall:
        registry = PLANNING if isinstance(task, Step) else DIALOGUE
        return judge_corrected(answer, truth, registry, self.system_at(task), self.read)

    def system_of(self, task: Sample | Step) -> System:
        """A fresh system with the recordings of a task's dialogue."""
        outside = self._level_3 if isinstance(task, Step) else self._outside(task.dialogue)
        return System(self._databases, outside)

    def system_at(self, task: Sample | Step) -> System:
        """The system in the state before a task; the last one is kept, since answers to a task come together."""
        if self._reached is None or self._reached[0] != task.task_id:
            system = self.system_of(task)
            if isinstance(task, Step):
                play(map(step_turn, task.before), PLANNING, system)
            else:
                play(task.history, DIALOGUE, system)
            self._reached = (task.task_id, system)
        return self._reached[1]

    def gold(self, task: Task) -> str:
        """The recorded answer, written as the prompts ask for it."""
        if isinstance(task, Reply):
            return task.text
        if isinstance(task, Step):
            return written(task.api, task.arguments)
        return written(task.truth.api_name, task.truth.param_dict) if task.is_call else task.truth.text

    def _outside(self, dialogue: Dialogue) -> Outside:
        if dialogue.file not in self._outsides:
            replay = ExactReplay if self.mode == "corrected" else Replay
            recorded = replay(self.bank.dialogues, dialogue)
            self._outsides[dialogue.file] = self.plan.behind("level-1-2", recorded)
        return self._outsides[dialogue.file]

    def _reply(self, task: Task, answer: str, truth: str, number: int) -> Result:
        try:
            score, reason = rouge_l(truth, answer), None
        except ValueError as error:
            score, reason = 0.0, str(error)
        detail = {"kind": "reply", "rouge_l": score, "reason": reason}
        return _result(task, number, score > 1 - 1e-6, score, None, detail, answer)


def _label(judged: JudgedCall, truth: Turn) -> FailureLabel | None:
    """The class of a wrong call. A published rule may say no without a category: then what was called tells."""
    if judged.right:
        return None
    given = judged.detail.get("parsed_params", {})
    return label_of_call(
        judged.category or "INCORRECT",
        same_api=judged.detail.get("parsed_name", truth.api_name) == truth.api_name,
        same_arguments=_as_text(given) == _as_text(truth.param_dict),
    )


def _as_text(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Arguments without their types: an answer in text has none."""
    return {name: str(value) for name, value in arguments.items()}


def _result(
    task: Task,
    number: int,
    passed: bool,
    score: float,
    label: FailureLabel | None,
    detail: Mapping[str, Any],
    judged: str,
) -> Result:
    return Result(
        task_id=task.task_id, sample=number, outcome="pass" if passed else "fail", passed=passed, score=score,
        label=label, detail=dict(detail), evaluator=EVALUATOR.digest, seconds=0.0, judged=Judged.of(judged),
        about=task.api_name, part=part_of(task),
    )  # fmt: skip


def _call_text(judged: JudgedCall) -> str:
    """The call that was judged, as JSON; empty where there was none."""
    name = judged.detail.get("parsed_name")
    call = {"name": name, "arguments": judged.detail.get("parsed_params")}
    return "" if name is None else json.dumps(call, ensure_ascii=False, default=str)


def part_of(task: Task) -> str:
    """The level and the kind of a task, such as `level-1 calls`."""
    level = task.dialogue.level if isinstance(task, Sample) else "level-3"
    return f"{level} {'calls' if task.is_call else 'replies'}"
