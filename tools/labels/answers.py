"""Answers that can be labelled: of models, and made ones, each found again by the file and the row that it stands in.

The published data is not part of this project, so a kept label names its answer and does not repeat it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from apigap.benchmarks.calls.mutants import mutants, written
from apigap.benchmarks.calls.queries import OWN as OWN_CALLS
from apigap.benchmarks.calls.queries import load_queries
from apigap.benchmarks.toolllm.benchmark import chosen_pairs, read_answers
from apigap.benchmarks.toolllm.queries import load_queries as load_selections
from apigap.records.base import content_hash
from apigap.records.result import Prediction
from apigap.records.store import load_records

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
"""The published data, beside the checkout."""
BenchmarkName = Literal["apibank", "toolllm", "calls"]
MADE = "made"
SETS = ("G1_instruction", "G1_category", "G2_instruction")
PUBLISHED = "data/"
"""The beginning of sources that are published data."""


class Answer(NamedTuple):
    """An answer to a task of a benchmark; `source` is a model, a file of published data or `made`, `row` its place."""

    benchmark: BenchmarkName
    task_id: str
    source: str
    row: str
    text: str
    ended: str = "stop"

    @property
    def is_made(self) -> bool:
        """True for an answer that no model gave."""
        return is_made(self.source)

    @property
    def id(self) -> str:
        """The name under which it is labelled: it tells nothing of where the answer comes from."""
        return content_hash([self.benchmark, self.task_id, self.text])[:10]


def all_answers(calls: Path) -> Iterator[Answer]:
    """The answers of all sources whose files are there; `calls` is the folder of a study of that benchmark."""
    studies = ROOT / "studies"
    yield from _of_models("apibank", studies / "apibank")
    yield from _of_models("toolllm", studies / "toolllm")
    yield from published_answers()
    yield from _of_models("calls", calls)
    yield from _made_calls()


def published_answers() -> Iterator[Answer]:
    """The answers that stand in the published data, where it is there."""
    yield from _made_for_apibank()
    yield from _recorded_runs()
    yield from _made_choices()


def _of_models(benchmark: BenchmarkName, study: Path) -> Iterator[Answer]:
    for path in sorted(study.glob("*/predictions.jsonl")):
        for one in load_records(path, Prediction):
            for number, (text, ended) in enumerate(zip(one.samples, one.endings, strict=True)):
                yield Answer(benchmark, one.task_id, path.parent.name, f"{one.task_id}/{number}", text, ended)


def _made_for_apibank() -> Iterator[Answer]:
    for name in ("oracle", "lv3_oracle"):
        for number, row in _rows(f"apibank/{name}.visible.jsonl"):
            level_3 = name == "lv3_oracle"
            task = f"level-3-{row['sample_id']}#{row['api_id']}" if level_3 else f"{row['file']}#{row['sample_id']}"
            yield Answer("apibank", task, f"{PUBLISHED}apibank/{name}.visible.jsonl", str(number), row["prediction"])


def _recorded_runs() -> Iterator[Answer]:
    for name in SETS:
        path = DATA / "toolbench" / "predictions" / "gpt-3.5-turbo_CoT" / f"{name}.json"
        if path.exists():
            source = f"{PUBLISHED}{path.relative_to(DATA).as_posix()}"
            for one in read_answers(path, load_selections([query_file(name)])).predictions:
                yield Answer("toolllm", one.task_id, source, one.task_id, one.samples[0])


def _made_choices() -> Iterator[Answer]:
    for number, row in _rows("toolbench/selection_synthetic.visible.jsonl"):
        text = chosen_pairs([(tool, api) for tool, api in row["predicted"]])
        source = f"{PUBLISHED}toolbench/selection_synthetic.visible.jsonl"
        yield Answer("toolllm", str(row["query_id"]), source, str(number), text)


def _made_calls() -> Iterator[Answer]:
    for query in load_queries(OWN_CALLS):
        for number, mutant in enumerate(mutants(query)):
            yield Answer("calls", query.task_id, MADE, f"{query.task_id}/{number}", written(mutant.calls))


def is_made(source: str) -> bool:
    """True for a source whose answers no model gave."""
    return source == MADE or ".visible." in source


def query_file(name: str) -> Path:
    """The queries of one set of ToolBench."""
    return DATA / "toolbench" / "solvable_queries" / "test_instruction" / f"{name}.json"


def _rows(name: str) -> Iterator[tuple[int, Any]]:
    path = DATA / name
    if path.exists():
        with path.open(encoding="utf-8") as lines:
            yield from ((number, json.loads(line)) for number, line in enumerate(lines))
