"""The page of a study of audits of tools, from its summary."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apigap.reporting.markdown import markdown_table
from apigap.reporting.tools_model import CureRow, FormRow
from apigap.reporting.tools_page import points, rate

_FORMS = ("model", "form", "right", "95 % interval", "right calls", "rightly left alone", "cut")
_CURES = ("model", "tool", "tried", "held back", "with it", "its own", "with it", "difference", "p")


def study_page(summary: Mapping[str, Any]) -> str:
    """The servers one by one as Markdown: what each model made of them, tool by tool, and what descriptions changed."""
    return "\n".join(part for told in summary.values() for part in _server(told)).rstrip("\n") + "\n"


def _server(told: Mapping[str, Any]) -> Iterable[str]:
    runs = told["runs"]
    yield f"## {told['package']}\n"
    yield (
        f"Started by `{told['command']}` with mcp {told['mcp']}; {told['queries']} queries, asked {told['asked']}. "
        f"{told['remark']}".strip()
        + "\n"
    )
    yield markdown_table(_FORMS, [row for run in runs for row in _form_rows(run)])
    for run in runs:
        yield from _tools(run)
    yield from _cured(runs)


def _form_rows(run: Mapping[str, Any]) -> Iterable[Sequence[str]]:
    for form in map(FormRow.model_validate, run["forms"]):
        share, interval = str(form.all), rate(form.all).partition(", 95 % interval ")[2]
        yield _name(run), form.form, share, interval, str(form.serving), str(form.leaving), str(form.cut)


def _name(run: Mapping[str, Any]) -> str:
    return str(run["model"]).rpartition("/")[2]


def _tools(run: Mapping[str, Any]) -> Iterable[str]:
    form = next(row for row in map(FormRow.model_validate, run["forms"]) if row.form == run["main"])
    rows = [
        (
            f"`{tool.name}`",
            f"{tool.right} of {tool.queries}",
            str(tool.chosen),
            str(tool.unasked),
            _counted((*tool.instead, *tool.invented, *([("nothing", tool.uncalled)] if tool.uncalled else []))),
            _counted(tool.faults),
        )
        for tool in form.tools
    ]
    yield f"Tool by tool, {_name(run)}, {form.form}:\n"
    if served := run["served"]:
        told = ", ".join(f"{count} {outcome}" for outcome, count in served.items())
        yield f"Its {sum(served.values())} different calls were also sent to the real server: {told}.\n"
    yield markdown_table(("tool", "right", "called when wanted", "unasked", "called in its place", "faults"), rows)


def _counted(pairs: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {count}" for name, count in pairs) or "-"


def _cured(runs: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    rows = [(run, cure) for run in runs for cure in run["cures"]]
    if not rows:
        return
    yield "Do changed descriptions help?\n"
    yield markdown_table(_CURES, [_cure_row(run, cure) for run, cure in rows])
    for run, cure in rows:
        if cure["description"]:
            yield f"`{cure['tool']}` as it was rewritten for {_name(run)}:\n"
            yield f"> {cure['description']}\n"


def _cure_row(run: Mapping[str, Any], told: Mapping[str, Any]) -> Sequence[str]:
    row = CureRow.model_validate({key: value for key, value in told.items() if key != "description"})
    chosen = next((one for one in row.candidates if one.chosen), None)
    first = f"{_name(run)}, {run['main']}", f"`{row.tool}`" if row.candidates else row.tool
    if row.difference is None:
        tried = ", ".join(f"{one.kind} {one.after}" for one in row.candidates)
        before = row.candidates[0].before if row.candidates else "-"
        return *first, f"none is better than {before}: {tried}", *["-"] * 6
    others = ", ".join(f"{one.kind} {one.after.right}" for one in row.candidates if not one.chosen)
    best = f"{chosen.kind}: {chosen.before.right} to {chosen.after}" if chosen else "each by itself, above"
    best += f" (others: {others})" if others else ""
    return (
        *first, best, str(row.before), str(row.after), str(row.own_before), str(row.own_after), points(row),
        f"{row.p_value:.3f}",
    )  # fmt: skip
