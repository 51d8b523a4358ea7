"""A table as Markdown."""

from collections.abc import Iterable, Sequence


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """One line per row, `head` above them; bars and line breaks in a cell do not end it."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(escaped, line))} |\n" for line in lines)


def escaped(text: str) -> str:
    """`text` as it can stand in one cell or one line of a list."""
    return text.replace("|", "\\|").replace("\n", " ")
