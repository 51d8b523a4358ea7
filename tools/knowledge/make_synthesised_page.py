"""Make docs/synthesised-tasks.md: how many APIs get a task, who read which tasks and what they found, twenty tasks.

    .venv/bin/python -m tools.knowledge.make_synthesised_page                         # of what studies/synthesised has
    .venv/bin/python -m tools.knowledge.make_synthesised_page --add FILE --reader R   # keeps a file of readings first

A file of readings has a line of JSON per task, as a sheet asks for it (`tools.knowledge.make_reading_sheet`).
"""

import argparse
import json
from pathlib import Path
from typing import NamedTuple

from apigap.records.store import load_records, write_records, write_text
from tools.knowledge.gate_section import kept_gate
from tools.knowledge.reading_sheet import Reading
from tools.knowledge.readings import FOLDER, Yielded, kept_readings, kept_tasks
from tools.knowledge.synthesised_page import page_of

DOCS = Path(__file__).resolve().parents[2] / "docs"


def main() -> None:
    """Keep the readings that are given, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--add", type=Path, help="a file of readings to keep")
    parser.add_argument("--reader", help="who read it")
    parser.add_argument("--date", default="", help="when, as 2026-11-27")
    parser.add_argument("--sheet", type=int, default=1, help="the number of the sheet that was read")
    parser.add_argument("--out", type=Path, default=DOCS / "synthesised-tasks.md", help="where the page goes")
    given = parser.parse_args()
    if given.add:
        if not given.reader or not given.date:
            parser.error("say with --reader and --date whose readings these are, and of which day")
        keep(given.add, Told(given.reader, given.date, given.sheet))
    tasks = kept_tasks()
    yields = load_records(FOLDER / "yields.jsonl", Yielded)
    write_text(given.out, page_of(tasks, kept_readings(tasks), yields, kept_gate()))


class Told(NamedTuple):
    """Who read, on which day, which sheet."""

    reader: str
    date: str
    sheet: int


def keep(path: Path, told: Told, folder: Path = FOLDER) -> None:
    """Add the readings of `path` to the kept ones of `folder`; those of the same reader on the same task give way."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    new = [Reading.model_validate({**line, **told._asdict()}) for line in lines]
    kept = folder / "readings.jsonl"
    before = load_records(kept, Reading) if kept.exists() else []
    anew = {(one.reader, one.id): one for one in (*before, *new)}
    write_records(kept, [anew[key] for key in sorted(anew)])


if __name__ == "__main__":
    main()
