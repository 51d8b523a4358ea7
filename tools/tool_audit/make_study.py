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

Made by `tools/tool_audit/make_study.py` from the answers in `studies/tools/`, which can be judged again; [how an audit
works](tools.md) is told elsewhere. The servers are from the package index, each in an environment of its own. One
greedy answer per query of a local model, `native` (by the model's own template for tools) and as `text`. A query is
right when just the calls that it is for are made, with accepted values; what may be "rightly left alone" are queries
that no tool is for. A change is chosen by one half of the queries (*tried*) and measured on the other half, which is
held back; *its own* are held-back queries for the changed tools. Differences are paired by query. Faults are those of
[the taxonomy](taxonomy.md).

Rewritten descriptions are by author 1, a model that is not named: it answered the rewriter's sheet, which shows a tool
and at most six queries of the first half that failed. The queries were written by the same hand, so that their kinds
were known to it; the held-back ones were in no sheet, and no description quotes one.

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
