"""All pages of the site in one folder, from which it is built."""

import shutil
from pathlib import Path, PurePosixPath

from apigap.records.store import write_text
from tools.site.commands import command_pages
from tools.site.links import README, ROOT, linked, place_of, rewritten
from tools.site.python_pages import python_pages

ASSETS = Path(__file__).with_name("assets")
"""Style, and the one script that the site has beside Zensical's own."""


def lay_out(folder: Path) -> None:
    """Write all pages below `folder`, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ASSETS, folder)
    for file in _files():
        target = folder / place_of(file)
        if file.suffix == ".md":
            write_text(target, rewritten(file, (ROOT / file).read_text(encoding="utf-8")))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / file, target)
    for name, text in command_pages().items():
        write_text(folder / "reference" / "commands" / f"{name}.md", text)
    for name, text in python_pages().items():
        write_text(folder / "reference" / f"{name}.md", text)


def _files() -> list[PurePosixPath]:
    """The files of `docs`, and those that pages link to, and that these link to."""
    docs = (path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*") if path.is_file())
    waiting, found = [*map(PurePosixPath, docs)], set[PurePosixPath]()
    while waiting:
        file = waiting.pop()
        if file in found or file == README:
            continue
        found.add(file)
        if file.suffix == ".md":
            waiting += linked(file, (ROOT / file).read_text(encoding="utf-8"))
    return sorted(found)
