"""Make sheets of synthesised tasks for somebody to read against what makes a task fit to publish.

.venv/bin/python -m tools.knowledge.make_reading_sheet data/raw/*/stage3_tasks.*.jsonl --out data/sheets

One task per API, from all libraries alike, drawn by hash. Beside the sheets `tasks.jsonl` has what was drawn.
"""

import argparse
from pathlib import Path

from apigap.records.store import load_records, write_records, write_text
from apigap.records.task import Task
from apigap.tasks.synthesise import AUTHOR
from tools.knowledge.reading_sheet import drawn_evenly, sheets
from tools.knowledge.readings import kept_tasks


def main() -> None:
    """Draw the tasks and write the sheets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="files of tasks")
    parser.add_argument("--size", type=int, default=100, help="how many tasks")
    parser.add_argument("--most", type=int, default=35, help="how many tasks a sheet has")
    parser.add_argument("--draw", type=int, default=1, help="the number of the draw")
    parser.add_argument("--unread", action="store_true", help="only APIs of which no kept task was read")
    parser.add_argument("--out", type=Path, default=Path("data/sheets"), help="the folder for the sheets")
    given = parser.parse_args()
    every = [task for path in given.files for task in load_records(path, Task) if task.author == AUTHOR]
    if given.unread:
        read = {task.api_name for task in kept_tasks()}
        every = [task for task in every if task.api_name not in read]
    chosen = drawn_evenly(every, given.size, given.draw)
    for number, text in enumerate(sheets(chosen, given.most), start=1):
        write_text(given.out / f"sheet_{number}.md", text)
    write_records(given.out / "tasks.jsonl", chosen)
    libraries = {task.library for task in chosen}
    apis = {task.api_name for task in every}
    print(f"{len(chosen)} of {len(every)} tasks ({len(apis)} APIs, {len(libraries)} libraries) in {given.out}")


if __name__ == "__main__":
    main()
