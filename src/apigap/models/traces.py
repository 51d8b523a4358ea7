"""What models write around their answer: reasoning before it, between tags, and marks of turns after it."""

import re

_OPENING = re.compile(r"(?mi)^[ \t]*<(think|thinking)>")
_CLOSING = re.compile(r"(?mi)</(?:think|thinking)>(?=[ \t]*(?:$|```))|^[ \t]*</(?:think|thinking)>")

_TAG = re.compile(r"(?i)</?(?:think|thinking)>")
OPENING = "<think>"

_FINAL = "<|channel|>final<|message|>"
_END = re.compile(
    r"""(?:<\|(?:im_end|endoftext|eot_id|end_of_text|end|return)\|>|</s>|<end_of_turn>|<｜end▁of▁sentence｜>)
        (?:\s*+\Z
        |\s*+(?:<\|(?:im_start|start_header_id|start|user|im_end|endoftext)\|>|<start_of_turn>|\[INST\]|<｜User｜>)
         [^"'\n]{0,80}+$)""",
    re.VERBOSE | re.MULTILINE,
)
"""The mark of a turn's end, before the text's end or before the mark of another turn."""


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


def without_marks(text: str) -> str:
    """`text` without marks of a chat's template: what the final channel says, up to the end of the answer's own turn.

    A mark inside a text of three quotes is the code's own.
    """
    text = text[text.rfind(_FINAL) + len(_FINAL) :] if _FINAL in text else text
    at = 0
    open_quotes = False
    for end in _END.finditer(text):
        quotes = text.count('"""', at, end.start()) + text.count("'''", at, end.start())
        open_quotes ^= quotes % 2 == 1
        if not open_quotes:
            return text[: end.start()]
        at = end.start()
    return text


def _without_closed(text: str) -> str:
    """`text` without what stands between an opening tag and the first closing one of its kind."""
    kept: list[str] = []
    at = 0
    never_closed: set[str] = set()
    folded = _TAG.sub(lambda tag: tag[0].lower(), text)
    for opening in _OPENING.finditer(text):
        tag = opening[1].lower()
        if opening.start() < at or tag in never_closed:
            continue
        closing = folded.find(f"</{tag}>", opening.end())
        if closing < 0:
            never_closed.add(tag)
            continue
        kept.append(text[at : opening.start()])
        at = closing + len(f"</{tag}>")
    return "".join([*kept, text[at:]])
