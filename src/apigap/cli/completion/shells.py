"""Answers to a shell that completes a word of `apigap`, and the script that makes it ask."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer
import typer.completion
from typer.core import TyperGroup

from apigap.cli.completion import VARIABLE
from apigap.cli.dispatch import application
from apigap.cli.verbs import OTHERS, VERBS
from apigap.records.errors import InfrastructureError

_typer: Any = typer.completion


def script(shell: str) -> str:
    """The script by which `shell` (bash, zsh, fish) asks."""
    return _typer.get_completion_script(prog_name="apigap", complete_var=VARIABLE, shell=shell)


def install(shell: str) -> Path:
    """Write the script where `shell` finds it when it starts; returns its file.

    Raises:
        InfrastructureError: when the files of the shell cannot be read or written.
    """
    try:
        return _typer.install(shell, "apigap", VARIABLE)[1]
    except (OSError, UnicodeDecodeError) as error:
        told = f"the files of {shell} cannot be read or written: {error}"
        raise InfrastructureError(f"{told}; without --install the script is printed") from error


def complete(instruction: str) -> None:
    """Print what the word in the environment may become; where that fails the shell is left to itself."""
    if "COMP_WORDS" in os.environ:
        _take_equals_away()
    _typer.completion_init()
    with suppress(Exception):
        _typer.shell_complete(_verbs(), {}, "apigap", VARIABLE, instruction)


class _Verbs(TyperGroup):
    """All verbs by name and summary; the module of one is imported when what follows it is completed."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that `args` begin with, and the rest of them."""
        if args[0] in VERBS:
            known: Any = typer.main.get_command(application([args[0]]))
            return args[0], known.commands[args[0]], args[1:]
        return args[0], self if args[0] == "help" else None, args[1:]


def _verbs() -> Any:
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.callback(cls=_Verbs)(_nothing)
    for name, summary in ({name: verb.summary for name, verb in VERBS.items()} | OTHERS).items():
        app.command(name, short_help=summary)(_nothing)
    return typer.main.get_command(app)


def _nothing() -> None: ...


def _take_equals_away() -> None:
    """Make `--option`, `=`, `va`, as bash divides `--option=va`, into `--option`, `va`."""
    words = os.environ["COMP_WORDS"].split("\n")
    last = int(os.environ["COMP_CWORD"])
    before = [word for word in words[:last] if word != "="]
    os.environ["COMP_WORDS"] = "\n".join([*before, *words[last:]])
    os.environ["COMP_CWORD"] = str(len(before))
