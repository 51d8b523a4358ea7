"""Reasoning that models write before their answer, between tags."""

import re

_OPENING = re.compile(r"(?m)^[ \t]*<(think|thinking)>")
_CLOSING = re.compile(r"(?m)</(?:think|thinking)>(?=[ \t]*(?:$|```))|^[ \t]*</(?:think|thinking)>")

_TAG = re.compile(r"</?(?:think|thinking)>")
OPENING = "<think>"


def has_tag(text: str) -> bool:
    """True when a trace begins or ends in `text`."""
    return _TAG.search(text) is not None


def without_trace(text: str) -> str:
    """`text` without reasoning: closed `<think>` parts, all before a lone closing tag, all after an open one."""
    text = _without_closed(text)
    end = 0
    for closing in _CLOSING.finditer(text):
        end = closing.end()
    text = text[end:]
    opening = _OPENING.search(text)
    return text[: opening.start()] if opening else text


def _without_closed(text: str) -> str:
    """`text` without what stands between an opening tag and the first closing one of its kind."""
    kept: list[str] = []
    at = 0
    never_closed: set[str] = set()
    for opening in _OPENING.finditer(text):
        tag = opening[1]
        if opening.start() < at or tag in never_closed:
            continue
        closing = text.find(f"</{tag}>", opening.end())
        if closing < 0:
            never_closed.add(tag)
            continue
        kept.append(text[at : opening.start()])
        at = closing + len(f"</{tag}>")
    return "".join([*kept, text[at:]])
