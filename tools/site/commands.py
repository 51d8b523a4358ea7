"""The reference of the command line, a page per group of verbs, made from the parser itself."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import typer

from apigap.cli.dispatch import application
from apigap.cli.examples import EXAMPLES
from apigap.cli.verbs import PANELS, VERBS

_TYPES: dict[Any, str] = {str: "text", int: "number", float: "number", Path: "path", datetime: "day, YYYY-MM-DD"}
_EXIT = "Exit codes: 0 done or paused, 1 a check failed, 2 wrong usage, 3 machine, index or provider stood in the way."


def command_pages() -> dict[str, str]:
    """The pages by name, in the order of `apigap --help`."""
    tree: Any = typer.main.get_command(application(VERBS))
    groups = {title: [(verb, tree.commands[verb]) for verb in verbs] for title, verbs in PANELS.items()}
    return {slug(title): _page(title, verbs) for title, verbs in groups.items()}


def slug(title: str) -> str:
    """The name of a group's page."""
    return title.lower().replace(" ", "-")


def _page(title: str, verbs: list[tuple[str, Any]]) -> str:
    lines = [f"# Commands: {title.lower()}", "", f"Made from the parser of `apigap`. {_EXIT}", ""]
    for verb, command in verbs:
        lines += _told(verb, command, "##")
        for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
            lines += _told(f"{verb} {name}", command.get_command(None, name), "###")
    return "\n".join(lines)


def _told(words: str, command: Any, heading: str) -> Iterator[str]:
    yield from (f"{heading} apigap {words}", "", _prose(command.help or ""), "")
    arguments = [one for one in command.params if not _is_option(one)]
    options = [one for one in command.params if _is_option(one) and one.opts != ["--help"]]
    if hasattr(command, "list_commands"):
        return
    usage = " ".join(["apigap", words, *(one.name.upper() for one in arguments), *(["[OPTIONS]"] if options else [])])
    yield from ("```text", usage, "```", "")
    if words in EXAMPLES:
        yield from ("Example:", "", "```text", f"apigap {words} {EXAMPLES[words]}".rstrip(), "```", "")
    if arguments or options:
        yield from ('<div class="options" markdown>', "", "| option | value | meaning |", "| --- | --- | --- |")
        yield from (f"| {_names(one)} | {_value(one)} | {_meaning(one)} |" for one in (*arguments, *options))
        yield from ("", "</div>", "")


def _is_option(parameter: Any) -> bool:
    return parameter.opts[0].startswith("-")


def _names(parameter: Any) -> str:
    spelt = (*parameter.opts, *parameter.secondary_opts) if _is_option(parameter) else (parameter.name.upper(),)
    return ", ".join(f"`{one}`" for one in spelt)


def _value(parameter: Any) -> str:
    if getattr(parameter, "is_flag", False):
        return ""
    kinds = get_args(parameter.type_descriptor.annotation) or (parameter.type_descriptor.annotation,)
    named = [_TYPES.get(kind, str(kind.__name__)) for kind in kinds if kind is not type(None)]
    return " or ".join(named) + (", repeatable" if parameter.multiple else "")


def _meaning(parameter: Any) -> str:
    told = [_prose(parameter.help).replace("|", "\\|")]
    if parameter.required:
        told.append("**Required.**")
    elif not getattr(parameter, "is_flag", False) and parameter.default not in (None, [], ()):
        default = parameter.default
        shown = ", ".join(map(str, default)) if isinstance(default, (list, tuple)) else default
        told.append(f"Default: `{shown}`.")
    return " ".join(told)


def _prose(text: str) -> str:
    """Help as it is, with signs that a page would take for markup made plain."""
    pieces = re.split(r"(`[^`]*`)", text)
    pieces[::2] = [re.sub(r"([*_<\[])", r"\\\1", piece) for piece in pieces[::2]]
    return "".join(pieces)
