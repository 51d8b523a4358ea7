"""Transcripts of a model's calls while a file was made, kept beside the file, and enough to replay it.

A call is known by the hash of all that decides its answer: the model, how it decodes, the messages, temperature and
seed. So a run that is started again asks only what it has not asked, and a recorded one needs no model at all.
"""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, model_validator

from apigap.models.generate import Generator
from apigap.models.request import Answer, Decoding, GenerationRequest, Message, StopReason, sample_seed
from apigap.models.spending.cell_cost import AnswerTime, times_path
from apigap.records.base import Record, content_hash
from apigap.records.errors import UsageError
from apigap.records.progress import Advance
from apigap.records.store import Journal, load_records

_SHOWN = 60
BYTES_PER_TOKEN = 4
"""Of English text in UTF-8, about; used where a provider counts no tokens, and for estimates. A Chinese character has
three bytes, and about a token."""


class Call(Record):
    """One call of a model. `key` is the hash of what decides the answer; `purpose` says what it was for.

    `seed` is the one that the model drew with; 0 where the temperature is zero. Time is left out: same run, same bytes.
    `web_search` is the search that it could ask, which decides its answer too, and `found` what that gave it.
    """

    key: str = ""
    purpose: str
    model: str
    decoding: Decoding
    messages: tuple[Message, ...]
    temperature: float
    seed: int
    web_search: str | None = None
    answer: str = ""
    found: tuple[str, ...] = ()
    stop_reason: StopReason = "unknown"
    input_tokens: int = 0
    output_tokens: int = 0

    @model_validator(mode="after")
    def _identify(self) -> "Call":
        search = ["web_search"] if self.web_search else []
        decisive = {"model", "decoding", "messages", "temperature", "seed", *search}
        asked = self.model_dump(mode="json", include=decisive)
        expected = content_hash(asked)
        if not self.key:
            object.__setattr__(self, "key", expected)
        elif self.key != expected:
            raise ValueError(f"key {self.key} is not the hash of what was asked ({expected}): the call was edited")
        return self


class Transcripts:
    """Asks one model and keeps every call in `path`; what is there already is not asked again.

    With `recorded`, a file that such a run left, no model is asked: its calls are looked up, and kept in `path` too, so
    that the same run gives the same bytes. `web_search` names a search that the model may ask, `connections` bounds the
    calls at a time (see `Generator`). With `timed` the seconds of each call are kept beside `path` (see `times_path`).

    Raises:
        CorruptRecord: when a line of either file is not a call, or its prompt was edited.
    """

    def __init__(
        self,
        model: str,
        decoding: Decoding,
        path: Path,
        recorded: Path | None = None,
        *,
        web_search: str | None = None,
        connections: int | None = None,
        timed: bool = False,
    ) -> None:
        self.model = model
        self.web_search = web_search
        self.path = path
        self._decoding = decoding
        self._recorded = recorded
        self._known = {call.key: call for call in load_records(recorded, Call)} if recorded else {}
        self._journal = Journal(path, Call)
        self._kept = {call.key: call for call in self._journal.done}
        self._generator: Generator | None = None
        self._connections = connections
        self._times = Journal(times_path(path), AnswerTime) if timed else None

    def ask(
        self,
        requests: Sequence[GenerationRequest],
        form: type[BaseModel] | None = None,
        advance: Advance = lambda done, of: None,
    ) -> list[Call]:
        """The calls for `requests`, in order; each is for one sample, its `key` says what it is for.

        `form` is the JSON object that is wanted, if one is; a provider that can hold a model to it does. `advance` is
        told of those that the model is asked: how many have come, of how many.

        Raises:
            UsageError: when a recorded run is to answer what it was never asked.
            ModelUnavailable: when the model cannot be reached; what was answered before is kept.
        """
        wanted = [self._call(request) for request in requests]
        missing = {
            request.key: (request, call)
            for request, call in zip(requests, wanted, strict=True)
            if call.key not in self._kept
        }
        if self._recorded is not None:
            for _, call in missing.values():
                self._keep(self._look_up(call))
        elif missing:
            self._ask(missing, form, advance)
        return [self._kept[call.key] for call in wanted]

    def close(self) -> None:
        """End the model's servers and put the file in the order of its purposes: same calls, same bytes."""
        if self._generator is not None:
            self._generator.close()
        self._journal.finish(lambda call: (call.purpose, call.key))
        if self._times is not None:
            self._times.close()

    @property
    def cost(self) -> dict[str, int]:
        """The number of calls and their tokens, those of earlier runs of the same file too.

        `uncounted` are calls whose tokens nobody told, as of a folder: theirs are estimated (`tokens_of`).
        """
        calls = self._journal.done
        tokens = [tokens_of(call) for call in calls]
        uncounted = sum(not call.input_tokens for call in calls)
        return {
            "calls": len(calls),
            "input_tokens": sum(read for read, _ in tokens),
            "output_tokens": sum(written for _, written in tokens),
            **({"uncounted": uncounted} if uncounted else {}),
        }

    def __enter__(self) -> "Transcripts":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, request: GenerationRequest) -> Call:
        drawn = sample_seed(request.seed, request.key, 0) if request.temperature else 0
        return Call(
            purpose=request.key,
            model=self.model,
            decoding=self._decoding,
            messages=request.messages(),
            temperature=request.temperature,
            seed=drawn,
            web_search=self.web_search,
        )

    def _ask(
        self, missing: dict[str, tuple[GenerationRequest, Call]], form: type[BaseModel] | None, advance: Advance
    ) -> None:
        self._generator = self._generator or Generator(
            self.model, self._decoding, web_search=self.web_search, connections=self._connections
        )

        done = itertools.count(1)
        advance(0, len(missing))

        def keep(key: str, _: int, answer: Answer) -> None:
            call = missing[key][1]
            self._keep(_answered(call, answer))
            advance(next(done), len(missing))
            if self._times is not None and answer.seconds:
                self._times.append(AnswerTime(key=call.key, seconds=(round(answer.seconds, 3),)))

        self._generator.generate([request for request, _ in missing.values()], keep, form)

    def _look_up(self, call: Call) -> Call:
        found = self._known.get(call.key)
        if found is None:
            begins = " ".join(call.messages[-1].content.split())[:_SHOWN]
            raise UsageError(
                f"{self._recorded} has no answer of {call.model} to the prompt {call.key} for {call.purpose} "
                f"({begins}...): it was recorded with another model, other settings or other prompts; record it by the "
                "same command without --replay, and give the transcripts that it leaves"
            )
        return found.model_copy(update={"purpose": call.purpose})

    def _keep(self, call: Call) -> None:
        if call.key not in self._kept:
            self._journal.append(call)
            self._kept[call.key] = call


def _answered(call: Call, answer: Answer) -> Call:
    fields: dict[str, Any] = answer.model_dump(include={"stop_reason", "input_tokens", "output_tokens", "found"})
    return call.model_copy(update={"answer": answer.text, **fields})


def tokens_of(call: Call) -> tuple[int, int]:
    """Tokens read and written; estimated where the provider counts none."""
    if call.input_tokens:
        return call.input_tokens, call.output_tokens
    return sum(estimated_tokens(message.content) for message in call.messages), estimated_tokens(call.answer)


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has."""
    return size_of(text) // BYTES_PER_TOKEN


def size_of(text: str) -> int:
    """Bytes of a text in UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))
