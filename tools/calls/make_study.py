"""Ask models about the queries of `calls`, then make studies/calls/summary.json and docs/calls-study.md.

    .venv/bin/python -m tools.calls.make_study --model gguf/qwen2.5-coder-0.5b --limit 15
    .venv/bin/python -m tools.calls.make_study --model gguf/qwen2.5-coder-1.5b --limit 15
    .venv/bin/python -m tools.calls.make_study          # the figures of what is there, no model asked

A killed run goes on where it stopped. The queries that a limit leaves are spread evenly over each category.
"""

import argparse
import json
from functools import partial
from pathlib import Path

from apigap.benchmarks.calls.queries import OWN, load_queries
from apigap.cli.console import Console
from apigap.evaluation.predict import Asking
from apigap.models.generate import Generator
from apigap.records.store import write_text
from tools.calls.page import study_page
from tools.calls.study import ask_model, summarise_study

ROOT = Path(__file__).resolve().parents[2]
HEAD = """# Calls: what small models make of them

Made by `tools/calls/make_study.py` from the predictions in `studies/calls/`, which can be scored again. One greedy
answer per query to the prompt that `apigap predict calls` shows (form `functions`: JSON schemas, `<tool_call>` tags
back), at most 256 tokens, nothing that holds a model to the form. *Right* is in per cent of the queries, with 95 %
intervals on the effective sample size, queries that offer the same functions as one cluster; gains are paired by query.
Queries with calls to make and queries with none are never one number: a model that always calls is right in the first
kind alone, one that never calls in the second. *Unread* answers are right in neither. Faults are those of
[the taxonomy](taxonomy.md).

"""


def main() -> None:
    """Ask the model that is named, if one is; then write summary and page from all predictions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="ask this one first; without it nothing is asked")
    parser.add_argument("--limit", type=int, default=0, help="at most so many queries of each category (0: all)")
    parser.add_argument("--connections", type=int, help="servers of a local model; default: one per core")
    parser.add_argument("--folder", type=Path, default=ROOT / "studies" / "calls", help="where predictions are kept")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "calls-study.md", help="where the page goes")
    given = parser.parse_args()
    if given.model:
        with Console() as console:
            make = partial(Generator, connections=given.connections)
            ask_model(OWN.stem, given.folder, Asking(given.model, limit=given.limit), console, make)
    summary = summarise_study(load_queries(OWN), given.folder)
    write_text(given.folder / "summary.json", json.dumps(summary, indent=1) + "\n")
    write_text(given.page, HEAD + study_page(summary))


if __name__ == "__main__":
    main()
