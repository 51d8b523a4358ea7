"""The command of a study of models: one is asked, all answers that are kept become a summary, and that a page."""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from apigap.cli.console import Console
from apigap.evaluation.model_pool import MakeGenerator
from apigap.evaluation.predict import Asking
from apigap.models.generate import Generator
from apigap.records.progress import Progress
from apigap.records.store import write_text

ROOT = Path(__file__).resolve().parents[1]
PREDICTIONS = "predictions.jsonl"
SUMMARY = "summary.json"


class Study(NamedTuple):
    """The three steps of a study over its data, and the words above the tables of its page."""

    head: str
    ask: Callable[[Path, Asking, Progress, MakeGenerator], object]
    summarise: Callable[[Path, Progress], Mapping[str, Any]]
    page: Callable[[Mapping[str, Any]], str]


def study_options(told: str, name: str) -> argparse.ArgumentParser:
    """The options that all studies have; a study adds its data. `name` is its folder's and its page's."""
    parser = argparse.ArgumentParser(description=told, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="ask this one first; without it nothing is asked")
    parser.add_argument("--limit", type=int, default=0, help="at most so many of the data, see above (0: all)")
    parser.add_argument("--connections", type=int, help="servers of a local model; default: one per core")
    parser.add_argument("--folder", type=Path, default=ROOT / "studies" / name, help="where predictions are kept")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / f"{name}-study.md", help="where the page goes")
    return parser


def make_study(study: Study, given: argparse.Namespace) -> None:
    """Ask the model that is named, if one is; then write summary and page from all predictions."""
    with Console() as console:
        if given.model:
            make = partial(Generator, connections=given.connections)
            study.ask(given.folder, Asking(given.model, limit=given.limit), console, make)
        summary = study.summarise(given.folder, console)
    write_text(given.folder / SUMMARY, json.dumps(summary, indent=1) + "\n")
    write_text(given.page, study.head + study.page(summary))


def keep_or_print(told: str | None, keep: Callable[[Path], None], tables: Callable[[], Sequence[str]]) -> None:
    """The command of a study that keeps what a run left (`keep --run FOLDER`), and prints the tables of its page."""
    parser = argparse.ArgumentParser(description=told, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step")
    steps.add_parser("keep").add_argument("--run", type=Path, required=True)
    steps.add_parser("show")
    given = parser.parse_args()
    if given.step == "keep":
        keep(given.run)
    else:
        print("\n\n".join(tables()))


def answers_of(folder: Path, model: str) -> Path:
    """The file of a model's answers within a study."""
    return folder / model.rpartition("/")[2] / PREDICTIONS


def kept_answers(folder: Path) -> Sequence[Path]:
    """The files of all models' answers within a study, by name."""
    return sorted(folder.glob(f"*/{PREDICTIONS}"))
