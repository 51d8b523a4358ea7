"""The gate `reading`: a model reads each task as an editor would, and keeps those that are fit to publish.

C1 shows that a verdict can be reached, not that the question is worth asking. It is no gate of the published
benchmark, and asks only where a reader is named.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, StrictBool, model_validator

from apigap.gates.record import GateRecord
from apigap.models.fences import fenced
from apigap.models.model_facts import decoding_of, tokens_for
from apigap.models.request import Decoding, GenerationRequest, Message
from apigap.models.schemas.structured import UnreadableAnswer, read_every
from apigap.models.transcripts import Call, Transcripts
from apigap.records.progress import Progress
from apigap.records.task import Task

Fault = Literal["new", "purpose", "data", "outcome", "argument", "other"]
CRITERIA: dict[Fault, str] = {
    "new": "it asks for what is new: without the new API, or its new parameter, the answer is not to be had as easily",
    "purpose": "its text says plainly what is wanted, so that somebody who knows the library's release can answer",
    "data": "its data mean something: values as the library's users have, no words of a test, nothing garbled",
    "outcome": "its outcome shows what the API does: not empty, not an input again, not the same whatever is given",
    "argument": "every argument that the answer needs is told, by its place, its name or a sentence",
}
"""Criteria of a task that is fit to publish; one that fails in another way is `other`."""

_INSTRUCTION = """\
A task of a benchmark asks for code with an API that a new release of a library has. A solver sees the code that ran \
before, and the text under it, nothing else. The answer below is the one that the author has as right; answers are \
judged by what they leave behind, in this and in other scenarios. Read it as an editor would: is it fit to publish as \
it stands? It is, if

{criteria}

Small clumsiness of language is no reason against it; a text that leads a good solver astray is. Be strict on the \
first criterion: before you decide, look for the function, method or one-liner of the older release, or of Python \
itself, that gives the same on the data shown. Answer with one JSON object: {{"fit": true, "of": null, "why": ""}}, \
or {{"fit": false, "of": "data", "why": "a sentence"}}, where `of` is the first of these that fails: {reasons}.
"""
_IMITATED = re.compile(r"""fit\\*["']\s*:\s*(?:true|false)\b""")
_TRIES = 2
_WHY_CHARACTERS = 300
_TOKENS = 600


class ReadingAnswer(BaseModel):
    """The answer of a reader: whether a task is fit, and, if not, the first criterion that it fails."""

    fit: StrictBool
    of: Fault | None = None
    why: str = ""

    @model_validator(mode="after")
    def _say_why(self) -> "ReadingAnswer":
        if not self.fit and self.of is None:
            raise ValueError("a task that is not fit fails a criterion: name it in `of`")
        if self.fit and self.of is not None:
            raise ValueError("a task that is fit fails no criterion: `of` is null, or `fit` is false")
        return self


@dataclass(frozen=True)
class Reader:
    """A model that reads tasks; `connections` bounds the requests to it at a time."""

    model: str
    connections: int | None = None

    @property
    def decoding(self) -> Decoding:
        """The decoding of its answers, which are short; a model that thinks first gets the room for it.

        Raises:
            ModelUnavailable: for a local model that is not known.
        """
        return decoding_of(self.model).model_copy(update={"max_tokens": tokens_for(self.model, _TOKENS)})

    def transcripts(self, path: Path) -> Transcripts:
        """Its calls, kept in `path`."""
        return Transcripts(self.model, self.decoding, path, connections=self.connections)


@dataclass(frozen=True)
class ReadingGate:
    """Puts tasks to the reader behind `transcripts`, each by itself; a second time where its answer is unreadable."""

    transcripts: Transcripts
    progress: Progress

    def check(self, tasks: Sequence[Task]) -> list[GateRecord]:
        """The decision on each task, in order.

        A task whose reader gave no readable answer is `not run` and goes no further; so is one that holds an answer
        in the reader's form, which nobody could tell from a reader's own.

        Raises:
            ModelUnavailable: when the reader cannot be reached; what it answered before is kept.
            Paused: when the reader's answers are to be put in a folder.
        """
        verdicts: dict[str, ReadingAnswer] = {}
        wrong: dict[str, tuple[Call, str]] = {}
        for number in range(1, _TRIES + 1):
            waiting = [task for task in tasks if task.task_id not in verdicts and not _imitates(task)]
            requests = [_request(task, number, wrong.get(task.task_id)) for task in waiting]
            if not waiting:
                break
            again = "" if number == 1 else ", whose answers could not be read, once more"
            step = self.progress.step(f"tasks read by {self.transcripts.model}{again}")
            calls = self.transcripts.ask(requests, ReadingAnswer, step)
            for task, call in zip(waiting, calls, strict=True):
                try:
                    verdicts[task.task_id] = decision_of(call)
                except UnreadableAnswer as error:
                    wrong[task.task_id] = (call, str(error))
        return [self._record(task, verdicts.get(task.task_id), wrong.get(task.task_id)) for task in tasks]

    def _record(self, task: Task, verdict: ReadingAnswer | None, wrong: tuple[Call, str] | None) -> GateRecord:
        evidence = {"reader": self.transcripts.model}
        if _imitates(task):
            reason = "it holds an answer in the reader's form, so an answer that quotes it could not be told from one"
            return GateRecord.of(task, "reading", "not run", reason, evidence)
        if verdict is None:
            reason = f"no readable answer of the reader: {wrong[1] if wrong else 'none came'}"
            return GateRecord.of(task, "reading", "not run", reason, evidence)
        if verdict.fit:
            return GateRecord.of(task, "reading", "passed", None, evidence)
        reason = f"{verdict.of}: {' '.join(verdict.why.split())[:_WHY_CHARACTERS]}"
        return GateRecord.of(task, "reading", "failed", reason, {**evidence, "of": verdict.of})


def decision_of(call: Call) -> ReadingAnswer:
    """The decision of a reader: what it says once, or says again in the same way.

    A task may quote the form of an answer, and a reader may quote the task, so no single object is taken for it.

    Raises:
        UnreadableAnswer: when there is none, when the answer was ended before it was whole, or decides both ways.
    """
    if call.stop_reason in ("length", "context", "filtered"):
        raise UnreadableAnswer(f"the answer was ended before it was whole ({call.stop_reason}): be shorter")
    found = read_every(call.answer, ReadingAnswer)
    if len({one.fit for one in found}) > 1:
        raise UnreadableAnswer("it says both that the task is fit and that it is not: write one object alone")
    return found[0]


def as_read(task: Task) -> str:
    """A task as its reader sees it: what a solver sees, then the answer."""
    before = fenced(task.context_code or "# nothing before")
    answer = f"Answer, with `{task.api_name}` ({task.change}):"
    return "\n\n".join((before, fenced(task.description, "text"), answer, fenced(task.masked_region)))


def _imitates(task: Task) -> bool:
    return _IMITATED.search(as_read(task)) is not None


def _request(task: Task, number: int, wrong: tuple[Call, str] | None) -> GenerationRequest:
    criteria = "\n".join(f"- ({name}) {text};" for name, text in CRITERIA.items())
    instruction = _INSTRUCTION.format(criteria=criteria, reasons=", ".join((*CRITERIA, "other")))
    release = f"{task.library} {task.version}" + (f", before {task.old_version}" if task.old_version else "")
    messages = (Message(role="user", content=f"{instruction}\n{release}\n\n{as_read(task)}"),)
    if wrong is not None:
        again = f"This could not be read: {wrong[1]}\nWrite the whole JSON object again."
        messages = (*messages, Message(role="assistant", content=wrong[0].answer), Message(role="user", content=again))
    return GenerationRequest(
        key=f"{task.task_id}/{number}/reading", prompt=messages, temperature=0.0, seed=0, shared=len(instruction)
    )
