"""A run in several steps: the functions that a model called one after the other, and how it ended."""

import json

from pydantic import Field

from apigap.records.base import Record
from apigap.records.parsing.json_shapes import is_object

ANSWERED = "give_answer"
MOST_STEPS = 50
"""Calls of one run, so that its tree is not deeper than what is read of any answer."""


class Step(Record):
    """One call: what the model wrote before it, the function, its arguments and the server's answer as JSON texts.

    `offered` says whether the query offers a function of that name.
    """

    thought: str = ""
    name: str
    arguments: str
    response: str
    offered: bool


class Run(Record):
    """The steps of one query. `finish` are the arguments of `Finish` as a JSON text, None where it was not called;
    `said` is what was written last, with it or without a further call.
    """

    task_id: str
    question: str
    steps: tuple[Step, ...] = Field(default=(), max_length=MOST_STEPS)
    finish: str | None = None
    said: str = ""

    @property
    def answered(self) -> bool:
        """True if `Finish` was called with an answer."""
        return self._finished().get("return_type") == ANSWERED

    @property
    def answer(self) -> str:
        """The answer that `Finish` was given; empty where it was given none."""
        text = self._finished().get("final_answer", "")
        return text if isinstance(text, str) else json.dumps(text)

    def _finished(self) -> dict[str, object]:
        try:
            value = json.loads(self.finish or "{}")
        except ValueError:
            return {}
        return dict(value) if is_object(value) else {}
