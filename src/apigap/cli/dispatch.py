"""One verb of the command line, run: its options parsed by Typer, its errors and signals told in a line."""

import signal
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

import typer

from apigap.api.terminal import show_no_controls
from apigap.cli.help_pages import CONTEXT
from apigap.cli.verbs import VERBS


def application(names: Iterable[str]) -> typer.Typer:
    """The command line with the verbs `names`, and those that stand in the same modules."""
    app = typer.Typer(
        name="apigap", add_completion=False, context_settings=CONTEXT, pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )  # fmt: skip
    app.callback()(_apigap)
    for module in dict.fromkeys(VERBS[name].module for name in names):
        import_module(module).register(app)
    return app


_SERVERS = {"mcp", "view"}
"""Verbs that go on until they are ended."""


def _apigap() -> None:
    """Find, measure, explain and close the gaps in what language models know about APIs."""


def run(verb: str) -> int:
    """The exit code of the command in `sys.argv`, whose first word is `verb`."""
    from apigap.records.errors import ApigapError
    from apigap.records.secrets import hide_in

    show_no_controls()
    _show_warnings_as_notes()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    try:
        code = application([verb])(prog_name="apigap", standalone_mode=False)
    except ApigapError as error:
        print(f"apigap: {error}", file=sys.stderr)
        code = error.exit_code
    except _Interrupted as error:
        told = "" if verb in _SERVERS else "; the same command goes on from here"
        print(f"apigap: {error}{told}", file=sys.stderr)
        code = 128 + error.number
    except typer.TyperException as error:
        from apigap.cli.wrong_usage import wrong_usage

        print(wrong_usage(error), file=sys.stderr)
        code = 2
    except Exception as error:
        hide_in(error)  # nobody has read what it says
        raise
    return code if isinstance(code, int) else 0


def run_help(words: Sequence[str]) -> int:
    """The exit code of a command that asks for the help of `words`: a verb, with the command of it where it has some.

    Words after those are wrong: whoever wrote them has meant something that the help would leave unsaid.
    """
    found: Any = typer.main.get_command(application(words[:1]))  # pyright: ignore[reportAttributeAccessIssue]
    known: Any = found.commands[words[0]]
    more: Sequence[str] = words[1:]
    if more and hasattr(known, "list_commands"):
        more = more[1:] if known.get_command(None, more[0]) else ()
    if more:
        name = " ".join(words[: len(words) - len(more)])
        print(
            f"apigap: apigap help {name} does not take {' '.join(more)!a} (see apigap {name} --help)", file=sys.stderr
        )
        return 2
    sys.argv[1:] = [*words, "--help"]
    return run(words[0])


class _Interrupted(BaseException):
    """A signal has come: sandboxes are closed and files left whole on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__("interrupted" if number == signal.SIGINT else "terminated")
        self.number = number


def _end(number: int, frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)  # once is enough: what closes the sandboxes must not be interrupted
    raise _Interrupted(number)


def _show_warnings_as_notes() -> None:
    import warnings

    from apigap.records.errors import ApigapWarning

    original = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *rest: object, **named: object) -> None:
        if issubclass(category, ApigapWarning):
            print(f"apigap: note: {message}", file=sys.stderr)
        else:
            original(message, category, *rest, **named)  # pyright: ignore[reportArgumentType]

    warnings.showwarning = show  # pyright: ignore[reportAttributeAccessIssue]
