"""Make a page of twenty tasks as a solver sees them, drawn from those that passed the first gate.

.venv/bin/python -m tools.knowledge.make_yields --sample 20     # makes the tasks, in data/yields
.venv/bin/python -m tools.knowledge.make_task_sample --draw 1       # draws twenty of them, at most one per API
"""

import argparse
from pathlib import Path

from apigap.records.store import write_text
from tools.knowledge.task_sample import drawn, page, validated
from tools.knowledge.yields import LIBRARIES

HEAD = """# Synthesised tasks

{size} of the {all} tasks that `tools.knowledge.make_yields` made and the first gate let through, drawn by hash
(`tools.knowledge.make_task_sample --draw {draw}`), not chosen: at most one per API. A solver sees the code, which ran
before, and the text under it. The answer is folded.

"""


def main() -> None:
    """Draw the tasks and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("data/yields"), help="where the records are kept")
    parser.add_argument("--model", default="yields", help="the name in the records' file names")
    parser.add_argument("--only", nargs="*", default=LIBRARIES, help="these libraries alone")
    parser.add_argument("--size", type=int, default=20, help="how many tasks")
    parser.add_argument("--draw", type=int, default=1, help="the number of the draw")
    parser.add_argument("--out", type=Path, default=Path("data/synthesised-tasks.md"), help="where the page goes")
    given = parser.parse_args()
    tasks = validated(given.folder, given.model, given.only)
    chosen = drawn(tasks, given.size, given.draw)
    write_text(given.out, HEAD.format(size=len(chosen), all=len(tasks), draw=given.draw) + page(chosen))


if __name__ == "__main__":
    main()
