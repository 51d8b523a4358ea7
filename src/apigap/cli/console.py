"""Results on standard output, as JSON or as tables; progress is drawn by `Console`."""

import json
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from apigap.api.console import Console
from apigap.api.terminal import drawn_on, visible
from apigap.records.errors import InfrastructureError

if TYPE_CHECKING:
    from apigap.evaluation.gains import MeasuredGain

__all__ = [
    "Console", "demand_verdicts", "figure", "next_command", "print_beside", "print_gains", "print_json", "print_result",
    "print_rows", "print_table",
]  # fmt: skip
_SHOWN = 5
_PIPED, _MOST_PIPED = 180, 400
_FEW_WORDS = 30
"""The columns that a column of sentences has at least."""


def print_json(value: Any) -> None:
    """`value` as JSON on standard output."""
    print(json.dumps(value, indent=2, sort_keys=True, default=str))


def print_result(as_json: bool, value: Any, *lines: str) -> None:
    """The result of a command on standard output: `value` for machines, else the lines for people."""
    if as_json:
        print_json(value)
    else:
        print("\n".join(lines))


def next_command(*words: object) -> str:
    """The line that names the command to run next, as a shell takes it."""
    return f"next: {shlex.join(['apigap', *map(str, words)])}"


def print_rows(as_json: bool, value: Any, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """The result of a command on standard output: `value` for machines, else a table for people."""
    if as_json:
        print_json(value)
    else:
        print_table(title, columns, rows)


def figure(value: float | None, form: str = ".2f") -> str:
    """A figure of a table; a dash where there is none."""
    return "-" if value is None else format(value, form)


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on standard output; columns that hold sentences begin at the left.

    What is not a terminal (a file, a pipe) has no edge at which values would have to be cut: there a table is as wide
    as its content. Sentences are wrapped beyond `_PIPED` columns, and other values only beyond `_MOST_PIPED`.
    """
    from rich.console import Console as RichConsole
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(visible(title)), title_justify="left")
    cells = [[visible(str(cell)) for cell in row] for row in rows]
    heads = [visible(column) for column in columns]
    spoken = [any(row[number].count(" ") > 1 for row in cells) for number in range(len(heads))]
    needed = sum(3 + _least([head, *(row[n] for row in cells)], spoken[n]) for n, head in enumerate(heads)) + 1
    piped = not sys.stdout.isatty()
    for number, head in enumerate(heads):
        justify = "left" if number == 0 or spoken[number] else "right"
        whole = piped and needed <= _MOST_PIPED and not spoken[number]
        table.add_column(escape(head), justify=justify, overflow="fold", no_wrap=whole)
    for row in cells:
        table.add_row(*map(escape, row))
    width = max(_PIPED, min(needed, _MOST_PIPED)) if piped else None
    RichConsole(file=drawn_on(sys.stdout), width=width).print(table)


def _least(values: Sequence[str], spoken: bool) -> int:
    """The columns that the widest value needs; of sentences the widest word, or a few words."""
    from rich.cells import cell_len

    lines = [line for value in values for line in value.splitlines()]
    widest = max(map(cell_len, lines), default=0)
    if not spoken:
        return widest
    return max(min(widest, _FEW_WORDS), max((cell_len(word) for line in lines for word in line.split()), default=0))


def print_tables(tables: Iterable[tuple[str, Sequence[str], Iterable[Sequence[object]]]]) -> None:
    """Tables of a summary, each with title, columns and rows."""
    for title, columns, rows in tables:
        print_table(title, columns, rows)


def print_beside(title: str, notes: Sequence[str], left: tuple[str, str], right: tuple[str, str]) -> None:
    """Two named pieces of code side by side, with a title and notes above; nothing in them is taken as markup."""
    from rich.console import Console as RichConsole
    from rich.panel import Panel
    from rich.syntax import Syntax
    from rich.table import Table
    from rich.text import Text

    console = RichConsole(file=drawn_on(sys.stdout))
    beside = Table.grid(expand=True, padding=(0, 1))
    beside.add_column(ratio=1)
    beside.add_column(ratio=1)
    sides = [Panel(Syntax(visible(code), "python", word_wrap=True), title=name) for name, code in (left, right)]
    beside.add_row(*sides)
    console.print(Text(visible(title), style="bold"))
    for note in notes:
        console.print(Text(f"  {visible(note)}"))
    console.print(beside)


def print_gains(title: str, columns: Sequence[str], gains: "Sequence[tuple[Sequence[str], MeasuredGain]]") -> None:
    """Gains in per cent points, each after what it is of, whose titles are `columns`."""
    rows = [
        (
            *words,
            gain.difference.n,
            f"{100 * gain.before:.2f}",
            f"{100 * gain.after:.2f}",
            f"{100 * gain.difference.difference:+.2f}",
            f"{100 * gain.difference.low:+.2f} to {100 * gain.difference.high:+.2f}",
            f"{gain.difference.p_value:.3g}",
            f"{gain.adjusted:.3g}",
        )
        for words, gain in gains
    ]
    print_table(title, (*columns, "tasks", "before", "after", "gain", "95 % (clustered)", "p", "p (Holm)"), rows)


def demand_verdicts(no_verdict: Mapping[str, int], of: int, what: str = "samples") -> None:
    """Nothing where every sample has a verdict: `no_verdict` counts those without, by reason, among `of`.

    Raises:
        InfrastructureError: with the reasons, the most frequent first.
    """
    if not no_verdict:
        return
    ordered = sorted(no_verdict.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"  {count} x {reason}" for reason, count in ordered[:_SHOWN]]
    if len(ordered) > _SHOWN:
        lines.append(f"  and {len(ordered) - _SHOWN} more reasons (--json names all)")
    head = f"{sum(no_verdict.values())} of {of} {what} have no verdict (infra); the same command tries them again:"
    raise InfrastructureError("\n".join([head, *lines]))
