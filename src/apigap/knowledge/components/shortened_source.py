"""Source that is too long, cut where a reader would cut it: between definitions and statements, saying so."""

import ast
from collections.abc import Sequence

from apigap.knowledge.components.sources import decorated
from apigap.records.parsing.syntax import parse

_FIRST = ("__new__", "__init__", "__post_init__", "__call__")
_NAMED = 6
_MARK = "# left out: "


def shortened_source(text: str, limit: int) -> tuple[str, bool]:
    """`text`, at most `limit` characters of whole definitions and statements, and whether something is missing.

    Of a class its fields and its constructor stay before its other methods, in the order of the source; the last
    line is a comment that names what is left out. What is left parses.
    """
    if len(text) <= limit:
        return text, False
    body = parse(text).body
    if len(body) > 1:
        return _joined(text, body, limit), True
    node = body[0]
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return f"{_MARK}{text.partition('=')[0].strip()} ({text.count(chr(10)) + 1} lines)", True
    return (_shortened(text, node, limit) if isinstance(node, ast.ClassDef) else _begun(text, node, limit)), True


def _joined(text: str, body: Sequence[ast.stmt], limit: int) -> str:
    """The first of several definitions that fit; the rest is named."""
    lines = text.split("\n")
    parts = [(node, _lines(lines, node)) for node in body]
    kept: list[str] = []
    room = limit - _mark_room([node for node, _ in parts])
    for _, part in parts:
        if len(part) + 1 > room:
            left = [other for other, _ in parts[len(kept) :]]
            if not kept:
                return shortened_source(part, limit)[0]
            return "\n".join((*kept, _mark(left, "")))
        kept.append(part)
        room -= len(part) + 1
    return "\n".join(kept)


def _shortened(text: str, node: ast.ClassDef, limit: int) -> str:
    lines = text.split("\n")
    start = _first_line(node.body[0])
    head = _head("\n".join(lines[: start - 1]), node, limit // 2)
    inner = _indent(lines[start - 1])
    parts = [(member, _lines(lines, member)) for member in node.body if not decorated(member, ("overload",))]
    room = limit - len(head) - _mark_room(node.body) - len(inner) - 2
    bodies = [member for member, part in parts if _rank(member) == 1 and len(part) >= room]
    parts = [(member, _declared(member, part) if member in bodies else part) for member, part in parts]
    chosen = _chosen(parts, room)
    kept = [part for number, (_, part) in enumerate(parts) if number in chosen] or [f"{inner}..."]
    kept[0] = kept[0].lstrip("\n")
    left = [member for number, (member, _) in enumerate(parts) if number not in chosen]
    named = [f"the body of {getattr(member, 'name', '')}" for member in bodies if member not in left]
    return "\n".join((head, *kept, _mark(left, inner, named)))


def _begun(text: str, node: ast.FunctionDef | ast.AsyncFunctionDef, limit: int) -> str:
    """The beginning of a function, up to the last statement at which it can be cut."""
    lines = text.split("\n")
    start = _first_line(node.body[0]) - 1
    if start == _first_line(node) - 1:  # all on one line
        return _head(text, node, limit)
    head = _head("\n".join(lines[:start]), node, limit // 2)
    body = lines[start:]
    whole = "\n".join((head, *body, f"{_indent(body[-1])}{_MARK}the decorators"))
    if len(whole) <= limit:  # the head was what took too much
        return whole
    for count in range(len(body) - 1, -1, -1):
        if body[count].strip():
            inner = _indent(body[count])
            said = f"{inner}{_MARK}the last {len(body) - count} lines"
            short = "\n".join((head, *body[:count], f"{inner}...", said))
            if len(short) <= limit and _parses(short):
                return short
    return head + " ..."


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _parses(text: str) -> bool:
    try:
        parse(text)
    except SyntaxError:
        return False
    return True


def _head(head: str, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, limit: int) -> str:
    """The lines up to the body; where they alone are too long, without decorators, then without annotations."""
    if len(head) <= limit:
        return head
    bare = parse(ast.unparse(node)).body[0]
    if isinstance(bare, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        bare.decorator_list, bare.body = [], [ast.Pass()]
        short = _before_body(bare)
        if len(short) > limit and not isinstance(bare, ast.ClassDef):
            spec = bare.args
            for argument in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg):
                if argument is not None:
                    argument.annotation = None
            short = _before_body(bare)
        return short
    return head


def _declared(member: ast.stmt, part: str) -> str:
    """The signature of a constructor, for lack of room for its body."""
    body: list[ast.stmt] = getattr(member, "body", [])
    lines = part.split("\n")
    kept = lines[: len(lines) - ((member.end_lineno or 0) - _first_line(body[0]) + 1)] if body else lines
    return "\n".join((*kept, f"{_indent(lines[-1]) or '    '}...")) if body and kept else part


def _before_body(node: ast.stmt) -> str:
    return ast.unparse(node).rpartition("\n")[0].lstrip("\n")


def _chosen(parts: Sequence[tuple[ast.stmt, str]], room: int) -> set[int]:
    """The members of a class that fit, the most telling ones first."""
    chosen: set[int] = set()
    for number in sorted(range(len(parts)), key=lambda place: (_rank(parts[place][0]), place)):
        size = len(parts[number][1]) + 1
        if size <= room:
            chosen.add(number)
            room -= size
    return chosen


def _rank(member: ast.stmt) -> int:
    name = getattr(member, "name", None)
    if name is None or name in _FIRST:
        return 0 if name is None else 1
    return 3 if name.startswith("_") else 2


def _mark(left: Sequence[ast.stmt], indent: str, bodies: Sequence[str] = ()) -> str:
    names = [*bodies, *dict.fromkeys(name for node in left if (name := getattr(node, "name", None)))]
    lines = sum((node.end_lineno or node.lineno) - _first_line(node) + 1 for node in left)
    if len(names) > _NAMED:
        names = [*names[:_NAMED], f"{len(names) - _NAMED} more"]
    return (
        f"{indent}{_MARK}{', '.join(names) if names else f'the last {lines} lines' if lines > 1 else 'the last line'}"
    )


def _mark_room(nodes: Sequence[ast.stmt]) -> int:
    longest = sorted((len(getattr(node, "name", "")) + 2 for node in nodes), reverse=True)
    return len(_MARK) + max(24, sum(longest[:_NAMED]) + 8)


def _lines(lines: Sequence[str], node: ast.stmt) -> str:
    """The lines of one statement, the blank ones before it included."""
    start = _first_line(node) - 1
    while start > 1 and not lines[start - 1].strip():
        start -= 1
    return "\n".join(lines[start : node.end_lineno])


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])
