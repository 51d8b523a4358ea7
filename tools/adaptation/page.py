"""Keep what the adaptation study left, and write its page and figure.

    .venv/bin/python -m tools.adaptation.page --keep data/adaptation    # to studies/adaptation; then the page
    .venv/bin/python -m tools.adaptation.page                           # the page of what is kept

Kept are measures, losses, cost, manifests, answers and verdicts: no weights, whose hashes are in the manifests, and no
prompts, which repeat the documentation of libraries. Only what is finished is kept, all of it in `answers.tar.xz` (see
`tools/kept.py`).
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from apigap.records.manifest import read_manifest
from apigap.records.store import write_text
from tools.adaptation.study import efficacy_figure, read_study, study_page
from tools.kept import ANSWERS, drop_prompts, keep_tasks, pack, unpacked

ROOT = Path(__file__).resolve().parents[2]
OF_A_MODEL = ("measures.jsonl", "controls.json", "cost.json", "log.jsonl", "manifest.json")
OF_A_CELL = ("predictions.jsonl", "predictions.manifest.json", "results.jsonl", "results.manifest.json", "summary.json")


def main() -> None:
    """Keep, if a run is named; then write the page from all that is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, help="the folder of a run of scripts/adaptation_study.sh")
    parser.add_argument("--folder", type=Path, default=ROOT / "studies" / "adaptation", help="what is kept")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "adaptation-study.md", help="where the page goes")
    given = parser.parse_args()
    if given.keep is not None:
        _keep(given.keep, given.folder / ANSWERS)
    with unpacked(given.folder / ANSWERS) as folder:
        study = read_study(folder)
    images = given.page.parent / "images"
    images.mkdir(parents=True, exist_ok=True)
    efficacy_figure(study).save(images / "adaptation")
    (images / "adaptation.svg").unlink()  # the page shows the PNG
    write_text(given.page, study_page(study))


def _keep(run: Path, answers: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _keep_finished(run, Path(folder))
        keep_tasks(Path(folder, "data"))
        pack(Path(folder), answers)


def _keep_finished(run: Path, folder: Path) -> None:
    """The models that are measured and the cells that are judged in full."""
    for model in sorted(path.parent for path in run.glob("models/*/measures.jsonl")):
        _copy(model, folder / "models" / model.name, OF_A_MODEL)
    for path in sorted(run.glob("data/results/*/*/results.manifest.json")):
        if read_manifest(path).complete:
            cell = folder / path.parent.relative_to(run)
            _copy(path.parent, cell, OF_A_CELL)
            drop_prompts(cell / "predictions.jsonl")


def _copy(source: Path, target: Path, names: tuple[str, ...]) -> None:
    target.mkdir(parents=True)
    for name in names:
        if (source / name).exists():
            shutil.copy(source / name, target / name)


if __name__ == "__main__":
    main()
