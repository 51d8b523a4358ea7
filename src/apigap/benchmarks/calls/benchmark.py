"""Calls of functions: one at a time or several at once, and queries to which none of the functions is an answer."""

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from apigap.benchmarks.call_faults import CallFault
from apigap.benchmarks.calls.bfcl.files import answers_file, load_bfcl, question_files, result_text, rows
from apigap.benchmarks.calls.mutants import NO_FUNCTION, gold, mutants, right_answers, written
from apigap.benchmarks.calls.names import Names
from apigap.benchmarks.calls.prompts import Form, conversation, native_functions, shared_characters
from apigap.benchmarks.calls.queries import OWN, Query, load_queries
from apigap.benchmarks.calls.reading import Reading, read_answer
from apigap.benchmarks.calls.summary import CallsSummary, summarise_calls
from apigap.benchmarks.calls.verdict import EVALUATOR, verdict
from apigap.evaluation.benchmark import Benchmark, Judging, Probe, evenly, has_passed
from apigap.evaluation.item import Item, OnResult
from apigap.evaluation.options import ASKING, Options
from apigap.evaluation.predictions import Answers, read_predictions
from apigap.models.request import GenerationRequest, OfferedTool
from apigap.records.base import Json
from apigap.records.configuration import Settings
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.manifest import file_hash
from apigap.records.progress import Progress
from apigap.records.result import Prediction, Result
from apigap.records.store import existing_file

BFCL_DATA = "bfcl:"
REFUSED = "an accepted value is refused by the rules"
_BROKEN = '<tool_call>\n{"name": "'


class CallsOptions(Options):
    """The queries, and the form in which their functions are shown."""

    data: Annotated[
        Path,
        Field(
            description="`own`: the queries of this project; bfcl:FOLDER: files of the Berkeley Function-Calling "
            "Leaderboard; else a JSONL file of queries."
        ),
    ] = Path(OWN.stem)
    category: Annotated[tuple[str, ...], Field(description="A category to take; may be repeated; default: all.")] = ()
    form: Annotated[
        Form,
        Field(
            description="How functions are shown. functions: JSON schemas, <tool_call> back; python: JSON schemas, a "
            "list of Python calls back; native: functions as the model's provider takes them, calls as it gives them."
        ),
        ASKING,
    ] = "functions"


class Calls(Benchmark[Query, Reading]):
    """Calls: an answer passes that makes just the right calls, or says that it makes none where none is right."""

    name = "calls"
    title = "Calls of functions: several at once, sets of accepted values, and nothing to call"
    options_type = CallsOptions
    options: CallsOptions
    evaluator = EVALUATOR
    proves_itself = True
    counts_cut = True

    def __init__(self, options: CallsOptions, settings: Settings) -> None:
        super().__init__(options, settings)
        self._form: Form = options.form

    @cached_property
    def _queries(self) -> list[Query]:
        wanted, folder = self.options.category, self._folder
        found = load_bfcl(folder) if folder else load_queries(self._file)
        known = list(dict.fromkeys(query.category for query in found))
        strange = [name for name in wanted if name not in known]
        if strange:
            raise UsageError(
                f"there is no category {strange[0]!r} in {self.options.data}; give --category one of {', '.join(known)}"
            )
        return [query for query in found if not wanted or query.category in wanted]

    @property
    def _folder(self) -> Path | None:
        """The folder of BFCL's files, where these are the data."""
        told = str(self.options.data)
        return Path(told.removeprefix(BFCL_DATA)) if told.startswith(BFCL_DATA) else None

    @property
    def _file(self) -> Path:
        path = Path(self.options.data)
        return (
            OWN
            if path == Path(OWN.stem) and not path.is_file()
            else existing_file(path, "a file of queries, with --data")
        )

    def load(self) -> list[Query]:
        """The queries, in order."""
        return self._queries

    def select(self, tasks: Sequence[Query], limit: int) -> list[Query]:
        """At most `limit` queries of each category, spread evenly."""
        by_category: dict[str, list[Query]] = {}
        for query in tasks:
            by_category.setdefault(query.category, []).append(query)
        return [query for several in by_category.values() for query in evenly(several, limit)]

    def prompt(self, task: Query, room: int | None = None) -> GenerationRequest:
        """The query and its functions; a local model reads the instructions, which all queries share, once."""
        return GenerationRequest(
            key=f"{task.task_id}/{self._form}",
            prompt=conversation(task, self._form),
            shared=shared_characters(self._form),
            tools=tuple(OfferedTool(**one) for one in self.functions(task)),
        )

    def functions(self, task: Query) -> Sequence[dict[str, Any]]:
        """The query's functions, in the form `native`."""
        return native_functions(task) if self._form == "native" else ()

    def predictions(self, path: Path, tasks: Sequence[Query]) -> Answers:
        """Predictions, or a result file of BFCL's."""
        known = {task.task_id for task in tasks}
        if not _is_result_file(path):
            return read_predictions(path, known)
        found = [(str(row.get("id")), result_text(row["result"])) for row in rows(path)]
        twice = [name for name, count in Counter(name for name, _ in found).items() if count > 1]
        if twice:
            raise CorruptRecord(f"{path} answers {twice[0]} twice")
        given = tuple(Prediction(task_id=name, samples=(text,)) for name, text in found if name in known)
        return Answers(given, len(found) - len(given))

    def parse(self, response: str, task: Query) -> Reading:
        """The calls of a response; never raises."""
        return read_answer(response, Names(task.schemas).spellings)

    def score(self, task: Query, artifact: Reading, sample: int = 0) -> Result:
        """The verdict on the calls of a whole answer."""
        return verdict(task, artifact, sample)

    @contextmanager
    def judging(
        self, tasks: Sequence[Query], progress: Progress, *, anew: bool = False
    ) -> Generator[Judging[Query, Reading]]:
        """A judge that knows what ended an answer."""
        del tasks, progress, anew

        def judge(items: Sequence[Item[Query, Reading]], on_result: OnResult) -> None:
            for item in items:
                on_result(verdict(item.task, item.artifact, item.sample, item.ended))

        yield Judging(judge)

    def asked_with(self) -> Mapping[str, Json]:
        """The queries and the form."""
        return {**self.judged_with(), "form": self._form}

    def judged_with(self) -> Mapping[str, Json]:
        """The files of the queries, and the categories that are taken."""
        questions = question_files(self._folder) if self._folder else []
        answers = [path for path in map(answers_file, questions) if path.is_file()]
        files = [*questions, *answers] or [self._file]
        return {"queries": [file_hash(path) for path in files], "category": list(self.options.category)}

    def gold(self, task: Query) -> str:
        """A response that is right."""
        return gold(task)

    def probes(self, task: Query) -> list[Probe]:
        """Right answers in all their forms, nothing, what cannot be read, and right answers with one thing wrong.

        A wrong one whose fault is not among those that are told of it is a weakness of the task. So is an accepted
        value that the rules refuse, in data that is not ours.
        """
        refusals = task.expects == "nothing"
        right = [gold(task), *(written(calls) for calls in right_answers(task))]
        return [
            *(Probe(text, True) if task.rules == "own" else _refused(text) for text in right),
            Probe("", False),
            Probe(NO_FUNCTION, refusals),
            Probe("[]", refusals),
            Probe(_BROKEN, False),
            *(
                Probe(written(calls), False, weakness=f"a {fault} is not told as one", shows=_untold(fault))
                for fault, calls in mutants(task)
            ),
        ]

    def summarise(
        self, tasks: Sequence[Query], results: Sequence[Result], answers: Answers, answered_only: bool
    ) -> CallsSummary:
        """Figures per category, those with nothing to call apart."""
        return summarise_calls(tasks, results, answers, answered_only)

    @staticmethod
    def measures(result: Result) -> Mapping[str, float]:
        """Right or wrong, and the share of right calls."""
        return {"right": float(result.passed), "share of calls": result.score}


def _refused(text: str) -> Probe:
    return Probe(text, None, weakness=REFUSED, shows=lambda result: not has_passed(result))


def _untold(fault: CallFault) -> Callable[[Result], bool]:
    return lambda result: fault not in result.detail["faults"]


def _is_result_file(path: Path) -> bool:
    """True for a file whose first line has a `result` by an `id`, as BFCL writes them."""
    with path.open(encoding="utf-8", errors="replace") as file:
        first = next((line for line in file if line.strip()), "")
    return '"result"' in first and '"task_id"' not in first
