"""The difficulty of a task, by the structure of its answer."""

import ast

from apigap.records.task import Difficulty
from apigap.tasks.mutants.target import Target, Use, ancestors, parents


def difficulty_of(solution: str, leaf: str) -> Difficulty:
    """The difficulty of a task with that reference, of an API with that last name.

    Easy: one call, its result given a name. Hard: two uses or more, or more than five lines.

    Medium is what lies between: the call is part of a larger expression, of a definition, of several statements, or it
    is made for its effect on an object.
    """
    target = Target(solution, leaf)
    tree = target.parse()
    uses = target.uses(tree)
    if len(uses) > 1 or solution.count("\n") >= 5:
        return "hard"
    statements = [node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]
    return "easy" if len(statements) == 1 and uses and _is_given_a_name(uses[0], tree) else "medium"


def _is_given_a_name(use: Use, tree: ast.Module) -> bool:
    around = next(ancestors(use, parents(tree)))
    return isinstance(around, (ast.Assign, ast.AnnAssign)) and around in tree.body
