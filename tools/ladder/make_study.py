"""Makes the study of the ladder: scores of runs, and the page.

    .venv/bin/python -m tools.ladder.make_study collect --items FOLDER --runs FOLDER
    .venv/bin/python -m tools.ladder.make_study page

The first writes `studies/ladder/scores.jsonl.xz`, the second `docs/ladder-study.md` from it.

`--items` holds what `apigap items` wrote, `--runs` MODEL/CONDITION.results.jsonl of `apigap score items`.
"""

import argparse
from pathlib import Path

from apigap.records.store import write_text
from tools.ladder.study import collect, keep, kept, study_page

SCORES = Path("studies", "ladder", "scores.jsonl.xz")
PAGE = Path("docs", "ladder-study.md")


def main() -> None:
    """Collect scores, or write the page of those that are kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("collect", "page"))
    parser.add_argument("--items", type=Path)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--scores", type=Path, default=SCORES)
    parser.add_argument("--out", type=Path, default=PAGE)
    given = parser.parse_args()
    if given.step == "page":
        write_text(given.out, study_page(kept(given.scores)))
        return
    if given.items is None or given.runs is None:
        parser.error("collect needs --items and --runs")
    given.scores.parent.mkdir(parents=True, exist_ok=True)
    keep(list(collect(given.items, given.runs)), given.scores)


if __name__ == "__main__":
    main()
