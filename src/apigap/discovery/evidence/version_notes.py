"""Places in the text of a library that name an API beside a version. Nothing is run."""

from collections.abc import Iterator
from typing import NamedTuple

from apigap.discovery.evidence.directives import Directive, directives_in

MARKS = ("versionadded::", "versionchanged::", "deprecated::")


class Sighting(NamedTuple):
    """A directive and the full dotted names that it may mean, the likeliest first; `where` is file and line."""

    names: tuple[str, ...]
    directive: Directive
    where: str


def sightings_on_page(text: str, tops: tuple[str, ...], where: str) -> Iterator[Sighting]:
    """The directives of a page of documentation that stand below the description of an object."""
    if not any(mark in text for mark in MARKS):
        return
    for directive in directives_in(text):
        if directive.target:
            contexts = dict.fromkeys((directive.module, "", *tops))
            names = (f"{context}.{directive.target}".lstrip(".") for context in contexts)
            yield Sighting(tuple(dict.fromkeys(names)), directive, f"{where}:{directive.line}")
