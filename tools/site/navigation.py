"""The navigation of the site, in `zensical.toml`, beside the pages that there are."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.site.links import ROOT

CONFIGURATION = ROOT / "zensical.toml"


def listed(entries: Any) -> Iterator[str]:
    """The pages that a navigation names, in its order."""
    if isinstance(entries, str):
        yield entries
        return
    for entry in entries.values() if isinstance(entries, dict) else entries:
        yield from listed(entry)


def navigation() -> list[str]:
    """The pages of the site's navigation."""
    return list(listed(tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))["project"]["nav"]))


def problems(folder: Path) -> list[str]:
    """A sentence on each page that is named and not there, named twice, or there and not named."""
    named, there = navigation(), {path.relative_to(folder).as_posix() for path in folder.rglob("*.md")}
    twice = sorted({page for page in named if named.count(page) > 1})
    return [
        *(f"{page} is in the navigation of {CONFIGURATION.name} and is no page" for page in named if page not in there),
        *(f"{page} is in the navigation of {CONFIGURATION.name} twice" for page in twice),
        *(f"{page} is in no navigation: add it to {CONFIGURATION.name}" for page in sorted(there - {*named})),
    ]
