"""Dates and times as the APIs read them."""

from datetime import datetime

DAY = "%Y-%m-%d"
TIME = "%Y-%m-%d %H:%M:%S"


def parse(text: str, pattern: str = TIME) -> datetime:
    """The instant that `text` names; the error's text is part of what callers see.

    Raises:
        ValueError: when it does not fit the pattern.
    """
    return datetime.strptime(text, pattern)


def padded(text: str) -> str:
    """`text` stripped, a year of less than four characters filled up with zeros where there are three parts."""
    parts = text.strip().split("-")
    if len(parts) == 3 and len(parts[0]) != 4:
        parts[0] = parts[0].zfill(4)
    return "-".join(parts)


def normal(text: str, pattern: str = DAY) -> str:
    """A date or time in its one spelling.

    Raises:
        ValueError: when it does not fit the pattern.
    """
    return parse(padded(text), pattern).strftime(pattern)


def instant(text: str) -> datetime:
    """A time in the lenient spelling of `normal`, as an instant."""
    return parse(padded(text), TIME)
