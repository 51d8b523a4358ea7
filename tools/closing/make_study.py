"""A strong solver's gap on ten APIs of this autumn, closed by the smallest text of each and asked again.

    apigap run --experiment strong --tasks TASKS --cells baseline --steps run,eval --data RUN -m batch/strong
    apigap close strong --tasks TASKS --data RUN -m batch/close        # and again, until the report is there
    .venv/bin/python -m tools.closing.make_study keep --run RUN        # the report, and all answers and verdicts
    .venv/bin/python -m tools.closing.make_study                       # the tables of docs/closing.md

TASKS are the 24 of `starter/2026.11` on APIs with several tasks of which another solver had failed at least two: in
more-itertools, networkx, pandas, scipy and shapely.
"""

import shutil
import tempfile
from pathlib import Path

from apigap.closing.files import ClosingFiles
from apigap.records.store import read_text
from apigap.reporting.closing_model import ClosingReport
from apigap.reporting.closing_page import COLUMNS, way_cells
from apigap.reporting.markdown import markdown_table
from tools.kept import ANSWERS, drop_prompts, keep_tasks, pack
from tools.study import keep_or_print

FOLDER = Path(__file__).resolve().parents[2] / "studies" / "closing"
EXPERIMENT = "strong"
_REPORT = FOLDER / "report.json"
_TEXTS = ("API", "smallest text", "characters", "of", "without help", "with it")


def keep(run: Path) -> None:
    """Keep the report of a closing, and its answers without their prompts."""
    made = ClosingFiles(run, EXPERIMENT)
    with tempfile.TemporaryDirectory(prefix="apigap-study-") as there:
        data = Path(there)
        shutil.copytree(run / "results" / EXPERIMENT, data / "results" / EXPERIMENT)
        for part in ("tries", "ways"):
            shutil.copytree(made.record.parent / part, data / "closing" / EXPERIMENT / part)
        for path in data.rglob("predictions.jsonl"):
            drop_prompts(path)
        keep_tasks(data)
        FOLDER.mkdir(parents=True, exist_ok=True)
        pack(data, FOLDER / ANSWERS)
    shutil.copyfile(made.record, _REPORT)


def tables() -> list[str]:
    """The tables of docs/closing.md on what a strong model lacked: the ways, and the text of each API."""
    report = ClosingReport.model_validate_json(read_text(_REPORT))
    shown = (0, 1, 2, 3, 4, 5)
    ways = [[cells[column] for column in shown] for cells in (way_cells(way) for way in report.ways)]
    texts = [
        [f"`{one.api_name}`", one.text, f"{one.characters:,}", f"{one.whole:,}", *(str(dict(one.ways)[way]) for way in
         ("baseline", "smallest"))]
        for one in report.texts
    ]  # fmt: skip
    return [markdown_table([COLUMNS[column] for column in shown], ways), markdown_table(_TEXTS, texts)]


if __name__ == "__main__":
    keep_or_print(__doc__, keep, tables)
