"""`apigap completion`: words of the command line completed by the shell."""

import os
from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.completion.values import one_of
from apigap.cli.option_groups import commands
from apigap.records.errors import UsageError

_SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[
        str | None,
        typer.Argument(help="bash, zsh or fish; default: that of $SHELL.", autocompletion=one_of(_SHELLS)),
    ] = None,
    install_: Annotated[
        bool, typer.Option("--install", help="Write it where the shell finds it, in your home folder.")
    ] = False,
) -> None:
    """Print the script by which a shell completes commands, options and values with the Tab key, or install it."""
    from apigap.cli.completion.shells import install, script

    name = shell if shell is not None else Path(os.environ.get("SHELL", "")).name
    if name not in _SHELLS:
        told = f"{shell!r} is none of them" if shell is not None else "$SHELL names none of them"
        raise UsageError(f"name the shell, as bash, zsh or fish: {told}")
    if not install_:
        print(script(name))
        return
    print(f"{install(name)}: {name} completes apigap in terminals that are opened from now on")


register = commands(completion)
