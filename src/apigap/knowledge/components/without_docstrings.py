"""Source text without docstrings and comments, and otherwise as its author laid it out."""

import ast
import io
import re
import tokenize

from apigap.records.parsing.syntax import parse


def stripped(text: str, node: ast.stmt) -> str:
    """The lines of `node`, decorators included, in the module `text`: no docstrings, no comments, no outer indent.

    It compiles to the same as before but for docstrings; strings that only describe an attribute go as well.
    """
    lines = text.split("\n")
    decorated = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else []
    first = min([node.lineno, *(each.lineno for each in decorated)])
    kept = lines[first - 1 : node.end_lineno]
    kept[-1] = _characters(kept[-1], 0, node.end_col_offset or 0)
    kept = _without_texts(kept, node, first)
    return _closed_up(_without_comments(_outdented(kept, node.col_offset)).strip("\n"))


def _without_texts(lines: list[str], node: ast.stmt, first: int) -> list[str]:
    """Bare strings go; where nothing else stands in a body, `pass` comes in their place."""
    for holder in reversed(list(ast.walk(node))):
        body: list[ast.stmt] = getattr(holder, "body", []) if isinstance(getattr(holder, "body", None), list) else []
        texts = [statement for statement in body if _is_text(statement)]
        for place, statement in enumerate(texts):
            needed = len(texts) == len(body) and place == 0
            _blank(lines, statement, first, "pass" if needed else "")
    return [line for line in lines if line != _GONE]


_GONE = "\0"


def _blank(lines: list[str], node: ast.stmt, first: int, instead: str) -> None:
    start, end = node.lineno - first, (node.end_lineno or node.lineno) - first
    before = _characters(lines[start], 0, node.col_offset)
    after = _characters(lines[end], node.end_col_offset or 0, None).lstrip()
    after = after[1:].lstrip() if after.startswith(";") else after
    after = "" if after.startswith("#") else after
    rest = f"{before}{instead}{'; ' if instead and after else ''}{after}".rstrip()
    for number in range(start, end + 1):
        lines[number] = _GONE
    if rest.strip() or instead:
        lines[start] = rest
    else:
        for number in range(end + 1, len(lines)):
            if lines[number].strip():
                break
            lines[number] = _GONE


def _characters(line: str, start: int, end: int | None) -> str:
    """A part of a line by the byte offsets that the parser counts."""
    return line.encode()[start:end].decode()


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _outdented(lines: list[str], indent: int) -> str:
    return "\n".join(line[indent:] if not line[:indent].strip() else line for line in lines)


def _closed_up(text: str) -> str:
    """One blank line where there were several, unless they stand in a string."""
    closed = re.sub(r"\n(?:[ \t]*\n)+", "\n\n", text)
    return closed if closed == text or ast.dump(parse(closed)) == ast.dump(parse(text)) else text


def _without_comments(text: str) -> str:
    lines = text.split("\n")
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError):
        return text
    for token in reversed(tokens):
        if token.type == tokenize.COMMENT:
            row, column = token.start[0] - 1, token.start[1]
            rest = lines[row][:column].rstrip()
            if rest:
                lines[row] = rest
            else:
                del lines[row]
    return "\n".join(lines)
