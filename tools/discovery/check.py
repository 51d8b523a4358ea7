"""Check discovery against the libraries themselves, from the records that tools/discovery/make_table.py keeps.

    .venv/bin/python -m tools.discovery.check precision [--number 200] [--seed 0]
    .venv/bin/python -m tools.discovery.check recall [LIBRARY ...]

`precision` draws candidates and asks both versions of their libraries about them; it exits 1 below 97 %. `recall` looks
for what the libraries' text says was added, and exits 1 below 90 %.
"""

import argparse
import sys
import time
from pathlib import Path

from apigap.discovery.discover import Discovery
from apigap.discovery.library import known_libraries
from apigap.discovery.surface import Reading
from apigap.packages.workshop import environment_store
from apigap.sandbox.engine import Engine
from tools.discovery.precision import Checked, Precision, check, draw
from tools.discovery.recall import LIBRARIES, Asked, Recall, measure_recall
from tools.discovery.table import read_rows

PRECISION, RECALL = 0.97, 0.90


def main() -> None:
    """Run the check that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", choices=("precision", "recall"))
    parser.add_argument("libraries", nargs="*", help="these libraries alone")
    parser.add_argument("--folder", type=Path, default=Path("data/discovery"), help="the records of the table")
    parser.add_argument("--number", type=int, default=200, help="candidates to draw")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    found = {row.library: row.run.discovery for row in read_rows(known_libraries(), given.folder) if row.run}
    chosen = {name: discovery for name, discovery in found.items() if not given.libraries or name in given.libraries}
    if not chosen:
        sys.exit(f"{given.folder} has no records of these libraries; run tools/discovery/make_table.py first")
    good = precision(chosen, given.number, given.seed) if given.which == "precision" else recall(chosen)
    sys.exit(0 if good else 1)


def precision(found: dict[str, Discovery], number: int, seed: int) -> bool:
    """Draw, check, and print what does not hold."""
    drawn = draw((c for discovery in found.values() for c in discovery.candidates), number, seed)
    readings: dict[str, Reading] = {name: discovery.reading for name, discovery in found.items()}
    with Engine() as engine:
        rows = check(drawn, readings, engine=engine, store=environment_store(engine), tell=_tell_checked)
    sizes = {name: sum(c.change != "moved" for c in discovery.candidates) for name, discovery in found.items()}
    result = Precision(tuple(rows), sizes)
    share = result.share
    hows = {how: sum(row.how == how for row in rows) for how in sorted({row.how for row in rows})}
    held = sum(row.reason is None for row in rows)
    print(f"\nseed {seed}: {held} of {len(rows)} hold ({hows}), {_percent(share.estimate)}", end=" ")
    print(f"(Wilson 95 %: {_percent(share.low)} to {_percent(share.high)}); weighted by library {result.weighted:.1%}")
    return (share.estimate or 0.0) >= PRECISION


def recall(found: dict[str, Discovery]) -> bool:
    """Ask library by library, and print what is missed, with the cause."""
    every: list[Asked] = []
    for name in (name for name in LIBRARIES if name in found):
        old = found[name].old_version
        assert old is not None
        started = time.monotonic()
        with Engine() as engine:
            result = measure_recall(name, old, found[name].new_version, engine=engine, store=environment_store(engine))
        every += result.asked
        _tell_recall(name, result, time.monotonic() - started)
    total = Recall(tuple(every))
    _tell_recall("together", total, None)
    return (total.share.estimate or 0.0) >= RECALL


def _tell_checked(row: Checked) -> None:
    if row.reason is not None:
        candidate = row.candidate
        print(f"{candidate.library} {candidate.change} {candidate.api_name} [{row.how}]: {row.reason}", flush=True)


def _tell_recall(name: str, result: Recall, seconds: float | None) -> None:
    share, causes = result.share, ", ".join(f"{cause} {number}" for cause, number in result.causes.most_common())
    took = f" ({seconds:.0f} s)" if seconds is not None else ""
    print(f"{name}: {_percent(share.estimate)} of {share.effective_n:.0f}: {causes}{took}", flush=True)
    if seconds is not None:
        for asked in result.asked:
            if asked.outcome != "found":
                what = f"{asked.name}({asked.parameter})" if asked.parameter else asked.name
                print(f"    {asked.outcome}: {what}, {asked.version}, {asked.where}")


def _percent(share: float | None) -> str:
    return "nothing" if share is None else f"{share:.1%}"


if __name__ == "__main__":
    main()
