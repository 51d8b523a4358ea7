"""The public surface of one library version: what the run-time walk saw, supplemented by griffe, kept as JSON."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from apigap.records.base import Record
from apigap.records.candidate import ApiKind, Evidence, Parameter
from apigap.records.paths import exclusive
from apigap.records.store import write_text

Reader = Literal["runtime", "griffe", "docstring"]
Fact = Literal["parameters", "return_type", "docstring", "deprecated"]
Reading = Literal["runtime", "static"]
_DEPRECATED = re.compile(
    r"^\W*deprecated\b|^\W*deprecation warning|\b(?:is|are|was|has been|have been) (?:now )?deprecated\b", re.IGNORECASE
)
_DETAILS = re.compile(r"\n(?:Parameters|Args|Arguments|Returns)\b|\n\s*:param")


class Entry(Record):
    """One public function, class, method, property, field of a data class or member of an enum.

    `name` is the best of its public `paths`; `defined_in` and `qualname` say where its code is. `parameters` are
    None where no reader knows them, and leave out `self` and `cls`. Of compiled code that only its docstring
    describes, `overloads` are all its forms where there are several (`parameters` is the widest), `documented_names`
    the parameter names in the docstring's first line. Of a field, `return_type` is its type. Of a class, `bases` are
    its public bases in the library and `others` the public names that it has without their being entries (data,
    and what bases from other libraries lend it). `borrowed` says that the signature is another library's, so that
    its changes are not this one's. `facts` says where a fact comes from: the running object, its docstring, or
    the text.
    """

    name: str
    kind: ApiKind
    paths: tuple[str, ...]
    evidence: tuple[Evidence, ...] = ()
    defined_in: str | None = None
    qualname: str | None = None
    source: str | None = None
    parameters: tuple[Parameter, ...] | None = None
    overloads: tuple[tuple[Parameter, ...], ...] = ()
    documented_names: tuple[str, ...] = ()
    return_type: str | None = None
    docstring: str | None = None
    deprecated: bool = False
    borrowed: bool = False
    bases: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    facts: dict[Fact, Reader] = {}
    sources: tuple[Reader, ...] = ()

    @property
    def leaf(self) -> str:
        """The last segment of the name."""
        return self.name.rpartition(".")[2]

    @property
    def owner(self) -> str | None:
        """The class of a method or property; None for what lives in a module."""
        return None if self.kind in ("function", "class") else self.name.rpartition(".")[0]

    @property
    def import_module(self) -> str:
        """The module to import so that `name` can be used."""
        return (self.owner or self.name).rpartition(".")[0]

    @property
    def signature(self) -> str | None:
        """The signature as one line, without `self`; None for properties and where nothing is known."""
        if self.parameters is None or self.kind == "property":
            return None
        return render_signature(self.parameters, self.return_type)


class Surface(Record):
    """All public entries of one version. `failures` maps modules that cannot be imported to the reason.

    `reading` says how it was read: in a running interpreter united with the text, or the text alone; `python` is the
    version of that interpreter, which is not kept.
    """

    library: str
    version: str | None
    reading: Reading = "runtime"
    tops: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    failures: dict[str, str] = {}
    variables: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    python: str | None = None


def cached_surface(kept: Path, read: Callable[[], Surface]) -> Surface:
    """The surface kept at `kept`; read and put there where it is missing or damaged, by one process at a time."""
    with exclusive(kept.with_suffix(".lock")):
        if kept.exists():
            try:
                return Surface.model_validate_json(kept.read_bytes())
            except ValidationError:
                kept.unlink()
        surface = read()
        write_text(kept, surface.to_line())
        return surface


def render_signature(parameters: tuple[Parameter, ...], return_type: str | None) -> str:
    """`(a, /, b: int = 1, *, c) -> str`."""
    parts: list[str] = []
    for index, parameter in enumerate(parameters):
        kinds = [other.kind for other in parameters[:index]]
        if parameter.kind != "positional_only" and kinds and kinds[-1] == "positional_only":
            parts.append("/")
        if parameter.kind == "keyword_only" and not {"keyword_only", "var_positional"} & set(kinds):
            parts.append("*")
        parts.append(_render_parameter(parameter))
    if parameters and parameters[-1].kind == "positional_only":
        parts.append("/")
    return f"({', '.join(parts)})" + (f" -> {return_type}" if return_type else "")


def says_deprecated(docstring: str | None) -> bool:
    """Check that the head of a docstring calls the API deprecated; not only one of its parameters."""
    head = _DETAILS.split(docstring or "", maxsplit=1)[0]
    first_paragraph = head.partition("\n\n")[0]
    return bool(re.search(r"^\.\. deprecated::", head, re.MULTILINE) or _DEPRECATED.search(first_paragraph))


def _render_parameter(parameter: Parameter) -> str:
    star = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
    text = star + parameter.name + (f": {parameter.annotation}" if parameter.annotation else "")
    if parameter.default is None:
        return text if parameter.required or star else f"{text} = ..."
    return f"{text} = {parameter.default}" if parameter.annotation else f"{text}={parameter.default}"
