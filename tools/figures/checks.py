"""Files of the documentation beside what their kept data come to."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from tools.figures.catalogue import Remade, Stated

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT.parent / "shared" / "data"
"""Data of others, beside the checkout: API-Bank's and ToolBench's."""


def is_possible(command: str) -> bool:
    """False for a command that reads data of others where these are not there."""
    return "{published}" not in command or PUBLISHED.is_dir()


def printed(command: str, scratch: Path) -> str:
    """The output of a command; the files that it writes are below `scratch`.

    Raises:
        RuntimeError: When it fails, with its last words.
    """
    places = {"docs": scratch / "docs", "studies": scratch / "studies", "published": PUBLISHED}
    words = [word.format(**places) for word in shlex.split(command)]
    ended = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"python -m {' '.join(words)} ended with {ended.returncode}: {ended.stderr.strip()[-800:]}")
    return ended.stdout


def prepare(scratch: Path) -> None:
    """Lay out the folders that commands write to, with the kept data in them."""
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / "docs" / "images").mkdir(parents=True)
    shutil.copytree(ROOT / "studies", scratch / "studies")


def remade_problems(entry: Remade, scratch: Path) -> list[str]:
    """A sentence on each file that is not what its command makes; the made ones stay below `scratch`."""
    printed(entry.command, scratch)
    return [problem for file in entry.files if (problem := _difference(file, scratch / file))]


def stated_problems(entry: Stated, scratch: Path) -> list[str]:
    """A sentence on each row or sentence that the page lacks."""
    page = _flat((ROOT / entry.page).read_text(encoding="utf-8"))
    return [f"{entry.page} lacks: {claim}" for claim in claims(printed(entry.command, scratch)) if claim not in page]


def claims(text: str) -> Iterator[str]:
    """The rows of tables in what a command printed, without their heads, and the lines that begin with `>`."""
    lines = text.splitlines()
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        if line.startswith("> "):
            yield _flat(line[2:])
        elif line.startswith("| ") and not _is_rule(line) and not _is_rule(following):
            yield _flat(line)


def _is_rule(line: str) -> bool:
    return bool(re.fullmatch(r"\|[\s:|-]+", line))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _difference(file: str, made: Path) -> str | None:
    kept = ROOT / file
    if not made.exists():
        return f"{file} is made no more"
    if kept.exists() and kept.read_bytes() == made.read_bytes():
        return None
    if made.suffix == ".png" or not kept.exists():
        return f"{file} differs from what its data give"
    lines = zip_longest(*(path.read_text(encoding="utf-8").splitlines() for path in (kept, made)), fillvalue="")
    number, (old, new) = next((n, pair) for n, pair in enumerate(lines, 1) if pair[0] != pair[1])
    return f"{file} line {number} has\n    {old}\n  and its data give\n    {new}"
