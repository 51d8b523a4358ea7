"""`apigap toolllm retrieve` and `tune`: the search for APIs among those of ToolBench's queries."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.console import Console, next_command, print_rows
from apigap.cli.option_groups import commands, group
from apigap.cli.options import JsonOption, SearchersOption

if TYPE_CHECKING:
    from apigap.benchmarks.toolllm.retrieve import RetrieverScore


def _named(queries: list[Path]) -> list[Path]:
    """A callback: `own` are the queries that come with apigap."""
    from apigap.benchmarks.toolllm.queries import queries_path

    return [queries_path(path) for path in queries]


QueriesOption = Annotated[
    list[Path],
    typer.Option(
        "--queries", callback=_named,
        help="A query file of ToolBench or StableToolBench, or `own` for those of this project; may be repeated.",
    ),
]  # fmt: skip


def retrieve(
    queries: QueriesOption,
    searcher: SearchersOption = None,
    embedder: Annotated[
        str, typer.Option("--embedder", help="minilm (84 MB, fetched once), lexical, a folder, or ORGANISATION/NAME.")
    ] = "minilm",
    json_: JsonOption = False,
) -> None:
    """Search for each query among the APIs of all files: NDCG@1, 3, 5 as published, and recall, ties averaged."""
    from apigap.benchmarks.toolllm.retrieve import retrieve_toolllm
    from apigap.retrieval.index import searchers_named

    chosen = searchers_named(searcher or ())
    with Console() as console:
        scores = retrieve_toolllm(queries, chosen, embedder, console)
    _show(scores, json_)


def tune(
    queries: QueriesOption,
    out: Annotated[Path, typer.Option("--out", help="Folder for the tuned encoder, and its name for --embedder.")],
    base: Annotated[str, typer.Option("--base", help="minilm, a folder, or ORGANISATION/NAME.")] = "minilm",
    share: Annotated[float, typer.Option("--share", min=0, max=1, help="Share of the queries to measure on.")] = 1 / 3,
    epochs: Annotated[int, typer.Option("--epochs", min=0, help="Rounds over the queries.")] = 5,
    batch: Annotated[
        int, typer.Option("--batch", min=2, help="Pairs in a batch; the others' documents are the negatives.")
    ] = 32,
    rate: Annotated[float, typer.Option("--rate", min=0, help="The highest learning rate.")] = 2e-5,
    tokens: Annotated[int, typer.Option("--tokens", min=8, help="Tokens of a text that are read while tuning.")] = 256,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the split, the order and the dropout.")] = 0,
    json_: JsonOption = False,
) -> None:
    """Tune a sentence encoder for the search (extra `encoders`), and measure it on queries of tools it has not seen."""
    from apigap.benchmarks.toolllm.tune import tune_toolllm
    from apigap.retrieval.tuning import Recipe

    recipe = Recipe(epochs=epochs, batch=batch, rate=rate, tokens=tokens, seed=seed)
    with Console() as console:
        scores = tune_toolllm(queries, out, base, recipe, share, console)
    _show(scores, json_)
    if not json_:
        given = [word for path in queries for word in ("--queries", path)]
        print(next_command("toolllm", "retrieve", *given, "--embedder", out))


def _show(scores: "Sequence[RetrieverScore]", as_json: bool) -> None:
    from apigap.benchmarks.toolllm.retrieve import NDCG_AT, RECALL_AT

    columns = (
        "set", "searcher", "encoder", "queries", *(f"NDCG@{k}" for k in NDCG_AT), *(f"recall@{k}" for k in RECALL_AT)
    )  # fmt: skip
    rows = [
        [s.set, s.searcher, s.embedder, s.queries, *(f"{x:.3f}" for x in (*s.ndcg.values(), *s.recall.values()))]
        for s in sorted(scores, key=lambda score: score.set == "all")
    ]
    told = [score.model_dump(mode="json") for score in scores]
    print_rows(as_json, told, f"Search among {scores[0].documents} API documents", columns, rows)


register = commands(group("toolllm", "The search for APIs among those of ToolBench's queries.", retrieve, tune))
