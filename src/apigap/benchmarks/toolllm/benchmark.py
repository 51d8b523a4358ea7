"""API selection on ToolBench's queries: which of the offered APIs an answer chooses."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from apigap.benchmarks.toolllm.baselines import everything
from apigap.benchmarks.toolllm.prompts import NATIVE_SYSTEM, native_functions, selection_messages, shared_characters
from apigap.benchmarks.toolllm.queries import Query, drawn, load_queries, queries_path
from apigap.benchmarks.toolllm.selection import Selection, select
from apigap.benchmarks.toolllm.summary import SelectionSummary, summarise_selection
from apigap.benchmarks.toolllm.trees import recorded_query, tree_text
from apigap.benchmarks.toolllm.verdict import EVALUATOR, SelectionMode, verdict
from apigap.evaluation.benchmark import Benchmark, Probe
from apigap.evaluation.options import ASKING, JUDGING, Options
from apigap.evaluation.predictions import Answers, read_predictions
from apigap.models.request import GenerationRequest, Message
from apigap.records.base import Json
from apigap.records.configuration import Settings
from apigap.records.manifest import file_hash
from apigap.records.parsing.json_shapes import is_object
from apigap.records.result import Prediction, Result
from apigap.records.store import read_bytes


class ToolLlmOptions(Options):
    """The query files, and the form in which their APIs are shown."""

    queries: Annotated[
        tuple[Path, ...],
        Field(
            min_length=1,
            description="A query file of ToolBench or StableToolBench, or `own` for those of this project; may be "
            "repeated.",
        ),
    ] = (Path("own"),)
    form: Annotated[
        Literal["text", "functions", "native"],
        Field(
            description="How functions are shown. text: names in a list, JSON back; functions: JSON schemas, "
            "<tool_call> back; native: functions as a provider takes them (with Inspect alone)."
        ),
        ASKING,
    ] = "text"
    mode: Annotated[
        SelectionMode,
        Field(
            description="released: the names in free text count as chosen, as before; corrected: free text chooses "
            "nothing."
        ),
        JUDGING,
    ] = "corrected"


class ToolLlm(Benchmark[Query, Selection]):
    """API selection: the score is recall of the relevant APIs, and a choice passes that is just these."""

    name = "toolllm"
    title = "API selection on ToolBench's queries"
    options_type = ToolLlmOptions
    options: ToolLlmOptions
    evaluator = EVALUATOR
    proves_itself = True

    def __init__(self, options: ToolLlmOptions, settings: Settings) -> None:
        super().__init__(options, settings)
        self._paths = [queries_path(path) for path in options.queries]
        self._form: Literal["text", "functions", "native"] = options.form

    def load(self) -> list[Query]:
        """The queries of all files; see `load_queries`."""
        return load_queries(self._paths)

    def select(self, tasks: Sequence[Query], limit: int) -> list[Query]:
        """At most `limit` queries, drawn by hash: more of them hold all of fewer."""
        return drawn(tasks, limit)

    def prompt(self, task: Query, room: int | None = None) -> GenerationRequest:
        """The query and its APIs; a local model reads the instructions, which all queries share, once."""
        key = f"{task.task_id}/{self._form}"
        if self._form == "native":
            told = Message(role="system", content=NATIVE_SYSTEM), Message(role="user", content=task.question)
            return GenerationRequest(key=key, prompt=told, shared=len(NATIVE_SYSTEM))
        prompt = selection_messages(task, self._form)
        return GenerationRequest(key=key, prompt=prompt, shared=shared_characters(self._form))

    def functions(self, task: Query) -> Sequence[dict[str, Any]]:
        """The row's functions, in the form `native`."""
        return native_functions(task) if self._form == "native" else ()

    def predictions(self, path: Path, tasks: Sequence[Query]) -> Answers:
        """Predictions, or the recorded runs of a ToolBench answer file."""
        return read_answers(path, tasks)

    def parse(self, response: str, task: Query) -> Selection:
        """The APIs that a response chooses; never raises."""
        return select(response, task)

    def score(self, task: Query, artifact: Selection, sample: int = 0) -> Result:
        """The verdict on a choice."""
        return verdict(task, artifact, sample, self.options.mode)

    def asked_with(self) -> Mapping[str, Json]:
        """The queries and the form."""
        return {"queries": self._hashes, "form": self._form}

    def judged_with(self) -> Mapping[str, Json]:
        """The queries and the mode."""
        return {"queries": self._hashes, "mode": self.options.mode}

    @property
    def _hashes(self) -> list[str]:
        return [file_hash(path) for path in self._paths]

    def gold(self, task: Query) -> str:
        """A response that resolves the query."""
        return gold(task)

    def probes(self, task: Query) -> list[Probe]:
        """Nothing, the labels, the first of several, all of the list, each with its recall; and answers nearly gold.

        The labels in prose earn nothing, but in released mode, where they are a choice that is not resolved.

        Only the labels may count as resolved, and all that is offered where all of it is relevant.
        """
        distinct = {api.function: api.pair for api in task.apis if api.function in task.expected}
        first = next(iter(distinct.values()))
        some = [Probe(chosen_pairs([first]), False, 1 / len(distinct))] if len(distinct) > 1 else []
        return [
            Probe("", False, 0.0),
            Probe(chosen_pairs([]), False, 0.0),
            Probe(self.gold(task), True, 1.0),
            *some,
            Probe(chosen_pairs([api.pair for api in task.apis]), task.is_trivial, everything(task).recall),
            Probe(in_prose(task), False, 0.0 if self.options.mode == "corrected" else 1.0),
            *(Probe(response, False) for response in weak_answers(task)),
        ]

    def summarise(
        self, tasks: Sequence[Query], results: Sequence[Result], answers: Answers, answered_only: bool
    ) -> SelectionSummary:
        """Figures per set, with the baselines beside them."""
        return summarise_selection(tasks, results, answered_only, answers.strangers, self.options.mode)

    @staticmethod
    def measures(result: Result) -> Mapping[str, float]:
        """Recall, F1, whether the sets are equal, and whether the query is resolved."""
        return {name: float(result.detail[name]) for name in ("recall", "f1", "exact", "resolved")}


def gold(query: Query) -> str:
    """A response that resolves the query."""
    return chosen_pairs(query.labels)


def weak_answers(query: Query) -> list[str]:
    """Responses that are nearly gold, none of which may count as resolved.

    The labels and an API that is not there, one label too few, and all that is offered where not all of it is relevant.
    """
    names = sorted(query.expected)
    short = [chosen_names(names[1:])] if len(names) > 1 else []
    whole = [] if query.is_trivial else [chosen_names(sorted(query.offered))]
    return [chosen_names([*names, "nothing_for_nobody"]), *short, *whole]


def in_prose(query: Query) -> str:
    """The labels in a sentence, which may as well be a refusal."""
    return f"Call {' and '.join(sorted(query.expected))}."


def chosen_names(names: Sequence[str]) -> str:
    """A structured answer that chooses functions by their names."""
    return json.dumps({"api_calls": list(names)}, ensure_ascii=False)


def chosen_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """A structured answer that chooses `pairs` of tool and API name."""
    return json.dumps({"api_calls": [list(pair) for pair in pairs]}, ensure_ascii=False)


def read_answers(path: Path, queries: Sequence[Query]) -> Answers:
    """The predictions of a JSONL file, or the recorded runs of a ToolBench answer file.

    Recorded runs are matched by id and text, since other splits use the same ids for other queries; those that match
    no query are counted.

    Raises:
        CorruptRecord: for a file of neither kind, a prediction of an unknown query, or two of one query.
    """
    recorded = _recorded(path)
    if recorded is not None:
        texts = {query.task_id: query.question for query in queries}
        ours = {key: run for key, run in recorded.items() if texts.get(key) == recorded_query(run)}
        predictions = [Prediction(task_id=key, samples=(tree_text(run),)) for key, run in ours.items()]
        return Answers(tuple(predictions), len(recorded) - len(ours))
    return read_predictions(path, {query.task_id for query in queries})


def _recorded(path: Path) -> dict[str, Any] | None:
    """The runs of a ToolBench answer file by query id; None where the file is something else."""
    try:
        value: Any = json.loads(read_bytes(path))
    except (ValueError, RecursionError):
        return None
    if not is_object(value) or "task_id" in value or not all(is_object(run) for run in value.values()):
        return None
    return value
