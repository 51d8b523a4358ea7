"""The answer of a task: the API's call, and nothing that a description leaves untold."""

import ast
from collections.abc import Collection, Iterator, Sequence

from apigap.knowledge.usages.names import bound_names, identifiers
from apigap.records.parsing.syntax import parse
from apigap.tasks.mutants.target import Target
from apigap.tasks.outline import hidden_expressions

_DISPLAYS = (ast.List, ast.Tuple, ast.Dict, ast.Set)
_PARTS = (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def problem_of_answer(masked: Sequence[str], leaf: str, told: Collection[str]) -> str | None:
    """The fault of an answer of which a description cannot tell all: code of its own beside the API's call.

    `told` are the names of the context that the answer reads, which a description lists.
    """
    hidden = hidden_expressions(masked, leaf, rest=True)
    if any(isinstance(node, _PARTS) for part in hidden for node in ast.walk(part)):
        return "its answer holds code that no description asks for"
    nodes = [node for code in masked for node in parse(code).body]
    if len(nodes) > 3:
        return "its answer is long"
    if any(isinstance(node, (ast.For, ast.While, ast.If, ast.With, ast.Try)) for node in nodes):
        return "its answer is a block of a test"
    if any(leaf not in identifiers(ast.unparse(node)) for node in nodes):
        return "its answer does something else too"
    if any(isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) for node in nodes):
        return "its answer is a definition, which its outcome does not ask for"
    bound = [name for node in nodes for name in bound_names(node)]
    if len(set(bound)) < len(bound):
        return "its answer overwrites what it has made"
    if any(len(Target(code, leaf).calls(parse(code))) > 1 for code in masked):
        return "its answer calls it twice in one line"
    if len({_keywords(node, leaf) for node in nodes}) > 1:
        return "it asks for two results at once, of which only one takes an argument"
    untold = next(_untold("\n".join(masked), leaf, told), None)
    return f"its answer passes something that no description tells ({untold})" if untold else None


def _keywords(node: ast.stmt, leaf: str) -> frozenset[str]:
    """The keywords that a statement passes to the API."""
    code = ast.unparse(node)
    return frozenset(keyword.arg or "**" for call in Target(code, leaf).calls(parse(code)) for keyword in call.keywords)


def _untold(code: str, leaf: str, told: Collection[str]) -> Iterator[str]:
    """Arguments of the API's calls by two stars, or neither plain data nor of the context, as `np.float64`."""
    target = Target(code, leaf)
    bound = {*told, *(name for node in target.parse().body for name in bound_names(node))}
    for call in target.calls(target.parse()):
        yield from (ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg is None)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            if any(isinstance(part, _DISPLAYS) for node in ast.iter_child_nodes(argument) for part in ast.walk(node)):
                yield ast.unparse(argument)
            names = (node for node in ast.walk(argument) if isinstance(node, ast.Name))
            if any(node.id not in bound for node in names):
                yield ast.unparse(argument)
