"""The context of a task as data of daily work."""

import ast
import re
from collections.abc import Iterator

from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name
from apigap.tasks.inputs.fitting import is_placeholder, strange_words

_LEAST_DATA = 3
_FOR_SHOW = re.compile(r"(?:write|save|print|pprint|plot|show|draw|dump|assert|check|display)(?:_|$)")
_TEST_PARTS = frozenset({"testing", "tests", "test", "testutils", "conftest", "pytest", "unittest", "assert_"})


def problem_of_context(context: str, original: str) -> str | None:
    """The fault of a context as data of daily work; `original` is the code of the usage that it was made from."""
    tree = parse(context)
    if any(_is_private(node) for node in ast.walk(tree)):
        return "its context uses private or test parts of a library"
    placeholder = next(placeholders(tree), None)
    if placeholder is not None:
        return f"its data are placeholders ({placeholder!r})"
    if any(isinstance(node, ast.Dict) and _names_its_values(node) for node in ast.walk(tree)):
        return "its data are the names of its columns"
    mixed = next((node for node in ast.walk(tree) if _is_mixed(node)), None)
    if mixed is not None:
        return f"its data are of mixed kinds, as tests have them ({ast.unparse(mixed)[:60]})"
    strange = strange_words(context, original)
    if strange:
        return f"its data are made-up words ({strange[0]!r})"
    if any(isinstance(node, ast.Expr) and _is_for_show(node.value) for node in tree.body):
        return "its context writes or shows something that nobody needs"
    if _weight(tree) < _LEAST_DATA:
        return "its context holds next to no data"
    return "two of its inputs are the same" if _has_twins(tree) else None


def _is_for_show(node: ast.expr) -> bool:
    """Check for a call that leaves its mark elsewhere: a file, a page, a drawing."""
    return isinstance(node, ast.Call) and bool(_FOR_SHOW.match(last_name(node.func)))


def _is_private(node: ast.AST) -> bool:
    """Check for an import from a private or a test module of somebody."""
    paths = [alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
    if isinstance(node, ast.ImportFrom):
        paths.append(node.module or "")
    parts = [part for path in paths for part in path.split(".")]
    return any((part.startswith("_") and not part.startswith("__")) or part in _TEST_PARTS for part in parts)


def placeholders(tree: ast.Module) -> Iterator[str]:
    """Texts that stand for any other, where they are data: a code of one letter that is passed by name is none."""
    codes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, bytes)
            and is_placeholder(node.value.decode("latin-1"))
        ):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
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


def _is_mixed(node: ast.AST) -> bool:
    """Check for a list or set whose items are of several kinds: no column of daily work holds a text and a number."""
    if not isinstance(node, (ast.List, ast.Set)):
        return False
    return len({_kind(item) for item in node.elts} - {None}) > 1


def _names_its_values(node: ast.Dict) -> bool:
    """Check for a table of which a text is the name of a column and a value too."""
    names = {key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    values = (item for value in node.values for item in ast.walk(value) if isinstance(item, ast.Constant))
    return bool(names & {item.value for item in values if isinstance(item.value, str)})


def _kind(node: ast.expr) -> str | None:
    """The kind of a literal; None for what is no literal, or says that nothing is there."""
    if isinstance(node, ast.UnaryOp):
        return _kind(node.operand)
    if isinstance(node, ast.Constant):
        number = isinstance(node.value, (int, float, complex)) and not isinstance(node.value, bool)
        return "number" if number else type(node.value).__name__ if node.value is not None else None
    return type(node).__name__ if isinstance(node, (ast.List, ast.Tuple, ast.Dict, ast.Set)) else None


def _has_twins(tree: ast.Module) -> bool:
    """Check for the same list or array under two names, or one number under all: nobody could tell which is which."""
    assigned = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    numbers = [ast.unparse(value) for value in assigned if isinstance(value, ast.Constant)]
    if len(numbers) == len(assigned) > 1 and len(set(numbers)) == 1:
        return True
    texts = [ast.unparse(value) for value in assigned if isinstance(value, (ast.List, ast.Dict, ast.Call))]
    return len(set(texts)) < len(texts)


def _is_letter(node: ast.expr) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, str) and len(value) == 1 and value.isalpha()


def _is_special(value: object) -> bool:
    """Check for a number that nobody would guess: of three digits or more."""
    return isinstance(value, (int, float)) and (abs(value) > 99 or len(str(value).strip("0.")) > 3)


def _weight(tree: ast.Module) -> int:
    """The literals that carry data; longer texts, seeds, sizes, definitions and what is made of literals count more."""
    total = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and not isinstance(node.value, (bool, type(None))):
            long = isinstance(node.value, (str, bytes)) and len(node.value) > 5
            total += 3 if long or _is_special(node.value) else 1
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            total += 2
        elif isinstance(node, ast.Call):
            total += 2 * any(isinstance(argument, ast.Constant) for argument in node.args)
    return total
