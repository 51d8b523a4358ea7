"""Accepted values of arguments, written as JSON, and whether a value is one of them.

A text, number, truth value or null stands for itself; a list for a list of just these in this order; an object for an
object with just these keys. Four objects stand for more: `{"one_of": [...]}` for any of several, `{"each_of": [...]}`
for a list of these in any order, `{"any_text": true}` for any text that is not empty, and `{"any_value": true}` for all
that the schema allows. `"optional": true` beside one of the four says that the argument may be left out as well.

Texts are the same when their `spelling` is, except where the function itself would refuse another one: where its schema
has an `enum`, a `format` or a `pattern` they must be equal sign by sign.
"""

import re
import unicodedata
from typing import Any

from apigap.benchmarks.calls.schema import Schema, properties_of, resolved, same
from apigap.benchmarks.matching import most_pairs
from apigap.records.parsing.json_shapes import is_list, is_object

Accepted = Any
_SETS = ("one_of", "each_of", "any_text", "any_value")
ANY_TEXT = "a few words"
"""The words that stand for any text in right answers."""
_EXACT = ("enum", "const", "format", "pattern")
_QUOTES = re.compile(r"[\"'`\u2018\u2019\u201c\u201d]")
_BETWEEN = re.compile(r"(?<=\w)[-\u2010-\u2015_/.,:;](?=\w)")
_LOOSE = re.compile(r"[,;:!?]|\.(?!\w)")


def spelling(text: str) -> str:
    """A text without what people write differently.

    Case and compatible signs are one (NFKC, case-folded); quotes and apostrophes go; a hyphen, dash, underscore, slash,
    point, comma, colon or semicolon between two letters or digits is a space; other commas, colons, semicolons, points
    and marks of question and exclamation go; white space is one space, none at the ends. All else stays, as the minus
    of "-5", the plus of "C++" and the sign of "a@b".
    """
    plain = _QUOTES.sub("", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(_LOOSE.sub(" ", _BETWEEN.sub(" ", plain)).split())


def is_optional(accepted: Accepted) -> bool:
    """True where an argument may be left out."""
    return _is_set(accepted) and accepted.get("optional") is True


def fits(value: Any, accepted: Accepted, schema: Any, root: Schema) -> bool:
    """True if a value, which has the type that its schema asks for, is among the accepted ones."""
    known = resolved(schema, root)
    if _is_set(accepted):
        return _fits_set(value, accepted, known, root)
    if isinstance(accepted, str) and isinstance(value, str):
        return value == accepted if any(key in known for key in _EXACT) else spelling(value) == spelling(accepted)
    if is_list(accepted) and is_list(value):
        part = known.get("items", {})
        return len(value) == len(accepted) and all(
            fits(one, two, part, root) for one, two in zip(value, accepted, strict=True)
        )
    if is_object(accepted) and is_object(value):
        return _fits_object(value, accepted, known, root)
    return same(value, accepted)


def alternatives(accepted: Accepted) -> list[Any]:
    """Plain values that fit, in the order in which they are written; of lists and objects the first of each part."""
    if _is_set(accepted):
        if "one_of" in accepted:
            return [value for one in accepted["one_of"] for value in alternatives(one)]
        if "any_text" in accepted or "any_value" in accepted:
            return [ANY_TEXT]
        values = [first_value(one) for one in accepted["each_of"]]
        return [values, values[::-1]] if len(values) > 1 else [values]
    if is_list(accepted):
        return [[first_value(one) for one in accepted]]
    if is_object(accepted):
        return [{key: first_value(one) for key, one in accepted.items()}]
    return [accepted]


def first_value(accepted: Accepted) -> Any:
    """A plain value that fits: the first of several.

    Raises:
        IndexError: where nothing fits.
    """
    return alternatives(accepted)[0]


def _is_set(accepted: Accepted) -> bool:
    """True for an object that stands for more than itself: one of the four keys, and at most `optional` beside it."""
    return (
        is_object(accepted) and sum(key in accepted for key in _SETS) == 1 and accepted.keys() <= {*_SETS, "optional"}
    )


def _fits_set(value: Any, accepted: dict[str, Any], schema: Schema, root: Schema) -> bool:
    if "one_of" in accepted:
        return any(fits(value, one, schema, root) for one in accepted["one_of"])
    if "any_value" in accepted:
        return True
    if "any_text" in accepted:
        return isinstance(value, str) and bool(value.strip())
    wanted, part = accepted["each_of"], schema.get("items", {})
    if not is_list(value) or len(value) != len(wanted):
        return False
    return len(most_pairs([[fits(item, one, part, root) for one in wanted] for item in value])) == len(value)


def _fits_object(value: dict[str, Any], accepted: dict[str, Any], schema: Schema, root: Schema) -> bool:
    known = properties_of(schema)
    if any(key not in value and not is_optional(one) for key, one in accepted.items()):
        return False
    return all(
        fits(inner, accepted[key], known.get(key, {}), root)
        if key in accepted
        else is_default(inner, known.get(key), root)
        for key, inner in value.items()
    )


def is_default(value: Any, schema: Any, root: Schema) -> bool:
    """True if a value is what the schema says that it is without being given."""
    known = resolved(schema, root)
    return "default" in known and same(value, known["default"])
