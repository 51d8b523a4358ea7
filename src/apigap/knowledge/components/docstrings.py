"""Docstrings parsed for parameters, attributes and results, in the style that their content shows."""

import logging
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from apigap.knowledge.components.narrative import plain

DESCRIPTION_LIMIT = 140
_BULLET = re.compile(
    r"^[ \t]*[*-] [*`]{1,2}(\w+)[*`]{1,2}[ \t]*[-:–][ \t]*(?:\*\(\w+\)\*[ \t]*)?"
    r"(.+(?:\n(?![ \t]*(?:[*-] |$)).+)*)",
    re.M,
)


class DocumentedParameter(NamedTuple):
    """The entry of a docstring for one parameter."""

    description: str | None
    annotation: str | None


def shorten(text: str) -> str:
    """The first sentence of `text`, without reference markup, at most 140 characters."""
    words = plain(" ".join(re.sub(r"^\s*\.\. version\w+::.*", "", text, flags=re.M | re.S).split()))
    words = re.sub(r"^[-*] ", "", words)
    sentence = re.split(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)\s", words, maxsplit=1)[0]
    return sentence if len(sentence) <= DESCRIPTION_LIMIT else sentence[: DESCRIPTION_LIMIT - 1].rstrip() + "…"


def parameter_descriptions(docstring: str) -> dict[str, str]:
    """Descriptions in the docstring's parameter section, by name (Google, numpy, Sphinx style, or a list)."""
    return {
        name: parameter.description
        for name, parameter in documented_parameters(docstring).items()
        if parameter.description
    }


def documented_parameters(docstring: str) -> dict[str, DocumentedParameter]:
    """Descriptions and types by parameter name; the style is the first one in which there is a description.

    What is listed as attributes counts as well: a data class describes its parameters so.
    """
    import griffe

    listed = (
        griffe.DocstringSectionParameters,
        griffe.DocstringSectionOtherParameters,
        griffe.DocstringSectionAttributes,
    )
    for sections in _parsed(docstring):
        found: dict[str, DocumentedParameter] = {}
        for section in sections:
            for entry in section.value if isinstance(section, listed) else ():
                for name in entry.name.split(","):
                    parameter = DocumentedParameter(entry.description or None, _annotation(entry.annotation))
                    found.setdefault(name.strip().lstrip("*"), parameter)
        if any(parameter.description for parameter in found.values()):
            return found
    return {match[1]: DocumentedParameter(match[2], None) for match in _BULLET.finditer(docstring)}


def documented_return(docstring: str) -> str | None:
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
    return text if text and len(text) <= DESCRIPTION_LIMIT else None


def _parsed(docstring: str) -> Iterator[list[Any]]:
    """The sections of a docstring, read in each style."""
    import griffe

    # griffe logs a warning for every section it cannot read; a docstring of another library is not our business.
    logging.getLogger("griffe").setLevel(logging.ERROR)
    for style in ("google", "numpy", "sphinx"):
        yield griffe.Docstring(docstring).parse(style)
