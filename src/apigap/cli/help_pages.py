"""The help of a command as people read it: values in one word, shared options last, whole sentences, an example."""

import inspect
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, cast, get_args

from typer import TyperException
from typer.core import TyperCommand, TyperGroup

from apigap.cli import options as opt
from apigap.cli.examples import EXAMPLES

CONTEXT: dict[str, Any] = {"max_content_width": 100, "help_option_names": ["--help", "-h"]}
"""The settings of the parser: how wide a help may be, and how it is asked for."""
_WORDS: dict[Any, str] = {int: "N", float: "X", Path: "PATH", datetime: "YYYY-MM-DD"}
_LATER: dict[str, tuple[Any, ...]] = {
    "Spending": (opt.MaxDollarsOption, opt.MaxTokensOption, opt.MaxMinutesOption, opt.PriceOption),
    "Machine and settings": (
        opt.WorkersOption, opt.EngineOption, opt.AddressOption, opt.PythonOption, opt.BuildOption, opt.UnsafeOption,
        opt.ConfigOption, opt.SetOption, opt.MethodSetOption,
    ),
}  # fmt: skip
"""Options that many commands share, which stand after a command's own; `--json` and `--help` stand before them."""
_LATER_HELPS = {title: [get_args(option)[1].help for option in options] for title, options in _LATER.items()}


class ExplainedCommand(TyperCommand):
    """A command whose help has its own options first, and ends with an example."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, parsed; an error knows the command.

        Raises:
            TyperException: for wrong usage.
        """
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            told: Any = error
            told.ctx = getattr(told, "ctx", None) or ctx
            raise

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the command's name in the line of its usage."""
        named = [argument_name(one) for one in self.get_params(ctx) if one.param_type_name == "argument"]
        return [*named, "[OPTIONS]"]

    def sections(self, ctx: Any) -> dict[str, list[Any]]:
        """The arguments, and the options under their titles, in the order of the help."""
        titles = {help_: title for title, helps in _LATER_HELPS.items() for help_ in helps}
        found: dict[str, list[Any]] = {title: [] for title in ("Arguments", "Options", *_LATER)}
        for one in self.get_params(ctx):
            option = one.param_type_name == "option"
            found[titles.get(getattr(one, "help", None) or "", "Options") if option else "Arguments"].append(one)
        return found

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options under their titles, then the example."""
        for title, parameters in self.sections(ctx).items():
            name = argument_name if title == "Arguments" else _option_name
            _write(formatter, title, [(name(one), _meaning(one, ctx)) for one in parameters])
        _write_example(formatter, ctx)


class ExplainedGroup(TyperGroup):
    """A group whose help tells what each of its commands does, uncut."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the group's name in the line of its usage: options stand after the command."""
        del ctx
        return ["COMMAND", "[OPTIONS]", "[ARGUMENTS]..."]

    def command_summary(self, name: str, command: Any) -> str:
        """The line that tells what the command `name` does."""
        del name
        return inspect.cleandoc(command.help or "").partition("\n\n")[0].replace("\n", " ")

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command with its summary."""
        found = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        _write(formatter, "Commands", [(name, self.command_summary(name, one)) for name, one in found.items()])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that `args` begin with.

        Raises:
            UsageError: when there is none, with those that there are.
        """
        from apigap.records.errors import UsageError

        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            known = ", ".join(self.list_commands(ctx))
            raise UsageError(f"{ctx.command_path} has no command {args[0]!a}; it has {known}")
        return super().resolve_command(ctx, args)


def _write(formatter: Any, title: str, rows: list[tuple[str, str]]) -> None:
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)


def _write_example(formatter: Any, ctx: Any) -> None:
    words = ctx.command_path.removeprefix("apigap").strip()
    if words in EXAMPLES:
        with formatter.section("Example"):
            formatter.write(f"{'':>{formatter.current_indent}}apigap {words} {EXAMPLES[words]}".rstrip() + "\n")


def argument_name(argument: Any) -> str:
    """The word for an argument in a line of usage: in brackets where it may be left out."""
    name = argument.metavar or argument.name.upper() + ("..." if argument.nargs != 1 else "")
    return name if argument.required else f"[{name}]"


def _option_name(option: Any) -> str:
    names = ", ".join(sorted([*option.opts, *option.secondary_opts], key=lambda name: name.startswith("--")))
    return names if option.is_flag else f"{names} {option.metavar or _value(option)}"


def _value(option: Any) -> str:
    kinds = [kind for kind in (get_args(option.type_descriptor.annotation) or ()) if kind is not type(None)]
    return _WORDS.get(kinds[0] if kinds else option.type_descriptor.annotation, "TEXT")


def _meaning(parameter: Any, ctx: Any) -> str:
    told = parameter.help or ""
    extra = list(remarks(parameter, ctx, told))
    return f"{told}  [{'; '.join(extra)}]" if extra else told


def remarks(parameter: Any, ctx: Any, told: str) -> Iterable[str]:
    """Remarks on an option or argument that its help `told` does not make: default, bounds, repetition."""
    default = parameter.get_default(ctx, call=False)
    if parameter.required:
        yield "required"
    elif default not in (None, [], (), "") and default is not False:
        yield f"default: {_shown(default)}"
    low, high = getattr(parameter, "min", None), getattr(parameter, "max", None)
    if high is not None:
        yield f"from {low or 0} to {high}"
    elif low is not None and low > 1:
        yield f"at least {low}"
    if getattr(parameter, "multiple", False) and "may be repeated" not in told:
        yield "may be repeated"


def _shown(default: Any) -> str:
    if isinstance(default, float):
        return f"{default:.3g}"
    several = cast("list[Any]", default if isinstance(default, list | tuple) else [default])
    return ", ".join(map(str, several))
