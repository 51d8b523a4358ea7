"""Teach a model API-Bank's released level-3 training files, and compare it with itself before: Lynx in small.

    .venv/bin/python -m tools.apibank.make_lynx DATA --model gguf/smollm2-135m --set precision=mixed
    .venv/bin/python -m tools.apibank.make_lynx DATA --model gguf/qwen2.5-coder-0.5b --set precision=mixed --rows 400
    .venv/bin/python -m tools.apibank.make_lynx DATA --model gguf/smollm2-135m --limit 60  # 60 of each level and kind
    .venv/bin/python -m tools.apibank.make_lynx DATA                  # the page of what is there, no model asked

DATA is the folder of API-Bank's data; its `training-data` is what is taught. Each of the three steps (answers before,
training, answers after) goes on where a killed run stopped. Asked before is the base with its linear layers in half
precision, as the taught model has them, so that what differs is what was taught. The answers, the losses and the cost
are kept in studies/lynx/MODEL, the weights under data/lynx of the folder that it is run in. Writes
docs/apibank-lynx.md.
"""

import argparse
import json
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from apigap.adaptation.lynx_recipe import recipe, train_apibank
from apigap.adaptation.run import export_base
from apigap.analysis.compare import compare
from apigap.benchmarks.apibank.benchmark import ApiBank, ApiBankOptions, decoding_for
from apigap.benchmarks.apibank.judge import Mode
from apigap.cli.console import Console
from apigap.evaluation.gains import MeasuredGain
from apigap.evaluation.predict import Asking, predict
from apigap.evaluation.score import score
from apigap.records.configuration import load_settings
from apigap.records.store import write_text
from tools.apibank.lynx import lynx_page
from tools.apibank.study import MAX_TOKENS, MODES
from tools.kept import drop_prompts

ROOT = Path(__file__).resolve().parents[2]
KEPT = ("log.jsonl", "cost.json", "manifest.json")
BEFORE, AFTER = "before.jsonl", "after.jsonl"


def main() -> None:
    """Ask, teach and ask again, if a model is named; then write the page from all that is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of API-Bank's data")
    parser.add_argument("--model", help="ask, teach and ask this one first; without it nothing is asked")
    parser.add_argument("--rows", type=int, default=0, help="teach so many rows, spread over the files (0: all)")
    parser.add_argument("--limit", type=int, default=0, help="ask so many tasks of each level and kind (0: all)")
    parser.add_argument("--preset", default="cpu", help="of `apigap apibank train`")
    parser.add_argument("--set", action="append", default=[], dest="overrides", help="of `apigap apibank train`")
    parser.add_argument("--folder", type=Path, default=ROOT / "studies" / "lynx", help="where answers are kept")
    parser.add_argument("--weights", type=Path, default=Path("data", "lynx"), help="where the weights go")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "apibank-lynx.md", help="where the page goes")
    given = parser.parse_args()
    with Console() as console:
        if given.model:
            _study(given, console)
        done = sorted(path.parent for path in given.folder.glob(f"*/{AFTER}"))
        found = {folder.name: _compared(given.data, folder, console) for folder in done}
    write_text(given.folder / "summary.json", json.dumps(found, indent=1) + "\n")
    write_text(given.page, lynx_page(found))


def _study(given: argparse.Namespace, console: Console) -> None:
    name = given.model.rpartition("/")[2]
    folder, weights = given.folder / name, given.weights / name
    settings = recipe(given.preset, given.overrides)
    base = export_base(given.model, given.weights / f"{name}-base")
    _ask(given.data, base, folder / BEFORE, given.limit, console)
    taught = train_apibank(given.data, given.model, weights, settings, console, given.rows)
    for file in KEPT:
        shutil.copy(weights / file, folder / file)
    _ask(given.data, taught.name_in(weights), folder / AFTER, given.limit, console)


def _ask(data: Path, model: str, out: Path, limit: int, console: Console) -> None:
    predict(
        ApiBank(ApiBankOptions(data=data), load_settings()),
        out,
        Asking(model, limit, decoding=decoding_for(model, MAX_TOKENS)),
        console,
    )
    drop_prompts(out)


def _gains(data: Path, folder: Path, mode: Mode, console: Console) -> tuple[MeasuredGain, ...]:
    """The gains of the answers after the training, judged in one mode."""
    benchmark = ApiBank(ApiBankOptions(data=data, mode=mode), load_settings())
    with tempfile.TemporaryDirectory() as made:
        for name in (BEFORE, AFTER):
            score(benchmark, folder / name, Path(made) / name, console)
        return compare(Path(made) / BEFORE, Path(made) / AFTER).gains


def _row(gain: MeasuredGain) -> dict[str, Any]:
    level, kind = gain.part.split()
    return {**asdict(gain), "level": level, "kind": kind}


def _compared(data: Path, folder: Path, console: Console) -> dict[str, Any]:
    gains = {mode: [_row(gain) for gain in _gains(data, folder, mode, console)] for mode in MODES}
    losses = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    cost = json.loads((folder / "cost.json").read_text("utf-8"))
    settings = json.loads((folder / "manifest.json").read_text("utf-8"))["made_from"]["settings"]
    return {"gains": gains, "losses": losses, "cost": cost, "settings": settings}


if __name__ == "__main__":
    main()
