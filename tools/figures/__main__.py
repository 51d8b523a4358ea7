"""Remakes the figures and tables of the documentation from kept data, and fails where a page says something else.

    .venv/bin/python -m tools.figures                     # what `make figures` does; nothing is changed
    .venv/bin/python -m tools.figures --only ladder       # what has that word in its command
    .venv/bin/python -m tools.figures --write             # puts what the data give in the place of what differs

No model is asked: what models answered is kept in `studies`. Pages whose figures are measured anew each time (the demo,
speeds) are listed with their command, and not made.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Callable, Iterator

from tools.figures.catalogue import MEASURED, REMADE, STATED, Remade
from tools.figures.checks import PUBLISHED, ROOT, is_possible, prepare, remade_problems, stated_problems

SCRATCH = ROOT / "build" / "figures"


def main() -> None:
    """Make all that is asked for; exit code 1 where a page differs and is not mended, or a command fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="commands with this word in them")
    parser.add_argument("--write", action="store_true", help="put what the data give in the place of what differs")
    given = parser.parse_args()
    prepare(SCRATCH)
    found = list(_problems(given.only, given.write))
    for one in MEASURED:
        print(f"not made here: {', '.join(one.files)} ({one.command}: {one.takes})")
    print(f"{len(found)} differ from their data" if found else "all that was made is what the pages have")
    sys.exit(1 if found else 0)


def _problems(only: str, write: bool) -> Iterator[str]:
    for entry in (*REMADE, *STATED):
        if only not in entry.command:
            continue
        if not is_possible(entry.command):
            print(f"NOT MADE: {entry.command}: there is no {PUBLISHED}", flush=True)
            continue
        files = entry.files if isinstance(entry, Remade) else (entry.page,)
        if isinstance(entry, Remade):
            told = _told(lambda entry=entry: remade_problems(entry, SCRATCH), ", ".join(files))
        else:
            told = _told(lambda entry=entry: stated_problems(entry, SCRATCH), f"tables of {entry.page}")
        if write and isinstance(entry, Remade) and told:
            _put(entry)
        else:
            yield from told


def _told(check: Callable[[], list[str]], files: str) -> list[str]:
    began = time.monotonic()
    try:
        found = check()
    except RuntimeError as error:
        found = [str(error)]
    print(f"{'DIFFERS' if found else 'the same'}: {files} ({time.monotonic() - began:.0f} s)", flush=True)
    print("".join(f"  {problem}\n" for problem in found), end="", flush=True)
    return found


def _put(entry: Remade) -> None:
    for file in entry.files:
        if (SCRATCH / file).exists():
            shutil.copyfile(SCRATCH / file, ROOT / file)
            print(f"  written: {file}")


if __name__ == "__main__":
    main()
