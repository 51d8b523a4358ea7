"""Draw candidates to look at by hand, from what `apigap discover --json` wrote.

    .venv/bin/python -m tools.discovery.draw docstring FILE... [--number 30] [--seed 0]
    .venv/bin/python -m tools.discovery.draw widened FILE... [--number 20] [--seed 0]

`docstring` draws APIs that only their own docstrings show to be public, moved ones left out; `widened` draws
annotations that accept more. The same number comes from every library, as far as they have them.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from apigap.discovery.discover import Discovery


def main() -> None:
    """Print the draw, one line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("docstring", "widened"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--number", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    found = [Discovery.model_validate_json(path.read_bytes()) for path in given.files]
    lines = {one.library: list(_weak(one) if given.what == "docstring" else _widened(one)) for one in found}
    for line in draw(lines, given.number, given.seed):
        print(line)


def draw(lines: dict[str, list[str]], number: int, seed: int) -> list[str]:
    """`number` of the lines, in turns from every library."""
    chance = random.Random(seed)  # noqa: S311
    waiting = {library: chance.sample(of_it, len(of_it)) for library, of_it in sorted(lines.items())}
    drawn: list[str] = []
    while len(drawn) < number and any(waiting.values()):
        drawn += [of_it.pop() for of_it in waiting.values() if of_it]
    return sorted(drawn[:number])


def _weak(found: Discovery) -> Iterator[str]:
    for candidate in found.candidates:
        if candidate.is_weak and candidate.change != "moved":
            changes = ", ".join(f"{change.what} {change.parameter}" for change in candidate.changes)
            first = (candidate.docstring or "").strip().partition("\n")[0]
            yield f"{candidate.api_name} ({candidate.kind}, {candidate.change} {changes}): {first}"


def _widened(found: Discovery) -> Iterator[str]:
    for candidate in found.candidates:
        for change in candidate.changes:
            if change.what == "annotation widened":
                yield f"{candidate.api_name}({change.parameter}): {change.old} -> {change.new}"


if __name__ == "__main__":
    main()
