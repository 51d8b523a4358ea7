"""`versionadded`, `versionchanged` and `deprecated` in docstrings and pages, and what each of them speaks of."""

import re
from typing import Literal, NamedTuple, cast

DirectiveKind = Literal["versionadded", "versionchanged", "deprecated"]
Part = Literal["object", "parameter", "attribute", "other"]

MAX_WORDS = 300
_NAME = r"[A-Za-z_]\w*"
_DIRECTIVE = re.compile(r"^(\s*)\.\. +(versionadded|versionchanged|deprecated)::[ \t]*v?(\d+(?:\.\d+)*)?(.*)")
_OBJECT = re.compile(
    r"\s*\.\. (?:py:)?(?:auto)?(function|class|method|classmethod|staticmethod|exception|attribute|property|data):: *"
    rf"(?:async |abstractmethod |classmethod |staticmethod )*({_NAME}(?:\.{_NAME})*)"
)
_CONTEXT = re.compile(r"\s*\.\. (?:py:)?(?:auto|current)?module:: *([\w.]+)")
_FIELD = re.compile(rf"\s*:(?:param|parameter|arg|argument|keyword|kwarg|key)\s+(?:[^:]*\s)?\**({_NAME})\s*:")
_FRAME = re.compile(r"\s*\.\. (?:note|warning|tip|important|admonition|container|only|rubric|versionadded)::")
_RULE = re.compile(r"\s*(-{3,}|={3,})\s*$")
_GOOGLE = re.compile(
    r"\s*(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters|Attributes|Returns|Yields|"
    r"Raises|Warns|Notes?|Examples?|See Also|References):\s*$"
)
_ITEM = re.compile(rf"\s*(\**{_NAME}(?:\s*,\s*\**{_NAME})*)\s*(?:\(.*\))?\s*(?::.*)?$")
_PARAMETERS = {"parameters", "other parameters", "args", "arguments", "params", "keyword args", "keyword arguments"}
_QUOTED = rf"``?\**{_NAME}(?:=[^`]*)?``?"
_LISTED = rf"({_QUOTED}(?:(?:,|,? and|,? or) +{_QUOTED})*)"
_WORD = r"(?:parameter|argument|keyword|kwarg)s?\b"
_NAMED = re.compile(
    rf"{_LISTED},?\s+(?:keyword[- ]only\s+|keyword\s+|optional\s+|new\s+)*{_WORD}|{_WORD}\s+{_LISTED}"
    rf"|:paramref:`[^`]*\.({_NAME})`"
)
_BARE = re.compile(rf"``?\**({_NAME})")


class Directive(NamedTuple):
    """One directive. `target` is the object that a page describes around it, empty for the docstring's own object.

    `part` is what of that object it speaks of: all of it, the `parameters` named, an attribute of a class, or
    something smaller or unknown (one value of a parameter, a paragraph of a guide).
    """

    kind: DirectiveKind
    version: str
    target: str
    part: Part
    parameters: tuple[str, ...]
    text: str
    line: int
    module: str = ""
    is_data: bool = False


class _EnclosingLine(NamedTuple):
    """A line that encloses those below it by its smaller indent."""

    indent: int
    line: str
    section: str


def directives_in(text: str) -> list[Directive]:
    """The directives of a docstring or page, in its order; those without a version are left out."""
    lines = text.expandtabs().splitlines()
    if not any("::" in line for line in lines):
        return []
    found: list[Directive] = []
    above: list[_EnclosingLine] = []
    section = module = ""
    left_of = -1  # a section in Google's manner ends where the text is back at the indent of its heading
    for number, line in enumerate(lines):
        stripped = line.strip()
        if not stripped or _RULE.match(line):
            continue
        indent = len(line) - len(line.lstrip())
        heading = _heading(lines, number)
        directive = _DIRECTIVE.match(line)
        is_of_line_above = directive is not None and _describes_alone(above, indent)
        while above and above[-1].indent >= indent and not is_of_line_above:
            above.pop()
        if heading is not None:
            section, left_of = heading, indent if line.rstrip().endswith(":") else -1
            above = [outer for outer in above if outer.indent < indent]
        elif indent <= left_of:
            section, left_of = "", -1
        context = _CONTEXT.match(line)
        if context:
            module = context[1]
        if directive and directive[3]:
            found.append(_directive(directive, lines, number, above, section, module))
        elif heading is None:
            above.append(_EnclosingLine(indent, line, section))
    return found


def _describes_alone(above: list[_EnclosingLine], indent: int) -> bool:
    """Check that the line above describes an object at this indent, with nothing below it yet."""
    return bool(above) and above[-1].indent == indent and _OBJECT.match(above[-1].line) is not None


def _heading(lines: list[str], number: int) -> str | None:
    """The section that begins at this line, in lower case: underlined, or in Google's manner."""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    if _RULE.match(below) and len(lines[number].strip()) <= len(below.strip()) + 2:
        return lines[number].strip().lower()
    google = _GOOGLE.match(lines[number])
    return google[1].lower() if google else None


def _directive(
    match: re.Match[str], lines: list[str], number: int, above: list[_EnclosingLine], section: str, module: str
) -> Directive:
    words = _words(match, lines, number)
    target, is_data, inner = _target(above)
    part, parameters = _part(inner, section)
    if part == "parameter" and any(f"{name}=" in words for name in parameters):
        part, parameters = "other", ()  # one more value of it: "Support for `out=...`"
    named = _parameters_named(words) if part == "object" else ()
    if named:
        part, parameters = "parameter", named
    kind = cast(DirectiveKind, match[2])
    return Directive(kind, match[3], target, part, parameters, words, number + 1, module, is_data)


def _parameters_named(words: str) -> tuple[str, ...]:
    """The names that the words of a directive call parameters."""
    found: dict[str, None] = {}
    for before, after, referred in _NAMED.findall(words):
        found.update(dict.fromkeys([referred] if referred else _BARE.findall(before or after)))
    return tuple(found)


def _words(match: re.Match[str], lines: list[str], number: int) -> str:
    """The text of the directive, on one line."""
    words = [match[4].strip()]
    for line in lines[number + 1 :]:
        if line.strip() and len(line) - len(line.lstrip()) <= len(match[1]):
            break
        words.append(line.strip())
    return " ".join(word for word in words if word)[:MAX_WORDS]


def _target(above: list[_EnclosingLine]) -> tuple[str, bool, list[_EnclosingLine]]:
    """(the object that the enclosing directives describe, whether it is data, what stands between it and the line)."""
    names: list[str] = []
    kind = ""
    rest: list[_EnclosingLine] = []
    for outer in above:
        described = _OBJECT.match(outer.line)
        if described:
            kind, name = described[1], described[2]
            same = names and name.startswith(names[-1] + ".")
            names = [name] if same or not names else [*names, name]
            rest = []
        else:
            rest.append(outer)
    return ".".join(names), kind in ("attribute", "data"), rest


def _part(inner: list[_EnclosingLine], section: str) -> tuple[Part, tuple[str, ...]]:
    """The part of the object that the directive is about, by the lines that enclose it and its section."""
    enclosing = [outer for outer in inner if not _FRAME.match(outer.line)]
    for place, outer in enumerate(enclosing):
        field = _FIELD.match(outer.line)
        if field:
            return ("parameter", (field[1],)) if place == len(enclosing) - 1 else ("other", ())
    if not enclosing:
        return ("object", ()) if section not in _PARAMETERS else ("other", ())
    item = _ITEM.match(enclosing[0].line)
    section = enclosing[0].section
    if item is None or len(enclosing) > 1 or section not in (*_PARAMETERS, "attributes"):
        return "other", ()
    names = tuple(name.strip(" *") for name in item[1].split(","))
    return "attribute" if section == "attributes" else "parameter", names


def is_new(version: str, old: str | None, new: str) -> bool:
    """Check that `version` lies in the series that begins after `old` and ends with `new`."""
    parts = _numbers(version)
    return (old is None or _after(parts, _numbers(old))) and not _after(parts, _numbers(new))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+")[0])[:4])


def _after(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    length = max(len(first), len(second))
    return first + (0,) * (length - len(first)) > second + (0,) * (length - len(second))
