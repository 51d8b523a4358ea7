"""Cuts of a text that is too long: code between statements, prose between paragraphs and sentences.

A cut point is an offset. Points come in levels, those that hurt least first; a piece that is still too long is cut at
the points of the next level, so nothing is cut that fits.
"""

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from apigap.records.parsing.syntax import parse

Span = tuple[int, int]
Fits = Callable[[int, int], bool]
_NESTING = 8


def cut(text: str, fits: Fits, *, code: bool) -> list[Span]:
    """Spans of `text`, in order and apart, that together hold all of it but white space around them.

    `fits(start, end)` says whether a span is short enough; one character always counts as such.
    """
    levels = [*(_statements(text) if code else _prose(text)), _points(r"^", text), _points(r"(?<=\s)\S", text)]
    found = _pack((0, len(text)), [*levels, range(len(text))], fits)
    return [span for found_span in found if (span := _trimmed(text, found_span, code)) is not None]


def _pack(span: Span, levels: Sequence[Sequence[int]], fits: Fits) -> list[Span]:
    """`span` whole where it fits; else its pieces at the first level, as many together as fit."""
    start, end = span
    if fits(start, end) or not levels:
        return [span]
    points, *rest = levels
    inside = [start, *(point for point in points if start < point < end), end]
    packed: list[Span] = []
    growing = False
    for piece in pairwise(inside):
        if growing and fits(packed[-1][0], piece[1]):
            packed[-1] = (packed[-1][0], piece[1])
            continue
        growing = fits(*piece)
        packed += [piece] if growing else _pack(piece, rest, fits)
    return packed


def _statements(code: str) -> list[Sequence[int]]:
    """The starts of statements by nesting, outermost first; of unindented lines where the code does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in a library's strings are not news to the user
            tree = parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [_points(r"^(?=[^\s)\]}])", code), _points(r"^(?= {1,4}[^\s)\]}])", code)]
    starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", code))]  # what the parser takes for lines
    lines = [code[start:end] for start, end in pairwise([*starts, len(code)])]
    nested = list(_nested(tree, 0))
    return [
        sorted({starts[_first_line(node, lines)] for node, depth in nested if depth == level})
        for level in range(_NESTING)
    ]


def _nested(node: ast.AST, depth: int) -> Iterator[tuple[ast.stmt, int]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child, depth
            if depth + 1 < _NESTING:
                yield from _nested(child, depth + 1)
        elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
            yield from _nested(child, depth)


def _first_line(node: ast.stmt, lines: Sequence[str]) -> int:
    """The index of the line on which a statement begins, with its decorators and the comments right above it."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    line = min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
    while line and lines[line - 1].lstrip().startswith("#"):
        line -= 1
    return line


def _prose(text: str) -> list[Sequence[int]]:
    """The starts of paragraphs, of the items of a list, of sentences."""
    return [_points(r"(?<=\n\n)\S", text), _points(r"^[-*] ", text), _points(r"(?<=[.!?:;]\s)\S", text)]


def _points(pattern: str, text: str) -> list[int]:
    return [found.start() for found in re.finditer(pattern, text, re.MULTILINE)]


def _trimmed(text: str, span: Span, code: bool) -> Span | None:
    """`span` without blank lines (of code) or white space (of prose) around it; None where nothing else is in it."""
    start, end = span
    inner = text[start:end].rstrip()
    if not inner:
        return None
    blank = len(inner) - len(inner.lstrip())
    if code:
        blank = inner.rfind("\n", 0, blank) + 1
    return start + blank, start + len(inner)
