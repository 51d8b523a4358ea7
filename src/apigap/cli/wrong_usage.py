"""Wrong usage that the parser finds, in our words: what is wrong, what may have been meant, and where the help is."""

import re
from typing import Any

import typer

from apigap.cli.help_pages import argument_name

_PLAIN = (
    (r"Value error, ", ""),
    (r"does not match the formats '%Y-%m-%d'", "is no day; give one as 2026-08-01"),
    (r"Input should be a valid integer, unable to parse string as an integer", "give a whole number"),
    (r"Input should be a valid number, unable to parse string as a number", "give a number"),
    (r"Input should be", "it must be"),
    (r"greater than or equal to", "at least"),
    (r"less than or equal to", "at most"),
    (r"Option '(.+)' requires an argument", r"\1 needs a value"),
    (r"Option '(.+)' does not take a value", r"\1 takes no value"),
    (r"Got unexpected extra arguments?(?:\(s\))? \((.+)\)", r"does not take '\1'"),
)
"""Patterns of the parser's own words, with ours in their place; the longer ones first."""


def wrong_usage(error: typer.TyperException) -> str:
    """The lines that are printed of an error of the parser; a command without what it needs has its help."""
    found: Any = error
    if getattr(found, "ctx", None) is None:
        return f"apigap: {_plain(found)}; see apigap --help"
    if found.format_message().startswith("Usage: "):
        return found.format_message()
    return f"apigap: {_told(found)} (see {found.ctx.command_path} --help)"


def _told(found: Any) -> str:
    context, parameter = found.ctx, getattr(found, "param", None)
    usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)])
    if hasattr(found, "possibilities"):
        return _no_option(found, usage)
    message = _plain(found)
    if parameter is None:
        return f"{context.command_path} {message}: {usage}" if message.startswith("does not take") else message
    if parameter.param_type_name == "argument":
        name = argument_name(parameter).strip("[].")
        return f"{name}: {message}" if message else f"{name} is missing: {usage}"
    return f"{parameter.opts[0]}: {message}" if message else f"{parameter.opts[0]} is missing"


def _no_option(found: Any, usage: str) -> str:
    command = found.ctx.command_path
    if hasattr(found.ctx.command, "list_commands"):
        return f"{found.option_name} is no option of {command}; options stand after the command: {usage}"
    near = " or ".join(sorted(found.possibilities or ()))
    return f"{command} has no option {found.option_name}" + (f"; did you mean {near}?" if near else "")


def _plain(found: Any) -> str:
    message = (found.message or "").removesuffix(".")
    for theirs, ours in _PLAIN:
        message = re.sub(theirs, ours, message)
    return message
