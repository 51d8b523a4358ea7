"""Detection of an API's name, or a variant of it, in a text."""

import re

BLANK = "___"
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def leaks(text: str, leaf: str) -> bool:
    """True when a word of `text` is `leaf`, or a compound `leaf` in another spelling (`fail_fast` for `FailFast`).

    A single-word leaf (`get`, `Field`) is an ordinary English word in other letter case, so only its exact
    spelling counts.
    """
    words = set(_WORD.findall(text))
    if leaf in words:
        return True
    compound = len(_PARTS.findall(leaf)) > 1
    return compound and any(normal(word) == normal(leaf) for word in words)


def normal(name: str) -> str:
    """A name without case and underscores."""
    return name.replace("_", "").lower()


def mask(text: str, leaf: str) -> str:
    """Prose with a blank for every word that gives `leaf` away, and for the path before it.

    Prose needs no name: a word counts in any case and inflection (`Updates` for `update`), and so do the parts of a
    compound one after the other (`replace expressions` for `replace_expressions`).
    """
    parts = [part.lower() for part in _PARTS.findall(leaf)]
    if len(parts) > 1:
        spelled = r"[\s_-]*".join(map(re.escape, parts))
        text = re.sub(rf"(?<![A-Za-z0-9]){spelled}(?:s|es|ed|d|ing)?(?![A-Za-z0-9])", BLANK, text, flags=re.I)

    def replace(match: re.Match[str]) -> str:
        last = match.group().rpartition(".")[2]
        return BLANK if leaks(last, leaf) or _is_inflected(last, leaf) else match.group()

    return re.sub(r"[A-Za-z_][\w.]*\w|[A-Za-z_]", replace, text)


def _is_inflected(word: str, leaf: str) -> bool:
    """Check for `leaf` in another case, or with an ending; a very short name in its own spelling alone."""
    stem, other = normal(leaf), normal(word)
    if len(stem) < 4:
        return False
    short = stem.removesuffix("e")
    return other in {stem, *(stem + end for end in ("s", "es", "d", "ed", "ing")), f"{short}ing", f"{short}ed"}
