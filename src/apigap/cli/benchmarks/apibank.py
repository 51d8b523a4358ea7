"""API-Bank's data and APIs: `apigap apibank record`, `serve`, `generate` and what belongs to it."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.benchmarks.apibank_generate import generate, progress
from apigap.cli.benchmarks.apibank_generator import convert, review, train
from apigap.cli.benchmarks.apibank_live import live
from apigap.cli.console import print_result
from apigap.cli.option_groups import commands, group
from apigap.cli.options import OWN, JsonOption
from apigap.records.errors import UsageError
from apigap.records.extras import from_extra

if TYPE_CHECKING:
    from apigap.benchmarks.apibank.registry import Pool
    from apigap.benchmarks.apibank.serve.user_session import ServedData

BankOption = Annotated[
    Path, typer.Option("--data", help="Folder of API-Bank's data; `own`: the small set that comes with apigap.")
]
SearchOption = Annotated[
    str,
    typer.Option(
        "--search",
        help="What ToolSearcher finds with. recorded: as when the data was made; anew by words (lexical) or "
        "by vectors (minilm: 84 MB, fetched once; ORGANISATION/NAME).",
    ),
]


def record(
    out: Annotated[Path, typer.Option("--out", help="The folder to write; it may be the one that is read.")],
    data: BankOption = OWN,
    json_: JsonOption = False,
) -> None:
    """Make all calls of the dialogues anew with our own APIs, and write down what they give."""
    from apigap.benchmarks.apibank.recording import record as record_data

    calls = record_data(data, out)
    print_result(json_, {"folder": str(out), "calls": calls}, f"{calls} calls recorded in {out}")


def serve(
    data: BankOption = OWN,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the page; 0: any free one.")] = 8053,
    mcp: Annotated[bool, typer.Option("--mcp", help="An MCP server on standard input and output, no page.")] = False,
    pool: Annotated[str, typer.Option("--pool", help="With --mcp: level-1-2 (53 APIs) or level-3 (22).")] = "level-1-2",
    search: SearchOption = "recorded",
    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            help="released: the published APIs, faults included; corrected: answers depend on all arguments.",
        ),
    ] = "corrected",
    json_: JsonOption = False,
) -> None:
    """Use the APIs by hand: a page for a browser on this machine, or an MCP server for any client."""
    from apigap.benchmarks.apibank.serve.user_session import POOLS, ServedData

    if mode not in ("released", "corrected"):
        raise UsageError(f"no mode is named {mode!r}; the modes are corrected and released")
    chosen: Pool | None = next((one for one in POOLS if one == pool), None)
    if chosen is None:
        raise UsageError(f"no pool is named {pool!r}; the pools are {', '.join(POOLS)}")
    served = ServedData(data, search, mode)
    if mcp:
        _serve_mcp(served, chosen)
    else:
        _serve_page(served, port, json_)


def _serve_mcp(served: "ServedData", pool: "Pool") -> None:
    with from_extra("mcp", "an MCP server"):
        from apigap.benchmarks.apibank.serve.protocol import mcp_server
    mcp_server(served, pool).run(show_banner=False)


def _serve_page(served: "ServedData", port: int, json_: bool) -> None:
    with from_extra("serve", "a page in a browser"):
        from apigap.benchmarks.apibank.serve.web import first_call, web_server
    with web_server(served, port) as server:
        told = {"page": server.page, "address": server.address, "token": server.token}
        print_result(json_, told, f"The APIs are at {server.page} (end: Ctrl+C)", f"a first call: {first_call(server)}")
        sys.stdout.flush()
        server.serve()


register = commands(
    group(
        "apibank", "API-Bank: its data and its APIs.", record, serve, live, generate, progress, review, convert, train
    )
)
