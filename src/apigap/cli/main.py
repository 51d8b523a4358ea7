"""The `apigap` command."""

import signal
import sys

import typer

from apigap.cli.benchmarks import apibank, benchmark, starter, toolllm
from apigap.cli.closing import adapt, export, rag
from apigap.cli.everyday import analyze, audit, compare, probe, report, run, suspects
from apigap.cli.stages import filter, group, pipeline
from apigap.cli.stages import single as stages
from apigap.cli.terminal import show_no_controls
from apigap.cli.upkeep import library, machine

app = typer.Typer(
    name="apigap",
    help="Find, measure, explain and close the gaps in what language models know about APIs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for room in (
    audit,
    pipeline,
    stages,
    filter,
    rag,
    report,
    group,
    run,
    adapt,
    probe,
    benchmark,
    apibank,
    toolllm,
    suspects,
    compare,
    analyze,
    starter,
    export,
    library,
    machine,
):
    room.register(app)


def main() -> None:
    """Run the command line; errors become one message and the exit code of their kind."""
    from apigap.records.errors import ApigapError

    show_no_controls()
    _show_warnings_as_notes()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    try:
        code = app(standalone_mode=False)
    except ApigapError as error:
        print(f"apigap: {error}", file=sys.stderr)
        code = error.exit_code
    except _ToldToEnd as told:
        print(f"apigap: {told}; the same command goes on from here", file=sys.stderr)
        code = 128 + told.number
    except typer.TyperException as error:
        _show_usage(error)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


class _ToldToEnd(BaseException):
    """A signal has come: sandboxes are closed and files left whole on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__("interrupted" if number == signal.SIGINT else "terminated")
        self.number = number


def _end(number: int, frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)  # once is enough: what closes the sandboxes must not be interrupted
    raise _ToldToEnd(number)


def _show_usage(error: typer.TyperException) -> None:
    """Typer's own errors (an unknown flag, a bad value) say where help is, where they know it."""
    show = getattr(error, "show", None)
    if show is None:
        print(f"apigap: {error}", file=sys.stderr)
    else:
        show()


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


if __name__ == "__main__":
    main()
