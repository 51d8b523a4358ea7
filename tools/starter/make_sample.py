"""Make docs/starter-sample.md: twenty written tasks as a solver sees them, drawn by hash.

.venv/bin/python -m tools.starter.make_sample [--edition 2026.11] [--draw 1]
"""

import argparse
from pathlib import Path

from apigap.records.store import write_text
from apigap.tasks.starter_files import newest, starter_files
from apigap.tasks.task_files import load_tasks
from tools.knowledge.task_sample import drawn, page

DOCS = Path(__file__).resolve().parents[2] / "docs"

HEAD = """# Twenty written tasks

{size} of the {all} tasks of `starter/{edition}`, drawn by hash (`tools.starter.make_sample --draw {draw}`), not chosen:
at most one per API. A solver sees the code, which ran before, and the text under it. The answer is folded. All about
them is in [the starter benchmark](starter.md).

"""


def main() -> None:
    """Draw the tasks and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default=newest(), help="the edition; default: the newest")
    parser.add_argument("--size", type=int, default=20, help="how many tasks")
    parser.add_argument("--draw", type=int, default=1, help="the number of the draw")
    parser.add_argument("--out", type=Path, default=DOCS / "starter-sample.md", help="where the page goes")
    given = parser.parse_args()
    tasks = [task for path in starter_files(given.edition) for task in load_tasks(path)]
    chosen = drawn(tasks, given.size, given.draw)
    head = HEAD.format(size=len(chosen), all=len(tasks), edition=given.edition, draw=given.draw)
    write_text(given.out, head + page(chosen))


if __name__ == "__main__":
    main()
