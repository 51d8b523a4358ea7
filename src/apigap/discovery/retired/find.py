"""From two surfaces and the places of their text to what was taken away between them."""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from apigap.discovery.diff import Finding
from apigap.discovery.evidence.documents import Documents
from apigap.discovery.evidence.mentions import Mentions
from apigap.discovery.library import LibraryConfig
from apigap.discovery.retired.asked import ask
from apigap.discovery.retired.lost_names import Shown
from apigap.discovery.retired.notices import read_notices
from apigap.discovery.retired.release import Release
from apigap.discovery.retired.retire import Retirements
from apigap.discovery.static.listed import is_listed
from apigap.discovery.surface import Surface
from apigap.records.retired import Retirement
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment


class Place(NamedTuple):
    """The folder of a release's text, and the environment where it can be asked; None where it is read as text."""

    root: Path
    environment: Environment | None


def find_retired(
    config: LibraryConfig,
    surfaces: tuple[Surface, Surface],
    places: tuple[Place, Place],
    findings: Sequence[Finding],
    documents: tuple[Documents, Documents],
    engine: Engine,
) -> tuple[Retirement, ...]:
    """The retirements between two surfaces, by name; `documents` are those of both.

    Raises:
        InfrastructureError: when a release cannot be asked in the sandbox.
    """
    old, new = (
        Release(surface, read_notices(place.root, surface.tops))
        for surface, place in zip(surfaces, places, strict=True)
    )
    every = (*old.surface.entries, *new.surface.entries)
    mentions = Mentions(every, documents[1], old.surface.version, new.surface.version or "")
    shown = Shown(documents[0].names_written, functools.partial(is_listed, places[0].root))
    retirements = Retirements(old, new, findings, mentions.notes_about, shown, config.name)
    was, now = (place.environment for place in places)
    if was is None or now is None:
        return retirements.found(None)
    unlisted = [*retirements.on_request, *retirements.by_hand]
    modules = [*(lost.path for lost in retirements.lost if lost.kind == "module"), *retirements.by_hand]
    names = [*(lost.path for lost in retirements.lost), *retirements.less_taken, *unlisted]
    answers = ask(now, engine, names, config.prepare, modules)
    return retirements.found(answers, ask(was, engine, unlisted, config.prepare, modules))
