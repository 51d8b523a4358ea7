"""Ask models for the calls of API-Bank's levels 1 and 2, then make studies/apibank/summary.json and its page in docs.

    .venv/bin/python -m tools.apibank.make_study DATA --model gguf/smollm2-135m
    .venv/bin/python -m tools.apibank.make_study DATA --model gguf/qwen2.5-coder-0.5b
    .venv/bin/python -m tools.apibank.make_study DATA --model gguf/qwen2.5-coder-1.5b --limit 60    # of each level
    .venv/bin/python -m tools.apibank.make_study DATA               # the figures of what is there, no model asked

A killed run goes on where it stopped. What a limit leaves is spread evenly over the dialogues.
"""

from functools import partial
from pathlib import Path

from tools.apibank.study import MAX_TOKENS, ask_model, study_page, summarise_study
from tools.study import Study, make_study, study_options

HEAD = f"""# API-Bank: how many calls small models get right

This page tells how many calls of API-Bank's levels 1 and 2 small models get right, in [both modes](apibank.md).

- Each call got one greedy answer of at most {MAX_TOKENS} tokens (text protocol, as `apigap predict apibank` asks).
  Answers that were cut off count nowhere.
- Cells are per cent right, with 95 % intervals in which the calls of a dialogue are one cluster.
- The paper's rows are from its table 3 and make no ranking with ours: its instructions, its order of the APIs and its
  search for ToolSearcher are others.
- Faults are those of [the taxonomy](taxonomy.md): *first* is an answer's gravest, *in all* counts every one.

Made by `tools/apibank/make_study.py` from the predictions in `studies/apibank/`, which can be scored again.

"""


def main() -> None:
    """The study of API-Bank's calls from the command line."""
    parser = study_options(__doc__ or "", "apibank")
    parser.add_argument("data", type=Path, help="the folder of API-Bank's data")
    given = parser.parse_args()
    study = Study(HEAD, partial(ask_model, given.data), partial(summarise_study, given.data), study_page)
    make_study(study, given)


if __name__ == "__main__":
    main()
