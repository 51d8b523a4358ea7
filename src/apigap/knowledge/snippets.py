"""Code in prose: doctest sessions, Markdown fences and reStructuredText code blocks, as usages."""

import ast
import doctest
import re
import textwrap
from collections.abc import Iterator

from apigap.knowledge.usage import Origin, Step, Usage

_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)```+[ \t]*(?:\{\.)?(?:python|py|py3|python3|pycon)\b[^\n]*\n(?P<code>.*?)^[ \t]*```",
    re.M | re.S,
)
_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\. (?:code-block|code|sourcecode|testcode)::[ \t]*(?:python3?|pycon|default)?[ \t]*\n"
    r"(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]+[^\n]*\n?)+)",
    re.M,
)
_SESSION = re.compile(r"^[ \t]*>>> .*(?:\n(?![ \t]*$).*)*", re.M)


def code_blocks(text: str) -> Iterator[str]:
    """The Python code blocks of a page or docstring, dedented, in the order of their kind and place."""
    for match in _FENCE.finditer(text):
        yield textwrap.dedent(match["code"])
    for match in _DIRECTIVE.finditer(text):
        yield textwrap.dedent(_without_options(match["body"]))
    if ">>>" in text:
        yield from _sessions(text)


def _sessions(text: str) -> Iterator[str]:
    """Doctest sessions: examples that belong to one paragraph flow share their state, so a text is one session."""
    blocks = [match.group() for match in _SESSION.finditer(text)]
    if blocks:
        yield "\n\n".join(textwrap.dedent(block) for block in blocks)


def _without_options(body: str) -> str:
    lines = body.split("\n")
    while lines and (not lines[0].strip() or re.match(r"\s*:\w[\w-]*:", lines[0])):
        lines.pop(0)
    return "\n".join(lines)


def usage_of_block(block: str, source: str, origin: Origin) -> Usage | None:
    """The usage that a code block holds, or None when it is not a complete piece of Python."""
    code = _session_source(block) if ">>>" in block else block
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return None
    if not tree.body or any(isinstance(node, (ast.Await, ast.Yield)) for node in ast.walk(tree)):
        return None
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    prelude = tuple(ast.unparse(node) for node in imports)
    steps = tuple(step for node in tree.body if node not in imports for step in steps_of(node))
    return Usage(prelude=prelude, steps=steps, source=source, origin=origin) if steps else None


def _session_source(block: str) -> str:
    try:
        return "".join(example.source for example in doctest.DocTestParser().get_examples(block))
    except ValueError:
        return ""


def steps_of(node: ast.stmt) -> Iterator[Step]:
    """The steps that one statement makes: an assert, a print and a bare expression are checks."""
    code = ast.unparse(node)
    if isinstance(node, ast.For) and (looped := _looped(node)) is not None:
        yield Step(code=code, expression=looped)
    elif isinstance(node, ast.Assert):
        observed = _asserted(node.test)
        yield Step(code=code, expression=ast.unparse(observed) if observed is not None else None)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _is_print(node.value):
        yield Step(code=code, expression=ast.unparse(node.value.args[0]))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    elif isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call):
        yield Step(code=code, expression=code)
    else:
        yield Step(code=code)


def _looped(node: ast.For) -> str | None:
    """What a loop that only asserts one thing observes: the list of it."""
    only = node.body[0] if len(node.body) == 1 and not node.orelse else None
    observed = _asserted(only.test) if isinstance(only, ast.Assert) else None
    if observed is None:
        return None
    comprehension = ast.comprehension(target=node.target, iter=node.iter, ifs=[], is_async=0)
    return ast.unparse(ast.ListComp(elt=observed, generators=[comprehension]))


def _asserted(test: ast.expr) -> ast.expr | None:
    """The side of an assertion that holds the value under test: the one that is not a constant."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], (ast.Eq, ast.Is)):
            return test.comparators[0] if isinstance(test.left, ast.Constant) else test.left
        return test
    return None if isinstance(test, ast.Constant) else test


def _is_print(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "print" and len(call.args) == 1 and not call.keywords
