"""The type of a benchmark: what evaluation asks of it. Evaluation itself knows none by its name."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from apigap.evaluation.item import BenchmarkTask, Item, OnResult
from apigap.evaluation.options import Options
from apigap.evaluation.predictions import Answers, read_predictions
from apigap.evaluation.summary import Summary
from apigap.models.model_facts import decoding_within
from apigap.models.options import OptionRequest
from apigap.models.request import Decoding, GenerationRequest
from apigap.records.base import Json
from apigap.records.configuration import Settings
from apigap.records.progress import Progress
from apigap.records.result import Result
from apigap.records.sources import CodeIdentity

T = TypeVar("T", bound=BenchmarkTask)
A = TypeVar("A")
S = TypeVar("S")
Judge = Callable[[Sequence[Item[T, A]], OnResult], object]
"""Judges many samples; the function is called with each result as soon as it is there, in any order."""


def has_passed(result: Result) -> bool:
    """The usual sign of a weakness: an answer passes that has not done the task."""
    return result.passed


@dataclass(frozen=True)
class Probe:
    """An answer whose verdict is known before.

    `score` is the score that it must get, None where any may be right; `passes` says whether it must pass, None where
    the task decides. Where the verdict `shows` a weakness of the task itself, `weakness` says which.
    """

    response: str
    passes: bool | None
    score: float | None = None
    weakness: str | None = None
    shows: Callable[[Result], bool] = has_passed


@dataclass(frozen=True)
class Judging(Generic[T, A]):
    """A judge at work, and what its verdicts depend on beside the evaluator: `terms` for the manifest of a run.

    `facts` are for readers of the manifest, once the run has ended.
    """

    judge: Judge[T, A]
    terms: Mapping[str, Json] = field(default_factory=dict[str, Json])
    facts: Mapping[str, Json] = field(default_factory=dict[str, Json])


class Benchmark(Protocol[T, A]):
    """A benchmark: tasks, what a model is asked about each, and how its answers are judged.

    `T` is a task (anything with a `task_id`, a text, and an `api_name`: what the task is about) and `A` the artifact
    that is parsed from a response and judged. A class that derives from this one need only say what is its own:

        class Toy(Benchmark[ToyTask, str]):
            name = "toy"
            title = "Sums"
            options_type = ToyOptions                       # a field per option of the command line
            evaluator = CodeIdentity(("toy.verdict",))      # what decides, with all that it imports

            def load(self): ...                             # -> the tasks
            def prompt(self, task, room=None): ...          # -> GenerationRequest, its key begins with the task's id
            def parse(self, response, task): ...            # -> the artifact; never raises
            def score(self, task, artifact, sample=0): ...  # -> Result
            def gold(self, task): ...                       # -> a response that must pass
            def probes(self, task): ...                     # -> responses with the verdict that each must get
            def summarise(self, tasks, results, answers, answered_only): ...  # -> a Summary

    It is registered by the entry point group `apigap.benchmarks` (`toy = "toy.benchmark:Toy"`); `predict`, `score`,
    `calibrate`, `validate`, `compare`, `report`, `evaluator` and `inspect eval apigap/toy` then work for it.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    options_type: ClassVar[type[Options]]
    evaluator: ClassVar[CodeIdentity]
    proves_itself: ClassVar[bool] = False
    """True where the scorer is so quick that it is calibrated before any model is asked."""
    counts_cut: ClassVar[bool] = False
    """True where the summary tells cut answers by itself; elsewhere it gets none, as if they had not been given."""
    judges_at_once: ClassVar[bool] = False
    """True where a judge may be called by several threads."""
    options: Any
    settings: Settings

    def __init__(self, options: Any, settings: Settings) -> None:
        """Keep the options, which are of `options_type`; nothing is read yet."""
        self.options = options
        self.settings = settings

    @classmethod
    def of(cls, options: Any, settings: Settings) -> "Self | Benchmark[Any, Any]":
        """The benchmark that these options mean; a family of formats may give another one than itself."""
        return cls(options, settings)

    def for_model(self, model: str) -> "Self | Benchmark[Any, Any]":
        """The benchmark as this model is asked: what a model can tell may decide how; by default the same for all."""
        del model
        return self

    def proved_first(self, tasks: Sequence[T]) -> Sequence[T]:
        """The tasks on which the scorer is calibrated before any model is asked: all where it `proves_itself`."""
        return tasks if self.proves_itself else ()

    def load(self) -> Sequence[T]:
        """All tasks, in order.

        Raises:
            CorruptRecord: when a task cannot be scored.
        """
        ...

    def select(self, tasks: Sequence[T], limit: int) -> list[T]:
        """The tasks to ask, at most `limit` (0: all), spread evenly."""
        return evenly(tasks, limit)

    def prompt(self, task: T, room: int | None = None) -> GenerationRequest | OptionRequest:
        """The question to a model, under a key that begins with the task's id; `room` bounds its characters.

        Options whose likelihood is asked for come back as `OptionScores` in JSON.
        """
        ...

    def functions(self, task: T) -> Sequence[dict[str, Any]]:
        """The functions that a model is given beside a prompt, for providers that take them; none by default."""
        del task
        return ()

    def may_call(self, task: T) -> bool:
        """True if a model that is given `functions` may call them in its answer."""
        del task
        return True

    def conversation(self, task: T) -> Sequence[Any] | None:
        """Messages in Inspect's own types, where a prompt's texts do not tell all; None by default."""
        del task
        return None

    def decoding(self, model: str) -> Decoding:
        """The decoding of a model's answers."""
        return decoding_within(model, self.settings.generation.max_tokens)

    def most_tokens(self, task: T, model: str) -> int | None:
        """A bound on the answers to this task that is tighter than the decoding's; none by default."""
        del task, model
        return None

    def predictions(self, path: Path, tasks: Sequence[T]) -> Answers:
        """The answers in a file to `tasks`; see `read_predictions`."""
        return read_predictions(path, {task.task_id for task in tasks})

    def parse(self, response: str, task: T) -> A:
        """The part of a response that is judged; never raises."""
        ...

    def score(self, task: T, artifact: A, sample: int = 0) -> Result:
        """The verdict on one answer."""
        ...

    @contextmanager
    def judging(self, tasks: Sequence[T], progress: Progress, *, anew: bool = False) -> Generator[Judging[T, A]]:
        """A judge of answers to `tasks`, and the end of what it holds; by default it calls `score`.

        With `anew` no verdict is taken from memory.
        """
        del tasks, progress, anew
        yield Judging(one_by_one(self.score))

    def asked_with(self) -> Mapping[str, Json]:
        """Facts that decide prompts beside the model, for a manifest: hashes of files, the form that is asked for."""
        return {}

    def judged_with(self) -> Mapping[str, Json]:
        """The facts that decide the verdicts beside the answers and the evaluator, for a manifest."""
        return {}

    def gold(self, task: T) -> str:
        """A response that must pass."""
        ...

    def probes(self, task: T) -> Sequence[Probe]:
        """Responses whose verdicts are known."""
        ...

    def weaknesses(self, task: T) -> Sequence[str]:
        """The weaknesses of a task, as far as they can be seen without any answer."""
        del task
        return ()

    def summarise(
        self, tasks: Sequence[T], results: Sequence[Result], answers: Answers, answered_only: bool
    ) -> Summary:
        """The figures of the results. Tasks without an answer count as wrong, unless `answered_only`."""
        ...

    def try_reviewer(self, results: Path, progress: Progress) -> None:
        """Try whoever will look at the results, before anything is judged; without one there is nothing to try."""

    def review(self, summary: Summary, results: Path) -> Summary:
        """A second look at the `results` file, after which the summary may say more; none by default."""
        del results
        return summary

    @staticmethod
    def measures(result: Result) -> Mapping[str, float]:
        """The measures that a comparison of two runs looks at, by name, each from 0 to 1."""
        return {"passed": float(result.passed)}


def evenly(tasks: Sequence[S], limit: int) -> list[S]:
    """At most `limit` of them (0: all), at even distances."""
    if not limit or limit >= len(tasks):
        return list(tasks)
    return [tasks[place * len(tasks) // limit] for place in range(limit)]


def one_by_one(score: Callable[[T, A, int], Result]) -> Judge[T, A]:
    """A judge that calls `score` for each sample."""

    def judge(items: Sequence[Item[T, A]], on_result: OnResult) -> None:
        for item in items:
            on_result(score(item.task, item.artifact, item.sample))

    return judge
