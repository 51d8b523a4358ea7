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

This page tells how well small models choose functions and fill in their arguments ([the benchmark](calls.md)).

- Each query got one greedy answer of at most 256 tokens, to the prompt of `apigap predict calls` (form `functions`:
  JSON schemas, `<tool_call>` tags back). Nothing forces a model into the form.
- *Right* is in per cent of the queries, with 95 % intervals in which queries with the same functions are one cluster.
  Gains are paired by query.
- Queries with calls to make and with none have separate tables: a model that always calls is right in the first only,
  one that never calls in the second only. *Unread* answers are right in neither.
- Faults are those of [the taxonomy](taxonomy.md): *first* is an answer's gravest, *in all* counts every one.

Made by `tools/calls/make_study.py` from the predictions in `studies/calls/`, which can be scored again.

"""


def main() -> None:
    """The study of calls from the command line."""
    given = study_options(__doc__ or "", "calls").parse_args()
    ask = partial(ask_model, OWN.stem)
    make_study(Study(HEAD, ask, lambda folder, _: summarise_study(load_queries(OWN), folder), study_page), given)


if __name__ == "__main__":
    main()
