"""`apigap close`: the smallest texts that close a gap, and what each way of giving them closes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.completion import values
from apigap.cli.option_groups import BudgetOptions, EngineOptions, commands, with_options

if TYPE_CHECKING:
    from apigap.closing.run import Closed


@with_options
def close(
    experiment: Annotated[str, typer.Argument(help="An experiment by its name; an audit's is audit-MODEL.")],
    tasks: opt.AnsweredTasksOption = None,
    knowledge: opt.KnowledgeOption = None,
    items: Annotated[
        list[Path] | None,
        typer.Option("--items", help="Files that `apigap items` wrote; may be repeated; default: those of an audit."),
    ] = None,
    model: opt.ChosenModelOption = None,
    layout: opt.LayoutOption = None,
    connections: opt.ConnectionsOption = None,
    mock_llm: opt.MockOption = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the halves of each API's tasks.")] = 0,
    longest: Annotated[
        int, typer.Option("--longest", min=0, help="Pieces that a text may be of, before all there are are tried.")
    ] = 3,
    turns: Annotated[
        int, typer.Option("--turns", min=1, help="The most turns in which the MCP server's tools may be called.")
    ] = 3,
    form: Annotated[
        str,
        typer.Option(
            "--form",
            autocompletion=values.one_of(("text", "native")),
            help="How tools are told: text, or native (the provider's calling).",
        ),
    ] = "text",
    data: opt.DataOption = opt.DATA,
    *,
    machine: EngineOptions,
    budget: BudgetOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Find the smallest text that each API needs, and measure what llms.txt, the MCP server and weights close."""
    from functools import partial

    from apigap.benchmarks.novelapi.mock_answers import mock_generator
    from apigap.cli.console import Console, demand_verdicts
    from apigap.closing.run import Closing, close
    from apigap.evaluation.summary import no_verdict
    from apigap.exports.gap_export import read_gap
    from apigap.models.generate import MOCK_MODEL, Generator
    from apigap.records.errors import UsageError

    if form not in ("text", "native"):
        raise UsageError(f"--form {form!r} is none of text, native")
    budget.use()
    settings = machine.settings(layout=layout)
    gap = read_gap(data, experiment, knowledge or (), tasks or ())
    own = gap.report.model if gap.report else ""
    asked = MOCK_MODEL if mock_llm else model or own
    closing = Closing(
        experiment, asked, gap.asked, gap.bundles, reuse=asked == own, seed=seed, longest=longest, turns=turns,
        native=form == "native", items=items or items_of(data),
    )  # fmt: skip
    make = mock_generator(gap.asked, settings.generation) if mock_llm else partial(Generator, connections=connections)
    with Console() as console, machine.engine(settings) as engine:
        closed = close(closing, data, settings, engine, console, make)
    _show(closed, json_)
    demand_verdicts(no_verdict(closed.without_verdict), len(closed.without_verdict))


def items_of(data: Path) -> list[Path]:
    """The files of items that an audit left in its folder; beside them lie others, of how they were made."""
    from apigap.explorer.files import kind_of

    return [path for path in sorted((data / "raw").glob("*/ladder_items.*.jsonl")) if kind_of(path) == "items"]


def _show(closed: "Closed", as_json: bool) -> None:
    from apigap.cli.console import next_command, print_json, print_table
    from apigap.reporting.closing_page import COLUMNS, aside, headline, way_cells, weights_line

    report, files = closed.report, closed.files
    if as_json:
        told = {"report": str(files.page), "llms_txt": str(files.llms), "teach": str(files.teaching)}
        print_json({**told, "headline": headline(report), **report.model_dump(mode="json")})
        return
    if report.ways:
        print_table(f"{report.title}: tasks that took no part in choosing", COLUMNS, list(map(way_cells, report.ways)))
    if report.items:
        print_table("Single questions about the same APIs", COLUMNS, list(map(way_cells, report.items)))
    texts = [
        [row.api_name, row.state, row.text, str(row.characters), str(row.whole),
         *(str(share) if share.of else "-" for way, share in row.ways if way in ("baseline", "smallest"))]
        for row in report.texts
    ]  # fmt: skip
    if texts:
        held = ("without help", "with it")[: len(texts[0]) - 5]
        print_table("The smallest text of each API", ("API", "state", "text", "characters", "of", *held), texts)
    print("\n".join(filter(None, [headline(report), aside(report), weights_line(report), *report.notes])))
    print(f"\nReport: {files.page.resolve()}")
    print(f"llms.txt and its pages: {files.llms.resolve()}; to serve them,")
    print(next_command("mcp", files.llms.resolve()))


register = commands(close)
