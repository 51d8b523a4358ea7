"""A model's opinions on the failures of a results file, kept beside it; the results themselves are only read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.diagnosis.judge import MAX_TOKENS, Failure, Judgement, judge_failures
from apigap.models.extraction import extract_code
from apigap.models.model_facts import decoding_within
from apigap.models.transcripts import Transcripts
from apigap.records.result import FAILURE_LABELS, Prediction, Result
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.statistics import agreement


@dataclass(frozen=True)
class Judge:
    """The model that is asked; with `recorded`, transcripts of such a run, it is not."""

    model: str
    recorded: Path | None = None

    def opinions(self, failures: Sequence[Failure], path: Path) -> list[Judgement]:
        """What it says of each failure; its calls are kept in `path` and never made twice.

        Raises:
            ModelUnavailable: when the model cannot be reached.
            UsageError: when a recorded run is to answer what it was never asked.
        """
        decoding = decoding_within(self.model, MAX_TOKENS).model_copy(update={"stop": ()})
        with Transcripts(self.model, decoding, path, self.recorded) as transcripts:
            return judge_failures(failures, transcripts)


def judge_file(tasks_path: Path, predictions_path: Path, out: Path, judge: Judge) -> dict[str, Any]:
    """Judge the failures in `out`; opinions go to NAME.judge.jsonl beside it, calls to NAME.judge.transcripts.jsonl.

    Gives a summary: the model, how many failures, how often it says what the rules say, and kappa.
    """
    tasks = {task.task_id: task for task in load_records(tasks_path, Task)}
    answers = {prediction.task_id: prediction for prediction in load_records(predictions_path, Prediction)}
    failures = [_failure(one, tasks, answers) for one in load_records(out, Result) if one.label is not None]
    judgements = judge.opinions(failures, out.with_name(f"{out.stem}.judge.transcripts.jsonl"))
    write_records(out.with_name(f"{out.stem}.judge.jsonl"), judgements)
    return {"model": judge.model, **agreement_with_rules(judgements)}


def agreement_with_rules(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """How often the model says what the rules say; answers that cannot be read are counted apart."""
    found = agreement(((one.label, one.opinion) for one in judgements if one.opinion), FAILURE_LABELS)
    return {
        "failures": len(judgements),
        "unreadable": sum(one.opinion is None for one in judgements),
        "agreement": found.observed,
        "kappa": found.kappa,
    }


def _failure(result: Result, tasks: Mapping[str, Task], answers: Mapping[str, Prediction]) -> Failure:
    task = tasks[result.task_id]
    code = extract_code(answers[result.task_id].samples[result.sample], task.context_code).code
    return Failure(task, code, result)
