"""Answers of a model on disk: what was answered once is never asked again."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from apigap.models.request import Answer, GenerationRequest
from apigap.pipeline.progress import Advance
from apigap.records.base import content_hash
from apigap.records.result import Prediction
from apigap.records.store import Journal

OnAnswer = Callable[[str, int, Answer], None]
Ask = Callable[[Sequence[GenerationRequest], OnAnswer], None]


def answered(path: Path) -> dict[str, Prediction]:
    """Predictions in `path` by the key of their request; none when the file is not there."""
    if not path.exists():
        return {}
    with Journal(path, Prediction) as journal:
        return {_key(prediction): prediction for prediction in journal.done}


def collect(
    requests: Sequence[GenerationRequest],
    path: Path,
    ask: Ask,
    known: Mapping[str, Prediction],
    progress: Advance,
) -> dict[str, Prediction]:
    """A prediction per request, by key; those in `path` or `known` (same key and prompt) are not asked again.

    Every finished request is appended to `path` at once; at the end the file is in the order of `requests`.
    """
    with Journal(path, Prediction) as journal:
        done = {_key(p): p for p in journal.done if _key(p) in {r.key for r in requests}}
        for request in requests:
            reused = known.get(request.key)
            if request.key not in done and reused is not None and _asked(reused) == prompt_hash(request):
                journal.append(reused)
                done[request.key] = reused
        waiting = [request for request in requests if request.key not in done]
        progress(len(done), len(requests))
        if waiting:
            _ask(waiting, ask, journal, done, lambda: progress(len(done), len(requests)))
        order = {request.key: index for index, request in enumerate(requests)}
        journal.finish(lambda prediction: (order.get(_key(prediction), len(order)), _key(prediction)))
    return done


def _ask(
    waiting: Sequence[GenerationRequest],
    ask: Ask,
    journal: Journal[Prediction],
    done: dict[str, Prediction],
    ready: Callable[[], None],
) -> None:
    by_key = {request.key: request for request in waiting}
    partial: dict[str, dict[int, Answer]] = {}

    def on_answer(key: str, sample: int, answer: Answer) -> None:
        answers = partial.setdefault(key, {})
        answers[sample] = answer
        if len(answers) == by_key[key].samples:
            prediction = _prediction(by_key[key], [answers[i] for i in sorted(answers)])
            journal.append(prediction)
            done[key] = prediction
            ready()

    ask(waiting, on_answer)


def _prediction(request: GenerationRequest, answers: Sequence[Answer]) -> Prediction:
    """The contract's record, with how it came to be beside it. Time is left out: same run, same bytes."""
    return Prediction.model_validate(
        {
            "task_id": request.key.partition("/")[0],
            "samples": tuple(answer.text for answer in answers),
            "key": request.key,
            "prompt": "\n\n".join(message.content for message in request.messages()),
            "prompt_hash": prompt_hash(request),
            "stop_reasons": [answer.stop_reason for answer in answers],
            "input_tokens": [answer.input_tokens for answer in answers],
            "output_tokens": [answer.output_tokens for answer in answers],
        }
    )


def prompt_hash(request: GenerationRequest) -> str:
    """The hash of all that decides an answer apart from the model."""
    return content_hash(request.model_dump(mode="json"))


def _key(prediction: Prediction) -> str:
    return str((prediction.model_extra or {}).get("key", prediction.task_id))


def _asked(prediction: Prediction) -> str | None:
    return (prediction.model_extra or {}).get("prompt_hash")
