"""S: the qualified name and the parameters, with what the docstring says of each."""

import logging
import re

from apigap.records.candidate import Candidate, Parameter
from apigap.records.knowledge import Surface

_DESCRIPTION_LIMIT = 140
_BULLET = re.compile(
    r"^[ \t]*[*-] [*`]{1,2}(\w+)[*`]{1,2}[ \t]*[-:–][ \t]*(?:\*\(\w+\)\*[ \t]*)?(.+(?:\n[ \t]+[^\s*-].*)*)", re.M
)


def surface_of(candidate: Candidate) -> Surface:
    """The surface of `candidate`; no type, default or description is invented."""
    told = parameter_descriptions(candidate.docstring or "")
    parameters = [
        _described(parameter, told) for parameter in candidate.parameters if parameter.name not in ("self", "cls")
    ]
    return Surface(
        s_name=candidate.api_name,
        kind=candidate.kind,
        signature=candidate.signature,
        parameters=tuple(parameters),
        return_type=candidate.return_type,
    )


def _described(parameter: Parameter, told: dict[str, str]) -> Parameter:
    description = parameter.description or told.get(parameter.name)
    return parameter.model_copy(update={"description": shorten(description) if description else None})


def shorten(text: str) -> str:
    """The first sentence of `text`, without reference markup, at most 140 characters."""
    plain = re.sub(r"\[([^\]]+)\](?:\[[^\]]*\]|\([^)]*\))", r"\1", " ".join(text.split()))
    plain = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", plain)
    sentence = re.split(r"(?<=[.!?])\s", plain, maxsplit=1)[0]
    return sentence if len(sentence) <= _DESCRIPTION_LIMIT else sentence[: _DESCRIPTION_LIMIT - 1].rstrip() + "…"


def parameter_descriptions(docstring: str) -> dict[str, str]:
    """What the docstring's parameter section says, by parameter name (Google, numpy, Sphinx style, or a list)."""
    import griffe

    # griffe logs a warning for every section it cannot read; a docstring of another library is not our business.
    logging.getLogger("griffe").setLevel(logging.ERROR)
    for style in ("google", "numpy", "sphinx"):
        sections = griffe.Docstring(docstring).parse(style)
        found = {
            entry.name.lstrip("*"): entry.description
            for section in sections
            if isinstance(section, (griffe.DocstringSectionParameters, griffe.DocstringSectionOtherParameters))
            for entry in section.value
            if entry.description
        }
        if found:
            return found
    return {match[1]: match[2] for match in _BULLET.finditer(docstring)}
