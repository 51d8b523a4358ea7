"""Ask models about the queries of `calls`, then make studies/calls/summary.json and docs/calls-study.md.

    .venv/bin/python -m tools.calls.make_study --model gguf/qwen2.5-coder-0.5b --limit 15
    .venv/bin/python -m tools.calls.make_study --model gguf/qwen2.5-coder-1.5b --limit 15
    .venv/bin/python -m tools.calls.make_study          # the figures of what is there, no model asked

A killed run goes on where it stopped. The queries that a limit leaves are spread evenly over each category.
"""

from functools import partial

from apigap.benchmarks.calls.queries import OWN, load_queries
from tools.calls.page import study_page
from tools.calls.study import ask_model, summarise_study
from tools.study import Study, make_study, study_options

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
    """The study of calls from the command line."""
    given = study_options(__doc__ or "", "calls").parse_args()
    ask = partial(ask_model, OWN.stem)
    make_study(Study(HEAD, ask, lambda folder, _: summarise_study(load_queries(OWN), folder), study_page), given)


if __name__ == "__main__":
    main()
