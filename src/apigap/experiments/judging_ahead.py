"""Verdicts reached while further answers are awaited: the step `eval` finds them in memory."""

import queue
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any

from apigap.benchmarks.novelapi.judge import CodeItem, NovelApiJudge
from apigap.benchmarks.novelapi.task_environments import homes_at_hand
from apigap.evaluation.answers import Ask, OnAnswer, Request
from apigap.evaluation.item import Item
from apigap.models.backbones import provider_name
from apigap.models.extraction import extract_code
from apigap.models.request import Answer
from apigap.records.errors import ApigapError
from apigap.records.model_providers import access_of
from apigap.records.progress import Unseen
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache

_BATCH = 8
"""Answers at a time, per worker of the engine: what is under way at the last answer is waited for."""


class JudgingAhead:
    """A thread that judges answers as they come; use it as a context manager.

    Nothing but time depends on it. What it has not done when the last answer came, and what it could not do, is left
    to `eval`, which reaches the verdict or tells the error.
    """

    def __init__(self, engine: Engine, tasks: Sequence[Task]) -> None:
        self._engine = engine
        self._tasks = {task.task_id: task for task in tasks}
        self._waiting: queue.SimpleQueue[CodeItem | None] = queue.SimpleQueue()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="judging ahead", daemon=True)

    def listening(self, ask: Ask) -> Ask:
        """As `ask`, and each answer is judged as soon as there is time."""

        def asked(requests: Sequence[Any], on_answer: OnAnswer) -> None:
            of = {request.key: request for request in requests}

            def tell(key: str, sample: int, answer: Answer) -> None:
                on_answer(key, sample, answer)
                self._add(of[key], sample, answer)

            ask(requests, tell)

        return asked

    def _add(self, request: Request, sample: int, answer: Answer) -> None:
        task = self._tasks[request.key.partition("/")[0]]
        self._waiting.put(Item(task, sample, extract_code(answer.text, task.context_code), answer.stop_reason))

    def _work(self) -> None:
        with suppress(ApigapError):  # `eval` meets it again, and tells it
            judge: NovelApiJudge | None = None
            while batch := self._next():
                if judge is None:
                    homes = homes_at_hand(list(self._tasks.values()), self._engine, Unseen())
                    judge = NovelApiJudge(self._engine, homes, VerdictCache(self._engine))
                judge.score_all(batch)

    def _next(self) -> list[CodeItem]:
        """The answers to judge next; none once no further one will come."""
        found: list[CodeItem] = []
        while not self._is_over.is_set() and len(found) < _BATCH * self._engine.workers:
            if found and self._waiting.empty():
                break
            item = self._waiting.get()
            if item is None:
                return []
            found.append(item)
        return [] if self._is_over.is_set() else found

    def __enter__(self) -> "JudgingAhead":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._waiting.put(None)
        self._thread.join()


def answers_elsewhere(model: str) -> bool:
    """True if the model runs on another machine, so that this one has time while it waits."""
    access = access_of(provider_name(model))
    return access is not None and not access.here
