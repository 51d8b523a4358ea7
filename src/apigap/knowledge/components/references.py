"""Published work that a docstring names: numbered references, DOIs, arXiv identifiers. Nothing is looked up."""

import re
from typing import NamedTuple

_SECTION = re.compile(r"^[ \t]*References?[ \t]*:?[ \t]*\n[ \t]*(?:-{3,}|={3,})?[ \t]*$", re.M)
_NEXT = re.compile(r"^[ \t]*\w[\w ]*\n[ \t]*[-=]{3,}[ \t]*$", re.M)
_ENTRY = re.compile(r"^[ \t]*\.\. \[(?:\w|[-.])+\][ \t]*(?P<text>.+(?:\n(?![ \t]*\.\. \[|[ \t]*$)[^\n]*)*)", re.M)
_DOI = re.compile(r"(?:doi\.org/|\bdoi:[ \t]*)(10\.\d{4,9}/[^\s>,;`\"']+)|\b(10\.\d{4,9}/[^\s>,;`\"']+)", re.I)
_ARXIV = re.compile(r"arxiv(?:\.org/(?:abs|pdf)/|:[ \t]*)(\d{4}\.\d{4,5}|[\w.-]+/\d{7})", re.I)
_SCHOLARLY = re.compile(r"\b(?:19|20)\d\d\b|\bet al\b|\bJ\.|\bproc\b|\bpress\b|\bisbn\b", re.I)
_MOST = 2
_LONG = 160


class Reference(NamedTuple):
    """One work as the docstring writes it, and its identifier (`doi:10...`, `arXiv:...`) where it has one."""

    text: str
    identifier: str | None


def references(docstring: str) -> list[Reference]:
    """The works that a docstring names, at most two; a page of the web is none."""
    found = [_reference(match["text"]) for match in _ENTRY.finditer(docstring)]
    found += [_reference(line) for line in _listed(docstring)]
    named = {one.identifier for one in found}
    found += [Reference("", i) for i in _identifiers(docstring) if i not in named]
    works = [one for one in found if one.identifier or _SCHOLARLY.search(one.text)]
    return list(dict.fromkeys(works))[:_MOST]


def reference_list(works: list[Reference]) -> str:
    """A sentence that names the works; empty where there is none."""
    texts = [f"{one.text} ({one.identifier})" if one.text and one.identifier else one.text or one.identifier or ""
             for one in works]  # fmt: skip
    return f"Published in: {'; '.join(texts)}." if texts else ""


def _listed(docstring: str) -> list[str]:
    """The lines of a section of references that does not number them."""
    section = _SECTION.search(docstring)
    if section is None:
        return []
    text = docstring[section.end() :]
    after = _NEXT.search(text)
    paragraphs = re.split(r"\n\s*\n", (text[: after.start()] if after else text).strip())
    return [paragraph for paragraph in paragraphs if not paragraph.lstrip().startswith("..")][:_MOST]


def _reference(text: str) -> Reference:
    identifier = next(iter(_identifiers(text)), None)
    plain = re.sub(r"<?https?://\S+|\bdoi:\S+|`_+|[`*]", "", " ".join(text.split()), flags=re.I)
    plain = re.sub(r"\(\s*\)|[\s,:;.]+$", "", _ARXIV.sub("", plain)).strip(' "')
    return Reference(plain if len(plain) <= _LONG else plain[: _LONG - 1].rstrip() + "…", identifier)


def _identifiers(text: str) -> list[str]:
    found = [f"doi:{(one or other).rstrip('.)]')}" for one, other in _DOI.findall(text)]
    return list(dict.fromkeys([*found, *(f"arXiv:{number}" for number in _ARXIV.findall(text))]))
