"""Keep finished runs of `apigap tools audit` on servers of others, and make docs/tools-study.md of all that is kept.

    apigap tools audit --mcp COMMAND --queries time.jsonl -m gguf/qwen2.5-coder-0.5b --out time-0.5b ...
    .venv/bin/python -m tools.tool_audit.make_study --run time-0.5b --mcp COMMAND --queries time.jsonl
    .venv/bin/python -m tools.tool_audit.make_study             # the page of what is kept

A run's folder is called SERVER-MODEL; SERVER is one of `studies/tools/servers.json`, where its version stands too.
"""

import argparse
import json
from pathlib import Path

from apigap.records.store import write_text
from apigap.tool_audit.source import Source
from tools.study import ROOT, SUMMARY
from tools.tool_audit.keep import keep_run, keep_server
from tools.tool_audit.page import study_page
from tools.tool_audit.study import summarise_study

HEAD = """# Your own tools: three servers of others

Three MCP servers from the package index were audited with small local models, each in an environment of its own.
[Another page](tools.md) tells how an audit works. Here each server has two kinds of tables: how well its tools are
called, and whether changed descriptions help.

- A local model gave one greedy answer per query, with the tools `native` (by its own template for them) or as `text`.
- A query is *right* if exactly the calls that it needs are made, with accepted values. Queries that no tool is for are
  *rightly left alone* if nothing is called.
- A changed description is chosen on one half of the queries (*tried*) and measured on the other, *held back*. *Its own*
  are held-back queries for the changed tool. Differences are paired by query.
- Rewritten descriptions are by author 1, a model that is not named. It saw a tool and at most six failed queries of the
  first half. It also wrote the queries, so it knew their kinds; it was shown no held-back one, and quotes none.
- Faults are those of [the taxonomy](taxonomy.md).

Made by `tools/tool_audit/make_study.py` from the answers in `studies/tools/`, which can be judged again.

"""


def main() -> None:
    """Keep a run, if one is named; then write summary and page from all that are kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, help="keep this folder first: the --out of an audit")
    parser.add_argument("--mcp", help="the command of its server")
    parser.add_argument("--queries", type=Path, help="its file of queries")
    parser.add_argument("--folder", type=Path, default=ROOT / "studies" / "tools", help="where runs are kept")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "tools-study.md", help="where the page goes")
    given = parser.parse_args()
    if given.run:
        if not (given.mcp and given.queries):
            parser.error("--run needs --mcp and --queries, as they were given to the audit")
        server = given.run.name.partition("-")[0]
        keep_server(Source("mcp", given.mcp, 30).toolset(), given.queries, server, given.folder)
        keep_run(given.run, given.folder / given.run.name)
    summary = summarise_study(given.folder)
    write_text(given.folder / SUMMARY, json.dumps(summary, indent=1, ensure_ascii=False) + "\n")
    write_text(given.page, HEAD + study_page(summary))


if __name__ == "__main__":
    main()
