"""The context of a task as data of daily work."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from apigap.knowledge.usages.names import bound_names, loaded_names
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name
from apigap.tasks.inputs.fitting import is_placeholder, strange_words
from apigap.tasks.inputs.same_inputs import has_same_inputs

LEAST_DATA = 3
_FOR_SHOW = re.compile(r"(?:write|save|print|pprint|plot|show|draw|dump|assert|check|display)(?:_|$)")
_TEST_PARTS = frozenset({"testing", "tests", "test", "testutils", "conftest", "pytest", "unittest", "assert_"})
_INNER_PARTS = frozenset({"core", "internal", "internals", "impl", "compat", "vendor", "vendored"})
_TEST_WORD = re.compile(r"(?<![^\W_])(?:py|unit)?tests?(?![^\W_])|(?<![^\W_])(?:testing|fixture|mock)(?![^\W_])", re.I)
_UNDONE = {"remove": "add", "delete": "add", "discard": "add", "pop": "append", "drop": "insert", "unset": "set"}


def problem_of_context(
    context: str, original: str, read: Collection[str] = (), least_data: int = LEAST_DATA
) -> str | None:
    """The fault of a context as data of daily work; `original` is the code of the usage that it was made from.

    `read` are names that the answer reads: what fills one of them is no show. With less than `least_data` literals it
    says too little.
    """
    tree = parse(context)
    if any(_is_private(node) for node in ast.walk(tree)):
        return "its context uses private or test parts of a library"
    placeholder = next(placeholders(tree), None)
    if placeholder is not None:
        return f"its data are placeholders ({placeholder!r})"
    if (word := _word_of_a_test(tree)) is not None:
        return f"its data have a word of a test suite ({word!r})"
    if any(isinstance(node, ast.Dict) and _names_its_values(node) for node in ast.walk(tree)):
        return "its data are the names of its columns"
    mixed = next((node for node in ast.walk(tree) if _is_mixed(node)), None)
    if mixed is not None:
        return f"its data are of mixed kinds, as tests have them ({ast.unparse(mixed)[:60]})"
    strange = strange_words(context, original)
    if strange:
        return f"its data are made-up words ({strange[0]!r})"
    imports = (node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    modules = set[str]().union(*map(bound_names, imports))
    if any(_is_for_show(node, tree.body[place + 1 :], read, modules) for place, node in enumerate(tree.body)):
        return "its context writes or shows something that nobody needs"
    if _is_undone(tree):
        return "its context does something twice, or does and undoes it"
    if _weight(tree) < least_data:
        return "its context holds next to no data"
    return "two of its inputs are the same" if has_same_inputs(tree) else None


def is_idle(context: str) -> bool:
    """Check for steps of which nothing is left, and for inputs that are the same."""
    tree = parse(context)
    return _is_undone(tree) or has_same_inputs(tree)


def _is_undone(tree: ast.Module) -> bool:
    """Check for a statement that stands there twice, or that undoes another."""
    calls = [node.value for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    texts = [ast.unparse(call) for call in calls]
    return len(set(texts)) < len(texts) or any(_undoes(call) in texts for call in calls)


def _undoes(call: ast.Call) -> str | None:
    """The call that this one undoes: `g.add_edge(4, 4)` of `g.remove_edge(4, 4)`; None where there is none."""
    verb, _, rest = last_name(call.func).partition("_")
    if verb not in _UNDONE or not isinstance(call.func, ast.Attribute):
        return None
    name = f"{_UNDONE[verb]}_{rest}" if rest else _UNDONE[verb]
    return ast.unparse(ast.Call(ast.Attribute(call.func.value, name, ast.Load()), call.args, call.keywords))


def _is_for_show(node: ast.stmt, later: Sequence[ast.stmt], read: Collection[str], modules: set[str]) -> bool:
    """Check for a call that leaves its mark elsewhere: a file, a page, a drawing; not in what is read afterwards."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not _FOR_SHOW.match(last_name(call.func)):
        return False
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    kept = (one for one in later if not isinstance(one, ast.Expr))
    filled = {*read, *(name for one in kept for name in loaded_names(one))} - modules
    return not (isinstance(held, ast.Name) and held.id in filled)


def _word_of_a_test(tree: ast.Module) -> str | None:
    """The first text that has a word of a test suite, as the name of an index `test`."""
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return next((text for text in constants if isinstance(text, str) and _TEST_WORD.search(text)), None)


def _is_private(node: ast.AST) -> bool:
    """Check for an import from a private, an inner or a test module of somebody."""
    paths = [alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
    if isinstance(node, ast.ImportFrom):
        paths.append(node.module or "")
    parts = [part for path in paths for part in path.split(".")]
    inner = any(part in _INNER_PARTS for path in paths for part in path.split(".")[1:])
    return inner or any((part.startswith("_") and not part.startswith("__")) or part in _TEST_PARTS for part in parts)


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
