"""Markdown: a table, and the page of an analysis without its figures."""

from collections.abc import Iterable, Sequence

from apigap.reporting.analysis_page import AnalysisPage, Section


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """One line per row, `head` above them; bars and line breaks in a cell do not end it."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(escaped, line))} |\n" for line in lines)


def escaped(text: str) -> str:
    """`text` as it can stand in one cell or one line of a list."""
    return text.replace("|", "\\|").replace("\n", " ")


def analysis_markdown(page: AnalysisPage) -> str:
    """The text of a file; a section that can tell nothing is left out."""
    facts = "".join(f"- {name}: {value}\n" for name, value in page.facts)
    missing = ["## Missing\n", "".join(f"- {escaped(line)}\n" for line in page.missing)] if page.missing else []
    sections = [part for section in page.sections if section.tables for part in _section(section)]
    return "\n".join([f"# {page.title}\n", f"{page.headline}\n", facts, *sections, *missing])


def _section(section: Section) -> list[str]:
    tables = [part for one in section.tables for part in (f"### {one.title}\n", markdown_table(one.columns, one.rows))]
    return [f"## {section.title}\n", f"{section.words}\n", *tables]
