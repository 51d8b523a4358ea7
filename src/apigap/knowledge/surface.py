"""S: the qualified name and the parameters, with what the docstring says of each."""

import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from apigap.records.candidate import Candidate, Parameter
from apigap.records.knowledge import Surface

_DESCRIPTION_LIMIT = 140
_BULLET = re.compile(
    r"^[ \t]*[*-] [*`]{1,2}(\w+)[*`]{1,2}[ \t]*[-:–][ \t]*(?:\*\(\w+\)\*[ \t]*)?(.+(?:\n[ \t]+[^\s*-].*)*)", re.M
)


class Told(NamedTuple):
    """What a docstring says of one parameter."""

    description: str | None
    annotation: str | None


def surface_of(candidate: Candidate) -> Surface:
    """The surface of `candidate`; no type, default or description is invented.

    A type that the signature leaves out is what the docstring writes in its place.
    """
    told = parameters_told(candidate.docstring or "")
    parameters = [
        _described(parameter, told) for parameter in candidate.parameters if parameter.name not in ("self", "cls")
    ]
    return Surface(
        s_name=candidate.api_name,
        kind=candidate.kind,
        signature=candidate.signature,
        parameters=tuple(parameters),
        return_type=candidate.return_type or _return_told(candidate.docstring or ""),
    )


def _described(parameter: Parameter, told: Mapping[str, Told]) -> Parameter:
    found = told.get(parameter.name, Told(None, None))
    description = parameter.description or found.description
    return parameter.model_copy(
        update={
            "description": shorten(description) if description else None,
            "annotation": parameter.annotation or found.annotation,
        }
    )


def shorten(text: str) -> str:
    """The first sentence of `text`, without reference markup, at most 140 characters."""
    plain = re.sub(r"\[([^\]]+)\](?:\[[^\]]*\]|\([^)]*\))", r"\1", " ".join(text.split()))
    plain = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", plain)
    sentence = re.split(r"(?<=[.!?])\s", plain, maxsplit=1)[0]
    return sentence if len(sentence) <= _DESCRIPTION_LIMIT else sentence[: _DESCRIPTION_LIMIT - 1].rstrip() + "…"


def parameter_descriptions(docstring: str) -> dict[str, str]:
    """What the docstring's parameter section says, by parameter name (Google, numpy, Sphinx style, or a list)."""
    return {name: told.description for name, told in parameters_told(docstring).items() if told.description}


def parameters_told(docstring: str) -> dict[str, Told]:
    """Descriptions and types by parameter name; the style is the first one in which there is a description."""
    import griffe

    for sections in _parsed(docstring):
        found = {
            name.strip().lstrip("*"): Told(entry.description or None, _annotation(entry.annotation))
            for section in sections
            if isinstance(
                section,
                (griffe.DocstringSectionParameters, griffe.DocstringSectionOtherParameters),
            )
            for entry in section.value
            for name in entry.name.split(",")
        }
        if any(told.description for told in found.values()):
            return found
    return {match[1]: Told(match[2], None) for match in _BULLET.finditer(docstring)}


def _return_told(docstring: str) -> str | None:
    """The type under the docstring's heading for what is returned, where exactly one thing is."""
    import griffe

    for sections in _parsed(docstring):
        for section in sections:
            if isinstance(section, griffe.DocstringSectionReturns) and len(section.value) == 1:
                written = _annotation(section.value[0].annotation)
                if written:
                    return written
    return None


def _annotation(value: Any) -> str | None:
    text = " ".join(str(value).split()) if value is not None else ""
    text = re.sub(r",? *(?:optional|default\b.*|keyword[- ]only)$", "", text).strip()
    return text if text and len(text) <= _DESCRIPTION_LIMIT else None


def _parsed(docstring: str) -> Iterator[list[Any]]:
    """The sections of a docstring, read in each style."""
    import griffe

    # griffe logs a warning for every section it cannot read; a docstring of another library is not our business.
    logging.getLogger("griffe").setLevel(logging.ERROR)
    for style in ("google", "numpy", "sphinx"):
        yield griffe.Docstring(docstring).parse(style)
