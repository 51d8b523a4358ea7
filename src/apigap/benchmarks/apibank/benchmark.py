"""API-Bank: the next call or reply of its dialogues and requirements, judged in two modes."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from apigap.benchmarks.apibank.api_search import RECORDED
from apigap.benchmarks.apibank.dialogues import LEVELS, Bank, Task, data_folder, load_bank
from apigap.benchmarks.apibank.interfaces import load_interfaces
from apigap.benchmarks.apibank.judge import EVALUATOR, ApiBankJudge, Mode
from apigap.benchmarks.apibank.prompts import Prompter, Protocol
from apigap.benchmarks.apibank.summary import BankSummary, summarise_bank
from apigap.evaluation.benchmark import Benchmark, Judging, Probe, evenly, has_passed, one_by_one
from apigap.evaluation.options import ANSWERS, ASKING, JUDGING, Options
from apigap.evaluation.predictions import Answers, read_predictions
from apigap.models.model_facts import decoding_within, reasons, tokens_for
from apigap.models.request import Decoding, GenerationRequest
from apigap.records.base import Json
from apigap.records.configuration import Settings
from apigap.records.progress import Progress
from apigap.records.result import Result

MAX_TOKENS = 256
STOP = ("\nUser:", "\nGenerate ", "->")
"""The texts with which a model goes on by itself, or makes up a result: an answer ends before them."""
TOOLS = "tools"
_REFUSED = "the released evaluator takes its recorded call for wrong"


class ApiBankOptions(Options):
    """The data, how calls are written, which tasks are asked and how they are judged."""

    data: Annotated[
        Path, Field(description="Folder of API-Bank's data; `own`: the small set that comes with apigap.")
    ] = Path("own")
    mode: Annotated[
        Mode, Field(description="released: the published rules, faults included; corrected: without them."), JUDGING
    ] = "released"
    protocol: Annotated[
        Literal["text", "native", "tools"],
        Field(
            description="text: [ApiName(key='value')], as published; native: tool calls as JSON; tools: calls as a "
            "provider takes and gives them (asked with Inspect alone)."
        ),
        ANSWERS,
    ] = "text"
    search: Annotated[
        str,
        Field(
            description="What ToolSearcher finds with. recorded: as when the data was made; anew by words (lexical) or "
            "by vectors (minilm: 84 MB, fetched once; ORGANISATION/NAME)."
        ),
        JUDGING,
    ] = RECORDED
    level: Annotated[
        tuple[Literal[1, 2, 3], ...], Field(description="A level to ask; may be repeated; default: all."), ASKING
    ] = ()
    kind: Annotated[Literal["calls", "replies", "all"], Field(description="What to ask for."), ASKING] = "all"


class ApiBank(Benchmark[Task, str]):
    """API-Bank: a call is right or wrong, a reply has its ROUGE-L as score."""

    name = "apibank"
    title = "API-Bank: the next call or reply of a dialogue"
    options_type = ApiBankOptions
    options: ApiBankOptions
    evaluator = EVALUATOR

    def __init__(self, options: ApiBankOptions, settings: Settings) -> None:
        super().__init__(options, settings)
        self._tools = options.protocol == TOOLS
        self._protocol: Protocol = "text" if options.protocol == "text" else "native"

    @cached_property
    def _bank(self) -> Bank:
        return load_bank(self.options.data)

    @cached_property
    def _judge(self) -> ApiBankJudge:
        return self._new_judge()

    def _new_judge(self, announce: Callable[[str], None] | None = None) -> ApiBankJudge:
        return ApiBankJudge(self._bank, self.options.mode, self._protocol, self.options.search, announce)

    @cached_property
    def _prompter(self) -> Prompter:
        return Prompter(load_interfaces(data_folder(self.options.data)), self._protocol)

    def load(self) -> list[Task]:
        """Calls and replies of all levels."""
        return [task for level in LEVELS for task in self._bank.tasks(level)]

    def select(self, tasks: Sequence[Task], limit: int) -> list[Task]:
        """The chosen levels and kinds, at most `limit` of each kind and level, spread evenly over the files."""
        del tasks
        levels = [self._bank.tasks(LEVELS[number - 1]) for number in self.options.level or (1, 2, 3)]
        kinds = {"calls": (True,), "replies": (False,), "all": (True, False)}[self.options.kind]
        chosen = {
            task.task_id
            for level in levels
            for is_call in kinds
            for task in evenly([task for task in level if task.is_call == is_call], limit)
        }
        return [task for level in levels for task in level if task.task_id in chosen]

    def prompt(self, task: Task, room: int | None = None) -> GenerationRequest:
        """The instruction with the APIs, which a dialogue's tasks share, and the conversation."""
        messages = self._prompter.messages(task)
        return GenerationRequest(key=task.task_id, prompt=messages, shared=len(messages[0].content))

    def functions(self, task: Task) -> Sequence[dict[str, Any]]:
        """The APIs that the conversation has described or found, in the protocol `tools`."""
        if not self._tools:
            return ()
        from apigap.benchmarks.apibank.inspect.messages import functions_of

        return functions_of(self._prompter, task)

    def may_call(self, task: Task) -> bool:
        """A reply calls nothing."""
        return task.is_call

    def conversation(self, task: Task) -> Sequence[Any] | None:
        """The conversation as a provider's own messages, in the protocol `tools`."""
        if not self._tools:
            return None
        from apigap.benchmarks.apibank.inspect.messages import messages_with_calls

        return messages_with_calls(self._prompter, task)

    def decoding(self, model: str) -> Decoding:
        """Short answers, cut where a model goes on by itself."""
        return decoding_for(model, told=self.settings.generation.max_tokens)

    def predictions(self, path: Path, tasks: Sequence[Task]) -> Answers:
        """Predictions; those of turns that are a user's words are left out, as released."""
        dialogues = self._bank.dialogues
        spoken = {s.task_id for dialogue in dialogues for s in dialogue.samples if s.truth.role == "User"}
        return read_predictions(path, {task.task_id for task in tasks}, spoken)

    def parse(self, response: str, task: Task) -> str:
        """The response itself: each mode reads calls by its own rules."""
        return response

    def score(self, task: Task, artifact: str, sample: int = 0) -> Result:
        """The verdict on one answer."""
        return self._judge.score(task, artifact, sample)

    @contextmanager
    def judging(
        self, tasks: Sequence[Task], progress: Progress, *, anew: bool = False
    ) -> Generator[Judging[Task, str]]:
        """A judge with a system of its own; the search behind it is part of its terms."""
        judge = self._new_judge(progress.note)
        yield Judging(one_by_one(judge.score), judge.plan.described)

    def asked_with(self) -> Mapping[str, Json]:
        """The protocol; the prompts' own hashes tell the data."""
        return {"protocol": self._protocol}

    def judged_with(self) -> Mapping[str, Json]:
        """Mode and protocol."""
        return {"mode": self.options.mode, "protocol": self._protocol}

    def gold(self, task: Task) -> str:
        """The recorded answer, written as the prompts ask for it."""
        return self._judge.gold(task)

    def probes(self, task: Task) -> list[Probe]:
        """Nothing, an API that there is not, and the recorded call, which the released rules do not always take."""
        if not task.is_call:
            return []
        refused = Probe(self.gold(task), None, None, _REFUSED, lambda result: not has_passed(result))
        gold = refused if self.options.mode == "released" else Probe(self.gold(task), True)
        return [Probe("", False), Probe("[NoSuchApi(keywords='nothing')]", False), gold]

    def summarise(
        self, tasks: Sequence[Task], results: Sequence[Result], answers: Answers, answered_only: bool
    ) -> BankSummary:
        """Figures per level, and the paper's totals."""
        return summarise_bank(self._bank, results, self.options.mode, answered_only, self.options.search)

    @staticmethod
    def measures(result: Result) -> Mapping[str, float]:
        """Right or wrong for a call, ROUGE-L for a reply."""
        return {"score": result.score}


def decoding_for(model: str, max_tokens: int = MAX_TOKENS, told: int | None = None) -> Decoding:
    """The decoding of `model`; the trace of a reasoning model is neither bounded by an answer's length nor cut."""
    stop = () if reasons(model) else STOP
    return decoding_within(model, tokens_for(model, max_tokens, told)).model_copy(update={"stop": stop})
