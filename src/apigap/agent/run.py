"""A cell of agents: all samples go on together, round by round; every answer and every call is kept as it comes.

A run that is started again replays the steps that it has, so one that was killed, also in the middle of a call, loses
nothing but that call. A folder of requests and answers (`batch/FOLDER`) is asked for a whole round at a time.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from apigap.agent.predictions import prediction_of
from apigap.agent.session import Session, Terms
from apigap.agent.tools import make_call
from apigap.agent.trace import Step, digest_of
from apigap.agent.workplace import Workplace
from apigap.benchmarks.novelapi.cells import PREDICTIONS
from apigap.evaluation.answers import Ask
from apigap.models.request import Answer, GenerationRequest
from apigap.models.spending.cell_cost import AnswerTime, times_path
from apigap.models.transcripts import estimated_tokens
from apigap.records.base import content_hash
from apigap.records.errors import AnswersAwaited, UsageError
from apigap.records.manifest import Stage
from apigap.records.progress import Progress
from apigap.records.result import Prediction
from apigap.records.store import Journal, load_records, write_records
from apigap.records.task import Task

STEPS = "steps.jsonl"


class AgentCell:
    """The agents of one cell on `tasks`, in `folder`: steps.jsonl is their trace, predictions.jsonl what they gave."""

    def __init__(
        self, folder: Path, tasks: Sequence[Task], samples: int, terms: Terms, workplace: Workplace | None, workers: int
    ) -> None:
        self._folder = folder
        self._tasks = tasks
        self._samples = samples
        self._terms = terms
        self._workplace = workplace
        self._workers = workers
        self._lock = threading.Lock()

    def run(self, ask: Ask, made_from: dict[str, Any], progress: Progress) -> None:
        """Go on until every sample is over; then write what they gave.

        Raises:
            UsageError: when the folder was made from something else.
            ModelUnavailable: when the model cannot be asked; all steps so far are kept.
            AnswersAwaited: when the model is a folder that lacks answers; the requests of all samples are written.
            EnvironmentFailure, InfrastructureError: when a release or the sandbox cannot be used.
        """
        asked = content_hash([task.task_id for task in self._tasks])
        files = (self._folder / PREDICTIONS, self._folder / STEPS)
        stage = Stage(self._folder / "predictions.manifest.json", "agents", made_from, files=files)
        if stage.complete and stage.manifest.counts.get("tasks") == asked:
            return
        step = progress.step(f"agents with {self._terms.tools}")
        with Journal(self._folder / STEPS, Step) as journal:
            sessions = self._sessions(journal.done)
            self._go_on(sessions, journal, ask, lambda: step(_over(sessions), len(sessions)))
            journal.finish(lambda one: (one.task_id, one.sample, one.number))
        self._write(sessions)
        ends = [str(session.over) for session in sessions]
        counts = {"tasks": asked, "predictions": len(self._tasks), "not applicable": 0}
        stage.finish({**counts, "ended": {name: ends.count(name) for name in sorted(set(ends))}})

    def finished(self) -> list[Session]:
        """The sessions of a cell that has been answered in full.

        Raises:
            UsageError: when the trace is not whole.
        """
        sessions = self._sessions(load_records(self._folder / STEPS, Step))
        for session in sessions:
            session.request()  # which notices the end of a budget
        if _over(sessions) < len(sessions):
            raise UsageError(f"{self._folder / STEPS} is not whole; the step `run` goes on with it")
        return sessions

    def _sessions(self, recorded: Iterable[Step]) -> list[Session]:
        """A session per sample, brought to where its recorded steps end."""
        samples = [(task, number) for task in self._tasks for number in range(self._samples)]
        found = {(task.task_id, number): Session(task, number, self._terms) for task, number in samples}
        for step in sorted(recorded, key=lambda one: one.number):
            session = found.get(step.key)  # steps of other tasks stay in the file
            if session is not None:
                _demand_fits(session, step, self._folder / STEPS)
                session.take(step)
        return list(found.values())

    def _go_on(self, sessions: Sequence[Session], journal: Journal[Step], ask: Ask, tell: Any) -> None:
        awaited: AnswersAwaited | None = None
        while True:
            self._make_calls(sessions, journal)
            tell()
            requests = {r.key: (session, r) for session in sessions if (r := session.request()) is not None}
            if not requests:
                return tell()
            before = len(journal.done)
            try:
                ask([request for _, request in requests.values()], self._taking(requests, journal))
            except AnswersAwaited as error:  # whoever was answered goes on, so that all that waits is in one file
                awaited = error
            if awaited is not None and len(journal.done) == before:
                raise awaited

    def _taking(self, requests: Mapping[str, tuple[Session, GenerationRequest]], journal: Journal[Step]) -> Any:
        def take(key: str, _: int, answer: Answer) -> None:
            session, request = requests[key]
            self._keep(session, answer_step(session, request, answer), journal)

        return take

    def _make_calls(self, sessions: Sequence[Session], journal: Journal[Step]) -> None:
        """Make all calls that wait, those of one sample in their order."""

        def work(session: Session) -> None:
            while (asked := session.next_call) is not None:
                self._keep(session, make_call(session, asked, self._workplace), journal)

        waiting = [session for session in sessions if session.next_call is not None]
        with ThreadPoolExecutor(self._workers) as pool:
            for done in [pool.submit(work, session) for session in waiting]:
                done.result()

    def _keep(self, session: Session, step: Step, journal: Journal[Step]) -> None:
        with self._lock:
            journal.append(step)
        session.take(step)

    def _write(self, sessions: Sequence[Session]) -> None:
        """Put what the agents gave beside what the file holds of other tasks."""
        path = self._folder / PREDICTIONS
        others = load_records(path, Prediction) if path.exists() else []
        asked = {task.task_id for task in self._tasks}
        own = [prediction_of([s for s in sessions if s.task is task]) for task in self._tasks]
        write_records(path, [*own, *(one for one in others if one.task_id not in asked)])
        times = [AnswerTime(key=str((one.model_extra or {})["key"]), seconds=_seconds(sessions, one)) for one in own]
        if any(any(row.seconds) for row in times):
            write_records(times_path(path), times)


def _over(sessions: Sequence[Session]) -> int:
    return sum(session.over is not None for session in sessions)


def _seconds(sessions: Sequence[Session], one: Prediction) -> tuple[float, ...]:
    return tuple(round(session.spent.seconds, 3) for session in sessions if session.task.task_id == one.task_id)


def answer_step(session: Session, request: GenerationRequest, answer: Answer) -> Step:
    """The step of an answer; its tokens are estimated where its provider counts none."""
    read = answer.input_tokens or sum(estimated_tokens(message.content) for message in request.messages())
    wrote = answer.output_tokens or estimated_tokens(answer.text + answer.reasoning)
    price = session.terms.price
    task_id, sample = session.key
    return Step(
        task_id=task_id,
        sample=sample,
        number=len(session.steps),
        round=session.spent.rounds + 1,
        kind="answer",
        text=answer.text,
        digest=digest_of(answer.text),
        stop_reason=answer.stop_reason,
        input_tokens=read,
        output_tokens=wrote,
        seconds=round(answer.seconds, 3),
        dollars=price.of(read, wrote) if price else 0.0,
    )


def _demand_fits(session: Session, step: Step, path: Path) -> None:
    """Refuse a trace that this code would not have made."""
    asked = session.next_call
    fits = step.number == len(session.steps) and session.over is None
    wanted = step.kind == "answer" if asked is None else step.tool == asked.tool
    if not (fits and wanted):
        raise UsageError(
            f"{path}: row {step.number} of the task {step.task_id} is none that follows the rows before it; choose "
            "another folder with --data, or remove that one"
        )
