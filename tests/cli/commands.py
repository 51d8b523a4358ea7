"""The commands that there are, as a tree, and the commands that texts name."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import typer

from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS

_COMMAND = re.compile(r"apigap ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)\b([^;,`()|#\n]*)")
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


@cache
def tree() -> Any:
    """The command line with every verb."""
    return typer.main.get_command(application(VERBS))  # pyright: ignore[reportAttributeAccessIssue]


def every_command() -> Iterator[tuple[str, Any]]:
    """Each command that runs something, after its words."""
    for first, command in tree().commands.items():
        if hasattr(command, "list_commands"):
            for second in command.list_commands(None):
                yield f"{first} {second}", command.get_command(None, second)
        else:
            yield first, command


def options_of(command: Any) -> list[Any]:
    """The options of a command, without its arguments."""
    return [parameter for parameter in command.params if parameter.opts[0].startswith("-")]


def problem_of(words: str, rest: str) -> str | None:
    """The reason that `apigap WORDS REST` cannot run, as far as its names go."""
    first, *more = words.split()
    if first not in tree().commands:
        return f"no command {first!r}"
    command = tree().commands[first]
    if hasattr(command, "list_commands"):
        if not more:
            return None
        if more[0] not in command.list_commands(None):
            return f"no command {more[0]!r} of {first!r}"
        command = command.get_command(None, more[0])
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    unknown = [option for option in _OPTION.findall(rest) if option not in known | {"--help"}]
    return f"no option {unknown[0]} of {words!r}" if unknown else None


def named_commands(text: str) -> Iterator[tuple[str, str]]:
    """Each `apigap VERB ...` in a text: its words, and what follows them to the end of the line or sentence."""
    for words, rest in _COMMAND.findall(text):
        if words.split()[0] in VERBS:
            yield words, rest


def texts_of(source: Path) -> Iterator[str]:
    """The texts of a Python file; what is put into them while it runs stands as X."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
