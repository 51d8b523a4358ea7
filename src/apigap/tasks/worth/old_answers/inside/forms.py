"""Forms of values, to compare what two expressions give: lenient on containers, on numbers of numpy, on rounding."""

# Values under test have no static type, and whatever they raise only says that they cannot be compared.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import itertools
from collections.abc import Iterator, Mapping, Set
from typing import Any

MOST = 1_000
_DEEP = 6


def form(value: Any, depth: int = _DEEP) -> Any:
    """A plain value that is equal for values that a comparison of outcomes takes for equal."""
    if value is None or isinstance(value, (bool, str, bytes)):
        return (type(value).__name__, value)
    if isinstance(value, (int, float, complex)):
        return ("number", f"{value:.9g}")
    if depth == 0:
        return ("deep", type(value).__name__)
    if isinstance(value, Mapping):
        pairs = itertools.islice(value.items(), MOST)
        return ("mapping", sorted(((form(k, depth - 1), form(v, depth - 1)) for k, v in pairs), key=repr))
    if isinstance(value, (list, tuple, range)) or is_lazy(value):
        return ("items", [form(item, depth - 1) for item in itertools.islice(value, MOST)])
    if isinstance(value, Set):
        return ("set", sorted((form(item, depth - 1) for item in itertools.islice(value, MOST)), key=repr))
    try:
        return _of_array(value, depth) if _is_array(value) else _of_object(value, depth)
    except Exception:
        return object()  # nothing can be said: it is like no other


def is_lazy(value: Any) -> bool:
    """Tell whether the value can be walked over once only, or has no place but in a loop."""
    return isinstance(value, Iterator) or type(value).__name__ in ("dict_keys", "dict_values", "dict_items")


def parts(value: Any) -> Any:
    """The forms of what a collection holds, in any order: of a container, or of an object with one such attribute.

    A collection in a collection of its kind is opened where it is alone there.
    """
    is_array = _is_array(value)
    if is_array and not value.ndim:
        return None
    if isinstance(value, (list, tuple, Set)) or is_lazy(value) or is_array:
        items = list(itertools.islice(value, MOST))
    else:
        name, items = _held(value)
        while len(items) == 1 and (inner := _held(items[0]))[0] == name and inner[1]:
            items = inner[1]
    return sorted(map(form, items), key=repr) if items else None


def _is_array(value: Any) -> bool:
    return isinstance(getattr(value, "ndim", None), int) and hasattr(value, "dtype") and hasattr(value, "tolist")


def _held(value: Any) -> tuple[str, list[Any]]:
    """The only public attribute that holds objects of the value's own library, and these."""
    top = type(value).__module__.partition(".")[0]
    found: dict[str, list[Any]] = {}
    for name in dir(type(value)):
        if name.startswith("_") or callable(getattr(type(value), name, None)):
            continue
        try:
            items = list(itertools.islice(iter(getattr(value, name)), MOST))
        except Exception:
            continue
        if items and all(type(item).__module__.partition(".")[0] == top for item in items):
            found[name] = items
    return next(iter(found.items())) if len(found) == 1 else ("", [])


def _of_array(value: Any, depth: int) -> Any:
    if value.ndim == 0:
        return form(value.tolist(), depth - 1)
    labels = getattr(value, "index", None)
    labelled = labels is not None and not callable(labels)
    return ("labelled", repr(value)) if labelled else form(value.tolist(), depth)


def _of_object(value: Any, depth: int) -> Any:
    kind = type(value).__name__
    text = repr(value)
    if " at 0x" not in text:
        return (kind, text)
    held = getattr(value, "__dict__", None)
    return (kind, form(dict(held), depth - 1)) if held else object()
