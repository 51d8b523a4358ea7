"""`apigap tools audit`: a user's own tools, and how a model uses them."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.completion import values
from apigap.cli.option_groups import BudgetOptions, SourceOptions, commands, group, with_options
from apigap.cli.options import DATA, DEFAULT_MODEL, JsonOption, ModelOption
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apigap.tool_audit.asking import Form
    from apigap.tool_audit.run import ToolOutcome
    from apigap.tool_audit.source import Source

_NOT_A_NAME = re.compile(r"[^A-Za-z0-9]+")


@with_options
def audit(
    queries: Annotated[
        Path | None, typer.Option("--queries", help="JSONL of queries, each with the call that is right.")
    ] = None,
    author: Annotated[
        str | None, typer.Option("--author", autocompletion=values.models, help="A model that writes queries instead.")
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, help="How many dialogues --author writes.")] = 40,
    model: ModelOption = DEFAULT_MODEL,
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--form",
            autocompletion=values.one_of(("native", "text")),
            help="How tools are told: native (the provider's calling), text; default: both; may be repeated.",
        ),
    ] = None,
    cures: Annotated[int, typer.Option("--cures", min=0, help="Tools whose description is changed at most.")] = 3,
    rewriter: Annotated[
        str | None,
        typer.Option(
            "--rewriter",
            autocompletion=values.models,
            help="A model that writes descriptions beside those from the schema.",
        ),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="Make the model's calls at the REAL server; default: none is made.")
    ] = False,
    recording: Annotated[
        Path | None, typer.Option("--recording", help="Calls with their results, as a run with --live leaves them.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the run; the same command goes on with what is in it.")
    ] = None,
    *,
    place: SourceOptions,
    budget: BudgetOptions,
    json_: JsonOption = False,
) -> None:
    """Find which of your tools a model never chooses, confuses or calls wrongly, and which description cures it."""
    from apigap.cli.console import Console
    from apigap.tool_audit.run import ToolAudit, audit_tools

    budget.use()
    source = place.source()
    chosen = ToolAudit(
        source=source, model=model, out=out or _folder(source, model), queries=queries, author=author, count=count,
        forms=_forms(form), cures=cures, rewriter=rewriter, live=live, recording=recording,
    )  # fmt: skip
    with Console() as console:
        outcome = audit_tools(chosen, console)
    _show(outcome, json_)


def _forms(names: "Sequence[str] | None") -> "tuple[Form, ...]":
    from apigap.tool_audit.asking import FORMS

    unknown = [name for name in names or () if name not in FORMS]
    if unknown:
        raise UsageError(f"--form {unknown[0]!r} is none of {', '.join(FORMS)}")
    given = dict.fromkeys(names or FORMS)
    return tuple(form for name in given for form in FORMS if form == name)


def _folder(source: "Source", model: str) -> Path:
    words = [Path(word).name for word in source.place.split()] if source.kind == "mcp" else [Path(source.place).name]
    name = _NOT_A_NAME.sub("-", " ".join([*words[:2], model.rpartition("/")[2]])).strip("-").lower()
    return DATA / "tools" / name[:100]


def _show(outcome: "ToolOutcome", as_json: bool) -> None:
    from apigap.cli.console import print_json, print_table
    from apigap.reporting.tools_page import aside, confusions, headline, points, state_of

    report = outcome.report
    if as_json:
        print_json({"report": str(outcome.page), "headline": headline(report), **report.model_dump(mode="json")})
        return
    for form in report.forms:
        rows = [
            [
                tool.name, str(tool.share), tool.chosen, tool.unasked, state_of(tool),
                ", ".join(f"{name} {number}" for name, number in tool.faults),
                ", ".join(f"{one.place}: {one.fault} {one.count}" for one in tool.arguments[:3]),
            ]
            for tool in form.tools
        ]  # fmt: skip
        columns = ("tool", "right", "called when wanted", "unasked", "what is to be said", "faults", "arguments")
        print_table(f"{report.title}, tools told {form.form}: {form.all} right", columns, rows)
    confused = [one[:3] for one in confusions(report.first)]
    if confused:
        print_table("Which is taken for which", ("wanted", "called in its place", "times"), confused)
    if report.cures:
        rows = [
            [
                cure.tool, next((one.kind for one in cure.candidates if one.chosen), "–"),
                *(str(share) if cure.difference is not None else "–" for share in (cure.before, cure.after)),
                points(cure), cure.words,
            ]
            for cure in report.cures
        ]  # fmt: skip
        columns = ("changed", "what was added", "before", "after", "on held-back queries", "so")
        print_table("Which description cures it", columns, rows)
    print(f"{headline(report)}\n{aside(report)}")
    print("".join(f"note: {note}\n" for note in report.notes), end="")
    print(f"What the answers took: {dict(report.facts)['answers']}; calls went to {report.served_by}")
    print(f"\nReport: {outcome.page.resolve()}")


register = commands(group("tools", "Your own tools, and how a model uses them.", audit))
