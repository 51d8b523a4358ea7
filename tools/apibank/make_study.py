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

Made by `tools/apibank/make_study.py` from the predictions in `studies/apibank/`, which can be scored again. One greedy
answer of at most {MAX_TOKENS} tokens per call of levels 1 and 2, text protocol, as `apigap predict apibank` asks.
Per cent right, 95 % intervals on the effective sample size, the calls of a dialogue as one cluster; answers that were
cut before they were whole count nowhere. The paper's rows are from its table 3; its instructions are other words than
ours, its models saw the APIs in another order, and it had another search for ToolSearcher, so the rows stand beside
each other and are no ranking. Faults are those of [the taxonomy](taxonomy.md).

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
