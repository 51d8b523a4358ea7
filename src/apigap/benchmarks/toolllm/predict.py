"""API selection: a model's answers to query files. What is checked is checked before the first one is paid for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.toolllm.adapter import ToolLlm
from apigap.benchmarks.toolllm.prompts import Form, shared_characters
from apigap.benchmarks.toolllm.queries import Query, drawn
from apigap.benchmarks.toolllm.score import calibrate_queries
from apigap.evaluation.answers import collect
from apigap.evaluation.model_pool import MakeGenerator, Models
from apigap.models.generate import describe
from apigap.models.request import GenerationRequest
from apigap.records.configuration import GenerationSettings
from apigap.records.errors import CheckFailed
from apigap.records.manifest import Stage, file_hash
from apigap.records.progress import Progress
from apigap.records.result import Prediction


@dataclass(frozen=True)
class Asking:
    """Who is asked, how, and about how many queries, drawn by hash (`limit` 0: all)."""

    model: str
    form: Form = "text"
    limit: int = 0


def predict_toolllm(
    queries: Sequence[Path],
    out: Path,
    asking: Asking,
    settings: GenerationSettings,
    progress: Progress,
    make: MakeGenerator | None = None,
) -> list[Prediction]:
    """Write a greedy answer per query to `out`, in the order of the queries; a run that was ended goes on.

    Raises:
        CorruptRecord: when a row has no usable label.
        CheckFailed: when the scorer does not tell the labels of a query from less or more.
        UsageError: when `out` holds answers of another model, form or version of these queries.
    """
    rows = drawn(preflight(ToolLlm.load(*queries)), asking.limit)
    models = Models(settings, make) if make else Models(settings)
    with models:
        made_from = {
            "queries": [file_hash(path) for path in queries],
            "form": asking.form,
            "model": describe(asking.model, models.decoding(asking.model)),
        }
        stage = Stage(out.with_name(f"{out.stem}.manifest.json"), "toolllm predict", made_from)
        requests = [request_of(query, asking.form) for query in rows]
        found = collect({out: requests}, models.ask(asking.model), {}, progress.step("answers"), shared=True)
        stage.finish({"predictions": len(found)})
    return [found[request.key] for request in requests]


def request_of(query: Query, form: Form) -> GenerationRequest:
    """What is asked about one query; a local model reads the instructions, which all queries share, once."""
    prompt = ToolLlm.prompt(query, form)
    return GenerationRequest(key=f"{query.task_id}/{form}", prompt=prompt, shared=shared_characters(form))


def preflight(queries: list[Query]) -> list[Query]:
    """The queries, once the scorer has proved itself on them: labels get all, nothing gets nothing, parts their share.

    Raises:
        CheckFailed: when it has not.
    """
    wrong, probes = calibrate_queries(queries)
    if wrong:
        raise CheckFailed(
            f"{len(wrong)} of {probes} probes got another score than they must, so no model is asked; look at them "
            f"with: apigap calibrate toolllm. The first: {wrong[0]}"
        )
    return queries
