"""Options that stand together in several commands, listed once as the fields of a dataclass."""

import dataclasses
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from apigap.cli import options as opt
from apigap.cli.help_pages import ExplainedCommand, ExplainedGroup
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from apigap.records.configuration import Settings
    from apigap.sandbox.engine import Engine
    from apigap.tool_audit.source import Source


@dataclasses.dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """The options of a command that runs programs in sandboxes."""

    workers: opt.WorkersOption = None
    engine_: opt.EngineOption = None
    address: opt.AddressOption = None
    build_sdists: opt.BuildOption = False
    unsafe_local: opt.UnsafeOption = False
    config: opt.ConfigOption = None
    set_: opt.SetOption = None

    def settings(
        self,
        *,
        cutoff: datetime | None = None,
        layout: str | None = None,
        max_tasks: int | None = None,
        items: int | None = None,
        presets: Sequence[str] = (),
        given: Sequence[str] = (),
    ) -> "Settings":
        """The settings of the run; the user's stand over `presets` and what is `given`."""
        return opt.settings_of(
            [*presets, *(self.config or ())], [*given, *(self.set_ or ())],
            cutoff=cutoff, layout=layout, max_tasks=max_tasks, items=items, workers=self.workers,
            build_sdists=self.build_sdists, python=self.chosen_python, engine=self.engine_, address=self.address,
        )  # fmt: skip

    @property
    def chosen_python(self) -> str | None:
        """The Python that environments are to have, where a command lets it be chosen."""
        return None

    def engine(self, settings: "Settings") -> "Engine":
        """The sandboxes of the run, to be used as a context manager."""
        from apigap.cluster.engines import engine_of

        return engine_of(settings.execution, self.unsafe_local, packages=settings.packages)


@dataclasses.dataclass(frozen=True, kw_only=True)
class BudgetOptions:
    """The options of a command that asks models: the most that it may spend."""

    max_dollars: opt.MaxDollarsOption = None
    max_tokens: opt.MaxTokensOption = None
    max_minutes: opt.MaxMinutesOption = None
    price: opt.PriceOption = None

    def use(self) -> None:
        """Put the limits in force."""
        opt.limit_spending(self.max_dollars, self.max_tokens, self.max_minutes, self.price)


@dataclasses.dataclass(frozen=True, kw_only=True)
class SourceOptions:
    """The options of a command that reads the user's own APIs: where they are described."""

    mcp: Annotated[
        str | None, typer.Option("--mcp", help="Your APIs: an MCP server's URL, or the command that starts it.")
    ] = None
    openapi: Annotated[Path | None, typer.Option("--openapi", help="Your APIs: an OpenAPI document.")] = None
    python: Annotated[str | None, typer.Option("--python", help="Your APIs: a Python module; it is only read.")] = None
    env: Annotated[
        list[str] | None, typer.Option("--env", help="A variable that the server's command gets; may be repeated.")
    ] = None
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", min=0.1, help="Seconds for a server to start, and for each call; default: 8."),
    ] = None

    def source(self) -> "Source":
        """The one place that is given.

        Raises:
            UsageError: when none is, or several are, or what is said about a server goes with no server.
        """
        from apigap.tool_audit.source import SECONDS, source_of

        environment = _environment(self.env or ())
        seconds = SECONDS if self.seconds is None else self.seconds
        found = source_of(self.mcp, self.openapi, self.python, seconds, environment)
        if found.kind != "mcp" and (self.env or self.seconds is not None):
            raise UsageError(f"--env and --seconds go with the server of --mcp, and not with --{found.kind}")
        return found

    @property
    def given(self) -> bool:
        """True where any of the options is."""
        return self != SourceOptions()


def _environment(names: Sequence[str]) -> Mapping[str, str]:
    missing = [name for name in names if name not in os.environ]
    if missing:
        raise UsageError(f"--env {missing[0]}: there is no such variable here; set it, and name it without its value")
    return {name: os.environ[name] for name in names}


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReleaseOptions(EngineOptions):
    """The same of a command that makes the environments of releases, not of tasks that tell their own Python."""

    python: opt.PythonOption = None

    @property
    def chosen_python(self) -> str | None:
        """The Python that was asked for."""
        return self.python


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters of a dataclass's type are filled from one command-line option per field."""
    groups: dict[str, type] = {}
    annotations: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    hints = get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        kind = hints[name]
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            groups[name] = kind
            annotations |= get_type_hints(kind, include_extras=True)
            parameters += inspect.signature(kind).parameters.values()
        else:
            annotations[name] = kind
            parameters.append(parameter)

    def run(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in dataclasses.fields(kind)})
        command(**given)

    run.__name__, run.__doc__, run.__annotations__ = command.__name__, command.__doc__, {**annotations, "return": None}
    keywords = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    run.__signature__ = inspect.Signature(keywords)  # pyright: ignore[reportFunctionMemberAccess]
    return run


_REPEATED = "apigap.repeated"
"""The key under which a parser remembers the repeated option whose values the last words were."""


class SeveralWords(ExplainedCommand):
    """A command whose repeated options also take several words: `--cells A B` is `--cells A --cells B`.

    Not so where there are arguments: elsewhere a word after an option can be nothing else.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, parsed with a repeated option before each of its words."""
        if any(parameter.param_type_name == "argument" for parameter in self.params):
            return super().parse_args(ctx, args)
        repeated = {flag for option in self.params if getattr(option, "multiple", False) for flag in option.opts}
        words: list[str] = []
        last = ""
        for word in args:
            if word.startswith("-"):
                last = word
            elif last in repeated and words[-1] != last:
                words.append(last)
            words.append(word)
        ctx.meta[_REPEATED] = last if last in repeated else None
        return super().parse_args(ctx, words)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Completions of a word: further values of the repeated option before it, or options."""
        asked = ctx.meta.get(_REPEATED)
        for option in self.params:
            if asked in option.opts and not incomplete.startswith("-"):
                return option.shell_complete(ctx, incomplete)
        return super().shell_complete(ctx, incomplete)


def commands(*members: Callable[..., None] | typer.Typer) -> Callable[[typer.Typer], None]:
    """The `register` of a module, which adds commands, each under its function's name, and groups of them."""

    def register(app: typer.Typer) -> None:
        for member in members:
            if isinstance(member, typer.Typer):
                app.add_typer(member)
            else:
                app.command(member.__name__.strip("_").replace("_", "-"), cls=SeveralWords)(member)

    return register


def group(name: str, summary: str, *members: Callable[..., None]) -> typer.Typer:
    """Commands that go by two words, the first of which is `name`."""
    found = typer.Typer(name=name, cls=ExplainedGroup, help=summary, no_args_is_help=True)
    commands(*members)(found)
    return found
