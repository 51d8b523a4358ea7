"""The public functions of a Python module as APIs. The module is read as text (griffe); it is never imported."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import griffe

from apigap.apibank_generator.records import Value
from apigap.apibank_generator.seeds.annotations import annotation_type, default_type
from apigap.apibank_generator.seeds.call_values import (
    CallParameter,
    UncallableParameter,
    call_parameter,
    choices_text,
    with_contents,
)
from apigap.apibank_generator.seeds.user_apis import ApiDescription, Notes, Seeds, checked_seeds
from apigap.discovery.static.griffe_facts import LOOKUP_ERRORS, parameters_of
from apigap.knowledge.components.docstrings import (
    DocumentedParameter,
    documented_parameters,
    documented_return,
    shorten,
)
from apigap.records.candidate import Parameter
from apigap.records.errors import UsageError

_NOTHING = ("None", "NoReturn", "Never")
_BY_NAME = ("positional_or_keyword", "keyword_only")


def read_python(name: str) -> Seeds:
    """The functions of a module: a dotted name, or the path of a file or package. Its domain is the module's name.

    A function is left out where a parameter that it needs has no type, none that JSON has, or none but its place.

    Raises:
        UsageError: when there is no such module in text form, or none of its functions can be used.
    """
    described = [
        ApiDescription(
            one.name,
            one.module,
            one.description,
            [_call_parameter(*each) for each in one.inputs],
            [one.output],
            one.place,
        )
        for one in read_functions(name)
    ]
    return checked_seeds(described, Notes(), name)


class PythonFunction(NamedTuple):
    """A public function as its module has it, with what its docstring says of each parameter."""

    name: str
    module: str
    description: str
    inputs: list[tuple[Parameter, DocumentedParameter]]
    output: Value
    place: str


def read_functions(name: str) -> list[PythonFunction]:
    """The public functions of a module, before anything is asked of them.

    Raises:
        UsageError: when there is no such module in text form.
    """
    return list(_functions(_module(name)))


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


def _functions(module: griffe.Module) -> Iterator[PythonFunction]:
    for member in module.members.values():
        if not isinstance(member, griffe.Function) or not member.is_public:
            continue
        place = f"{member.path}:{member.lineno}"
        text = member.docstring.value if member.docstring else ""
        summary = shorten(text.strip().partition("\n\n")[0]) if text.strip() else ""
        inputs = list(_inputs(member, text))
        yield PythonFunction(member.name, module.name, summary, inputs, _output(member, text), place)


def _inputs(function: griffe.Function, docstring: str) -> Iterator[tuple[Parameter, DocumentedParameter]]:
    documented = documented_parameters(docstring)
    for parameter in parameters_of(function, bound=False):
        yield parameter, documented.get(parameter.name, DocumentedParameter(None, None))


def _call_parameter(parameter: Parameter, documented: DocumentedParameter) -> CallParameter:
    """The parameter for a call by name; its type is that of its annotation, its docstring, or its default."""
    name, required = parameter.name, parameter.required
    if parameter.kind not in _BY_NAME:
        return UncallableParameter(name, required, "which cannot be given by its name")
    written = parameter.annotation or documented.annotation
    found = annotation_type(written) if written else default_type(parameter.default)
    if found.kind is None:
        return UncallableParameter(name, required, f"which has the type {written or 'unknown'}")
    words = with_contents(documented.description or "", choices_text(found.choices))
    return call_parameter(Value(name=name, type=found.kind, description=words, required=required), found.unsupported)


def _output(function: griffe.Function, docstring: str) -> Value:
    """The output of a function; of an object of a class its fields as a mapping."""
    written = str(function.returns) if function.returns is not None else documented_return(docstring)
    if written is not None and written.rpartition(".")[2] in _NOTHING:
        return Value(name="done", type="bool", description="Whether it was done.")
    kind = annotation_type(written).kind or "dict" if written else "str"
    return Value(name="result", type=kind, description=f"What it gives ({written})." if written else "")
