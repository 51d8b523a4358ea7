"""Makes the list of how many libraries have a name, or a word, among their parameters: what twins are chosen by.

.venv/bin/python -m tools.ladder.frequencies ~/.cache/apigap/surfaces/*.json > src/apigap/ladder/twins/frequencies.txt

Of each library the oldest surface counts, so that what came since is not in it; the first line names them.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from packaging.version import Version

from apigap.discovery.surface import Surface
from apigap.ladder.twins.plausible import placed_words

_CALLED = frozenset({"function", "class", "method", "classmethod", "staticmethod"})
_LEAST = 2
"""The libraries that a name or a word must be in to stand on the list."""


def oldest(surfaces: Iterable[Surface]) -> list[Surface]:
    """The surface of each library's first release, by the name of the library."""
    found: dict[str, Surface] = {}
    for one in surfaces:
        known = found.get(one.library)
        if one.version and (known is None or Version(one.version) < Version(known.version or "0")):
            found[one.library] = one
    return [found[name] for name in sorted(found)]


def counted(surfaces: Iterable[Surface]) -> tuple[Counter[str], Counter[str]]:
    """The number of libraries that have each name of a parameter, and each word in such names."""
    names: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for surface in surfaces:
        own = {
            parameter.name.lower()
            for entry in surface.entries
            if entry.kind in _CALLED
            for parameter in entry.parameters or ()
            if not parameter.name.startswith("_")
        }
        names.update(own)
        words.update({word for name in own for word in placed_words(name)})
    return names, words


def lines_of(surfaces: Iterable[Surface]) -> list[str]:
    """The list: a line per number of libraries, first of names, then of words (marked `*`)."""
    read = oldest(surfaces)
    rows = [f"# {len(read)} libraries: {', '.join(f'{one.library} {one.version}' for one in read)}"]
    for mark, counts in zip(("", "*"), counted(read), strict=True):
        groups: defaultdict[int, list[str]] = defaultdict(list)
        for name, count in counts.items():
            groups[count].append(name)
        often = sorted((count for count in groups if count >= _LEAST), reverse=True)
        rows += [f"{mark}{count} {' '.join(sorted(groups[count]))}" for count in often]
    return rows


def main() -> None:
    """Print the list."""
    read = (Surface.model_validate_json(Path(path).read_bytes()) for path in sys.argv[1:])
    print("\n".join(lines_of(read)))


if __name__ == "__main__":
    main()
