"""Draw from what releases took away, for looking at by hand, and count what was found right.

    .venv/bin/python -m tools.discovery.retired read [--pairs known] [--folder data/retired] [--library NAME ...]
    .venv/bin/python -m tools.discovery.retired draw [--number 100] [--seed 0] [--without LABELS ...]
    .venv/bin/python -m tools.discovery.retired count LABELS [--seed 0]

`read` compares a group of pairs of releases (`retired_pairs.py`) and keeps what was taken away. `draw` prints up to
`--number` of each kind, about as many from every library, and none that has a label of another seed. `count` reads the
labels of the draw `--seed`, one JSON object a line with `seed`, `kind`, `name` and `right`, and prints the precision of
each kind with Wilson's 95 % interval; it exits 1 where one is below 97 %.
"""

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from apigap.cli.console import Console
from apigap.packages.workshop import environment_store
from apigap.records.configuration import load_settings
from apigap.records.retired import RETIREMENT_KINDS, Retirement
from apigap.records.store import load_records, read_text, write_records
from apigap.sandbox.engine import Engine
from apigap.stages.discovery_runs import discover_target
from apigap.stages.retired_runs import with_usages
from apigap.stages.versions import resolve_versions
from apigap.statistics import wilson
from tools.discovery.retired_pairs import PAIRS, Pairs

WANTED = 0.97


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", choices=("read", "draw", "count"))
    parser.add_argument("labels", nargs="?", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("data/retired"))
    parser.add_argument("--number", type=int, default=100, help="how many of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--without", type=Path, nargs="*", default=[], help="files of labels: draw none that another seed has"
    )
    parser.add_argument("--pairs", choices=[*PAIRS], default="known", help="the group of pairs to read")
    parser.add_argument("--library", nargs="*", default=[], help="read these alone")
    parser.add_argument("--stale", action="store_true", help="run usages too, for changed behaviour")
    given = parser.parse_args()
    if given.which == "read":
        pairs = PAIRS[given.pairs]
        read(given.folder, {name: pairs[name] for name in given.library or pairs}, given.stale)
    elif given.which == "draw":
        labelled = [row for path in given.without for row in labels_in(path)]
        seen = {(row["kind"], row["name"]) for row in labelled if row["seed"] != given.seed}
        found = [one for one in found_in(given.folder) if (one.kind, name_of(one)) not in seen]
        for one in draw(found, given.number, given.seed):
            print(line_of(one))
    elif given.labels is None:
        sys.exit("name the file of labels")
    else:
        sys.exit(count(given.labels, given.seed))


def read(folder: Path, pairs: Pairs, stale: bool) -> None:
    """Compare the pairs that are not there yet; what is new in them is not dated."""
    terms = load_settings()
    with Console() as console, Engine.of(terms.execution) as engine:
        store = environment_store(engine, terms.packages)
        for library, (old, new) in pairs.items():
            path = folder / f"{library}.jsonl"
            if path.exists():
                continue
            console.note(f"{library} {old} -> {new}")
            found = discover_target(resolve_versions(library, old, new, None, to_run=False), engine, console, store)
            write_records(path, (with_usages(found, engine, console, store) if stale else found).retired)


def found_in(folder: Path) -> list[Retirement]:
    """All that was found, library by library."""
    return [one for path in sorted(folder.glob("*.jsonl")) for one in load_records(path, Retirement)]


def draw(found: Sequence[Retirement], number: int, seed: int) -> Iterator[Retirement]:
    """Up to `number` of each kind: one of each library in turn, as far as they have any."""
    chance = random.Random(seed)  # noqa: S311  a draw, no secret
    for kind in RETIREMENT_KINDS:
        by_library: defaultdict[str, list[Retirement]] = defaultdict(list)
        for one in found:
            if one.kind == kind:
                by_library[one.library].append(one)
        for of_library in by_library.values():
            chance.shuffle(of_library)
        drawn: list[Retirement] = []
        while len(drawn) < number and any(by_library.values()):
            drawn += [by_library[library].pop() for library in sorted(by_library) if by_library[library]]
        yield from sorted(drawn[:number], key=lambda one: (one.library, one.key))


def line_of(one: Retirement) -> str:
    """One retirement with all that speaks for it, as a line of JSON."""
    row = one.model_dump(mode="json", exclude={"usage", "library", "new_version", "old_version"})
    return json.dumps({"name": name_of(one), **row})


def name_of(one: Retirement) -> str:
    """The name as a label has it."""
    return f"{one.old_name}({one.parameter}=)" if one.parameter else one.old_name


def labels_in(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of labels."""
    return [json.loads(line) for line in read_text(path).splitlines()]


def count(labels: Path, seed: int) -> int:
    """Print the precision of each kind in the draw of that seed; 1 where one is below what is wanted, else 0."""
    right: defaultdict[str, list[bool]] = defaultdict(list)
    for row in labels_in(labels):
        if row["seed"] == seed:
            right[row["kind"]].append(row["right"])
    low = False
    for kind, values in right.items():
        interval = wilson(sum(values), len(values))
        print(f"{kind}: {sum(values)} of {len(values)}, 95 % interval {interval.low:.1%} to {interval.high:.1%}")
        low = low or sum(values) / len(values) < WANTED
    return int(low)


if __name__ == "__main__":
    main()
