"""Draw candidates of real discoveries for labelling by hand, and write what a labeller sees of each.

    .venv/bin/python -m tools.discovery.importance_draw FOLDER --out DRAWN.jsonl --sheet SHEET.txt

FOLDER holds one JSONL file of candidates per library, as `apigap discover LIBRARY ... --out FOLDER/LIBRARY.jsonl`
writes it. The sheet shows the name, the kind, the signature, the change and the first lines of the docstring; nothing
of what the rank of importance is made from (evidence, mentions, how often a name is used).
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from apigap.records.base import canonical_json, content_hash
from apigap.records.candidate import Candidate
from apigap.records.store import load_records, write_records, write_text

DOCSTRING_LINES = 6


def main() -> None:
    """Write the drawn candidates and the sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="files of candidates, one per library")
    parser.add_argument("--out", type=Path, required=True, help="JSONL file for the drawn candidates")
    parser.add_argument("--sheet", type=Path, required=True, help="text file for the labeller")
    parser.add_argument("--most", type=int, default=30, help="so many of each library")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    drawn: list[Candidate] = []
    for path in sorted(given.folder.glob("*.jsonl")):
        drawn += draw(load_records(path, Candidate), given.most, given.seed)
    write_records(given.out, drawn)
    write_text(given.sheet, "\n".join(_shown(number, candidate) for number, candidate in enumerate(drawn)))


def draw(candidates: Sequence[Candidate], most: int, seed: int) -> list[Candidate]:
    """At most `most` of `candidates`, as good as at random; the same seed always draws the same, whatever the order."""
    return sorted(candidates, key=lambda candidate: _place(candidate, seed))[:most]


def _place(candidate: Candidate, seed: int) -> str:
    return content_hash(canonical_json([seed, candidate.library, candidate.api_name, candidate.change]))


def _shown(number: int, candidate: Candidate) -> str:
    return "\n".join(_lines(number, candidate)) + "\n"


def _lines(number: int, candidate: Candidate) -> Iterator[str]:
    yield f"{number} {candidate.api_name} [{candidate.kind}, {candidate.change}]"
    yield f"    {candidate.leaf}{candidate.signature or ''}"[:300]
    for change in candidate.changes:
        yield f"    * {change.what}: {change.parameter} {change.old or ''} -> {change.new or ''}"[:200]
    if candidate.old_api_name:
        yield f"    was {candidate.old_api_name}"
    for line in (candidate.docstring or "(no docstring)").strip().splitlines()[:DOCSTRING_LINES]:
        yield f"    | {line}"[:160]


if __name__ == "__main__":
    main()
