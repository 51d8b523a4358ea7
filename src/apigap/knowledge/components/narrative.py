"""The narrative of a docstring: what it says in words, without its lists of parameters, examples and markup."""

import re

from apigap.knowledge.components.tables import with_readable_tables

_FENCED = re.compile(r"^[ \t]*```.*?^[ \t]*```[^\n]*$|^[ \t]*>>> [^\n]*(?:\n(?![ \t]*$)[^\n]*)*", re.M | re.S)
_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)(?:\.\. [\w-]+::|\.\. \[|\.\. _|!!! |\?\?\?\+? ).*(?:\n(?:[ \t]*$|(?P=indent)[ \t]+.*))*", re.M
)
_FIELDS = re.compile(
    r"^(?P<indent>[ \t]*):(?:param|parameter|arg|argument|key|keyword|type|raises?|returns?|rtype|yields?|var|ivar)\b"
    r".*(?:\n(?:(?P=indent)[ \t]+.*))*", re.M
)  # fmt: skip
_LITERAL = re.compile(r"::[ \t]*\n(?:[ \t]*\n)*(?P<indent>[ \t]+)\S.*(?:\n(?:[ \t]*$|(?P=indent).*))*", re.M)
_SECTION = re.compile(
    r"^[ \t]*(?P<name>Args|Arguments|Parameters|Other Parameters|Keyword Args|Keyword Arguments|Returns?|Raises|"
    r"Yields?|Receives|Warns|Warnings?|Examples?|Usage|Attributes|Methods|See Also|References|Notes?|Properties)"
    r"[ \t]*:?[ \t]*$"
    r"(?:\n[ \t]*[-=~]{3,}[ \t]*$)?|^[ \t]*[-=~]{3,}[ \t]*$",
    re.M | re.I,
)
_COMPILED = re.compile(
    r"^[ \t]*C\+\+ signature\s*:.*?(?=^\S|\Z)|^\w+\([^\n]*\)[ \t]*(?:->[^\n]*?)?[ \t]*:?[ \t]*$", re.M | re.S
)
_PROSE_SECTIONS = ("note", "notes")
_SUPPORT_PAGE = "See :ref:`dev-arrayapi` for more information."
_GAP = "\0"
_SHORT = 90


def narrative(docstring: str) -> str:
    """The words of a docstring before its sections and in its notes, without code blocks, directives and fields.

    Each paragraph, and each row of a table, is a line.
    """
    text = _DIRECTIVE.sub(_of_directive, _COMPILED.sub("", _FENCED.sub(_GAP, docstring)))
    text = with_readable_tables(_FIELDS.sub("", _LITERAL.sub(_of_literal, text)))
    pieces = list(_SECTION.finditer(text))
    prose = text[: pieces[0].start()] if pieces else text
    ends = [*(piece.start() for piece in pieces[1:]), len(text)]
    for piece, end in zip(pieces, ends, strict=False):
        if (piece["name"] or "").lower() in _PROSE_SECTIONS:
            prose += "\n\n" + text[piece.end() : end]
    prose = re.sub(rf"(?<=[^.!?\s])\s*{_GAP}", _GAP, prose)
    paragraphs = (_readable(" ".join(part.split())) for part in re.split(r"\n\s*\n", prose))
    return re.sub(r"(?:(?<=[.!?])\s|^|\n)[^.!?\n]*:$", "", "\n".join(part for part in paragraphs if part))


def _of_directive(match: re.Match[str]) -> str:
    """Text that leads to a formula or a piece of code leads nowhere without it."""
    return _GAP if re.match(r"\s*\.\. (?:math|code|code-block|sourcecode|ipython|plot)::", match[0]) else ""


def _of_literal(match: re.Match[str]) -> str:
    """A single line stays; longer blocks are code."""
    block = match[0].partition("::")[2].strip()
    return f": `{block}`\n\n" if "\n" not in block and len(block) <= _SHORT and "`" not in block else f":{_GAP}\n\n"


def _readable(paragraph: str) -> str:
    """A paragraph without the sentence that leads to what was taken out, and without headings in bold."""
    kept = re.sub(rf"(?:(?<=[.!?]) |^)(?:(?![.!?] )[^{_GAP}])*{_GAP}", "", paragraph).strip()
    kept = kept.replace(_SUPPORT_PAGE, "").strip()
    kept = re.sub(r"\*\*([^*]+)\*\*", r"\1", "" if re.fullmatch(r"\*\*[^*]+\*\*:?", kept) else kept)
    return "" if "Array API Standard" in kept or kept == "." or kept.startswith("#") else plain(kept)


def first_sentence(docstring: str) -> str:
    """The first sentence of a docstring's narrative."""
    text = narrative(docstring).split("\n")[0]
    match = re.match(r"(.+?[.!?])(?:\s|$)", text)
    return match[1] if match else text


def plain(text: str) -> str:
    """Text without the markup of references: roles, link targets, footnote marks."""
    text = re.sub(r"\[([^\]]+)\](?:\[[^\]]*\]|\([^)]*\))", r"\1", text)
    text = re.sub(r":[a-z]+(?::[a-z]+)?:`([^`<]*?)\s*<[^>`]*>`", r"`\1`", text)
    text = re.sub(r":[a-z]+(?::[a-z]+)?:`[~!.]*([^`]+)`", r"`\1`", text)
    text = re.sub(r"`([^`<]+?)\s*<[^>`]*>`__?", r"\1", text)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    text = re.sub(r"\s*\[[\w.-]+\]_", "", text)
    return re.sub(r"`([^`]+)`_\b", r"\1", text)


def whole_sentences(text: str, limit: int) -> str:
    """As many whole sentences of `text` as fit into `limit` characters; of a longer first one its beginning."""
    if len(text) <= limit:
        return text
    ends = [match.end() for match in re.finditer(r"[.!?](?=\s)|\n", text[: limit + 1])]
    return text[: ends[-1]].rstrip() if ends else text[: limit - 1].rstrip() + "…"
