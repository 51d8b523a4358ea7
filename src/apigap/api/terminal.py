"""Text of others on a terminal: what would steer it, or turn its letters round, is shown and not obeyed."""

import re
import sys
from typing import Any, TextIO, cast

_STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""`text` with control characters and marks of direction written as Python writes them (`\x1b`, `\u202e`)."""
    return _STEERS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


class Visible:
    """A stream that writes `visible` text to the `raw` one."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        """Write the text; returns its length, as a stream does."""
        self.raw.write(visible(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


def show_no_controls() -> None:
    """From now on all that is printed is visible; what draws (see `drawn_on`) has the stream beneath."""
    sys.stdout, sys.stderr = (
        cast("TextIO", stream if isinstance(stream, Visible) else Visible(stream))
        for stream in (sys.stdout, sys.stderr)
    )


def drawn_on(stream: TextIO) -> TextIO:
    """The stream on which colours and bars are drawn: the text among them has been made visible before."""
    return stream.raw if isinstance(stream, Visible) else stream
