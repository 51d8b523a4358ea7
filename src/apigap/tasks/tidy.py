"""Drafts without what nobody needs: idle imports and statements of the context, observations of something else."""

import ast
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from apigap.knowledge.usages.names import bound_names, identifiers, imported_names, loaded_names
from apigap.knowledge.usages.usage import bindings
from apigap.records.parsing.syntax import expression_tree, parse
from apigap.tasks.cut import Draft


def tidy(draft: Draft) -> Draft:
    """`draft` with those observations that the answer decides, and a context that holds what these and it read."""
    draft = replace(draft, observes=tuple(_of_the_answer(draft)))
    setup = without_idle(draft.setup, (*draft.masked, *draft.observes))
    draft = without_idle_inputs(replace(draft, setup=setup))
    rest = (*bindings(draft.inputs), *setup, *draft.masked, *draft.observes)
    return replace(draft, prelude=without_idle_imports(without_idle(draft.prelude, rest), rest))


def without_idle_inputs(draft: Draft) -> Draft:
    """`draft` without inputs that nothing reads: what a test expects (`expected = 3`) would tell the answer."""
    inputs = set(without_idle(bindings(draft.inputs), (*draft.setup, *draft.masked, *draft.observes)))
    return replace(draft, inputs=tuple(pair for pair in draft.inputs if bindings((pair,))[0] in inputs))


def without_idle(statements: Sequence[str], rest: Iterable[str]) -> tuple[str, ...]:
    """`statements` without plain assignments and definitions whose names neither later ones nor `rest` read."""
    read = set[str]().union(*(loaded_names(parse(code)) for code in rest))
    kept: list[str] = []
    for code in reversed(statements):
        node = parse(code).body[0]
        if (_only_binds(node) and not bound_names(node) & read) or (kept and _is_overwritten(node, kept[-1])):
            continue
        read = (read - _bound_anew(node)) | loaded_names(node)
        kept.append(code)
    return tuple(reversed(kept))


def _bound_anew(node: ast.stmt) -> set[str]:
    """The names that a statement gives new values, whatever they held before it."""
    targets = node.targets if isinstance(node, ast.Assign) and _only_binds(node) else []
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


def _is_overwritten(node: ast.stmt, after: str) -> bool:
    """Check for an assignment of which the next one takes the place: `x[0] = 1` before `x[0] = 2`."""
    later = parse(after).body[0]
    if not (isinstance(node, ast.Assign) and isinstance(later, ast.Assign) and isinstance(later.value, ast.Constant)):
        return False
    return [ast.unparse(target) for target in node.targets] == [ast.unparse(target) for target in later.targets]


def _only_binds(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign):
        return all(isinstance(target, (ast.Name, ast.Tuple)) for target in node.targets)
    return isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.decorator_list


def split(code: str) -> list[str]:
    """The statements of `code`."""
    return [ast.unparse(node) for node in parse(code).body]


def tidy_code(code: str, rest: Sequence[str]) -> str:
    """`code` without the imports and the values that neither later lines nor `rest` read.

    A value that a call makes of other values stays: who knows what the call does to these. So does what is drawn.
    """
    nodes = parse(code).body
    imported = imported_names([code])
    kept: list[str] = []
    read = set[str]().union(*(loaded_names(parse(text)) for text in rest))
    for node in reversed(nodes):
        if isinstance(node, ast.Assign) and _is_idle(node, read, imported):
            continue
        read = (read - _bound_anew(node)) | loaded_names(node)
        kept.append(ast.unparse(node))
    return "\n".join(without_idle_imports(tuple(reversed(kept)), rest))


def _is_idle(node: ast.Assign, read: Set[str], imported: Set[str]) -> bool:
    """Check for values that nobody reads and whose making leaves everything else as it is."""
    if not _only_binds(node) or bound_names(node) & read:
        return False
    calls = any(isinstance(part, ast.Call) for part in ast.walk(node.value))
    return not calls or (loaded_names(node) <= imported and "random" not in identifiers(ast.unparse(node)))


def unread(code: str, rest: Sequence[str]) -> list[str]:
    """The names that assignments of `code` bind and that neither later lines nor `rest` read."""
    read = set[str]().union(*(loaded_names(parse(text)) for text in rest))
    found: list[str] = []
    for node in reversed(parse(code).body):
        bound = _bound_anew(node)
        found += sorted(bound) if bound and not bound & read else []
        read = (read - bound) | loaded_names(node)
    return found


def without_idle_imports(prelude: Sequence[str], rest: Iterable[str]) -> tuple[str, ...]:
    """`prelude` without the names that it imports and that neither it nor `rest` reads."""
    nodes = [node for code in prelude for node in parse(code).body]
    others = [node for node in nodes if not isinstance(node, (ast.Import, ast.ImportFrom))]
    read = set[str]().union(*(loaded_names(node) for node in others), *(loaded_names(parse(code)) for code in rest))
    kept: list[str] = []
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", None) != "__future__":
            node.names = [alias for alias in node.names if (alias.asname or alias.name).partition(".")[0] in read]
            if not node.names:
                continue
        kept.append(ast.unparse(node))
    return tuple(kept)


def _of_the_answer(draft: Draft) -> list[str]:
    """The observations that read what the answer binds or works on; of yes-or-no ones none where there are others."""
    nodes = [node for code in draft.masked for node in parse(code).body]
    own = set[str]().union(*map(bound_names, nodes))
    works_on = own | (set[str]().union(*map(loaded_names, nodes)) - imported_names(draft.prelude))
    found = [text for text in draft.observes if loaded_names(expression_tree(text)) & works_on]
    return [text for text in found if not _is_check(text)] or found


def _is_check(text: str) -> bool:
    """Check for a comparison or a test of a type, also one of every item: any right answer passes it."""
    node: ast.AST = expression_tree(text)
    while isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
        node = node.elt
    is_instance = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"
    return is_instance or isinstance(node, (ast.Compare, ast.BoolOp))
