"""The replacement that a sentence names, as an API of the new release. Words that name none that is there name none."""

import builtins
import re
from collections.abc import Iterable, Iterator

from apigap.discovery.evidence.changelog import is_distinctive
from apigap.discovery.surface import Entry, Surface

SHORT_NAMES = {"np": "numpy", "pd": "pandas", "sa": "sqlalchemy", "nx": "networkx", "pl": "polars", "sp": "scipy"}
_ROLE = re.compile(r":(?:py:)?\w+:`(?:[^`<]*<)?[~!.]*([\w.]+)(?:\(\))?>?`")
_NAME = r"[`'\"~.]{0,3}([A-Za-z_][\w.]*)(?![\w-])(?:\([^()`]*\))?[`'\"]{0,2}"
_ENTRY_POINT = re.compile(r"(?<=[`'\"])(?:[a-z_]\w*\.)*[a-z_]\w*:[A-Za-z_]\w*(?=[`'\"])")
_CALLED = re.compile(r"(?<=\w)\([^()]*\)\.(?=[a-z_])")
_PLACEHOLDER = re.compile(r"\{[^{}]*\}\.")
_EITHER = re.compile(r"\b[A-Z]\w*/(?=[A-Z]\w*\.)")
_OPERATION = re.compile(r"\s*(?:[=!<>]=|[<>+*%\[])\s*[\w'\"]")
_ELSEWHERE = re.compile(
    r"\b(?:moved|split off|extracted) (?:in)?to (?:the |its own |a separate )?"
    r"[`'\"]*([\w.-]+)[`'\"]* (?:package|distribution)\b",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(r"\botherwise\b", re.IGNORECASE)
_MORE_WORDS = re.compile(r"(?:\s+[a-z]+){2,}\s+instead\b", re.IGNORECASE)
_MORE_THINGS = re.compile(r"\s+[a-z]+(?:s|ing)\b(?!\s+instead)")
_KINDS = (
    r"(?:(?:the|new|its|builtin|functions?|method|class|attribute|property|parameter|argument|keyword|option|"
    r"accessor|module|equivalent|explicit|generative|alternative|corresponding|underlying)\s+)*"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:please\s+)?(?:use|using|call|prefer|see)\s+{_KINDS}{_NAME}(?:\s+\w+)?\s+(?:instead|in\s+place)",
        rf"\b(?:replaced\s+(?:by|with)|renamed\s+(?:to|as|into|in)|in\s+favou?r\s+of(?:\s+using)?|moved\s+(?:to|into)|superseded\s+by|switch\s+to|make\s+use\s+of|refer\s+to|(?:is|are)\s+now\s+(?:named|called)|migrate\s+to|available\s+as)\s+{_KINDS}{_NAME}",
        rf"\binstead(?:,)?\s+(?:please\s+)?use\s+{_KINDS}{_NAME}",
        rf"\binstead\s+of\s+{_NAME.replace('(', '(?:', 1)}\s*,?\s+(?:please\s+)?(?:use|call)\s+{_KINDS}{_NAME}",
        rf"{_NAME}\s+should\s+be\s+used(?:\s+instead)?",
        rf"\balias\s+(?:for|of|to)\s+{_KINDS}{_NAME}",
        rf"\b(?:please\s+)?(?:use|import\s+from)\s+{_KINDS}{_NAME}",
    )
)


class Successors:
    """Finds the API of the new surface that a text names as the replacement of an old one."""

    def __init__(self, new: Surface) -> None:
        self._entries = {path: entry for entry in new.entries for path in entry.paths}
        self._others = {*new.variables, *new.modules, *new.tops}
        self._tails: dict[str, set[str]] = {}
        for entry in {entry.name: entry for entry in new.entries if not entry.deprecated}.values():
            for tail in (entry.leaf, ".".join(entry.name.split(".")[-2:])):
                self._tails.setdefault(tail, set()).add(entry.name)

    def named_in(self, text: str, old_name: str) -> str | None:
        """The full path of what `text` says to use instead of `old_name`; None where that is nothing of the release."""
        for token in words_named_instead(text):
            found = self.resolve(token, old_name)
            if found is not None and found != old_name:
                return self._of_own_class(found, old_name, text) or found
        return None

    def _of_own_class(self, found: str, old_name: str, text: str) -> str | None:
        """The member of the old name's own class, where a text that names this class as well has found another's."""
        owner, last = old_name.rpartition(".")[0], found.rpartition(".")[2]
        own, is_member = f"{owner}.{last}", found.rpartition(".")[0] in self._entries and owner in self._entries
        names_it = re.search(rf"\b{re.escape(owner.rpartition('.')[2])}\b", text)
        return self._at(own) if is_member and names_it and own != old_name else None

    def resolve(self, token: str, old_name: str) -> str | None:
        """The full path that `token` means beside `old_name`: as it is, among its siblings, or as the only one."""
        token = self._spelt_out(token)
        owner, _, leaf = old_name.rpartition(".")
        scopes = [owner.rsplit(".", cut)[0] for cut in range(owner.count(".") + 1)]
        for scope in ("", *scopes):
            path = f"{scope}.{token}".lstrip(".")
            found = self._at(path)
            if found is not None and ("." in path or token != leaf):
                return found
        last = token.rpartition(".")[2]
        is_member = token.count(".") == 1 and token[:1].islower() and owner in self._entries
        on_object = self._at(f"{owner}.{last}") if is_member else None  # `obj.name()`
        if on_object is not None:
            return on_object
        tail = ".".join(token.split(".")[-2:])
        names = self._tails.get(tail, set[str]())
        return next(iter(names)) if len(names) == 1 and ("." in tail or is_distinctive(tail)) else None

    def entry(self, path: str) -> Entry | None:
        """The entry at a path of the new surface."""
        return self._entries.get(path)

    def _spelt_out(self, token: str) -> str:
        first, dot, rest = token.strip(".").partition(".")
        return SHORT_NAMES.get(first, first) + dot + rest if dot else first

    def _at(self, path: str) -> str | None:
        if path in self._entries or (path in self._others and "." in path):
            return path
        owner, _, leaf = path.rpartition(".")
        cls = self._entries.get(owner)
        if cls is None or cls.kind != "class":
            return None
        inherited = any(f"{base}.{leaf}" in self._entries for base in cls.bases)
        return path if inherited or leaf in cls.others else None


def words_named_instead(text: str) -> Iterator[str]:
    """The names that `text` says to use, in the order of the surest way of saying so, then of their places.

    What comes after "otherwise" is for other cases than the first, and comes last.
    """
    text = _EITHER.sub("", _ENTRY_POINT.sub(lambda name: name[0].replace(":", "."), text))
    plain = _CALLED.sub(".", " ".join(_ROLE.sub(r"`\1`", _PLACEHOLDER.sub("", text)).split()))
    for part in _OTHERWISE.split(plain):
        for pattern in _PATTERNS:
            for match in pattern.finditer(part):
                if not _is_noun_phrase(match, part) and not _is_of_python(match, part):
                    yield match[1].rstrip(".")


def _is_noun_phrase(match: re.Match[str], text: str) -> bool:
    """Check for a bare word that more words belong to, as in "use lifespan event handlers instead" and "in favor of
    security policies".
    """
    word = match[1]
    is_bare = word.isalpha() and word.islower() and not text[match.end(1) :].startswith(("(", "`", "'", '"'))
    is_bare = is_bare and not text[: match.start(1)].endswith(("`", "'", '"', "~", "."))
    return is_bare and any(more.match(text, match.end(1)) for more in (_MORE_WORDS, _MORE_THINGS))


def _is_of_python(match: re.Match[str], text: str) -> bool:
    """Check for an expression (`n == 1`), and for a call of Python's own function (`help(obj)`)."""
    is_call = text[match.end(1) :].startswith("(") and not text[match.end(1) :].startswith("()")
    return _OPERATION.match(text, match.end(1)) is not None or (is_call and hasattr(builtins, match[1]))


def other_distribution(text: str, tops: Iterable[str]) -> str | None:
    """The package on the index that `text` says its subject moved to; None where that is one of the library's own."""
    found = _ELSEWHERE.search(text)
    return found[1] if found and found[1].partition(".")[0] not in tops else None


def parameter_named_in(text: str, parameter: str, names: frozenset[str]) -> str | None:
    """The parameter among `names` that `text` says to pass instead of `parameter`."""
    found = (word.rpartition(".")[2] for word in words_named_instead(re.sub(r"(\w)=[^\s`'\",]*", r"\1", text)))
    return next((word for word in found if word in names and word != parameter), None)
