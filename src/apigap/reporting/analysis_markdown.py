"""The page of an analysis as Markdown: the same tables, without the figures."""

from apigap.reporting.analysis_page import AnalysisPage, Section
from apigap.reporting.markdown import escaped, markdown_table


def analysis_markdown(page: AnalysisPage) -> str:
    """The text of a file; a section that can tell nothing is left out."""
    facts = "".join(f"- {name}: {value}\n" for name, value in page.facts)
    missing = ["## Missing\n", "".join(f"- {escaped(line)}\n" for line in page.missing)] if page.missing else []
    sections = [part for section in page.sections if section.tables for part in _section(section)]
    return "\n".join([f"# {page.title}\n", f"{page.headline}\n", facts, *sections, *missing])


def _section(section: Section) -> list[str]:
    tables = [part for one in section.tables for part in (f"### {one.title}\n", markdown_table(one.columns, one.rows))]
    return [f"## {section.title}\n", f"{section.words}\n", *tables]
