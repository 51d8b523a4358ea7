"""Discovery against each project's own list of what is new (docs/whatsnew.md).

    apigap discover LIBRARY --old V --new V --json > FOLDER/LIBRARY.json    # for each of the ten pairs
    .venv/bin/python -m tools.discovery.whatsnew measure FOLDER [LIBRARY ...]
    .venv/bin/python -m tools.discovery.whatsnew tables

`studies/whatsnew/entries.jsonl` is by hand: what the lists say, with names. `measure` asks discovery's answers about
each entry, writes `measured.json` beside it, prints what is not found, and exits 1 below 90 %.
`tables` prints the tables of the page from that.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from apigap.discovery.discover import Discovery
from apigap.discovery.importance.order import stands_for_family
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.records.retired import RETIREMENT_KINDS
from apigap.records.store import load_records, read_text, write_text
from apigap.statistics import wilson
from tools.discovery.announced import ENTRY_KINDS, Entry, Outcome, Register, drawn, targets

STUDY = Path(__file__).parents[2] / "studies" / "whatsnew"
MEASURED = STUDY / "measured.json"
WANTED = 0.90
FIRST = 20
BANDS = ("0.7 and more", "0.5 to 0.7", "below 0.5", "told by their family", "minor")
CHANGES = ("added", "modified", "moved")


class Pair(Record):
    """Counts of the discovery of one pair of releases.

    `unread` are the modules that could not be imported, `changes` the candidates by change and band of importance,
    `retired` what was taken away by kind. Of the `first` candidates by importance `announced` are named by an entry.
    """

    library: str
    old_version: str
    new_version: str
    pythons: dict[str, str]
    reading: str
    unread: tuple[str, ...]
    seconds: float
    changes: dict[str, dict[str, int]]
    retired: dict[str, int]
    first: int
    announced: int


class Measured(Record):
    """The pairs, and the outcome of every entry that was asked about."""

    pairs: tuple[Pair, ...]
    outcomes: tuple[Outcome, ...]


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", choices=("measure", "tables"))
    parser.add_argument("folder", nargs="?", type=Path, help="what `apigap discover --json` wrote, LIBRARY.json each")
    parser.add_argument("libraries", nargs="*", help="these libraries alone; nothing is written then")
    given = parser.parse_args()
    if given.which == "tables":
        kept = Measured.model_validate_json(read_text(MEASURED))
        tables(kept.outcomes, kept.pairs)
    elif given.folder is None:
        sys.exit("name the folder with what `apigap discover LIBRARY --json` wrote")
    else:
        sys.exit(measure(given.folder, given.libraries))


def measure(folder: Path, libraries: Sequence[str]) -> int:
    """Ask about every entry and print what is not found; 1 where fewer are found than are wanted, else 0."""
    entries = load_records(STUDY / "entries.jsonl", Entry)
    chosen = [name for name in dict.fromkeys(entry.library for entry in entries) if not libraries or name in libraries]
    outcomes: list[Outcome] = []
    pairs: list[Pair] = []
    for library in chosen:
        discovery = Discovery.model_validate_json(read_text(folder / f"{library}.json"))
        own = [entry for entry in entries if entry.library == library]
        register = Register(discovery)
        outcomes += [register.outcome(entry) for entry in drawn(own)]
        pairs.append(pair_of(discovery, register, own))
    if not libraries:
        kept = Measured(pairs=tuple(pairs), outcomes=tuple(outcomes))
        write_text(MEASURED, kept.to_line() + "\n")
    for one in outcomes:
        if not one.found:
            print(f"{one.library}: {one.kind} {'; '.join(one.missing)} ({one.cause or 'no cause is written'})")
    print("\n".join(shares(outcomes, chosen)))
    print(names_found(outcomes))
    counted = [one.found for one in outcomes if not one.apart]
    return int(sum(counted) < WANTED * len(counted))


def pair_of(discovery: Discovery, register: Register, entries: Sequence[Entry]) -> Pair:
    """The counts of one pair; `entries` are all that the project's list has, drawn or not."""
    named = {
        place
        for entry in entries
        for name in entry.names
        for target in targets(name)
        for place in register.candidates_of(target, entry.kind)
    }
    families = {_family(register.ranked[place]) for place in named}
    heads = [one for one in register.ranked if stands_for_family(one)][:FIRST]
    changes: dict[str, dict[str, int]] = {}
    for change in CHANGES:
        counted = Counter(band(one) for one in discovery.candidates if one.change == change)
        changes[change] = {name: counted[name] for name in BANDS if counted[name]}
    return Pair(
        library=discovery.library,
        old_version=str(discovery.old_version),
        new_version=discovery.new_version,
        pythons=discovery.pythons,
        reading=discovery.reading,
        unread=tuple(sorted({failure.split(": ", 2)[1] for failure in discovery.failures})),
        seconds=discovery.seconds,
        changes=changes,
        retired=dict(Counter(one.kind for one in discovery.retired)),
        first=len(heads),
        announced=sum(_family(one) in families for one in heads),
    )


def band(candidate: Candidate) -> str:
    """The column of a candidate in the table of changes by importance."""
    importance = candidate.importance
    if importance is None or importance.minor:
        return BANDS[4]
    if not stands_for_family(candidate):
        return BANDS[3]
    return BANDS[0] if importance.score >= 0.7 else BANDS[1] if importance.score >= 0.5 else BANDS[2]


def shares(outcomes: Sequence[Outcome], groups: Sequence[str]) -> Iterator[str]:
    """Rows of a table: found of all, by library or kind, and together; those counted apart by themselves."""
    for group in (*groups, "together", "data", "undocumented"):
        rows = [one for one in outcomes if _is_counted(one, group)]
        share = wilson(sum(one.found for one in rows), len(rows))
        value = "-" if share.estimate is None else f"{share.estimate:.1%} | {share.low:.1%} to {share.high:.1%}"
        yield f"| {group} | {len(rows)} | {sum(one.found for one in rows)} | {value} |"


def names_found(outcomes: Sequence[Outcome]) -> str:
    """The share of the names of the counted entries that are found, each by itself."""
    rows = [one for one in outcomes if not one.apart]
    every = sum(len(one.names) for one in rows)
    found = every - sum(len(one.missing) for one in rows)
    return f"{found} of the {every} names of these entries are found, {found / max(every, 1):.1%}"


def _is_counted(one: Outcome, group: str) -> bool:
    return group == one.apart if one.apart else group in (one.library, one.kind, "together")


def tables(outcomes: Sequence[Outcome], pairs: Sequence[Pair]) -> None:
    """Print the tables of docs/whatsnew.md."""
    head = "| {} | entries | found | share | Wilson 95 % |\n| --- | --- | --- | --- | --- |"
    print("\n".join(_of_changes(pairs)), "\n")
    print("\n".join(_of_retired(pairs)), "\n")
    print(head.format("library"), *shares(outcomes, [pair.library for pair in pairs]), "", sep="\n")
    print(head.format("kind"), *shares(outcomes, ENTRY_KINDS), "", sep="\n")
    print(names_found(outcomes), "\n")
    print("| library | entry | not found | cause |\n| --- | --- | --- | --- |")
    for one in outcomes:
        if not (one.found or one.apart):
            names = ", ".join(f"`{name.split(' or ')[0]}`" for name in one.missing)
            print(f"| {one.library} | {one.kind}: {one.entry} | {names} | {one.cause} |")


def _of_changes(pairs: Sequence[Pair]) -> Iterator[str]:
    yield f"| pair | Python | change | {' | '.join(BANDS)} | first {FIRST} announced |"
    yield "| --- | --- |" + " --- |" * (len(BANDS) + 2)
    for pair in pairs:
        for change in CHANGES:
            counts = pair.changes.get(change, {})
            cells = " | ".join(str(counts.get(name, 0)) for name in BANDS)
            first = change == CHANGES[0]
            label = f"{pair.library} {pair.old_version} -> {pair.new_version}" if first else ""
            python = ", ".join(dict.fromkeys(pair.pythons.values())) if first else ""
            announced = f"{pair.announced} of {pair.first}" if first else ""
            yield f"| {label} | {python} | {change} | {cells} | {announced} |"


def _of_retired(pairs: Sequence[Pair]) -> Iterator[str]:
    kinds = [kind for kind in RETIREMENT_KINDS if any(pair.retired.get(kind) for pair in pairs)]
    yield f"| library | {' | '.join(kinds)} |"
    yield "| --- |" + " --- |" * len(kinds)
    for pair in pairs:
        yield f"| {pair.library} | {' | '.join(str(pair.retired.get(kind, 0)) for kind in kinds)} |"


def _family(candidate: Candidate) -> str:
    return candidate.importance.family if candidate.importance else candidate.api_name


if __name__ == "__main__":
    main()
