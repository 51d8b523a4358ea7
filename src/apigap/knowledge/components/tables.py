"""Tables of docstrings, in any of their three layouts, as rows of Markdown: one layout, each row a line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

_RULE = r"={2,}(?: +={2,})+"
_SIMPLE = re.compile(
    rf"^(?P<indent>[ \t]*)(?P<rule>{_RULE})[ \t]*\n(?P<body>(?:.*\n)+?)(?P=indent){_RULE}[ \t]*(?:\n[ \t]*$|\Z)", re.M
)
_BARRED = re.compile(r"^(?P<indent>[ \t]*)[+|].*[+|][ \t]*(?:\n(?P=indent)[+|].*[+|][ \t]*)+$", re.M)
_LINE = re.compile(r"[ \t]*[|+]?[-=:+| \t]*(?:-{2,}|={2,})[-=:+| \t]*")
_SUPPORT = ("Library", "CPU", "GPU")
"""The first row of a table on where a function runs, which tells nothing of what it does."""

Row = tuple[str, ...]


def with_readable_tables(text: str) -> str:
    """`text` with simple tables, grids and tables of Markdown as rows of Markdown, an empty line after each.

    A table of the backends that a function supports is left out.
    """
    text = _SIMPLE.sub(
        lambda match: _written(_rows_below(match["rule"], match["body"], len(match["indent"])), match["indent"]), text
    )
    return _BARRED.sub(lambda match: _written(_rows_between_bars(match[0]), match["indent"]), text)


def row_at(lines: Sequence[str], number: int) -> str | None:
    """The row of a simple table in which line `number` stands: its first cell, a colon, the others; None elsewhere."""
    first, last = number, number
    while first and lines[first - 1].strip():
        first -= 1
    while last + 1 < len(lines) and lines[last + 1].strip():
        last += 1
    rule = lines[first].strip()
    if not re.fullmatch(_RULE, rule) or not lines[number].strip() or _LINE.fullmatch(lines[number]):
        return None
    inner, second = lines[first : last + 1], rule.index(" ")
    margin = len(lines[first]) - len(lines[first].lstrip())
    begins = [not _LINE.fullmatch(line) and bool(line[margin : margin + second].strip()) for line in inner]
    place = max((n for n in range(number - first + 1) if begins[n]), default=number - first)
    ends = (n for n in range(place + 1, len(inner)) if begins[n] or _LINE.fullmatch(inner[n]))
    body = "".join(f"{line}\n" for line in inner[place : next(ends, len(inner))])
    ((head, *others),) = _rows_below(rule, body, margin)[1]
    return f"{head}: {' '.join(others)}"


def _written(parts: tuple[list[Row], list[Row]], indent: str) -> str:
    head, rows = parts
    if _SUPPORT in head:
        return "\n"
    line = [("---",) * len(head[0])] if head and rows else []
    shown = "\n\n".join(f"{indent}| {' | '.join(row)} |" for row in (*head, *line, *rows))
    return f"\n{shown}\n\n"


def _rows_below(rule: str, body: str, margin: int) -> tuple[list[Row], list[Row]]:
    """The head and the rows of a simple table, whose columns stand where its rule has them."""
    starts = [match.start() for match in re.finditer(r"=+", rule)]
    parts: list[list[list[str]]] = [[]]
    for line in (line[margin:] for line in body.splitlines() if line.strip()):
        if _LINE.fullmatch(line):
            parts.append([])
            continue
        cells = [line[start:end].strip() for start, end in zip_longest(starts, starts[1:])]
        if cells[0] or not parts[-1]:
            parts[-1].append(cells)
        else:
            parts[-1][-1] = _joined([parts[-1][-1], cells])
    return _head_and_rows([[tuple(row) for row in part] for part in parts])


def _rows_between_bars(block: str) -> tuple[list[Row], list[Row]]:
    """The head and the rows of a grid, whose rows are between its lines, or of Markdown, where each line is a row."""
    lines = [line.strip() for line in block.splitlines()]
    if not block.lstrip().startswith("+"):
        return _head_and_rows(list(_split_at_lines(lines)))
    return _head_and_rows([[tuple(_joined(part))] for part in _split_at_lines(lines) if part])


def _split_at_lines(lines: Iterable[str]) -> Iterator[list[Row]]:
    part: list[Row] = []
    for line in lines:
        if _LINE.fullmatch(line):
            yield part
            part = []
        else:
            part.append(tuple(cell.strip() for cell in line[1:-1].split("|")))
    yield part


def _joined(rows: Iterable[Iterable[str]]) -> list[str]:
    """One row of several lines, cell by cell."""
    return [" ".join(cell for cell in cells if cell) for cells in zip_longest(*rows, fillvalue="")]


def _head_and_rows(parts: list[list[Row]]) -> tuple[list[Row], list[Row]]:
    kept = [part for part in parts if part]
    head = kept[0] if len(kept) > 1 else []
    return head, [row for part in (kept[1:] if head else kept) for row in part]
