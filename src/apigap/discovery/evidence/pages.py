"""The APIs that a documentation page describes by Sphinx directives, roles and summaries, mkdocstrings, or headings."""

import re
from typing import NamedTuple

_NAME = r"[A-Za-z_]\w*"
_DOTTED = rf"{_NAME}(?:\.{_NAME})*"
_CONTEXT = re.compile(r"^\s*\.\. (?:py:)?(auto|current)?mod(?:ule|(api)):: *([\w.]+)")
_DIRECTIVE = re.compile(
    r"^(\s*)\.\. (?:py:)?(?:auto)?(function|class|method|classmethod|staticmethod|exception|attribute|property)::"
    r"\s*(?:(?:async|class|abstractmethod|classmethod|staticmethod)\s+)*([\w.]+)"
)
_SUMMARY = re.compile(r"^\s*\.\. autosummary::")
_SUMMARY_ENTRY = re.compile(rf"^\s+~?({_DOTTED})\s*$")
_ROLE = re.compile(r":(?:py:)?(?:func|class|meth|exc|attr|obj):`(?:[^`<]*<)?[~!.]*([\w.]+)(?:\(\))?>?`")
_MKDOCS = re.compile(rf"^:::\s+({_DOTTED})")
_HEADING = re.compile(rf"^(#+)\s+`({_DOTTED})`")
_OPTION = re.compile(r"^\s+:([\w-]+):")
_DEFAULTS = re.compile(r"autodoc_default_(?:flags|options)\s*=[^}\]]*[\"']members[\"'](?!\s*:\s*False)")


class Described(NamedTuple):
    """The dotted names that a page describes, and the modules whose members it describes one and all."""

    names: set[str]
    modules: set[str]


def described_on_page(
    text: str, tops: tuple[str, ...] = (), module: str = "", members_by_default: bool = False
) -> Described:
    """The APIs that `text` describes. Names are resolved against its current module, at first `module`, and `tops`.

    `automodule` describes the members where it says `:members:`, or the documentation's settings do.
    """
    names: set[str] = set()
    modules: set[str] = set()
    contexts = (module, "") if module else ("", *tops)
    in_summary = False
    classes: list[tuple[int, str]] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        context = _CONTEXT.match(line)
        if context:
            contexts = (context[3], "", *tops)
            if context[1] == "auto" and (context[2] or members_by_default or _has_members(lines, number)):
                modules.add(context[3])
        whole = _MKDOCS.match(line)
        if whole:
            modules.add(whole[1])
            names.add(whole[1])
        in_summary = bool(_SUMMARY.match(line)) or (in_summary and (not line.strip() or line[0].isspace()))
        found = [*_ROLE.findall(line), *(_SUMMARY_ENTRY.findall(line) if in_summary else ())]
        directive = _DIRECTIVE.match(line)
        if directive:
            found += _nested(directive, classes)
        names.update(f"{context}.{name}".lstrip(".") for name in found for context in contexts)
    return Described(names | _headed(lines, tops), modules)


def has_members_by_default(settings: str) -> bool:
    """Check a `conf.py` for autodoc's setting that describes the members of everything."""
    return bool(_DEFAULTS.search(settings))


def _nested(directive: re.Match[str], classes: list[tuple[int, str]]) -> list[str]:
    """The name of a directive by itself, and below the class whose description it stands in; `classes` are kept."""
    indent, kind, name = len(directive[1]), directive[2], directive[3]
    while classes and classes[-1][0] >= indent:
        classes.pop()
    names = [name, f"{classes[-1][1]}.{name}"] if classes else [name]
    if kind in ("class", "exception"):
        classes.append((indent, names[-1]))
    return names


def _has_members(lines: list[str], number: int) -> bool:
    for line in lines[number + 1 :]:
        option = _OPTION.match(line)
        if option is None:
            return False
        if option[1] == "members":
            return True
    return False


def _headed(lines: list[str], tops: tuple[str, ...]) -> set[str]:
    """The names of a reference page in Markdown: its title is a module, the headings below are what the module has."""
    found: set[str] = set()
    above: list[tuple[int, str]] = []
    for heading in filter(None, map(_HEADING.match, lines)):
        level, name = len(heading[1]), heading[2]
        while above and above[-1][0] >= level:
            above.pop()
        if above:
            name = f"{above[-1][1]}.{name}"
            found.add(name)
        elif name.partition(".")[0] not in tops:
            continue
        above.append((level, name))
    return found
