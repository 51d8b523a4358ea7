"""F-strings as Python 3.12 takes them (PEP 701), put in a form that older parsers take."""

import re

_PART = re.compile(r"""\#[^\n]*|(?P<prefix>(?i:\b(?:[rbuf]|br|rb|fr|rf))?)(?P<quote>'''|\"\"\"|'|\")|[\s\S]""")
_ESCAPE = re.compile(r"\\[\s\S]")
_NAMED_CHARACTER = re.compile(r"\\N\{[^}\n]*\}")


class _Unclosed(Exception):
    """Raised where a string does not end."""


def older_fstrings(code: str) -> str:
    """`code` with three quotes around each f-string, so that expressions in it may hold its own quote.

    In these expressions each escape becomes `__` and each `#` of a string `_`, which an older parser refuses there. A
    text whose strings do not end is given back as it is. Lines stay where they are.
    """
    rewriter = _Rewriter(code)
    try:
        rewriter.code(0, 0)
    except _Unclosed:
        return code
    return "".join(rewriter.parts)


class _Rewriter:
    """Reads `text` from the left and puts its older form into `parts`; each method gives the place where it stops."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.parts: list[str] = []

    def code(self, place: int, within: int) -> int:
        """Code to its end; inside `within` f-strings to the end of the expression."""
        depth = 0
        while match := _PART.match(self._text, place):
            if match["quote"]:
                place = self._string(match, within)
                continue
            part = match[0]
            if within and not depth and self._ends_expression(place):
                return place
            depth += (part in "([{") - (part in ")]}")
            self.parts.append(part)
            place = match.end()
        if within:
            raise _Unclosed
        return place

    def _ends_expression(self, place: int) -> bool:
        two = self._text[place : place + 2]
        return two[0] in "}:" or (two[0] == "!" and two != "!=")

    def _string(self, match: re.Match[str], within: int) -> int:
        quote, prefix = match["quote"], match["prefix"]
        if "f" not in prefix.lower():
            end = self._end_of_plain(match.end(), quote)
            text = self._text[match.start() : end]
            self.parts.append(_ESCAPE.sub("__", text).replace("#", "_") if within else text)
            return end
        outer = quote * 3 if len(quote) == 1 and not within else quote
        self.parts += (prefix, outer)
        place = self._literal(match.end(), quote, within)
        self.parts.append(outer)
        return place + len(quote)

    def _end_of_plain(self, place: int, quote: str) -> int:
        while not self._text.startswith(quote, place):
            place += 2 if self._text.startswith("\\", place) else 1
            self._check(place, quote)
        return place + len(quote)

    def _literal(self, place: int, end: str, within: int) -> int:
        """The text between expressions, as far as `end`: a quote, or the brace that closes a format."""
        while not self._text.startswith(end, place):
            self._check(place, end)
            two = self._text[place : place + 2]
            if two[0] == "\\":
                named = _NAMED_CHARACTER.match(self._text, place)
                two = named[0] if named else two
                self.parts.append("__" if within else two)
                place += len(two)
            elif two in ("{{", "}}") and end != "}":
                self.parts.append(two)
                place += 2
            elif two[0] == "{":
                place = self._expression(place, within)
            else:
                self.parts.append(two[0])
                place += 1
        return place

    def _expression(self, place: int, within: int) -> int:
        self.parts.append("{")
        place = self.code(place + 1, within + 1)
        if self._text[place] == "!":
            self.parts.append(self._text[place : place + 2])
            place += 2
        if self._text.startswith(":", place):
            self.parts.append(":")
            place = self._literal(place + 1, "}", within)
        self._check(place, "}")
        if self._text[place] != "}":
            raise _Unclosed
        self.parts.append("}")
        return place + 1

    def _check(self, place: int, end: str) -> None:
        """Raise where the text ends, or the line, which no string of one quote outlives."""
        if place >= len(self._text) or (len(end) == 1 and end != "}" and self._text[place] == "\n"):
            raise _Unclosed
