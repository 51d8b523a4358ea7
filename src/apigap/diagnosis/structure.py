"""Differences of two fingerprints in structure (type, dtype, shape, keys, columns), not in value."""

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from typing import Any, cast

from apigap.sandbox.verdict.summary import summary

Form = dict[str, Any]
Keys = frozenset[str]

_KEYED = ("tuple", "set", "frozenset", "dict", "array", "numpy", "tensor", "frame", "range", "slice", "bytes")
_ARRAYS = ("array", "frame", "tensor", "numpy")


def structural_difference(expected: Any, observed: Any) -> str | None:
    """The first difference in structure in words (`dtype int64, not float64`), or None.

    Both are fingerprints as `sandbox.worker.fingerprint` makes them; what no worker would have made is another
    structure. What is null on one side only, a list of another length and another exception are differences in value.
    """
    return _Comparison().difference(expected, observed)


def result_difference(expected: Any, observed: Any, records: Set[Keys]) -> str | None:
    """The first difference in structure of two results, where `records` are sets of keys that are names of fields.

    Other than of arguments, the size of an array is a matter of value (not its rank, nor the order of its axes), and so
    is a key of a dictionary that is no record: who selects other rows with the right call has a result of another size.
    So is the type of an item where others beside it are right: a condition chose another branch there.
    """
    return _Comparison(sizes=False, records=records).difference(expected, observed)


def record_keys(forms: Iterable[Any], description: str) -> Set[Keys]:
    """The sets of keys within `forms` that are names of fields, and not data.

    These are sets that one form has more than once, as the rows of a table do, and those that the description names.
    """
    found: set[Keys] = set()
    for form in forms:
        counted = Counter(_keys(one["dict"]) for one in _dictionaries(form))
        found |= {
            keys for keys, times in counted.items() if times > 1 or all(k.strip("'") in description for k in keys)
        }
    return found


def is_table(form: Any) -> bool:
    """True for the fingerprint of an array, a frame or a tensor."""
    return isinstance(form, dict) and any(key in form for key in _ARRAYS)


def is_empty(form: Any) -> bool:
    """True for what has no structure to get wrong: nothing, or a container without items."""
    return form is None or form == [] or (isinstance(form, dict) and list(cast(Form, form).values()) == [[]])


def form_kind(form: Any) -> str:
    """The type of the value behind a fingerprint, in words."""
    if form is None:
        return "None"
    if not isinstance(form, dict):
        return type(form).__name__
    form = cast(Form, form)
    if "type" in form:
        return "exception" if "args" in form else str(form["type"])
    # Huge, infinite and very long values are written as objects, and are still of the plain type.
    plain = next((key for key in ("int", "float", "str", "complex", *_KEYED) if key in form), None)
    return plain or next(iter(form), "object")


@dataclass(frozen=True)
class _Comparison:
    """A comparison of two fingerprints; `sizes` of arrays count, and of dictionaries the keys (None: of all)."""

    sizes: bool = True
    records: Set[Keys] | None = None

    def difference(self, expected: Any, observed: Any) -> str | None:
        """The first difference in words, or None."""
        try:
            return self._any(expected, observed)
        except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
            return "nothing that a sandbox reports"

    def _any(self, expected: Any, observed: Any) -> str | None:
        if expected is None or observed is None or _is_open(expected) or _is_open(observed):
            return None
        kind, other = form_kind(expected), form_kind(observed)
        if kind != other:
            return None if "exception" in (kind, other) else f"{other}, not {kind}"
        if isinstance(expected, list):
            return self._items(cast(list[Any], expected), cast(list[Any], observed))
        if isinstance(expected, dict):
            return self._form(cast(Form, expected), cast(Form, observed))
        return None

    def _form(self, expected: Form, observed: Form) -> str | None:
        if "dict" in expected:
            return self._dict(expected["dict"], observed["dict"])
        if "array" in expected or "tensor" in expected:
            key = "array" if "array" in expected else "tensor"
            return self._array(expected[key], observed[key])
        if "numpy" in expected:
            return _field_difference(expected, observed, ("numpy",))
        if "frame" in expected:
            return _frame_difference(expected["frame"], observed["frame"])
        if "tuple" in expected:
            return self._first(expected["tuple"], observed["tuple"])
        for key in ("base", "value", "fields"):
            if key in expected and key in observed:
                found = self._any(expected[key], observed[key])
                if found:
                    return found
        return None

    def _array(self, expected: Form, observed: Form) -> str | None:
        shapes = expected.get("shape"), observed.get("shape")
        if self.sizes or not all(isinstance(shape, list) for shape in shapes):
            return _field_difference(expected, observed, ("dtype", "shape"))
        wanted, given = (cast(list[Any], shape) for shape in shapes)
        if len(wanted) != len(given) or (wanted != given and sorted(wanted) == sorted(given)):
            return f"shape {observed['shape']}, not {expected['shape']}"
        return _field_difference(expected, observed, ("dtype",))

    def _dict(self, expected: list[list[Any]], observed: list[list[Any]]) -> str | None:
        left = {summary(key): value for key, value in expected}
        right = {summary(key): value for key, value in observed}
        missing = sorted(left.keys() - right.keys())
        extra = sorted(right.keys() - left.keys())
        if missing or extra:
            if self.records is not None and frozenset(left) not in self.records:
                return None
            told = [*("no " + key for key in missing[:3]), *("also " + key for key in extra[:3])]
            return f"keys differ: {', '.join(told)}"
        compare = self._first if self.records is None or frozenset(left) in self.records else self._items
        return compare([left[key] for key in left], [right[key] for key in left])

    def _items(self, expected: list[Any], observed: list[Any]) -> str | None:
        """The difference of items that are alike; of a result in which some items are right, the others are values."""
        known = [(left, right) for left, right in zip(expected, observed, strict=False) if left is not None]
        found = [self._any(left, right) for left, right in known]
        if not self.sizes and None in found and len({form_kind(left) for left, _ in known}) == 1:
            return None
        return next((one for one in found if one), None)

    def _first(self, expected: list[Any], observed: list[Any]) -> str | None:
        pairs = zip(expected, observed, strict=False)
        return next((found for left, right in pairs if (found := self._any(left, right))), None)


def _frame_difference(expected: Form, observed: Form) -> str | None:
    if "columns" in expected and "columns" in observed:
        expected = {**expected, "columns": expected["columns"].get("values")}
        observed = {**observed, "columns": observed["columns"].get("values")}
    return _field_difference(expected, observed, ("columns", "dtypes", "dtype"))


def _field_difference(expected: Form, observed: Form, names: tuple[str, ...]) -> str | None:
    for name in names:
        if not _is_open(expected.get(name)) and expected.get(name) != observed.get(name):
            label = "dtype" if name == "numpy" else name
            return f"{label} {observed.get(name)}, not {expected.get(name)}"
    return None


def _dictionaries(form: Any) -> Iterator[Form]:
    if isinstance(form, list):
        for part in cast(list[Any], form):
            yield from _dictionaries(part)
    elif isinstance(form, dict):
        if isinstance(cast(Form, form).get("dict"), list):
            yield cast(Form, form)
        for part in cast(Form, form).values():
            yield from _dictionaries(part)


def _keys(pairs: list[list[Any]]) -> Keys:
    return frozenset(summary(key) for key, _ in pairs)


def _is_open(form: Any) -> bool:
    """True when nothing is known here: not stable between reference runs, or cut off by the bounds."""
    return isinstance(form, dict) and ("unstable" in form or "cut" in form or "cycle" in form)
