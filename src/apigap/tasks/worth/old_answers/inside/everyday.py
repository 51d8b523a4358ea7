"""Everyday answers of Python itself: builtins, a few modules of the standard library, slices and comprehensions."""

import importlib
import itertools
from collections.abc import Iterator, Sequence

_BUILTINS = (
    "abs", "all", "any", "bin", "bool", "bytes", "dict", "divmod", "enumerate", "filter", "float", "format",
    "frozenset", "hex", "int", "len", "list", "map", "max", "min", "oct", "ord", "pow", "range", "repr", "reversed",
    "round", "set", "slice", "sorted", "str", "sum", "tuple", "zip",
)  # fmt: skip
_MODULES = ("itertools", "functools", "operator", "statistics", "math", "heapq", "bisect", "collections", "textwrap")
_EVERYWHERE = (
    "{a}[{b}]", "{a}[:{b}]", "{a}[{b}:]", "{a}[::{b}]", "{a}[-{b}:]", "[{a}[i] for i in {b}]", "{a} @ {b}.T",
    "sorted(set({a}), key={b})", "sorted({a}, key={b})", "sorted({a}, key={b}, reverse=True)", "max({a}, key={b})",
    "min({a}, key={b})", "[{b}(x) for x in {a}]", "[x for x in {a} if {b}(x)]", "[x for x in {a} if x in {b}]",
    "[x for x in {a} if x not in {b}]", "{b}.join({a})", "[{a}[i:i + {b}] for i in range(0, len({a}), {b})]",
    "dict(zip({a}, {b}))",
)  # fmt: skip
_ALONE = (
    "{a}[::-1]", "{a}[1:]", "{a}[:-1]", "{a}[0]", "{a}[-1]", "{a}.T", "sorted({a}, reverse=True)", "sorted(set({a}))",
    "list(dict.fromkeys({a}))", "[x for row in {a} for x in row]", "list(zip(*{a}))", "-{a}", "not {a}",
    "[x for x in {a} if x is not None]", "[x for x in {a} if x]", "collections.Counter({a}).most_common()",
)  # fmt: skip


def functions() -> Iterator[str]:
    """Dotted names of functions to call; those of a builtin have no dot."""
    yield from _BUILTINS
    for module in _MODULES:
        names = getattr(importlib.import_module(module), "__all__", None) or dir(importlib.import_module(module))
        yield from (f"{module}.{name}" for name in sorted(names) if not name.startswith("_"))


def modules() -> dict[str, object]:
    """The modules that the expressions name."""
    return {name: importlib.import_module(name) for name in _MODULES}


def expressions(atoms: Sequence[str]) -> Iterator[str]:
    """Slices, comprehensions and the like of one input or two."""
    for pattern in _ALONE:
        yield from (pattern.format(a=atom) for atom in atoms)
    for pattern in _EVERYWHERE:
        yield from (pattern.format(a=one, b=other) for one, other in itertools.permutations(atoms, 2))
