"""Near-copies among the tasks of a library."""

import ast
import re
from collections.abc import Iterator, Sequence

from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name
from apigap.records.task import Task

_SAME = 0.7


def one_of_each_family(tasks: Sequence[Task]) -> tuple[list[Task], dict[str, str]]:
    """The first task of each family of near-copies in the given order, and of the others the task that they repeat.

    Tasks of one library are of a family when nothing but names, literals and the API itself tells them apart, when they
    observe the same after the same context, when they pass the same parameters to changed APIs, when they wish the same
    (a function and its twin for directed graphs), when only keywords and a word or two of the wish differ, or when they
    wish nearly the same of sisters: APIs of one name in several classes or modules.
    """
    first: dict[tuple[str, str], Task] = {}
    kept: list[Task] = []
    copies: dict[str, str] = {}
    for task in tasks:
        keys = [(task.library, form) for form in _forms(task)]
        original = next((first[key] for key in keys if key in first), None) or _alike(task, kept)
        if original is None:
            kept.append(task)
            first.update(dict.fromkeys(keys, task))
        else:
            copies[task.task_id] = original.api_name
    return kept, copies


def _alike(task: Task, kept: Sequence[Task]) -> Task | None:
    """A kept task with the same wish; or with nearly the same, on a sister or in code of the same shape."""
    wish, form = _wish(task), _bare(task)
    others = [one for one in kept if one.library == task.library and one.api_name != task.api_name]
    near = (one for one in others if _overlap(wish, _wish(one)) >= _SAME)
    said = _first_line(task)
    return next(
        (one for one in near if _first_line(one) == said or leaf_of(one) == leaf_of(task) or _bare(one) == form), None
    )


def leaf_of(task: Task) -> str:
    """The last part of the name of the task's API."""
    return task.api_name.rpartition(".")[2]


def _wish(task: Task) -> set[str]:
    return set(re.findall(r"[a-z]+", _first_line(task).lower()))


def _first_line(task: Task) -> str:
    return task.description.partition("\n")[0]


def _overlap(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def _bare(task: Task) -> str:
    """The shape of the task's code without the names of keywords."""
    return re.sub(r"\b\w+=(?!=)", "=", _shape("\n".join((task.context_code, task.masked_region)), leaf_of(task)))


def _forms(task: Task) -> Iterator[str]:
    leaf = leaf_of(task)
    code = "\n".join((task.context_code, task.masked_region))
    yield _shape(code, leaf)
    yield "\n".join((task.context_code, task.description.partition("\n")[2]))
    calls = [node for node in ast.walk(parse(task.masked_region)) if isinstance(node, ast.Call)]
    passed = {keyword.arg for call in calls if last_name(call.func) == leaf for keyword in call.keywords if keyword.arg}
    if passed and task.change == "modified":
        yield f"passes {sorted(passed)}"


def _shape(code: str, leaf: str) -> str:
    """The code without what is only data: names numbered, literals by their type, the API's name blank."""
    tree = parse(code)
    names: dict[str, str] = {}
    body = [node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in (part for statement in body for part in ast.walk(statement)):
        if isinstance(node, ast.Name):
            node.id = "_" if node.id == leaf else names.setdefault(node.id, f"n{len(names)}")
        elif isinstance(node, ast.Attribute) and node.attr == leaf:
            node.attr = "_"
        elif isinstance(node, ast.Constant):
            node.value = type(node.value).__name__
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)) and all(map(_is_data, node.elts)):
            node.elts = []
    return "\n".join(ast.unparse(node) for node in body)


def _is_data(node: ast.expr) -> bool:
    return isinstance(node, (ast.Constant, ast.UnaryOp))
