"""Ask models for the calls of API-Bank's levels 1 and 2, then make studies/apibank/summary.json and its page in docs.

    .venv/bin/python -m tools.apibank.make_study DATA --model gguf/smollm2-135m
    .venv/bin/python -m tools.apibank.make_study DATA --model gguf/qwen2.5-coder-0.5b
    .venv/bin/python -m tools.apibank.make_study DATA --model gguf/qwen2.5-coder-1.5b --limit 60    # of each level
    .venv/bin/python -m tools.apibank.make_study DATA               # the figures of what is there, no model asked

A killed run goes on where it stopped. What a limit leaves is spread evenly over the dialogues.
"""

import argparse
import json
from functools import partial
from pathlib import Path

from apigap.cli.console import Console
from apigap.models.generate import Generator
from apigap.records.store import write_text
from tools.apibank.study import MAX_TOKENS, ask_model, study_page, summarise_study

ROOT = Path(__file__).resolve().parents[2]
HEAD = f"""# API-Bank: how many calls small models get right

Made by `tools/apibank/make_study.py` from the predictions in `studies/apibank/`, which can be scored again. One greedy
answer of at most {MAX_TOKENS} tokens per call of levels 1 and 2, text protocol, as `apigap predict apibank` asks.
Per cent right, 95 % intervals on the effective sample size, the calls of a dialogue as one cluster. The paper's rows
are from its table 3; its instructions are other words than ours, its models saw the APIs in another order, and it had
another search for ToolSearcher, so the rows stand beside each other and are no ranking.

"""


def main() -> None:
    """Ask the model that is named, if one is; then write summary and page from all predictions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of API-Bank's data")
    parser.add_argument("--model", help="ask this one first; without it nothing is asked")
    parser.add_argument("--limit", type=int, default=0, help="at most so many calls of each level (0: all)")
    parser.add_argument("--connections", type=int, help="servers of a local model; default: one per core")
    parser.add_argument("--folder", type=Path, default=ROOT / "studies" / "apibank", help="where predictions are kept")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "apibank-study.md", help="where the page goes")
    given = parser.parse_args()
    with Console() as console:
        if given.model:
            make = partial(Generator, connections=given.connections)
            ask_model(given.data, given.folder, given.model, given.limit, console, make)
        summary = summarise_study(given.data, given.folder, console)
    write_text(given.folder / "summary.json", json.dumps(summary, indent=1) + "\n")
    write_text(given.page, HEAD + study_page(summary))


if __name__ == "__main__":
    main()
