"""Exports for others, and for closing a gap: `apigap export` and `apigap mcp`."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.options import ConfigOption, DataOption, JsonOption, SetOption, settings_of

LeaveOption = Annotated[
    bool,
    typer.Option(
        "--leave-excerpts-out", help="Without exemplars, prose and code that are copyleft or of unknown licence."
    ),
]
OfExperimentOption = Annotated[
    str | None,
    typer.Option("--experiment", help="Judged answers that say what a model lacks; an audit's is audit-MODEL."),
]
TasksFileOption = Annotated[
    list[Path] | None,
    typer.Option("--tasks", help="The tasks file; default: those of the data folder and the starter benchmark."),
]
BundlesOption = Annotated[
    list[Path] | None,
    typer.Option("--knowledge", help="Bundles; default: the data folder's for the model, else the starter's."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    group = typer.Typer(help="Write what was made in a form for others.", no_args_is_help=True)
    group.command("bundles")(bundles)
    group.command("llms-txt")(llms_txt)
    group.command("sft")(sft)
    app.add_typer(group, name="export")
    app.command("mcp")(mcp)


def bundles(
    knowledge: Annotated[Path, typer.Option("--knowledge", help="Bundles, as `apigap extract` wrote them.")],
    out: Annotated[Path, typer.Option("--out", help="JSONL file with the paper's fields: S_name, S_param, E, ...")],
    leave_excerpts_out: LeaveOption = False,
    json_: JsonOption = False,
) -> None:
    """Bundles under NovelAPIBench's field names; exit 2 where a licence keeps excerpts on this machine."""
    from apigap.cli.console import print_json
    from apigap.exports.publishable import export_bundles

    counts = export_bundles(knowledge, out, leave_excerpts_out)
    if json_:
        print_json(counts)
    else:
        print(f"{out}: {counts['bundles']} bundles, {counts['without_their_excerpts']} of them without excerpts")


def llms_txt(
    out: Annotated[Path, typer.Option("--out", help="Folder for llms.txt, llms-full.txt and the pages in apis/.")],
    experiment: OfExperimentOption = None,
    knowledge: BundlesOption = None,
    tasks: TasksFileOption = None,
    data: DataOption = None,
    leave_excerpts_out: LeaveOption = False,
    json_: JsonOption = False,
) -> None:
    """Documentation that closes the gap, for tools that write code: a page per new API, what the model lacks first."""
    from apigap.cli.console import print_json
    from apigap.exports.gap_export import read_gap, write_llms
    from apigap.exports.publishable import passed_on

    gap = read_gap(data or Path("data"), experiment, knowledge or (), tasks or ())
    counts = write_llms(out, passed_on(gap.bundles, leave_excerpts_out), gap.report)
    if json_:
        print_json(counts)
        return
    words = {"cured": "that a page cures", "open": "that nothing cured", "known": "optional", "unknown": "not asked"}
    needs = ", ".join(f"{counts[need]} {what}" for need, what in words.items() if counts.get(need))
    print(f"{out / 'llms.txt'}: {counts['apis']} APIs ({needs}); serve them with: apigap mcp {out}")


def sft(
    out: Annotated[Path, typer.Option("--out", help="JSONL file: one conversation per line, under `messages`.")],
    experiment: OfExperimentOption = None,
    knowledge: BundlesOption = None,
    tasks: TasksFileOption = None,
    condition: Annotated[
        str, typer.Option("--condition", help="What prompts show; baseline: weights must know it.")
    ] = "baseline",
    data: DataOption = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    leave_excerpts_out: LeaveOption = False,
    json_: JsonOption = False,
) -> None:
    """A tuning set that closes the gap: a task of each API that the model lacks, and its reference as the answer."""
    from apigap.cli.console import print_json
    from apigap.exports.gap_export import read_gap, write_tuning_set
    from apigap.exports.publishable import tasks_passed_on

    gap = read_gap(data or Path("data"), experiment, knowledge or (), tasks or ())
    settings = settings_of(config, set_)
    tasks_given = tasks_passed_on(gap.tasks, gap.bundles, condition, leave_excerpts_out)
    counts = write_tuning_set(out, tasks_given, gap.bundles, condition, settings.generation)
    if json_:
        print_json(counts)
        return
    print(f"{out}: {counts['examples']} conversations on {counts['apis']} APIs")
    print("These tasks are no test any more of a model that has seen them; `apigap adapt` keeps others for that.")


def mcp(
    folder: Annotated[Path, typer.Argument(help="What `apigap export llms-txt` wrote.")],
) -> None:
    """An MCP server on standard input and output: a client's model searches the pages and reads those that it needs."""
    from apigap.exports.llms_reader import LlmsPages
    from apigap.records.errors import InfrastructureError

    pages = LlmsPages(folder)
    try:
        from apigap.exports.llms_server import llms_server
    except ImportError as error:
        raise InfrastructureError(
            f"an MCP server needs fastmcp, which cannot be imported ({error}); run: pip install 'apigap[mcp]'"
        ) from error
    llms_server(pages).run(show_banner=False)
