"""What makes a synthesised task worth asking: data that mean something, an outcome that shows the purpose, no copies.

Each check gives the reason for which a task is not made, or None. What is refused here may still be an item of a lower
rung of the ladder, which names the API.
"""

import ast
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from apigap.knowledge.usages.names import identifiers
from apigap.records.base import canonical_json
from apigap.records.parsing.syntax import parse
from apigap.records.task import Task
from apigap.sandbox.verdict.summary import summary
from apigap.tasks.inputs.fitting import is_placeholder, strange_words
from apigap.tasks.outcome import is_telling
from apigap.tasks.outline import hidden_expressions

_SHOWN = 400
_LEAST_DATA = 3
_NOISE = 1e-8
_READABLE_BYTES = 80
_PARTS = (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def problem_of_context(context: str, original: str) -> str | None:
    """The fault of a context as data of daily work; `original` is the code of the usage that it was made from."""
    tree = parse(context)
    if any(_is_private(node) for node in ast.walk(tree)):
        return "its context uses private or test parts of a library"
    placeholder = next(placeholders(tree), None)
    if placeholder is not None:
        return f"its data are placeholders ({placeholder!r})"
    strange = strange_words(context, original)
    if strange:
        return f"its data are made-up words ({strange[0]!r})"
    if _weight(tree) < _LEAST_DATA:
        return "its context holds next to no data"
    return "two of its inputs are the same" if _has_twins(tree) else None


def problem_of_answer(masked: Sequence[str], leaf: str) -> str | None:
    """The fault of an answer of which a description cannot tell all: code of its own beside the API's call."""
    hidden = hidden_expressions(masked, leaf)
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
    return None


def problem_of_outcome(
    context: str, expressions: Sequence[str], rows: Sequence[Sequence[Any]], idle: Sequence[Sequence[Any]]
) -> str | None:
    """The fault of an outcome: `rows` are the values of `expressions` in each scenario, the basic one first.

    One observed value at least must show what the API does, in words that the context does not have, be another with
    other inputs, and another than with answers that do nothing (`idle` are the values of each of these).
    """
    columns = zip(expressions, zip(*rows, strict=False), zip(*idle, strict=True), strict=False)
    reasons = [
        _problem_of_expression(expression)
        or _problem_of_value(column[0], context)
        or _problem_of_column(column, without)
        for expression, column, without in columns
    ]
    return None if None in reasons else next((reason for reason in reasons if reason), "it has no outcome")


def _problem_of_expression(expression: str) -> str | None:
    sizes = r"len\(.*\)|.*\.(shape|size|ndim|dtype|columns|index|number_of_\w+\(\))"
    return "its outcome is a size or a type" if re.fullmatch(sizes, expression, re.S) else None


def shows(value: Any, context: str) -> bool:
    """Check that a value shows what was done: neither empty, a yes or no, an address, nor an input again."""
    return _problem_of_value(value, context) is None


def is_told(value: Any) -> bool:
    """Check for a value that a description can tell: no error, no iterator, and no object without a value."""
    return is_telling(value) and not (isinstance(value, dict) and ("iterator" in value or "raises" in value))


def _problem_of_column(column: Sequence[Any], without: Sequence[Any]) -> str | None:
    if canonical_json(column[0]) in map(canonical_json, without):
        return "its outcome is there without the answer, or is an input again"
    different = len({canonical_json(value) for value in column})
    return "its outcome is the same whatever its inputs are" if different < 2 else None


def _problem_of_value(value: Any, context: str) -> str | None:
    if value is None or isinstance(value, bool) or isinstance(_inner(value), bool):
        return "its outcome is None or a yes or no"
    if isinstance(value, dict) and "raises" in value:
        return "its outcome is an error"
    if not is_told(value):
        return "its outcome is an object that shows nothing"
    if _is_made_of_arguments(value):
        return "its outcome is an object with its own arguments"
    text = summary(value, _SHOWN)
    if " at 0x" in text:
        return "its outcome shows an address"
    if isinstance(value, dict) and "bytes" in value and len(text) > _READABLE_BYTES:
        return "its outcome is bytes that nobody reads"
    if _is_noise(value):
        return "its outcome is rounding noise in part"
    if _is_empty(value) or _is_small(value):
        return "its outcome is empty, or a number that says nothing"
    return "its outcome is in the context already" if _is_echo(value, text, context) else None


def _inner(value: Any) -> Any:
    return cast("dict[str, Any]", value).get("value") if isinstance(value, dict) else None


def _is_made_of_arguments(value: Any) -> bool:
    return isinstance(value, dict) and "type" in value and bool(cast("dict[str, Any]", value).get("args"))


def _is_empty(value: Any) -> bool:
    """Check for a value without any data: an empty text or container, or one that holds nothing but such."""
    if isinstance(value, list):
        return all(item is None or _is_empty(item) for item in cast("list[Any]", value))
    if isinstance(value, dict):
        form = cast("dict[str, Any]", value)
        inside = next((form[tag] for tag in ("tuple", "set", "frozenset", "dict", "bytes") if tag in form), None)
        if inside is not None:
            return not inside or (isinstance(inside, list) and _is_empty(cast("Any", inside)))
        return "array" in form and _is_flat(form["array"])
    return isinstance(value, str) and not value.strip()


def _is_noise(value: Any) -> bool:
    """Check for floats next to zero, of which another processor gives others; and for nothing but what is no number."""
    numbers = list(_floats(value))
    near = [number for number in numbers if 0 < abs(number) < _NOISE]
    return bool(near) or (len(numbers) > 1 and all(math.isnan(number) for number in numbers))


def _floats(value: Any) -> Iterator[float]:
    """The numbers in a value, whatever holds them."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)
    elif isinstance(value, list):
        for part in cast("list[Any]", value):
            yield from _floats(part)
    elif isinstance(value, dict):
        form = cast("dict[str, Any]", value)
        if set(form) == {"float"}:
            yield float(form["float"])
        for tag, part in form.items():
            if tag not in ("float", "shape"):
                yield from _floats(part)


def _is_flat(array: dict[str, Any]) -> bool:
    """Check for an array without values, or of one value again and again, as of zeros."""
    values = {canonical_json(value) for value in array.get("values", array.get("samples", []))}
    return len(values) < 2 and (not values or array["shape"] != [1])


def _is_small(value: Any) -> bool:
    """Check for 0, 1, what is no number, and the like, in whatever type."""
    if isinstance(value, dict):
        form = cast("dict[str, Any]", value)
        return "float" in form or ("numpy" in form and _is_small(form.get("value")))
    number = value
    return isinstance(number, (int, float)) and abs(number) in (0, 1)


def _is_echo(value: Any, text: str, context: str) -> bool:
    """Check for a value that stands in the context: as a literal, or as a text all of whose words are there."""
    if isinstance(value, str):
        words = set(re.findall(r"\w+", value))
        return not words - set(re.findall(r"\w+", context)) if len(words) < 12 else value in context
    nodes = [node for node in ast.walk(parse(context)) if isinstance(node, ast.expr)]
    if isinstance(value, dict) and "array" in value:
        array = cast("dict[str, Any]", value)["array"]
        return str(array.get("values")) in {str(_numbers_of(node)) for node in nodes if isinstance(node, ast.List)}
    literals = {ast.unparse(node) for node in nodes}
    return text in literals or (text.lstrip("-").isdigit() and len(text) > 1 and text in context)


def _numbers_of(node: ast.List) -> list[Any]:
    """The constants of a display in order, whatever it nests."""
    return [part.value for part in _in_order(node) if isinstance(part, ast.Constant)]


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def _is_private(node: ast.AST) -> bool:
    """Check for an import from a private or a test module of somebody."""
    paths = [alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
    if isinstance(node, ast.ImportFrom):
        paths.append(node.module or "")
    parts = [part for path in paths for part in path.split(".")]
    return any((part.startswith("_") and not part.startswith("__")) or part in _TEST_PARTS for part in parts)


_TEST_PARTS = frozenset({"testing", "tests", "test", "testutils", "conftest", "pytest", "unittest", "assert_"})


def placeholders(tree: ast.Module) -> Iterator[str]:
    """Texts that stand for any other, where they are data: a code of one letter that is passed by name is none."""
    codes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if is_placeholder(node.value) and not (id(node) in codes and len(node.value) == 1):
                yield node.value
        elif isinstance(node, ast.Dict):
            yield from (ast.unparse(key).strip("'") for key in node.keys if key is not None and _is_letter(key))
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)) and len(node.name) > 1 and is_placeholder(node.name):
            yield node.name
        elif isinstance(node, ast.Name) and len(node.id) > 2 and is_placeholder(node.id):
            yield node.id
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and len(node.target.id) == 1:
            yield node.target.id


def _has_twins(tree: ast.Module) -> bool:
    """Check for the same list or array under two names: nobody could tell which of them is which."""
    assigned = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    texts = [ast.unparse(value) for value in assigned if isinstance(value, (ast.List, ast.Dict, ast.Call))]
    return len(set(texts)) < len(texts)


def _is_letter(node: ast.expr) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, str) and len(value) == 1 and value.isalpha()


def _weight(tree: ast.Module) -> int:
    """The literals that carry data; a longer text, a seed or a size, and a definition count for more."""
    total = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and not isinstance(node.value, (bool, type(None))):
            long = isinstance(node.value, (str, bytes)) and len(node.value) > 5
            large = isinstance(node.value, int) and abs(node.value) > 99
            total += 3 if long or large else 1
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            total += 2
    return total


def one_of_each_family(tasks: Sequence[Task]) -> tuple[list[Task], dict[str, str]]:
    """The first task of each family of near-copies in the given order, and of the others the task that they repeat.

    Tasks of one library are of a family when nothing but names, literals and the API itself tells them apart, when they
    observe the same after the same context, or when they pass the same parameters to changed APIs.
    """
    first: dict[tuple[str, str], Task] = {}
    kept: list[Task] = []
    copies: dict[str, str] = {}
    for task in tasks:
        keys = [(task.library, form) for form in _forms(task)]
        original = next((first[key] for key in keys if key in first), None)
        if original is None:
            kept.append(task)
            first.update(dict.fromkeys(keys, task))
        else:
            copies[task.task_id] = original.api_name
    return kept, copies


def _forms(task: Task) -> Iterator[str]:
    leaf = task.api_name.rpartition(".")[2]
    code = "\n".join((task.context_code, task.masked_region))
    yield _shape(code, leaf)
    yield "\n".join((task.context_code, task.description.partition("\n")[2]))
    calls = [node for node in ast.walk(parse(task.masked_region)) if isinstance(node, ast.Call)]
    passed = {keyword.arg for call in calls if _ends_in(call.func, leaf) for keyword in call.keywords if keyword.arg}
    if passed and task.change == "modified":
        yield f"passes {sorted(passed)}"


def _ends_in(function: ast.expr, leaf: str) -> bool:
    return leaf in (getattr(function, "attr", None), getattr(function, "id", None))


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
