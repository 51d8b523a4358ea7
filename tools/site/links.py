"""The place of a project's file on the site, and links of a page rewritten for that place.

Pages link to each other as files of the project, so that they can be read there too. The site has the pages of `docs`
as they lie; what they link to outside is put beside them: pages under `project`, other text under `project` with
`.txt` behind its name, so that a browser shows it. The README is the site's first page.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
README = PurePosixPath("README.md")
HOME = PurePosixPath("index.md")
_LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
_FENCE = re.compile(r"^(```.*?^```[^\n]*\n?)", re.MULTILINE | re.DOTALL)


def place_of(file: PurePosixPath) -> PurePosixPath:
    """The path on the site of a file of the project, both relative to their roots."""
    if file.parts[0] == "docs":
        return PurePosixPath(*file.parts[1:])
    if file == README:
        return HOME
    name = file.name if file.suffix in (".md", ".png") else f"{file.name}.txt"
    return PurePosixPath("project", *file.parts[:-1], name)


def linked(page: PurePosixPath, text: str) -> Iterator[PurePosixPath]:
    """The files of the project that a page links to, relative to its root."""
    for target in _targets(text):
        yield _file(page, target.partition("#")[0])


def rewritten(page: PurePosixPath, text: str) -> str:
    """The text of a page with its links as they lead from its place on the site; code is left as it is."""
    pieces = _FENCE.split(text)
    pieces[::2] = [_LINK.sub(lambda found: _moved(page, found[1]), prose) for prose in pieces[::2]]
    return "".join(pieces)


def _targets(text: str) -> Iterator[str]:
    for prose in _FENCE.split(text)[::2]:
        yield from (target for target in _LINK.findall(prose) if _is_of_the_project(target))


def _is_of_the_project(target: str) -> bool:
    return ":" not in target and not target.startswith("#")


def _moved(page: PurePosixPath, target: str) -> str:
    if not _is_of_the_project(target):
        return target
    path, mark, anchor = target.partition("#")
    here, there = place_of(page), place_of(_file(page, path))
    return os.path.relpath(there, here.parent) + mark + anchor


def _file(page: PurePosixPath, target: str) -> PurePosixPath:
    return PurePosixPath(os.path.normpath(page.parent / target))
