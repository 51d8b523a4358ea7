"""Does a text name an API, or a variant of its name?"""

import re

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
    """`text` with every word that leaks `leaf`, and its path, written as "it", or "value" after an article."""

    def replace(match: re.Match[str]) -> str:
        return "it" if leaks(match.group().rpartition(".")[2], leaf) else match.group()

    return re.sub(r"\b([Aa]n?|[Tt]he) it\b", r"\1 value", re.sub(r"[A-Za-z_][\w.]*", replace, text))
