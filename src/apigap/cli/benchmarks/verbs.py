"""Commands that every registered benchmark has: one function per verb, beside whose options stand the benchmark's."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from typer.core import TyperCommand

from apigap.cli.completion import values
from apigap.cli.help_pages import ExplainedGroup
from apigap.cli.option_groups import SeveralWords
from apigap.cli.options import AddressOption, ConfigOption, EngineOption, SetOption

Run = Callable[..., None]
"""A verb: takes the benchmark, and its own options by name."""
_PLACES: dict[str, Any] = {"engine": EngineOption, "address": AddressOption}
"""The machine that asks a local model; the one that judges is an option of the benchmarks that run answers."""
_COMPLETED = {
    "condition": values.conditions, "engine": values.engines, "layout": values.layouts, "tasks": values.tasks,
}  # fmt: skip
"""Completers of options of benchmarks that are no choice of a few words."""


def register_verb(app: typer.Typer, run: Run, default: str | None = None, **instead: Callable[..., None]) -> None:
    """Add `run` as a group of commands, one per benchmark; `default` is the benchmark where none is named.

    `instead` are commands of their own for some benchmarks.
    """
    group = typer.Typer(cls=_group(run, default, instead), no_args_is_help=True)
    group.callback()(_described(run))
    app.add_typer(group, name=run.__name__)


def _described(run: Run) -> Callable[[], None]:
    def callback() -> None: ...

    callback.__doc__ = run.__doc__
    return callback


def _group(run: Run, default: str | None, instead: dict[str, Callable[..., None]]) -> type[ExplainedGroup]:
    """A group whose commands are made when they are asked for: no benchmark is imported before it is named."""

    class VerbGroup(ExplainedGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            from apigap.benchmarks.base import benchmark_names

            return benchmark_names()

        def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
            if cmd_name not in self.list_commands(ctx):
                return None
            return _command(instead.get(cmd_name) or benchmark_command(run, cmd_name), cmd_name)

        def command_summary(self, name: str, command: Any) -> str:
            from apigap.benchmarks.base import find_benchmark

            del command
            meant = " (the one that is meant where none is named)" if name == default else ""
            return f"{find_benchmark(name).title}{meant}."

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            named = not args or not args[0].startswith("-") or args[0] in ctx.help_option_names
            return super().parse_args(ctx, args if named or default is None else [default, *args])

    return VerbGroup


def _command(function: Callable[..., None], name: str) -> TyperCommand:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(name, cls=SeveralWords)(function)
    return cast(TyperCommand, typer.main.get_command(app))


def benchmark_command(run: Run, name: str) -> Callable[..., None]:
    """The command of a verb for one benchmark: the verb's own options, the benchmark's, and those of settings."""
    from apigap.benchmarks.base import find_benchmark

    kind = find_benchmark(name)
    verb = cast("Literal['predict', 'score', 'calibrate', 'validate']", run.__name__)
    fields = {field: kind.options_type.model_fields[field] for field in kind.options_type.names(verb)}
    asked = _PLACES if verb == "predict" else {}

    def command(**given: Any) -> None:
        from apigap.api.benchmarks import load_benchmark
        from apigap.records.configuration import load_settings

        places = [f"execution.{name}={value}" for name in asked if (value := given.pop(name)) is not None]
        settings = load_settings(given.pop("config") or (), [*(given.pop("set_") or ()), *places])
        values = {field: given.pop(field) for field in fields}
        options = {field: _plain(value, fields[field]) for field, value in values.items()}
        run(load_benchmark(name, settings=settings, **options), **given)

    own = list(inspect.signature(run).parameters.values())[1:]
    parameters = [
        *(_parameter(field, info) for field, info in fields.items()),
        *(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own),
        *(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
            for name, option in asked.items()
        ),
        inspect.Parameter("config", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=ConfigOption),
        inspect.Parameter("set_", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=SetOption),
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    command.__doc__ = f"{inspect.getdoc(run)}\n\n{kind.title}."
    return command


def _parameter(name: str, info: FieldInfo) -> inspect.Parameter:
    """A field of the options as an option of the command line."""
    from apigap.evaluation.options import flag_of

    kind = _type_of(info)
    choices = list(map(str, _choices(info.annotation)))
    words = f" [{'|'.join(choices)}]" if choices else ""
    completed = values.one_of(choices) if choices else _COMPLETED.get(name)
    option = typer.Option(flag_of(name), help=f"{info.description or ''}{words}", min=None, autocompletion=completed)
    default: Any = inspect.Parameter.empty if info.is_required() else info.default
    if isinstance(default, tuple):
        default = list(cast("tuple[Any, ...]", default))
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


def _type_of(info: FieldInfo) -> Any:
    """The type that typer reads: a list for a tuple, a text or number for one of several words."""
    annotation: Any = info.annotation
    if get_origin(annotation) is tuple:
        return list[_single(get_args(annotation)[0])]
    return _single(annotation)


def _single(annotation: Any) -> Any:
    if get_origin(annotation) is Annotated:
        return _single(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return cast("type[Any]", type(get_args(annotation)[0]))
    if get_origin(annotation) in (Union, UnionType):
        (inner,) = (part for part in get_args(annotation) if part is not NoneType)
        return _single(inner) | None
    return annotation


def _choices(annotation: Any) -> Sequence[Any]:
    inner = get_args(annotation)[0] if get_origin(annotation) is tuple else annotation
    return get_args(inner) if get_origin(inner) is Literal else ()


def _plain(value: Any, info: FieldInfo) -> Any:
    """A value that typer read, in the form that the field takes."""
    if get_origin(info.annotation) is tuple:
        return tuple(cast("Sequence[Path | str | int]", value or ()))
    return value
