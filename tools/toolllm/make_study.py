"""Ask models which APIs queries of ToolBench need, then make studies/toolllm/summary.json and docs/toolllm-study.md.

    F=.../solvable_queries/test_instruction
    .venv/bin/python -m tools.toolllm.make_study $F/*.json --model gguf/qwen2.5-coder-0.5b
    .venv/bin/python -m tools.toolllm.make_study $F/*.json --model gguf/qwen2.5-coder-1.5b --limit 150
    .venv/bin/python -m tools.toolllm.make_study $F/*.json           # the figures of what is there, no model asked

A killed run goes on where it stopped. The queries that a limit leaves are drawn by hash; a larger one adds to them.
"""

import argparse
import json
from functools import partial
from pathlib import Path

from apigap.benchmarks.toolllm.queries import load_queries
from apigap.cli.console import Console
from apigap.evaluation.predict import Asking
from apigap.models.generate import Generator
from apigap.records.store import write_text
from tools.toolllm.page import study_page
from tools.toolllm.study import ask_model, summarise_study

ROOT = Path(__file__).resolve().parents[2]
HEAD = """# API selection: what small models choose

Made by `tools/toolllm/make_study.py` from the predictions in `studies/toolllm/`, which can be scored again. One greedy
answer per query to the prompt that `apigap predict toolllm` shows: the functions with their descriptions, JSON back,
nothing that holds a model to it. Means over queries in per cent, 95 % intervals on the effective sample size, queries
with the same tools as one cluster. *everything*, *nothing* and *random* (as many as are relevant, expected value) are
what can be had without reading the query; `all, not trivial` leaves out queries where everything offered is relevant.
*Resolved* is the exact set in a structured answer; gains are paired by query, p-values flip whole clusters. Free text
chooses nothing, whatever it names; what it names has a row of its own. Faults are those of [the taxonomy](taxonomy.md).

"""


def main() -> None:
    """Ask the model that is named, if one is; then write summary and page from all predictions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("queries", nargs="+", type=Path, help="query files of (Stable)ToolBench")
    parser.add_argument("--model", help="ask this one first; without it nothing is asked")
    parser.add_argument("--limit", type=int, default=0, help="at most so many queries (0: all)")
    parser.add_argument("--connections", type=int, help="servers of a local model; default: one per core")
    parser.add_argument("--folder", type=Path, default=ROOT / "studies" / "toolllm", help="where predictions are kept")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "toolllm-study.md", help="where the page goes")
    given = parser.parse_args()
    if given.model:
        with Console() as console:
            make = partial(Generator, connections=given.connections)
            ask_model(given.queries, given.folder, Asking(given.model, limit=given.limit), console, make)
    summary = summarise_study(load_queries(given.queries), given.folder)
    write_text(given.folder / "summary.json", json.dumps(summary, indent=1) + "\n")
    write_text(given.page, HEAD + study_page(summary))


if __name__ == "__main__":
    main()
