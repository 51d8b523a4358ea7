"""Makes the study of the ladder: scores of runs, and the page.

    .venv/bin/python -m tools.ladder.make_study collect --items FOLDER --runs FOLDER
    .venv/bin/python -m tools.ladder.make_study page

The first writes `studies/ladder/scores.jsonl.xz`, the second `docs/ladder-study.md` from it, and its figures.

`--items` holds what `apigap items` wrote, `--runs` MODEL/CONDITION.results.jsonl of `apigap score items`.
"""

import argparse
from pathlib import Path

from apigap.records.store import write_text
from tools.ladder.study import collect, figure_name, keep, kept, model_figure, study_page

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
        scores = kept(given.scores)
        write_text(given.out, study_page(scores))
        for model in sorted({one.model for one in scores}):
            vector, _ = model_figure(scores, model).save(given.out.parent / "images" / figure_name(model))
            vector.unlink()
        return
    if given.items is None or given.runs is None:
        parser.error("collect needs --items and --runs")
    given.scores.parent.mkdir(parents=True, exist_ok=True)
    keep(list(collect(given.items, given.runs)), given.scores)


if __name__ == "__main__":
    main()
