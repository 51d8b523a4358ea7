"""The published call records against the calls that the spy saw, as far as their form can be told from ours.

Theirs are fingerprints made inside the program; ours are translated where both say the same exactly: numbers, bools,
None, strings, lists, tuples, shape and dtype of arrays, and the length of dictionaries. Return values, contents of
arrays and dictionaries, tables and reprs are not compared. Values are ours at the beginning of a call and theirs after
it, so a list or dictionary that a function may have changed never counts as different.
"""

import hashlib
import math
import re
from collections.abc import Sequence
from typing import Any, Literal, cast

from apigap.records.base import Json
from apigap.records.release import ExpectedCall
from apigap.records.run import CallRecord

Comparison = Literal["agrees", "differs", "not compared"]
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_SHOWN = 8
_INFORMATIVE = frozenset({"v", "len", "shape", "dtype", "s", "a", "h", "r", "items", "keys", "cols", "idx", "exc"})


def compare_calls(expected: Sequence[ExpectedCall], calls: Sequence[CallRecord]) -> list[Comparison]:
    """For each expected call whether one of the answer's own calls reproduces it; order and number do not matter."""
    own = [call for call in calls if call.caller == "candidate"]
    return [_best([_call(record, call) for call in own]) for record in expected]


def says_nothing(expected: Sequence[ExpectedCall]) -> bool:
    """Tell whether any call of the target at all would satisfy these records."""
    return not any(_informative(record.ret) or _informative(record.args) for record in expected)


def _informative(form: Json) -> bool:
    if isinstance(form, dict):
        found = cast("dict[str, Any]", form)
        return bool(_INFORMATIVE & found.keys()) or any(_informative(value) for value in found.values())
    return isinstance(form, list) and bool(cast("list[Any]", form))


def _best(found: Sequence[Comparison]) -> Comparison:
    if "agrees" in found:
        return "agrees"
    return "not compared" if "not compared" in found else "differs"


def _call(record: ExpectedCall, call: CallRecord) -> Comparison:
    is_subclass = call.explicit == ("subclass",)
    if record.kind == "subclass" or is_subclass:
        return "agrees" if is_subclass and record.kind == "subclass" else "differs"
    if record.args is None or "*" in record.args:
        return "not compared"
    fixed = record.kind == "init"
    return _all([_argument(wanted, name, call, fixed) for name, wanted in record.args.items()])


def _all(found: Sequence[Comparison]) -> Comparison:
    if "differs" in found:
        return "differs"
    return "not compared" if "not compared" in found else "agrees"


def _argument(wanted: Json, name: str, call: CallRecord, fixed: bool) -> Comparison:
    if name in call.arguments:
        form = call.arguments[name]
        if isinstance(wanted, list):  # the values that `*name` took
            found = _items(form)
            return "not compared" if found is None else _sequence(cast("list[Any]", wanted), found, fixed)
        return _form(wanted, form, fixed)
    for form in call.arguments.values():  # what `**anything` took
        pairs: list[list[Any]] = cast("dict[str, Any]", form).get("dict", []) if isinstance(form, dict) else []
        for key, value in pairs:
            if key == name:
                return _form(wanted, value, fixed)
    return "not compared"


def _form(wanted: Json, ours: Json, fixed: bool) -> Comparison:
    """One of their fingerprints, of which only the fields given are compared, against one of ours."""
    if not isinstance(wanted, dict):
        return "not compared"
    told, fields = translate(ours), cast("dict[str, Any]", wanted)
    found = _all([_field(key, value, told, fixed) for key, value in fields.items()])
    may_have_changed = not fixed and told.get("t") in ("sequence", "mapping") and told["t"] == fields.get("t")
    return "not compared" if found == "differs" and may_have_changed else found


def _field(key: str, wanted: Json, told: dict[str, Any], fixed: bool) -> Comparison:
    if key not in told:
        return "not compared"
    if key == "items":
        return _sequence(wanted, told["items"][:_SHOWN], fixed)
    value = told[key]
    if isinstance(wanted, float) and isinstance(value, (int, float)) and not isinstance(value, bool):
        same = math.isclose(wanted, value, rel_tol=1e-6, abs_tol=1e-9)
    else:
        same = wanted == value
    return "agrees" if same else "differs"


def _sequence(wanted: Sequence[Any], ours: Sequence[Any], fixed: bool) -> Comparison:
    if len(wanted) != len(ours):
        return "differs"
    return _all([_form(theirs, form, fixed) for theirs, form in zip(wanted, ours, strict=True)])


def translate(ours: Json) -> dict[str, Any]:
    """The certain part of their fingerprint of the value whose fingerprint is `ours`; `items` are left in our form."""
    if ours is None:
        return {"t": "builtins.NoneType"}
    if isinstance(ours, bool):
        return {"t": "bool", "v": ours}
    if isinstance(ours, int):
        return {"t": "number", "v": ours if abs(ours) < 2**53 else str(ours)}
    if isinstance(ours, float):
        return {"t": "number", "v": ours}
    if isinstance(ours, str):
        digest = hashlib.sha1(_ADDRESS.sub("0x?", ours).encode("utf-8", "replace"), usedforsecurity=False)
        return {"t": "builtins.str", "len": len(ours), "h": digest.hexdigest()[:16]}
    items = _items(ours)
    if items is not None:
        return {"t": "sequence", "len": len(items), "items": items}
    return _translate_tagged(cast("dict[str, Any]", ours)) if isinstance(ours, dict) else {}


def _translate_tagged(ours: dict[str, Any]) -> dict[str, Any]:
    if "float" in ours:
        return {"t": "number", "v": ours["float"]}
    if "int" in ours:
        return {"t": "number", "v": str(int(ours["int"], 16))}
    if "numpy" in ours:
        return _translate_scalar(ours.get("value"))
    if "array" in ours and ours["array"]["shape"]:
        return {"t": "numpy.ndarray", "shape": ours["array"]["shape"], "dtype": ours["array"]["dtype"]}
    if "dict" in ours and {"cut": True} not in [pair[0] for pair in ours["dict"]]:
        return {"t": "mapping", "len": len(ours["dict"])}
    return {}


def _translate_scalar(value: Json) -> dict[str, Any]:
    """A numpy scalar is a number to them, bools too."""
    told = translate(int(value) if isinstance(value, bool) else value)
    return told if told.get("t") == "number" else {}


def _items(form: Json) -> list[Any] | None:
    """The items of a whole list or tuple."""
    found = cast("dict[str, Any]", form).get("tuple") if isinstance(form, dict) else form
    if not isinstance(found, list) or {"cut": True} in found:
        return None
    return cast("list[Any]", found)
