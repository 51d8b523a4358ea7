"""Python code in prose: Markdown fences, reStructuredText blocks, doctest sessions."""

import ast
import doctest
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from apigap.knowledge.usages.awaited import without_await
from apigap.knowledge.usages.names import bound_names, free_names, loaded_names
from apigap.records.parsing.syntax import parse

_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)```+[ \t]*(?:\{\.)?(?:python|py|py3|python3|pycon)\b[^\n]*\n(?P<code>.*?)^[ \t]*```",
    re.M | re.S,
)
_INDENTED = r"(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]+[^\n]*\n?)+)"
_CODE = "code-block|code|sourcecode|testcode|testsetup|doctest|ipython|plot|jupyter-execute"
_DIRECTIVE = re.compile(
    rf"^(?P<indent>[ \t]*)\.\. (?:{_CODE})::[ \t]*(?:python3?|pycon|default)?(?:\+\w+)?[ \t]*\n" + _INDENTED,
    re.M,
)
_LITERAL = re.compile(r"^(?P<indent>[ \t]*)(?!\.\. )[^\n]*::[ \t]*\n[ \t]*\n" + _INDENTED, re.M)
_SESSION = re.compile(r"^[ \t]*>>> .*(?:\n(?![ \t]*$).*)*", re.M)


@dataclass(frozen=True)
class Statement:
    """A statement of a block; `shown` where the page prints what an expression gives."""

    node: ast.stmt
    shown: bool

    @cached_property
    def binds(self) -> set[str]:
        """Names that it binds."""
        return bound_names(self.node)

    @cached_property
    def loads(self) -> set[str]:
        """Names that it reads."""
        return loaded_names(self.node)

    @cached_property
    def needs(self) -> set[str]:
        """Names that it needs from elsewhere."""
        return free_names([self.node])


def code_blocks(text: str) -> Iterator[str]:
    """The code blocks of a page or docstring, dedented, in their order on the page; none lies within another."""
    end = 0
    for start, stop, block in sorted(_all_blocks(text)):
        if start >= end:
            yield block
            end = stop


def _all_blocks(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _FENCE.finditer(text):
        yield match.start(), match.end(), textwrap.dedent(match["code"])
    if "::" in text:
        for pattern in (_DIRECTIVE, _LITERAL):
            for match in pattern.finditer(text):
                yield match.start(), match.end(), textwrap.dedent(_without_options(match["body"]))
    if ">>>" in text:
        for match in _SESSION.finditer(text):
            yield match.start(), match.end(), textwrap.dedent(match.group())


def _without_options(body: str) -> str:
    lines = body.split("\n")
    while lines and (not lines[0].strip() or re.match(r"\s*:\w[\w-]*:", lines[0])):
        lines.pop(0)
    return "\n".join(lines)


def statements_of(block: str) -> list[Statement]:
    """The statements of a code block or session; none where it is not Python, or runs only in a coroutine.

    What is awaited there is run.
    """
    examples = list(_examples(block)) if ">>>" in block else [(block, False)]
    found: list[Statement] = []
    for source, shown in examples:
        try:
            tree = parse(source)
        except (SyntaxError, ValueError, RecursionError):
            return []
        body = without_await(tree.body)
        if body is None or any(isinstance(n, ast.Yield) and not _within_function(n, tree) for n in ast.walk(tree)):
            return []
        found.extend(Statement(node, shown and isinstance(node, ast.Expr)) for node in body)
    return found


def _within_function(node: ast.AST, tree: ast.Module) -> bool:
    functions = (n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return any(node is inner for function in functions for inner in ast.walk(function))


def _examples(block: str) -> Iterator[tuple[str, bool]]:
    """The examples of a session, and whether it shows an output for them."""
    try:
        for example in doctest.DocTestParser().get_examples(block):
            yield example.source, bool(example.want.strip())
    except ValueError:
        return
