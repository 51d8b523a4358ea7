"""A model's opinions on the failures of a results file, kept beside it; the results themselves are only read."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.diagnosis.judge import MAX_TOKENS, Failure, Judgement, judge_failures
from apigap.models.model_facts import decoding_within, tokens_for
from apigap.models.request import Decoding
from apigap.models.transcripts import Transcripts
from apigap.models.trial import try_models
from apigap.records.base import Record
from apigap.records.progress import Progress
from apigap.records.result import FAILURE_LABELS, Result
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.statistics import agreement


@dataclass(frozen=True)
class Judge:
    """The model that is asked; with `recorded`, transcripts of such a run, it is not.

    `max_tokens` is the room for the trace of a model that may write one; None: its own.
    """

    model: str
    recorded: Path | None = None
    max_tokens: int | None = None

    def opinions(self, failures: Sequence[Failure], path: Path) -> list[Judgement]:
        """The opinion on each failure; the model's calls are kept in `path` and never made twice.

        Raises:
            ModelUnavailable: when the model cannot be reached.
            UsageError: when a recorded run is to answer what it was never asked.
        """
        with Transcripts(self.model, self._decoding(), path, self.recorded) as transcripts:
            return judge_failures(failures, transcripts)

    def be_tried(self, progress: Progress) -> None:
        """Answer one word, unless calls are replayed.

        Raises:
            ModelUnavailable: when the model cannot be asked; the message says what to do next.
        """
        if self.recorded is None:
            try_models([(self.model, self._decoding().max_tokens)], progress)

    def _decoding(self) -> Decoding:
        most = tokens_for(self.model, MAX_TOKENS, self.max_tokens)
        return decoding_within(self.model, most).model_copy(update={"stop": ()})


class JudgeSummary(Record):
    """The number of failures that a model was asked about, its agreement with the rules, and kappa."""

    model: str
    failures: int
    unreadable: int
    agreement: float | None
    kappa: float | None

    def __str__(self) -> str:
        """One line for people."""
        kappa = "-" if self.kappa is None else f"{self.kappa:.2f}"
        read = self.failures - self.unreadable
        return f"{self.model} on {read} of {self.failures} failures: kappa {kappa} with the rules' labels"


def judge_file(tasks: Sequence[Task], results: Path, judge: Judge) -> JudgeSummary:
    """Judge the failures in NAME.jsonl; opinions go to NAME.judge.jsonl, calls to NAME.judge.transcripts.jsonl.

    Raises:
        UsageError: when the results do not hold the code that they are about.
    """
    by_id = {task.task_id: task for task in tasks}
    failed = [result for result in load_records(results, Result) if result.label is not None]
    failures = [Failure(by_id[result.task_id], result.judged_text, result) for result in failed]
    judgements = judge.opinions(failures, results.with_name(f"{results.stem}.judge.transcripts.jsonl"))
    write_records(opinions_path(results), judgements)
    return agreement_with_rules(judge.model, judgements)


def opinions_path(results: Path) -> Path:
    """The file of the opinions on a file of results."""
    return results.with_name(f"{results.stem}.judge.jsonl")


def agreement_with_rules(model: str, judgements: Sequence[Judgement]) -> JudgeSummary:
    """The agreement of a model with the rules; answers that cannot be read are counted apart."""
    found = agreement(((one.label, one.opinion) for one in judgements if one.opinion), FAILURE_LABELS)
    return JudgeSummary(
        model=model,
        failures=len(judgements),
        unreadable=sum(one.opinion is None for one in judgements),
        agreement=found.observed,
        kappa=found.kappa,
    )
