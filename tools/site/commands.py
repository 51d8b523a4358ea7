"""The reference of the command line, a page per group of verbs, made from the parser itself."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import typer

from apigap.cli.dispatch import application
from apigap.cli.examples import EXAMPLES
from apigap.cli.help_pages import argument_name, remarks
from apigap.cli.verbs import PANELS, VERBS

_TYPES: dict[Any, str] = {str: "text", int: "number", float: "number", Path: "path", datetime: "day, YYYY-MM-DD"}
_EXIT = "Exit codes: 0 done or paused, 1 a check failed, 2 wrong usage, 3 machine, index or provider stood in the way."

_SEVERAL = (
    "What stands in brackets may be left out, and what ends in `...` takes several words. An option that may be "
    "repeated is given again for each value: `--set A=1 --set B=2`. Where a command takes options alone, the values "
    "may also follow one another: `--cells baseline oracle.s`."
)


def command_pages() -> dict[str, str]:
    """The pages by name, in the order of `apigap --help`."""
    tree: Any = typer.main.get_command(application(VERBS))
    groups = {title: [(verb, tree.commands[verb]) for verb in verbs] for title, verbs in PANELS.items()}
    return {slug(title): _page(title, verbs) for title, verbs in groups.items()}


def slug(title: str) -> str:
    """The name of a group's page."""
    return title.lower().replace(" ", "-")


def _page(title: str, verbs: list[tuple[str, Any]]) -> str:
    lines = [f"# Commands: {title.lower()}", "", f"Made from the parser of `apigap`. {_EXIT}", "", _SEVERAL, ""]
    for verb, command in verbs:
        lines += _told(verb, command, "##")
        for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
            lines += _told(f"{verb} {name}", command.get_command(None, name), "###")
    return "\n".join(lines)


def _told(words: str, command: Any, heading: str) -> Iterator[str]:
    yield from (f"{heading} apigap {words}", "", _prose(command.help or ""), "")
    if hasattr(command, "list_commands"):
        return
    context = command.context_class(command)
    usage = " ".join(["apigap", words, *command.collect_usage_pieces(context)])
    yield from ("```text", usage, "```", "")
    if words in EXAMPLES:
        yield from ("Example:", "", "```text", f"apigap {words} {EXAMPLES[words]}".rstrip(), "```", "")
    told = [one for part in command.sections(context).values() for one in part if one.opts[:1] != ["--help"]]
    if told:
        yield from ('<div class="options" markdown>', "", "| option | value | meaning |", "| --- | --- | --- |")
        yield from (f"| {_names(one)} | {_value(one)} | {_meaning(one, context)} |" for one in told)
        yield from ("", "</div>", "")


def _names(parameter: Any) -> str:
    option = parameter.param_type_name == "option"
    spelt = (*parameter.opts, *parameter.secondary_opts) if option else (argument_name(parameter).strip("[]"),)
    return ", ".join(f"`{one}`" for one in spelt)


def _value(parameter: Any) -> str:
    if getattr(parameter, "is_flag", False):
        return ""
    kinds = get_args(parameter.type_descriptor.annotation) or (parameter.type_descriptor.annotation,)
    return " or ".join(_TYPES.get(kind, str(kind.__name__)) for kind in kinds if kind is not type(None))


def _meaning(parameter: Any, context: Any) -> str:
    """The help and the remarks on it, as `apigap COMMAND --help` has them."""
    told = (_remark(one) for one in remarks(parameter, context, parameter.help))
    return " ".join([_prose(parameter.help).replace("|", "\\|"), *told])


def _remark(text: str) -> str:
    title, _, value = text.partition(": ")
    if value:
        return f"{title.capitalize()}: `{value}`."
    return "**Required.**" if text == "required" else f"{text.capitalize()}."


def _prose(text: str) -> str:
    """Help as it is, with signs that a page would take for markup made plain."""
    pieces = re.split(r"(`[^`]*`)", text)
    pieces[::2] = [re.sub(r"([*_<\[])", r"\\\1", piece) for piece in pieces[::2]]
    return "".join(pieces)
