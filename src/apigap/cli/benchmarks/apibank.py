"""API-Bank: scoring, calibration, and the commands of `apigap apibank`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.benchmarks import apibank_generator
from apigap.cli.options import DEFAULT_MODEL, JsonOption, ModelOption

if TYPE_CHECKING:
    from apigap.benchmarks.apibank.adapter import Mode
    from apigap.benchmarks.apibank.dialogues import Level
    from apigap.benchmarks.apibank.predict import Selection
    from apigap.benchmarks.apibank.prompts import Protocol
    from apigap.benchmarks.apibank.registry import Pool
    from apigap.benchmarks.apibank.serve.user_session import Office

ModeOption = Annotated[
    str, typer.Option("--mode", help="released: the published rules, faults included; corrected: without them.")
]
BankOption = Annotated[
    Path, typer.Option("--data", help="The folder of API-Bank's data; `own`: the small set that comes with apigap.")
]
ProtocolOption = Annotated[
    str, typer.Option("--protocol", help="text: [ApiName(key='value')], as published; native: tool calls as JSON.")
]
SearchOption = Annotated[
    str,
    typer.Option(
        "--search",
        help="What ToolSearcher finds with. recorded: as when the data was made; anew by words (lexical) or "
        "by vectors (minilm: 84 MB, fetched once; ORGANISATION/NAME).",
    ),
]
OWN = Path("own")


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    group = typer.Typer(help="API-Bank: its data and its APIs.", no_args_is_help=True)
    group.command()(predict)
    group.command()(compare)
    group.command()(record)
    group.command()(serve)
    apibank_generator.register(group)
    app.add_typer(group, name="apibank")


def predict(
    out: Annotated[Path, typer.Option("--out", help="JSONL file for the answers; what is in it is not asked again.")],
    model: ModelOption = DEFAULT_MODEL,
    data: BankOption = OWN,
    level: Annotated[list[int] | None, typer.Option("--level", min=1, max=3, help="Default: all.")] = None,
    kind: Annotated[str, typer.Option("--kind", help="calls, replies or all.")] = "all",
    limit: Annotated[int, typer.Option("--limit", min=0, help="Per level and kind, spread over it; 0: all.")] = 0,
    protocol: ProtocolOption = "text",
    samples: Annotated[int, typer.Option("--samples", min=1, help="Answers per task.")] = 1,
    temperature: Annotated[float, typer.Option("--temperature", min=0, help="0: greedy, one answer per task.")] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Of the answers drawn at a temperature above 0.")] = 0,
    json_: JsonOption = False,
) -> None:
    """Ask a model for the calls and replies of API-Bank."""
    from apigap.benchmarks.apibank.predict import Drawing, predict_apibank
    from apigap.cli.console import Console, print_json

    selection, drawing = _selection(level, kind, limit), Drawing(samples, temperature, seed)
    with Console() as console:
        told = predict_apibank(data, model, out, selection, console, _protocol(protocol), drawing)
    if json_:
        print_json(told)
        return
    print(
        f"{told['answers']} answers in {told['file']}; judge them with: apigap score apibank --data {data} "
        f"--predictions {out} --out RESULTS.jsonl" + (f" --protocol {protocol}" if protocol != "text" else "")
    )
    if told["too_long"]:
        print(f"{told['too_long']} prompts are longer than the model's window; their answers are empty")


def compare(
    before: Annotated[Path, typer.Option("--before", help="Answers of one model.")],
    after: Annotated[Path, typer.Option("--after", help="Answers of another, or of the same after a training.")],
    data: BankOption = OWN,
    mode: ModeOption = "released",
    protocol: ProtocolOption = "text",
    search: SearchOption = "recorded",
    json_: JsonOption = False,
) -> None:
    """What one predictions file gains over another, per level: paired by task, whole dialogues as clusters."""
    from dataclasses import asdict

    from apigap.benchmarks.apibank.compare import compare_apibank
    from apigap.cli.console import Console, print_gains, print_json

    with Console() as console:
        gains = compare_apibank(data, before, after, console, _mode(mode), _protocol(protocol), search)
    if json_:
        print_json([asdict(gain) for gain in gains])
        return
    title = f"API-Bank, {mode} mode: per cent of calls that are right, 100 x ROUGE-L of replies; by dialogue"
    print_gains(title, ("level", "kind"), [((gain.level, gain.kind), gain) for gain in gains])


def record(
    out: Annotated[Path, typer.Option("--out", help="The folder to write; it may be the one that is read.")],
    data: BankOption = OWN,
) -> None:
    """Make all calls of the dialogues anew with our own APIs, and write down what they give."""
    from apigap.benchmarks.apibank.recording import record as record_data

    print(f"{record_data(data, out)} calls recorded in {out}")


def serve(
    data: BankOption = OWN,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Of the page; 0: any free one.")] = 8053,
    mcp: Annotated[bool, typer.Option("--mcp", help="An MCP server on standard input and output, no page.")] = False,
    pool: Annotated[str, typer.Option("--pool", help="With --mcp: level-1-2 (53 APIs) or level-3 (22).")] = "level-1-2",
    search: SearchOption = "recorded",
) -> None:
    """Use the APIs by hand: a page for a browser on this machine, or an MCP server for any client."""
    from apigap.benchmarks.apibank.serve.user_session import POOLS, Office
    from apigap.records.errors import UsageError

    chosen: Pool | None = next((one for one in POOLS if one == pool), None)
    if chosen is None:
        raise UsageError(f"no pool is named {pool!r}; the pools are {', '.join(POOLS)}")
    office = Office(data, search)
    if mcp:
        _serve_mcp(office, chosen)
    else:
        _serve_page(office, port)


def _serve_mcp(office: "Office", pool: "Pool") -> None:
    from apigap.records.extras import from_extra

    with from_extra("mcp", "an MCP server"):
        from apigap.benchmarks.apibank.serve.protocol import mcp_server
    mcp_server(office, pool).run(show_banner=False)


def _serve_page(office: "Office", port: int) -> None:
    from apigap.records.extras import from_extra

    with from_extra("serve", "a page in a browser"):
        from apigap.benchmarks.apibank.serve.web import web_server
    with web_server(office, port) as server:
        print(f"The APIs are at {server.address} (end: Ctrl+C)", flush=True)
        server.serve()


def score_apibank(
    data: BankOption,
    predictions: Annotated[Path, typer.Option("--predictions", help='JSONL of {"task_id", "samples"}.')],
    out: Annotated[Path, typer.Option("--out", help="JSONL file for the results.")],
    mode: ModeOption = "released",
    protocol: ProtocolOption = "text",
    search: SearchOption = "recorded",
    answered_only: Annotated[
        bool, typer.Option("--answered-only", help="Leave out what has no answer, which else counts as wrong.")
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Judge the calls and replies in PREDICTIONS."""
    from apigap.benchmarks.apibank.score import score_apibank as score
    from apigap.cli.console import Console, print_json, print_table

    with Console() as console:
        summary = score(data, predictions, out, console, _mode(mode), _protocol(protocol), search, answered_only)
    if json_:
        print_json(summary)
        return
    rows = [
        (
            level, f"{found['answered']} of {found['calls']}", _share(found["accuracy"]),
            "-" if not found["interval"] else "-".join(map(_share, found["interval"])),
            _share(found["distinct_accuracy"]), _share(found["whole_requirements"]),
            f"{found['replies_answered']} of {found['replies']}", _number(found["rouge_l"]),
        )
        for level, found in summary["levels"].items()
    ]  # fmt: skip
    columns = (
        "level", "calls answered", "accuracy", "95 % (by dialogue)", "distinct calls", "whole requirements", "replies",
        "ROUGE-L",
    )  # fmt: skip
    unanswered = "are left out" if answered_only else "count as wrong"
    print_table(f"API-Bank, {mode} mode, {search} search; calls without an answer {unanswered}", columns, rows)
    total = summary["total"]
    print(f"the paper's weighted total: accuracy {_share(total['accuracy'])}, ROUGE-L {_number(total['rouge_l'])}")
    for level, found in summary["levels"].items():
        if found["categories"]:
            print(f"{level}: {found['categories']}")


def calibrate_apibank(data: BankOption, mode: ModeOption = "released", json_: JsonOption = False) -> None:
    """Check that gold calls are right, and no empty answer and no other API; list what released mode refuses."""
    from apigap.benchmarks.apibank.score import calibrate_apibank as calibrate
    from apigap.cli.console import print_json
    from apigap.records.errors import CheckFailed

    wrong, refused, count = calibrate(data, _mode(mode))
    if json_:
        print_json({"probes": count, "wrong": wrong, "gold_refused": refused})
    else:
        print(f"{count - len(wrong)} of {count} probes got the score that they must, or the published one")
        for level, tasks in refused.items():
            if tasks:
                print(f"{level}: {len(tasks)} gold calls are wrong for the released evaluator: {tasks[:3]}")
    if wrong:
        raise CheckFailed(f"{len(wrong)} of {count} probes got another score than they must, first: {wrong[0]}")


def _mode(name: str) -> "Mode":
    from apigap.records.errors import UsageError

    if name not in ("released", "corrected"):
        raise UsageError(f"no mode is named {name!r}; the modes are released and corrected")
    return name


def _protocol(name: str) -> "Protocol":
    from apigap.records.errors import UsageError

    if name not in ("text", "native"):
        raise UsageError(f"no protocol is named {name!r}; the protocols are text and native")
    return name


def _selection(levels: list[int] | None, kind: str, limit: int) -> "Selection":
    from apigap.benchmarks.apibank.predict import Selection
    from apigap.benchmarks.apibank.score import LEVELS
    from apigap.records.errors import UsageError

    if kind not in ("calls", "replies", "all"):
        raise UsageError(f"--kind {kind!r} is none of calls, replies, all")
    wanted: tuple[Level, ...] = tuple(
        name for number, name in enumerate(LEVELS, start=1) if not levels or number in levels
    )
    return Selection(wanted, kind != "replies", kind != "calls", limit)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
