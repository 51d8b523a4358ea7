"""Ask models which APIs queries of ToolBench need, then make studies/toolllm/summary.json and docs/toolllm-study.md.

    F=.../solvable_queries/test_instruction
    .venv/bin/python -m tools.toolllm.make_study $F/*.json --model gguf/qwen2.5-coder-0.5b
    .venv/bin/python -m tools.toolllm.make_study $F/*.json --model gguf/qwen2.5-coder-1.5b --limit 150
    .venv/bin/python -m tools.toolllm.make_study $F/*.json           # the figures of what is there, no model asked

A killed run goes on where it stopped. The queries that a limit leaves are drawn by hash; a larger one adds to them.
"""

from functools import partial
from pathlib import Path

from apigap.benchmarks.toolllm.queries import load_queries
from tools.study import Study, make_study, study_options
from tools.toolllm.page import study_page
from tools.toolllm.study import ask_model, summarise_study

HEAD = """# API selection: what small models choose

This page tells which of the offered functions small models choose for a query ([the benchmark](toolllm.md)).

- Each query got one greedy answer, to the prompt of `apigap predict toolllm`: the functions with their descriptions,
  JSON back. Nothing forces a model into the form.
- Figures are means over queries in per cent, with 95 % intervals in which queries with the same tools are one cluster.
  *Resolved* is the exact set in a structured answer. Gains are paired by query, p-values flip whole clusters.
- Compare a model with *everything*, *nothing* and *random* (as many as are relevant): these do not read the query.
  `all, not trivial` leaves out queries where everything offered is relevant.
- Free text chooses nothing; the functions that it names have a row of their own.
- Faults are those of [the taxonomy](taxonomy.md): *first* is an answer's gravest, *in all* counts every one.

Made by `tools/toolllm/make_study.py` from the predictions in `studies/toolllm/`, which can be scored again.

"""


def main() -> None:
    """The study of API selection from the command line."""
    parser = study_options(__doc__ or "", "toolllm")
    parser.add_argument("queries", nargs="+", type=Path, help="query files of (Stable)ToolBench")
    given = parser.parse_args()
    ask = partial(ask_model, given.queries)
    queries = load_queries(given.queries)
    make_study(Study(HEAD, ask, lambda folder, _: summarise_study(queries, folder), study_page), given)


if __name__ == "__main__":
    main()
