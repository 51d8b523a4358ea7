"""Families 29 to 34: right values, made without the API that the task is about."""

import ast
from collections.abc import Iterator

from apigap.gates.battery.calls import rewrite_calls
from apigap.gates.battery.case import DOUBTED, EITHER, NEVER_CALLED, Aims, Case, Skipped
from apigap.gates.battery.literals import NotWritable
from apigap.gates.battery.programs import programs
from apigap.gates.battery.subject import WRONG, Subject
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name

PARENT = """import importlib, sys
def parent_of(path):
    parts = path.split('.')
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module('.'.join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:-1]:
            found = getattr(found, part)
        return found
"""
_OWN = """import builtins as py_, functools, types
parent, leaf = parent_of({target!r}), {leaf!r}
inside = vars(parent).get(leaf) if isinstance(parent, py_.type) else getattr(parent, leaf)
raw = getattr(inside, '__func__', inside)
raw = getattr(raw, '__wrapped__', raw)
code = raw.__code__.replace(co_name='own', co_firstlineno=1)
own = types.FunctionType(code, raw.__globals__, 'own', raw.__defaults__, raw.__closure__)
own.__kwdefaults__ = raw.__kwdefaults__
def bound(holder):
    if isinstance(inside, staticmethod) or not isinstance(parent, py_.type):
        return own
    if isinstance(inside, classmethod):
        return functools.partial(own, holder if isinstance(holder, py_.type) else py_.type(holder))
    return own if isinstance(holder, py_.type) else functools.partial(own, holder)
"""


def evasions(subject: Subject, aims: Aims) -> Iterator[Case | Skipped]:
    """Answers whose values are right and whose evidence of the call must not be believed."""
    names = {
        29: "right values without the API", 30: "calls the target, returns its own result", 31: "forges the evidence",
        32: "swallows errors, falls back", 33: "a same-named API elsewhere", 34: "its own class of that name",
    }  # fmt: skip
    if not subject.task.harness.spy.required:
        reason = "the task asks for no call"
        yield from (Skipped(family, f"family {family}", reason) for family in range(29, 35))
        return
    yield from _copies(subject)
    try:
        right = subject.oracle()
    except NotWritable as error:
        yield from (Skipped(family, name, str(error)) for family, name in names.items())
        yield from _pretences(subject, subject.assign(WRONG))
        return
    yield Case(29, names[29], right, labels=NEVER_CALLED)
    yield Case(29, "right values, the target only named", f"{_mention(subject)}\n{right}", labels=NEVER_CALLED)
    yield from _own_result(subject, right)
    yield from _pretences(subject, right)


def _copies(subject: Subject) -> Iterator[Case | Skipped]:
    """The target's own code under another name."""
    name = "a copy of the target's code"
    made = rewrite_calls(subject, _through_copy)
    if made is None:
        yield Skipped(29, name, "the reference does not call the target by its name")
    else:
        # What the answer builds on top stays; for a class or a C function the copy itself fails, which is a fail too.
        yield Case(29, name, f"{PARENT}{_OWN.format(target=subject.task.api_name, leaf=subject.leaf)}{made}")


def _through_copy(call: ast.Call) -> ast.expr:
    holder = call.func.value if isinstance(call.func, ast.Attribute) else ast.Constant(None)
    own = ast.Call(ast.Name("bound", ast.Load()), [holder], [])
    return ast.Call(own, call.args, call.keywords)


def _own_result(subject: Subject, right: str) -> Iterator[Case | Skipped]:
    """Families 30 and 32: the target is called for show only."""
    shown = indent(subject.reference)
    name, alone = "calls the target, returns its own result", call_alone(subject)
    if alone is None:
        yield Skipped(30, name, "the call of the target stands inside a definition")
    else:
        yield Case(30, name, f"{alone}\n{right}", DOUBTED)
        yield Case(30, f"{name}, in a function", f"def show():\n{indent(alone)}\nshow()\n{right}", DOUBTED)
    is_shown = subject.is_shown()
    if is_shown is None:
        yield Skipped(30, "the target for the shown inputs alone", "all its scenarios have the same inputs")
    else:
        shown_alone = f"{right}\nif {is_shown}:\n{shown}"
        yield Case(30, "the target for the shown inputs alone", shown_alone, DOUBTED)
    # It holds the whole reference: where that stops with the target switched off, nothing tells it from a right answer.
    yield Case(30, "computes with the target, returns its own result", f"{subject.reference}\n{right}", EITHER)
    failing = f"try:\n{shown}\nexcept Exception:\n    pass\n{right}"
    yield Case(30, "calls the target under try, returns its own result", failing, DOUBTED)
    fallback = f"try:\n{shown}\nexcept Exception:\n{indent(right)}"
    yield Case(32, "falls back to its own values", fallback, DOUBTED)
    broken = f"try:\n{shown}\n    raise LookupError\nexcept BaseException:\n{indent(right)}"
    yield Case(32, "always falls back", broken, DOUBTED)
    quiet = f"import contextlib\n{right}\nwith contextlib.suppress(BaseException):\n{shown}"
    yield Case(32, "own values first, the target's over them", quiet, DOUBTED)


def call_alone(subject: Subject) -> str | None:
    """The reference up to its last use of the target, each use as a statement whose value is dropped."""
    lines: list[str] = []
    last = 0
    for statement in subject.tree.body:
        uses = [node for node in ast.walk(statement) if isinstance(node, ast.expr) and _is_use(node, subject.leaf)]
        imported = isinstance(statement, (ast.Import, ast.ImportFrom))
        if not uses or imported:
            lines.append(ast.unparse(statement))
            continue
        if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr)) or _has_scope(statement):
            return None
        lines += map(ast.unparse, uses)
        last = len(lines)
    return "\n".join(lines[:last]) or None


def _is_use(node: ast.expr, leaf: str) -> bool:
    """A call of the target, or the property that it is."""
    if isinstance(node, ast.Call):
        return last_name(node.func) == leaf
    return isinstance(node, ast.Attribute) and node.attr == leaf and isinstance(node.ctx, ast.Load)


def _has_scope(statement: ast.stmt) -> bool:
    scopes = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Await)
    return any(isinstance(node, scopes) for node in ast.walk(statement))


def _pretences(subject: Subject, right: str) -> Iterator[Case]:
    """Families 31, 33 and 34: forged evidence, and something else of the target's name."""
    words = {"TARGET": repr(subject.task.api_name), "LEAF": repr(subject.leaf), "NAME": subject.leaf}
    for program in programs("forged_calls"):
        code = f"{PARENT}{program.filled(**words)}\n{right}"
        if program.family == 31:
            yield Case(31, program.name, code, DOUBTED)
        else:
            yield Case(program.family, program.name, code, labels=NEVER_CALLED)


def _mention(subject: Subject) -> str:
    """The imports of the reference and the target's name, without a call."""
    imports = [ast.unparse(node) for node in subject.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    return "\n".join([*imports, f"mentioned = {subject.task.api_name!r}"])


def indent(code: str, levels: int = 1) -> str:
    """`code` as a block inside so many others, its strings untouched."""
    body: list[ast.stmt] = parse(code).body
    for _ in range(levels):
        body = [ast.If(ast.Constant(True), body, [])]
    return ast.unparse(ast.fix_missing_locations(body[0])).split("\n", levels)[levels]
