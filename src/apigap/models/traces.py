"""Text that models write around their answer: reasoning before it, between tags, and marks of turns after it."""

import re

_OPENING = re.compile(r"(?mi)^[ \t]*<(think|thinking)>")
_CLOSING = re.compile(r"(?mi)</(?:think|thinking)>(?=[ \t]*(?:$|```))|^[ \t]*</(?:think|thinking)>")

_TAG = re.compile(r"(?i)</?(?:think|thinking)>")
OPENING = "<think>"

_FENCE = re.compile(r"(?m)^[ \t>]*+(?:`{3,}+|~{3,}+)[^`\n]*+$")

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
    """`text` without reasoning: closed `<think>` parts, all before a lone closing tag, all after an open one.

    Tags among the lines of a fenced block are the code's own.
    """
    text, own = _without_closed(text)
    end = 0
    for closing in _CLOSING.finditer(text):
        end = end if closing.end() in own else closing.end()
    opening = next((one for one in _OPENING.finditer(text, end) if one.end() not in own), None)
    return text[end : opening.start()] if opening else text[end:]


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
        if not open_quotes and text[: end.start()].strip():
            return text[: end.start()]
        at = end.start()
    return text


def _without_closed(text: str) -> tuple[str, set[int]]:
    """`text` without what stands between an opening tag and the first closing one, and where the code's own tags end.

    A tag right below a fence opens a trace too: answers are begun with one.
    """
    kept: list[str] = []
    own: set[int] = set()
    at = seen = removed = 0
    in_block = in_code = False
    never_closed: set[str] = set()
    folded = _TAG.sub(lambda tag: tag[0].lower(), text)
    for opening in _OPENING.finditer(text):
        tag = opening[1].lower()
        if opening.start() < at or tag in never_closed:
            continue
        for fence in _FENCE.finditer(text, seen, opening.start()):
            in_block, in_code, seen = not in_block, False, fence.end()
        in_code = in_code or (in_block and bool(text[seen : opening.start()].strip()))
        seen = opening.start()
        closing = folded.find(f"</{tag}>", opening.end())
        end = closing + len(f"</{tag}>")
        if closing < 0:
            never_closed.add(tag)
        elif in_code:
            own |= {opening.end() - removed, end - removed}
        else:
            kept.append(text[at : opening.start()])
            removed += end - opening.start()
            at = seen = end
    return "".join([*kept, text[at:]]), own
