"""Documentation of new APIs as pages for tools that write code: llms.txt (llmstxt.org)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from apigap.knowledge.conditions import render
from apigap.records.knowledge import KnowledgeBundle
from apigap.reporting.cells import ApiRow, Need, api_rows, cells_of
from apigap.reporting.model import AuditReport

INDEX, WHOLE, PAGES = "llms.txt", "llms-full.txt", "apis"
CHANGES = {"added": "new", "modified": "changed", "moved": "moved"}
_STRANGE = re.compile(r"[^\w.]+")
_MOST_IMPORTANT: tuple[Need, ...] = ("cured", "open", "unknown", "known")


class ApiPage(NamedTuple):
    """One API: what a model needs for it, why it is here in a few words, and its documentation (Markdown)."""

    api_name: str
    need: Need
    note: str
    text: str

    @property
    def path(self) -> str:
        """The path of the page, beside the index."""
        return f"{PAGES}/{_STRANGE.sub('-', self.api_name)}.md"


def api_pages(bundles: Iterable[KnowledgeBundle], report: AuditReport | None = None) -> list[ApiPage]:
    """A page per bundle: the very text with which the model of `report` could use the API, the shortest there was.

    Where nothing helped, or there is no report, a page has all that the bundle has. What a model was seen to lack
    comes first, and what it can use without help last.
    """
    rows = {row.api_name: row for row in api_rows(report, cells_of(report))} if report else {}
    baseline = report.conditions[0].name if report else ""
    pages = [_page(bundle, rows.get(bundle.api_name), baseline) for bundle in bundles]
    return sorted(pages, key=lambda page: (_MOST_IMPORTANT.index(page.need), page.api_name))


def llms_files(title: str, intro: Sequence[str], pages: Sequence[ApiPage], model: str | None = None) -> dict[str, str]:
    """The files by their paths: the index, all pages that are not optional in one, and every page.

    `intro` is said of them in the index, its first line as the summary; `model` is the one that was asked.
    """
    needed = [page for page in pages if page.need != "known"]
    sections = {
        f"What {model} cannot use without help": [page for page in needed if page.need != "unknown"],
        "New and changed APIs": [page for page in needed if page.need == "unknown"],
        "Optional": [page for page in pages if page.need == "known"],
    }
    summary, *more = intro
    index = [f"# {title}", f"> {summary}", *more, *_sections(sections)]
    whole = [f"# {title}", f"> {summary}", *more, *(page.text.rstrip("\n") for page in needed)]
    return {
        INDEX: "\n\n".join(index) + "\n",
        WHOLE: "\n\n".join(whole) + "\n",
        **{page.path: page.text for page in pages},
    }


def _sections(sections: Mapping[str, Sequence[ApiPage]]) -> Iterable[str]:
    for title, pages in sections.items():
        if pages:
            yield f"## {title}"
            yield "\n".join(f"- [{page.api_name}]({page.path}): {page.note}" for page in pages)


def _page(bundle: KnowledgeBundle, row: ApiRow | None, baseline: str) -> ApiPage:
    need = row.need(baseline) if row else "unknown"
    cure = row.cheapest if row else None
    what = what_it_is(bundle)
    intro = {"cured": f"; {cure.title} is enough" if cure else "", "open": "; nothing that was tried is enough"}
    text = render(bundle, _condition(cure.name) if cure else "full") or render(bundle, "s_name")
    return ApiPage(bundle.api_name, need, what + intro.get(need, ""), f"{page_heading(bundle)}\n\n{text}\n")


def what_it_is(bundle: KnowledgeBundle) -> str:
    """The kind of an API and of its change, as `changed class`."""
    return f"{CHANGES[bundle.change]} {bundle.surface.kind.replace('_', ' ')}"


def page_heading(bundle: KnowledgeBundle) -> str:
    """The beginning of every page: the name of the API, and in which release it is what."""
    compared = f", compared with {bundle.old_version}" if bundle.old_version else ""
    what = what_it_is(bundle).capitalize()
    return f"# {bundle.api_name}\n\n{what} of {bundle.library} {bundle.version}{compared}."


def _condition(cell: str) -> str:
    """The condition of a cell, `oracle.s_e` or `s_e`; a page does not hide the name of what it is about."""
    condition = cell.rpartition(".")[2]
    return "e" if condition == "e_masked" else condition
