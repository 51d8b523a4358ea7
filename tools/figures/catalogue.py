"""The pages and pictures of the documentation that are made of kept data, and the command of each.

A command is what stands behind `python -m`. `{docs}` and `{studies}` are where it writes; in `{published}`
are data of others, which the project does not hold.
"""

from typing import NamedTuple


class Remade(NamedTuple):
    """Files that a command makes anew: whole pages, pictures, summaries."""

    command: str
    files: tuple[str, ...]


class Stated(NamedTuple):
    """A page that has, among its own words, all rows of tables and all sentences that a command prints."""

    command: str
    page: str


class Measured(NamedTuple):
    """Files whose figures no kept data hold; the page names the command, and what it takes."""

    command: str
    files: tuple[str, ...]
    takes: str


_QUERIES = "{published}/toolbench/solvable_queries/test_instruction"
_ANALYSIS = (
    "analysis.md", "cells.csv", "rq1_components.csv", "rq1_gains.csv", "rq1_interaction.csv", "rq1_shared.csv",
    "rq2_retrieval.csv", "shares.csv",
)  # fmt: skip
_LADDER = ("blind-solver-1", "qwen2_5-coder-0_5b", "qwen2_5-coder-1_5b")

REMADE = (
    Remade(
        "tools.ladder.make_study page --out {docs}/ladder-study.md",
        ("docs/ladder-study.md", *(f"docs/images/ladder-{name}.png" for name in _LADDER)),
    ),
    Remade(
        "tools.starter.make_study --steps analysis --folder {studies}/starter --page {docs}/starter-study.md",
        (
            "docs/starter-study.md",
            "docs/starter-study-tables.md",
            *(f"studies/starter/analysis/{name}" for name in _ANALYSIS),
        ),
    ),
    Remade("tools.starter.make_sample --out {docs}/starter-sample.md", ("docs/starter-sample.md",)),
    Remade(
        "tools.adaptation.page --page {docs}/adaptation-study.md",
        ("docs/adaptation-study.md", "docs/images/adaptation.png"),
    ),
    Remade(
        "tools.tool_audit.make_study --folder {studies}/tools --page {docs}/tools-study.md",
        ("docs/tools-study.md", "studies/tools/summary.json"),
    ),
    Remade(
        "tools.calls.make_study --folder {studies}/calls --page {docs}/calls-study.md",
        ("docs/calls-study.md", "studies/calls/summary.json"),
    ),
    Remade(
        f"tools.toolllm.make_study {_QUERIES}/G1_category.json {_QUERIES}/G1_instruction.json"
        f" {_QUERIES}/G2_instruction.json --folder {{studies}}/toolllm --page {{docs}}/toolllm-study.md",
        ("docs/toolllm-study.md", "studies/toolllm/summary.json"),
    ),
    Remade(
        "tools.apibank.make_study {published}/apibank --folder {studies}/apibank --page {docs}/apibank-study.md",
        ("docs/apibank-study.md", "studies/apibank/summary.json"),
    ),
    Remade(
        "tools.apibank.make_lynx {published}/apibank --folder {studies}/lynx --page {docs}/apibank-lynx.md",
        ("docs/apibank-lynx.md", "studies/lynx/summary.json"),
    ),
    Remade(
        "tools.apibank.make_differences {published}/apibank --page {docs}/apibank-differences.md",
        ("docs/apibank-differences.md",),
    ),
    Remade("tools.knowledge.make_synthesised_page --out {docs}/synthesised-tasks.md", ("docs/synthesised-tasks.md",)),
    Remade("tools.models.doors --page --out {docs}/doors.md", ("docs/doors.md",)),
    Remade("tools.discovery.make_table --kept --docs {docs}", ("docs/discovery-table.md",)),
)

STATED = (
    Stated("tools.ladder.headline", "README.md"),
    Stated("tools.author.make_study", "docs/author.md"),
    Stated("tools.starter.solved", "docs/starter-measured.md"),
    Stated("tools.agents.make_study", "docs/agent-study.md"),
    Stated("tools.agents.make_local", "docs/agent-study.md"),
    Stated("tools.closing.make_study", "docs/closing.md"),
    Stated("tools.discovery.whatsnew tables", "docs/whatsnew.md"),
    Stated("tools.discovery.importance measure --held-out", "docs/importance.md"),
    Stated("tools.models.forms", "docs/models.md"),
    Stated("tools.models.limits", "docs/reproducibility.md"),
)

MEASURED = (
    Measured("make demo", ("docs/demo.md", "docs/images/report.png"), "26 minutes with a local model"),
    Measured("make view", ("docs/images/explorer.png",), "a browser: a picture of the kept starter study"),
    Measured("tools.diagnosis.labels", ("docs/diagnosis.md",), "minutes, in the environments of 20 libraries"),
    Measured(
        "tools.labels.make_labels measure", ("docs/taxonomy.md",), "seconds, and a judgement of its own: make labels"
    ),
    Measured("make bench", ("docs/performance.md",), "an hour of a machine that does nothing else"),
    Measured("bench.cluster", ("docs/scale.md", "docs/images/scale.png"), "an hour of such a machine"),
    Measured("tools.knowledge.make_yields", ("docs/knowledge-yields.md",), "hours: stages 1 to 3 of ten libraries"),
    Measured("tools.statistics.simulate", ("docs/statistics-measured.md",), "hours of simulation"),
    Measured("tools.discovery.retired", ("docs/stale.md",), "an hour: ten pairs of releases are read"),
)
