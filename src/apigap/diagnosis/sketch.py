"""Static facts from the text of a completion, without running it: support for the events, never against them."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from apigap.records.parsing.newer_syntax import parse_leniently
from apigap.records.parsing.syntax import parse
from apigap.sandbox.limits import MAX_CODE, MAX_PARSED

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NOT_LITERAL = object()


@dataclass(frozen=True)
class CallSketch:
    """A call in the text: dotted callee (aliases undone), count of positional arguments, keyword literals.

    A keyword whose value is no literal maps to `NOT_LITERAL`; `open_ended` says that `*` or `**` is used.
    """

    callee: str
    positional: int
    keywords: dict[str, object]
    open_ended: bool


@dataclass(frozen=True)
class Sketch:
    """Names in the text. `imports` pairs the module with the imported name ("" for `import module`)."""

    error: str | None = None
    empty: bool = False
    imports: tuple[tuple[str, str], ...] = ()
    defined: frozenset[str] = frozenset()
    chains: frozenset[str] = frozenset()
    calls: tuple[CallSketch, ...] = ()
    names: frozenset[str] = field(default=frozenset())
    statements: frozenset[str] = field(default=frozenset())
    """The statements of the top level that do more than import, as trees."""
    given: frozenset[str] = frozenset()
    """The names that it reads and has not bound before, in the order of the text."""
    bound: frozenset[str] = frozenset()
    """The names that it assigns to."""

    def calls_of(self, leaf: str) -> tuple[CallSketch, ...]:
        """The calls whose callee ends in `leaf`."""
        return tuple(call for call in self.calls if call.callee.rpartition(".")[2] == leaf)


def sketch(code: str, was_compiled: bool = False) -> Sketch:
    """Read `code`; never raises. A text that does not parse has `error` set and nothing else.

    One that is too long for the host to parse is a blank: then only the events speak. So is one that only a newer
    Python can read, in which the code `was_compiled`, unless what is new in it can be left out.
    """
    if len(code) > MAX_CODE:
        return Sketch(error=f"it has {len(code)} characters, more than the {MAX_CODE} that are run")
    if len(code) > MAX_PARSED:
        return Sketch()
    try:
        tree = parse_leniently(code) if was_compiled else parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return Sketch() if was_compiled else Sketch(error=_told(error))
    nodes = list(ast.walk(tree))
    given, bound = _given_and_bound(tree)
    aliases = _aliases(nodes)
    chains = frozenset(_undo(chain, aliases) for node in nodes if (chain := _chain(node)))
    imports = tuple(_imports(nodes))
    defined = frozenset(node.name for node in nodes if isinstance(node, (*_FUNCTIONS, ast.ClassDef)))
    used = {part for chain in chains for part in chain.split(".")}
    imported = {part for pair in imports for whole in pair for part in whole.split(".") if part}
    return Sketch(
        empty=all(_does_nothing(statement) for statement in tree.body),
        imports=imports,
        defined=defined,
        chains=chains,
        calls=tuple(_call(node, aliases) for node in nodes if isinstance(node, ast.Call)),
        names=frozenset(used | imported),
        given=given,
        bound=bound,
        statements=frozenset(
            _tree(statement)
            for statement in tree.body
            if not isinstance(statement, (ast.Import, ast.ImportFrom)) and not _does_nothing(statement)
        ),
    )


def _given_and_bound(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    given: set[str] = set()
    bound: set[str] = set()
    for statement in tree.body:
        nodes = list(ast.walk(statement))
        names = [node for node in nodes if isinstance(node, ast.Name)]
        given |= {node.id for node in names if isinstance(node.ctx, ast.Load)} - bound
        bound |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return frozenset(given), frozenset(bound)


def _tree(statement: ast.stmt) -> str:
    """The statement's tree as text, whatever its layout; of one that cannot be shown, its place."""
    try:
        return ast.dump(statement)
    except (ValueError, RecursionError):  # an integer of thousands of digits, a hundred brackets in each other
        return f"line {statement.lineno}"


def _told(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} (line {error.lineno or 1})"
    return f"{type(error).__name__}: {error}"


def _does_nothing(statement: ast.stmt) -> bool:
    """Check for a stub: pass, a bare constant, NotImplementedError, or a definition of only these."""
    if isinstance(statement, ast.Pass):
        return True
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise):
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    if isinstance(statement, _FUNCTIONS):
        return _all_stubs(statement.body)
    # A class with bases may be all that an answer needs (`class Strict(Base): pass`).
    return isinstance(statement, ast.ClassDef) and not statement.bases and _all_stubs(statement.body)


def _all_stubs(body: Sequence[ast.stmt]) -> bool:
    return all(_does_nothing(statement) for statement in body)


def _imports(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def _aliases(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """Bound names with what they stand for: `import numpy as np` gives np -> numpy."""
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: f"{node.module or ''}.{alias.name}" for alias in node.names}
    return found


def _chain(node: ast.AST) -> str:
    """`a.b.c` for attribute access; the part after the first call or subscript where there is one."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
    return ".".join(reversed(parts))


def _undo(chain: str, aliases: dict[str, str]) -> str:
    first, dot, rest = chain.partition(".")
    return aliases.get(first, first) + dot + rest


def _call(node: ast.Call, aliases: dict[str, str]) -> CallSketch:
    return CallSketch(
        callee=_undo(_chain(node.func), aliases),
        positional=len(node.args),
        keywords={keyword.arg: _literal(keyword.value) for keyword in node.keywords if keyword.arg},
        open_ended=any(isinstance(argument, ast.Starred) for argument in node.args)
        or any(keyword.arg is None for keyword in node.keywords),
    )


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return NOT_LITERAL
