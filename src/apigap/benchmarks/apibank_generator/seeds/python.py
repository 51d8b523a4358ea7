"""The public functions of a Python module as APIs. The module is read as text (griffe); it is never imported."""

import ast
import logging
from collections.abc import Iterator
from pathlib import Path

import griffe

from apigap.benchmarks.apibank_generator.records import Value, ValueType
from apigap.benchmarks.apibank_generator.seeds.seeds import Found, Seeds, seeds_of
from apigap.benchmarks.apibank_generator.values import value_type
from apigap.discovery.griffe_facts import LOOKUP_ERRORS, parameters_of
from apigap.knowledge.docstrings import Told, parameters_told, return_told, shorten
from apigap.records.candidate import Parameter
from apigap.records.errors import UsageError

_NOTHING = ("None", "NoReturn")


def read_python(name: str) -> Seeds:
    """The functions of a module: a dotted name, or the path of a file or package. Its domain is the module's name.

    A function is left out where a parameter that it needs has no type, or none that JSON has.

    Raises:
        UsageError: when there is no such module in text form, or none of its functions can be used.
    """
    module = _module(name)
    notes: list[str] = []
    found = list(_functions(module, notes))
    return seeds_of(found, notes, name)


def _module(name: str) -> griffe.Module:
    logging.getLogger("griffe").setLevel(logging.ERROR)
    path = Path(name)
    is_path = path.suffix == ".py" or path.is_dir()
    try:
        loaded = griffe.load(
            path.stem if is_path else name,
            search_paths=[path.resolve().parent] if is_path else None,
            allow_inspection=False,
            try_relative_path=False,
        )
    except (ModuleNotFoundError, ImportError, SyntaxError, *LOOKUP_ERRORS) as error:
        raise UsageError(
            f"--python {name}: no module of that name can be read as text ({type(error).__name__}: {error}); give a "
            "dotted name that is installed, or the path of a file"
        ) from None
    if not isinstance(loaded, griffe.Module):
        raise UsageError(f"--python {name} is no module but a {loaded.kind.value}; give its module")
    return loaded


def _functions(module: griffe.Module, notes: list[str]) -> Iterator[Found]:
    for member in module.members.values():
        if not isinstance(member, griffe.Function) or not member.is_public:
            continue
        place = f"{member.path}:{member.lineno}"
        text = member.docstring.value if member.docstring else ""
        values = _values(member, text)
        if isinstance(values, str):
            notes.append(f"{place} is left out: {values}")
            continue
        summary = shorten(text.strip().partition("\n\n")[0]) if text.strip() else ""
        yield Found(member.name, module.name, summary, values, [_output(member, text)], place)


def _values(function: griffe.Function, docstring: str) -> list[Value] | str:
    """The parameters that a call by name can give, or why there is none."""
    told = parameters_told(docstring)
    values: list[Value] = []
    for parameter in parameters_of(function, bound=False):
        if parameter.kind in ("var_positional", "var_keyword"):
            continue
        about = told.get(parameter.name, Told(None, None))
        kind = _type_of(parameter, about)
        if kind is not None:
            described = about.description or ""
            values.append(Value(name=parameter.name, type=kind, description=described, required=parameter.required))
        elif parameter.required:
            return f"{parameter.name} has the type {parameter.annotation or about.annotation or 'unknown'}"
    return values


def _type_of(parameter: Parameter, told: Told) -> ValueType | None:
    """By its annotation, else by the docstring, else by its default."""
    written = parameter.annotation or told.annotation
    if written is not None:
        return value_type(written)
    try:
        default = ast.literal_eval(parameter.default or "None")
    except (ValueError, SyntaxError):
        return None
    return None if default is None else value_type(type(default).__name__)


def _output(function: griffe.Function, docstring: str) -> Value:
    """What it returns; of an object of a class its fields as a mapping."""
    written = str(function.returns) if function.returns is not None else return_told(docstring)
    if written in _NOTHING:
        return Value(name="done", type="bool", description="Whether it was done.")
    kind = value_type(written) if written else "str"
    return Value(name="result", type=kind or "dict", description=f"What it gives ({written})." if written else "")
