"""Scoring and calibration of API selection on ToolBench's queries."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apigap.cli.options import DEFAULT_MODEL, JsonOption, ModelOption, SetOption

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


def register(app: typer.Typer) -> None:
    """Add the commands to `app`; those that score and calibrate stand with the other benchmarks'."""
    group = typer.Typer(help="API selection on ToolBench's queries: ask a model, search.", no_args_is_help=True)
    group.command()(predict)
    group.command()(compare)
    group.command()(retrieve)
    group.command()(tune)
    app.add_typer(group, name="toolllm")


def predict(
    queries: QueriesOption,
    out: Annotated[Path, typer.Option("--out", help="JSONL file for the answers; the same command goes on in it.")],
    model: ModelOption = DEFAULT_MODEL,
    form: Annotated[
        str, typer.Option("--form", help="text: names in a list, JSON back; functions: JSON schemas, <tool_call> back.")
    ] = "text",
    limit: Annotated[int, typer.Option("--limit", min=0, help="At most so many queries, drawn by hash (0: all).")] = 0,
    connections: Annotated[
        int | None, typer.Option("--connections", min=1, help="Requests at a time; servers of a local model.")
    ] = None,
    set_: SetOption = None,
) -> None:
    """Ask a model which APIs each query needs, greedily; labels and scorer are checked first."""
    from functools import partial

    from apigap.benchmarks.toolllm.predict import Asking, predict_toolllm
    from apigap.benchmarks.toolllm.prompts import FORMS
    from apigap.cli.console import Console
    from apigap.models.generate import Generator
    from apigap.records.configuration import load_settings
    from apigap.records.errors import UsageError

    if form not in FORMS:
        raise UsageError(f"no form is named {form!r}; they are {', '.join(FORMS)}")
    settings = load_settings(overrides=set_ or []).generation
    asking = Asking(model, FORMS[FORMS.index(form)], limit)
    with Console() as console:
        found = predict_toolllm(queries, out, asking, settings, console, partial(Generator, connections=connections))
    print(f"{len(found)} answers: {out}")
    print(f"next: apigap score toolllm --queries ... --predictions {out} --out F --answered-only")


def compare(
    queries: QueriesOption,
    before: Annotated[Path, typer.Option("--before", help="Answers of one model.")],
    after: Annotated[Path, typer.Option("--after", help="Answers of another, or of the same asked otherwise.")],
    json_: JsonOption = False,
) -> None:
    """What one predictions file gains over another, per set: paired by query, queries on the same tools as clusters."""
    from dataclasses import asdict

    from apigap.benchmarks.toolllm.compare import compare_toolllm
    from apigap.cli.console import print_gains, print_json

    gains = compare_toolllm(queries, before, after)
    if json_:
        print_json([asdict(gain) for gain in gains])
        return
    title = "API selection: per cent, by the tools that are offered"
    print_gains(title, ("set", "metric"), [((gain.set_name, gain.metric), gain) for gain in gains])


def retrieve(
    queries: QueriesOption,
    searcher: Annotated[
        list[str] | None, typer.Option("--searcher", help="dense, bm25, hybrid; default: all; may be repeated.")
    ] = None,
    embedder: Annotated[
        str, typer.Option("--embedder", help="minilm (84 MB, fetched once), lexical, a folder, or ORGANISATION/NAME.")
    ] = "minilm",
    json_: JsonOption = False,
) -> None:
    """Search for each query among the APIs of all files: NDCG@1, 3, 5 as published, and recall, ties averaged."""
    from apigap.benchmarks.toolllm.retrieve import retrieve_toolllm
    from apigap.cli.console import Console, print_json
    from apigap.retrieval.index import searchers_named

    chosen = searchers_named(searcher or ())
    with Console() as console:
        scores = retrieve_toolllm(queries, chosen, embedder, console)
    if json_:
        print_json([score.model_dump(mode="json") for score in scores])
        return
    _print_searches(scores)


def tune(
    queries: QueriesOption,
    out: Annotated[Path, typer.Option("--out", help="Folder for the tuned encoder, and its name for --embedder.")],
    base: Annotated[str, typer.Option("--base", help="minilm, a folder, or ORGANISATION/NAME.")] = "minilm",
    share: Annotated[float, typer.Option("--share", min=0, max=1, help="Of the queries, to measure on.")] = 1 / 3,
    epochs: Annotated[int, typer.Option("--epochs", min=0)] = 5,
    batch: Annotated[int, typer.Option("--batch", min=2, help="Pairs; the others' documents are the negatives.")] = 32,
    rate: Annotated[float, typer.Option("--rate", min=0, help="The highest learning rate.")] = 2e-5,
    tokens: Annotated[int, typer.Option("--tokens", min=8, help="Of a text that are read while tuning.")] = 256,
    seed: Annotated[int, typer.Option("--seed", help="Of the split, the order and the dropout.")] = 0,
    json_: JsonOption = False,
) -> None:
    """Tune a sentence encoder for the search (extra `encoders`), and measure it on queries of tools it has not seen."""
    from apigap.benchmarks.toolllm.tune import tune_toolllm
    from apigap.cli.console import Console, print_json
    from apigap.retrieval.tuning import Recipe

    recipe = Recipe(epochs=epochs, batch=batch, rate=rate, tokens=tokens, seed=seed)
    with Console() as console:
        scores = tune_toolllm(queries, out, base, recipe, share, console)
    if json_:
        print_json([score.model_dump(mode="json") for score in scores])
        return
    _print_searches(scores)
    print(f"next: apigap toolllm retrieve --queries ... --embedder {out}")


def score_toolllm(
    queries: QueriesOption,
    predictions: Annotated[
        Path,
        typer.Option("--predictions", help='JSONL of {"task_id": QUERY_ID, "samples"}; or a ToolBench answer file.'),
    ],
    out: Annotated[Path, typer.Option("--out", help="JSONL file for the results.")],
    answered_only: Annotated[
        bool, typer.Option("--answered-only", help="Leave queries without an answer out, instead of counting them.")
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Score which APIs the answers in PREDICTIONS choose; the score is recall of the relevant ones."""
    from apigap.benchmarks.toolllm.score import score_toolllm as score
    from apigap.cli.console import print_json, print_table

    summary = score(queries, predictions, out, answered_only)
    if json_:
        print_json(summary)
        return
    columns = ("set", "queries", "answered", "recall", "precision", "F1", "exact", "resolved")
    rows = [row for name, figures in summary["groups"].items() for row in _rows(name, figures)]
    print_table("API selection: means over queries, 95 % intervals clustered by tools", columns, rows)
    print(f"how the answers were read: {summary['groups'].get('all', {}).get('modes', {})}")
    if summary["missing"]:
        how = "count as choosing nothing" if summary["missing_count_as_wrong"] else "are left out"
        print(f"{len(summary['missing'])} queries have no answer and {how}: {summary['missing'][:5]}")
    if summary["strangers"]:
        print(f"{summary['strangers']} recorded runs answer none of these queries (by id and text)")


def calibrate_toolllm(queries: QueriesOption, json_: JsonOption = False) -> None:
    """Check that the labels of every query get 1, nothing gets 0, and a part its share."""
    from apigap.benchmarks.toolllm.score import calibrate_toolllm as calibrate
    from apigap.cli.console import print_json
    from apigap.records.errors import CheckFailed

    wrong, probes = calibrate(queries)
    if json_:
        print_json({"probes": probes, "wrong": wrong})
    else:
        print(f"{probes - len(wrong)} of {probes} probes got the score that they must")
    if wrong:
        raise CheckFailed(f"{len(wrong)} of {probes} probes got another score than they must, first: {wrong[0]}")


def _rows(name: str, figures: dict[str, Any]) -> list[tuple[str, ...]]:
    """The group's own row, and one per baseline."""
    own = (
        name, str(figures["queries"]), str(figures["answered"]), _rate(figures["recall"]),
        _rate(figures["precision_interval"]), _share(figures["f1"]["estimate"]), _share(figures["exact"]["estimate"]),
        _rate(figures["resolved"]),
    )  # fmt: skip
    chances = [
        (f"  {kind}", "", "", _share(c["recall"]), _share(c["precision"]), "", _share(c["exact"]), _share(c["exact"]))
        for kind, c in figures["baselines"].items()
    ]
    return [own, *chances]


def _rate(found: dict[str, float | None]) -> str:
    return f"{_share(found['estimate'])} ({_share(found['low'])}-{_share(found['high'])})"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _print_searches(scores: "Sequence[RetrieverScore]") -> None:
    from apigap.benchmarks.toolllm.retrieve import NDCG_AT, RECALL_AT
    from apigap.cli.console import print_table

    columns = (
        "set", "searcher", "encoder", "queries", *(f"NDCG@{k}" for k in NDCG_AT), *(f"recall@{k}" for k in RECALL_AT)
    )  # fmt: skip
    rows = [
        [s.set, s.searcher, s.embedder, str(s.queries), *(f"{x:.3f}" for x in (*s.ndcg.values(), *s.recall.values()))]
        for s in sorted(scores, key=lambda score: score.set == "all")
    ]
    print_table(f"Search among {scores[0].documents} API documents", columns, rows)
