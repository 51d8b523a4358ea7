"""Scoring and calibration of API selection on ToolBench's queries."""

from pathlib import Path
from typing import Annotated, Any

import typer

from apigap.cli.options import JsonOption

QueriesOption = Annotated[
    list[Path], typer.Option("--queries", help="A query file of ToolBench or StableToolBench; may be repeated.")
]


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
    from apigap.cli.console import print_json, print_table
    from apigap.pipeline.score_toolllm import score_toolllm as score

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
    from apigap.cli.console import print_json
    from apigap.pipeline.score_toolllm import calibrate_toolllm as calibrate
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
        name, str(figures["queries"]), str(figures["answered"]), _rate(figures["recall"]), _share(figures["precision"]),
        _share(figures["f1"]["estimate"]), _share(figures["exact"]["estimate"]), _rate(figures["resolved"]),
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
