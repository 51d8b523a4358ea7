"""Answers of a model on disk: what was answered once is never asked again."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.models.generate import Generator
from apigap.models.options import OptionRequest, OptionScores
from apigap.models.request import Answer, GenerationRequest
from apigap.models.spending.cell_cost import AnswerTime, times_path
from apigap.records.base import content_hash
from apigap.records.errors import UsageError
from apigap.records.progress import Advance
from apigap.records.result import Prediction
from apigap.records.store import Journal

OnAnswer = Callable[[str, int, Answer], None]
Request = GenerationRequest | OptionRequest
"""A question to be answered in words, or options whose likelihood is wanted."""
Ask = Callable[[Sequence[Any], OnAnswer], None]
"""Asks requests, each a `Request`; whoever only takes questions in words is one as well."""


def ask_all(generator: Generator, requests: Sequence[Request], on_answer: OnAnswer) -> None:
    """Ask each request in its own way; of options the answer's text is their scores as JSON (`OptionScores`)."""
    words = [request for request in requests if isinstance(request, GenerationRequest)]
    options = [request for request in requests if isinstance(request, OptionRequest)]
    if options:
        generator.score_options(options, lambda key, scores: on_answer(key, 0, _as_answer(scores)))
    if words:
        generator.generate(words, on_answer)


def _as_answer(scores: OptionScores) -> Answer:
    """The scores as an answer. Time is left out of its text: same run, same bytes."""
    return Answer(
        text=scores.model_copy(update={"seconds": 0.0}).to_line(),
        stop_reason="stop" if scores.fits else "context",
        input_tokens=scores.input_tokens,
        seconds=scores.seconds,
    )


def answered(path: Path) -> dict[str, Prediction]:
    """Predictions in `path` by the key of their request; none when the file is not there."""
    if not path.exists():
        return {}
    with Journal(path, Prediction) as journal:
        return {_key(prediction): prediction for prediction in journal.done}


def collect(
    wanted: Mapping[Path, Sequence[Request]],
    ask: Ask,
    known: Mapping[str, Prediction],
    progress: Advance,
    *,
    shared: bool = False,
) -> dict[str, Prediction]:
    """A prediction per request, by key; `wanted` says which file each belongs to.

    What is in the files, or in `known` for the same request, is not asked again. Every finished request is appended
    to its file at once; at the end each file is in the order of its requests. A `shared` file may hold answers to
    other requests as well, which stay in it.

    Raises:
        UsageError: when a file holds an answer to another prompt, or to a request that is none of this run's.
    """
    with contextlib.ExitStack() as stack:
        files = {path: stack.enter_context(Journal(path, Prediction)) for path in wanted}
        requests = _OpenRequests(
            {request.key: (request, files[path]) for path, rows in wanted.items() for request in rows}, progress, shared
        )
        requests.reuse(known)
        requests.ask(ask)
        for path, rows in wanted.items():
            order = {request.key: index for index, request in enumerate(rows)}
            files[path].finish(lambda p, order=order: (order.get(_key(p), len(order)), _key(p)))
    return requests.done


class _OpenRequests:
    """Requests, the file of each, and what has been answered."""

    def __init__(
        self, requests: dict[str, tuple[Request, Journal[Prediction]]], progress: Advance, shared: bool
    ) -> None:
        self._requests = requests
        self._progress = progress
        self._partial: dict[str, dict[int, Answer]] = {}
        self._times = _Times()
        journals = {id(journal): journal for _, journal in requests.values()}
        found = {_key(p): p for journal in journals.values() for p in journal.done}
        self.done = {key: prediction for key, prediction in found.items() if key in requests or not shared}
        for key, prediction in self.done.items():
            if key not in requests or _asked(prediction) != prompt_hash(requests[key][0]):
                raise UsageError(
                    f"the answers on disk were asked with another prompt ({key}): this run's prompts have changed; "
                    "choose another folder with --data, or remove that one"
                )

    def reuse(self, known: Mapping[str, Prediction]) -> None:
        """Take over answers to the same requests from elsewhere."""
        for key, (request, journal) in self._requests.items():
            prediction = known.get(key)
            if key not in self.done and prediction is not None and _asked(prediction) == prompt_hash(request):
                journal.append(prediction)
                self.done[key] = prediction

    def ask(self, ask: Ask) -> None:
        """Ask for what is missing task by task, since the requests of a task begin alike."""
        waiting = [request for key, (request, _) in self._requests.items() if key not in self.done]
        self._progress(len(self.done), len(self._requests))
        if not waiting:
            return
        with self._times:
            first = {task: index for index, task in reversed(list(enumerate(_task(r.key) for r in waiting)))}
            ask(sorted(waiting, key=lambda request: first[_task(request.key)]), self._receive)

    def _receive(self, key: str, sample: int, answer: Answer) -> None:
        request, journal = self._requests[key]
        answers = self._partial.setdefault(key, {})
        answers[sample] = answer
        if len(answers) == (request.samples if isinstance(request, GenerationRequest) else 1):
            given = [answers[i] for i in sorted(answers)]
            del self._partial[key]
            self.done[key] = _prediction(request, given)
            journal.append(self.done[key])
            self._times.add(journal.path, AnswerTime(key=key, seconds=tuple(round(one.seconds, 3) for one in given)))
            self._progress(len(self.done), len(self._requests))


class _Times(contextlib.ExitStack):
    """The files of the seconds that answers took, each made with its first one."""

    def __init__(self) -> None:
        super().__init__()
        self._files: dict[Path, Journal[AnswerTime]] = {}

    def add(self, predictions: Path, time: AnswerTime) -> None:
        """Keep the time of an answer that stands in the file `predictions`; made-up answers took none."""
        if any(time.seconds):
            if predictions not in self._files:
                self._files[predictions] = self.enter_context(Journal(times_path(predictions), AnswerTime))
            self._files[predictions].append(time)


def _prediction(request: Request, answers: Sequence[Answer]) -> Prediction:
    """The contract's record, with how it came to be beside it. Time is left out: same run, same bytes."""
    traces = [answer.reasoning for answer in answers]
    return Prediction.model_validate(
        {
            "task_id": _task(request.key),
            "samples": tuple(answer.text for answer in answers),
            "key": request.key,
            "prompt": "\n\n".join(message.content for message in request.messages()),
            "prompt_hash": prompt_hash(request),
            "stop_reasons": [answer.stop_reason for answer in answers],
            "input_tokens": [answer.input_tokens for answer in answers],
            "output_tokens": [answer.output_tokens for answer in answers],
            **({"reasoning": traces} if any(traces) else {}),
        }
    )


def prompt_hash(request: Request) -> str:
    """The hash of all that decides an answer apart from the model."""
    return content_hash(request.model_dump(mode="json"))


def _task(key: str) -> str:
    return key.partition("/")[0]


def _key(prediction: Prediction) -> str:
    return str((prediction.model_extra or {}).get("key", prediction.task_id))


def _asked(prediction: Prediction) -> str | None:
    return (prediction.model_extra or {}).get("prompt_hash")
