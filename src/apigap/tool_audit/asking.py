"""A model is asked: every query, in a form, with the descriptions as they are or changed; nothing is asked twice."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from apigap.benchmarks.calls.names import Names
from apigap.benchmarks.calls.prompts import conversation, native_functions
from apigap.benchmarks.calls.queries import Query
from apigap.benchmarks.calls.reading import read_answer
from apigap.benchmarks.calls.verdict import verdict
from apigap.evaluation.answers import OnAnswer, Request, ask_all, collect
from apigap.evaluation.model_pool import MakeGenerator
from apigap.models.generate import Generator
from apigap.models.model_facts import BATCH, decoding_within, tokens_for
from apigap.models.request import GenerationRequest, OfferedTool
from apigap.records.base import content_hash
from apigap.records.progress import Progress
from apigap.records.result import Prediction, Result
from apigap.tool_audit.toolset import Toolset

Form = Literal["native", "text"]
FORMS: tuple[Form, ...] = get_args(Form)
"""Tools as the provider's own calling takes them; and as JSON schemas in the prompt, with calls in tags back."""
MOST_TOKENS = 512
"""Of an answer: a call, or several."""


class Variant(NamedTuple):
    """Descriptions that differ from those of the server, as pairs of a tool's name and text; none as it is."""

    tool: str = ""
    kind: str = "as it is"
    changes: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """A name that no other change has."""
        return content_hash(dict(self.changes), 8) if self.changes else "as-it-is"


AS_IT_IS = Variant()


class Cell(NamedTuple):
    """The way in which a query is asked: the form, and the descriptions."""

    form: Form
    variant: Variant = AS_IT_IS


class Judged(NamedTuple):
    """An answer and its verdict."""

    query: Query
    answer: str
    result: Result


class Asker:
    """Asks one model, whose answers are in `path`. Use it as a context manager."""

    def __init__(
        self, model: str, toolset: Toolset, path: Path, progress: Progress, make: MakeGenerator = Generator
    ) -> None:
        self.model = model
        self.decoding = decoding_within(model, tokens_for(model, MOST_TOKENS))
        self._toolset = toolset
        self._path = path
        self._progress = progress
        self._make = make
        self._generator: Generator | None = None

    def judge(self, queries: Sequence[Query], cells: Sequence[Cell], title: str) -> dict[Cell, list[Judged]]:
        """The verdicts on all answers of each cell; what is on disk is not asked again.

        Raises:
            ModelUnavailable: when the model cannot be asked; what was answered before is kept.
            AnswersAwaited: when the model is a folder that lacks answers.
        """
        requests = {cell: [self._request(query, cell) for query in queries] for cell in dict.fromkeys(cells)}
        rounds = list(requests.values())
        if self.model.startswith(BATCH):  # whoever answers them gets them all at once
            rounds = [[request for several in rounds for request in several]]
        done: dict[str, Prediction] = {}
        advance = self._progress.step(title)
        of = sum(len(several) for several in rounds)
        for several in rounds:
            begun = len(done)
            done |= collect(
                {self._path: several},
                self._ask,
                {},
                lambda part, _, begun=begun: advance(begun + part, of),
                shared=True,
            )
        return {
            cell: [judged(query, done[request.key]) for query, request in zip(queries, several, strict=True)]
            for cell, several in requests.items()
        }

    def _request(self, query: Query, cell: Cell) -> GenerationRequest:
        form, variant = cell
        told = query.model_copy(update={"functions": self._toolset.described(dict(variant.changes))})
        messages = conversation(told, "native" if form == "native" else "functions")
        tools = [OfferedTool.model_validate(tool) for tool in native_functions(told)] if form == "native" else ()
        return GenerationRequest(
            key=f"{query.task_id}/{form}/{variant.key}",
            prompt=messages,
            shared=len(messages[0].content),
            most_tokens=self.decoding.max_tokens,
            tools=tuple(tools),
        )

    def _ask(self, waiting: Sequence[Request], on_answer: OnAnswer) -> None:
        self._generator = self._generator or self._make(self.model, self.decoding)
        ask_all(self._generator, waiting, on_answer)

    def __enter__(self) -> "Asker":
        return self

    def __exit__(self, *_: object) -> None:
        if self._generator is not None:
            self._generator.close()


def judged(query: Query, prediction: Prediction) -> Judged:
    """The first answer of a prediction, read and judged."""
    text = prediction.samples[0]
    reading = read_answer(text, Names(query.schemas).spellings)
    return Judged(query, text, verdict(query, reading, 0, prediction.endings[0]))
