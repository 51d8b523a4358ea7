"""API-Bank's generator as a run: an order, a model, a folder; the same command goes on where it was stopped.

All that is paid for is in `transcripts.jsonl`, kept answer by answer. Every other file follows from it and is written
in one step at the end, so that a run which is killed anywhere loses no answer and no record is there twice.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apigap.apibank_generator.agents.prompts import prompt_of
from apigap.apibank_generator.budgeted_client import Budget, BudgetedClient, Price
from apigap.apibank_generator.card import write_card
from apigap.apibank_generator.checks.evaluation import Evaluation, evaluation_of, is_own
from apigap.apibank_generator.folder import Folder, finished
from apigap.apibank_generator.formats.files import write_formats
from apigap.apibank_generator.generator import GeneratedData, generate
from apigap.apibank_generator.order import MAX_TOKENS, Order
from apigap.apibank_generator.records import AGENTS, Dialogue, Domain, Rejection, Tool
from apigap.apibank_generator.review import Decision, effect_of, last_of, taken
from apigap.apibank_generator.seeds.user_apis import Seeds
from apigap.apibank_generator.statistics import acceptance, statistics_of
from apigap.apibank_generator.work_so_far import WorkSoFar
from apigap.models.generate import describe
from apigap.models.model_facts import decoding_within
from apigap.models.transcripts import Transcripts
from apigap.models.trial import try_models
from apigap.records.base import content_hash
from apigap.records.errors import UsageError
from apigap.records.extras import from_extra
from apigap.records.manifest import Stage
from apigap.records.progress import Progress
from apigap.records.sources import source_hash
from apigap.records.store import load_records, write_records, write_text
from apigap.retrieval.embedders import load_embedder

if TYPE_CHECKING:
    from apigap.reporting.local_server import LocalServer

OWN = Path("own")
_OWN_ONLY = (
    "the dialogues are compared with apigap's own small set only: before you measure on API-Bank with what they teach, "
    "make them with --evaluation and the folder of its data"
)


@dataclass(frozen=True)
class RunOptions:
    """A run's settings beside its order. `evaluation` is the data whose words must not come back.

    With `recorded`, transcripts of such a run, no model is asked. Without a `price` no dollars are counted.

    Raises:
        UsageError: when there is a budget of dollars and no price.
    """

    model: str
    evaluation: Path = OWN
    embedder: str = "minilm"
    price: Price | None = None
    budget: Budget = field(default_factory=Budget)
    recorded: Path | None = None

    def __post_init__(self) -> None:
        if self.budget.dollars is not None and self.price is None:
            raise UsageError(
                "--max-dollars needs a price, and apigap knows none: add --price IN/OUT (dollars per million "
                "tokens), or give --max-tokens"
            )

    @property
    def asks(self) -> bool:
        """True where the model may be asked at all."""
        return self.recorded is None and 0 not in (self.budget.dollars, self.budget.tokens, self.budget.minutes)


def try_model(options: RunOptions, out: Path, progress: Progress) -> None:
    """Ask the model for one word before anything is built, unless it will be asked nothing.

    Raises:
        ModelUnavailable: when it cannot be asked; the message says what to do next.
    """
    if options.asks and not Folder(out).summary.exists():
        try_models([(options.model, decoding_within(options.model, MAX_TOKENS).max_tokens)], progress)


def generate_apibank(
    order: Order, options: RunOptions, out: Path, progress: Progress, seeds: Seeds | None = None
) -> dict[str, Any]:
    """Fill `order` into the folder `out`; what its transcripts hold is not asked again.

    A folder of a smaller count is made longer: what it has stays as it is, and further dialogues follow.

    With `seeds` the dialogues are of those APIs, and the first two agents have nothing to do.

    Returns:
        The summary, which is in `summary.json` too: counts, acceptance per agent and reason, tokens and dollars,
        `why` there are fewer dialogues than were ordered and the `remedy` (None where there are not), `notes`, and
        `seeds`: how many APIs were given, and how much of them was left out or cut short (None without).

    Raises:
        UsageError: when the folder was made from another order, model or prompts, or is of a larger count.
        ModelUnavailable: when the model cannot be asked; what it answered is kept.
    """
    folder = Folder(out)
    order = folder.continued(order)
    tools = seeds.tools if seeds else []
    decoding = decoding_within(options.model, MAX_TOKENS)
    embedder = load_embedder(options.embedder, progress.note)
    evaluation = evaluation_of(options.evaluation)
    if is_own(options.evaluation):
        progress.note(_OWN_ONLY)
    made_from = {
        "model": describe(options.model, decoding),
        "order": order.model_dump(mode="json", exclude={"attempts", "count", "earlier"}),
        "counts": [part.count for part in order.parts],
        "seeds": content_hash([tool.model_dump(mode="json") for tool in tools]),
        "prompts": {agent: prompt_of(agent).hash for agent in AGENTS},
        "code": source_hash(Path(str(files("apigap.apibank_generator")))),
        "embedder": embedder.describe(),
        "evaluation": evaluation.hash,
    }
    stage = Stage(folder.manifest, "apibank generate", made_from, growing=("counts",))
    work = WorkSoFar(folder.progress, order.count, progress)
    with Transcripts(options.model, decoding, folder.transcripts, options.recorded) as transcripts:
        client = BudgetedClient(transcripts, decoding, options.price, options.budget)
        try:
            data = generate(order, client, embedder, evaluation, progress.step("dialogues"), tools, work.watch)
        finally:
            work.write()
    summary = _summary(order, data, client, evaluation, seeds)
    write_records(folder.domains, data.domains)
    write_records(folder.tools, data.tools)
    write_records(folder.rejections, data.rejections)
    write_records(folder.dialogues, data.dialogues)
    write_text(folder.summary, json.dumps(summary, indent=2, ensure_ascii=False) + "\n")
    rows = write_files(folder)
    stage.finish({"dialogues": len(data.accepted), "why": summary["why"]})
    work.end()
    return {**summary, "rows": rows, "folder": str(out)}


def write_files(folder: Folder) -> dict[str, int]:
    """The formats and the data card of what a folder holds, a person's decisions applied; rows per file."""
    everything = load_records(folder.dialogues, Dialogue)
    tools = {tool.name: tool for tool in load_records(folder.tools, Tool)}
    decisions = last_of(load_records(folder.decisions, Decision) if folder.decisions.exists() else [])
    chosen = taken(everything, decisions)
    shares = acceptance(
        load_records(folder.domains, Domain),
        list(tools.values()),
        load_records(folder.rejections, Rejection),
        everything,
    )
    rows = write_formats(folder.formats, chosen, tools)
    write_card(folder.path, statistics_of(chosen), shares, rows, folder.summary, effect_of(everything, decisions))
    return rows


def _summary(
    order: Order, data: GeneratedData, client: BudgetedClient, evaluation: Evaluation, seeds: Seeds | None
) -> dict[str, Any]:
    shares = acceptance(data.domains, data.tools, data.rejections, data.dialogues)
    return {
        "ordered": order.count,
        "why": data.ending.why if data.ending else None,
        "remedy": data.ending.remedy if data.ending else None,
        "notes": list(data.notes),
        "seeds": {"apis": len(seeds.tools), **seeds.counts} if seeds else None,
        "evaluation": evaluation.summary(),
        "statistics": statistics_of(data.accepted).model_dump(mode="json"),
        "acceptance": {agent: share.model_dump(mode="json") for agent, share in shares.items()},
        "account": client.account(len(data.accepted)),
    }


@contextmanager
def review_of(data: Path, port: int) -> "Generator[LocalServer]":
    """The server of the page for the run in `data`; at the end the training files are written with the decisions.

    Raises:
        UsageError: when the folder holds no finished run.
        InfrastructureError: when the port is taken, or the extra `serve` is not installed.
    """
    with from_extra("serve", "a page in a browser"):
        from apigap.apibank_generator.review_page.web import Review, review_server
    folder = finished(data)
    review = Review(
        load_records(folder.dialogues, Dialogue),
        load_records(folder.rejections, Rejection),
        folder.decisions,
        lambda: write_files(folder),
    )
    try:
        with review_server(review, port) as server:
            yield server
    finally:  # a person ends it by Ctrl+C
        review.close()
        write_files(folder)


def apply_decisions(data: Path) -> dict[str, int]:
    """Write the training files of a run with the decisions that were made; rows per file."""
    return write_files(finished(data))
