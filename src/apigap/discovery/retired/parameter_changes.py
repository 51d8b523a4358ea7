"""Changes of one parameter, read as what a caller must give up: which of them are sure, and which say nothing."""

import re
from collections.abc import Iterator, Sequence
from typing import cast

from apigap.discovery.evidence.directives import Directive, directives_in
from apigap.discovery.surface import Entry
from apigap.records.candidate import Change, Parameter
from apigap.records.parsing.syntax import is_literal, literal_value

_OF_VALUES = re.compile(
    r"(?:if|when|unless|support for|allowing|values?|strings?|units?|the (?:default|value|option|unit)s?)\b|.*\bmust\b"
    r"|(?:setting|passing|using)\b.*\b(?:to|as|for) .*\bdeprecated\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"passing\s+(?:the\s+)?[`'\"]*(\w+)|(?:the\s+)?[`'\"]+([^`'\"]+)[`'\"]+", re.IGNORECASE)
_TO_COME = ("'warn'", "'deprecated'", "'deprecate'")
"""Defaults by which a library tells whether a parameter was given: they stand for the old value for a while."""
_CHOSEN = ("'auto'", "'default'", "'infer'", "'deprecated'")
"""Words for a value that the code chooses, which may be the one on the other side."""
_FOLDER = "<folder>"
_VERSION = re.compile(r"'v?\d+(\.\d+)+'")
_NAME = re.compile(r"[\w.]+")
_OF_NUMPY = re.compile(r"^(?:np|numpy)\.(\w+?)_?$")


def tells_a_value(change: Change) -> bool:
    """Check for two values: `None` most often says that nothing was given, and means another value inside. Of names
    those count that stand beside each other, as the members of an enumeration: others may name the same, or nothing.
    Another version of a program, or a file of the library that lies elsewhere, is no other choice.
    """
    old, new = (_OF_NUMPY.sub(r"\1", text or "None") for text in (change.old, change.new))
    alike = (is_literal(old) and is_literal(new)) or _are_of_one_owner(old, new)
    says_something = "None" not in old and "None" not in new and new not in _TO_COME and not {old, new} & {*_CHOSEN}
    is_place = _FOLDER in old or _FOLDER in new or (_VERSION.fullmatch(old) and _VERSION.fullmatch(new))
    return old != new and says_something and alike and not is_place and not _is_spelt_out(old, new)


def stands_for_another(text: str | None) -> bool:
    """Check for a default that stood for another value for a while, with a warning of what was to come."""
    return text in _TO_COME


def names_the_release(change: Change, old_version: str | None, new_version: str | None) -> bool:
    """Check for defaults that differ by the version of their release alone, as the name of a program with it does."""
    old, new = change.old or "", change.new or ""
    if not old_version or not new_version or "." not in old_version:
        return False
    return old_version in old and old.replace(old_version, new_version) == new


def _are_of_one_owner(old: str, new: str) -> bool:
    owners = {text.rpartition(".")[0] for text in (old, new)}
    return len(owners) == 1 and owners != {""} and _NAME.fullmatch(old + new) is not None


def _is_spelt_out(old: str, new: str) -> bool:
    """Check for values that mostly mean the same: equal ones (0 and False, words in another case, a list and a tuple,
    bytes and their text), two that are empty, two numbers of which none is positive, a word with more behind it, a
    number as a text, and a flag that became a word.
    """
    if not (is_literal(old) and is_literal(new)):
        return False
    return _says_the_same(literal_value(old), literal_value(new))


def _says_the_same(old: object, new: object) -> bool:
    if isinstance(old, str) and isinstance(new, str):
        one, other = sorted((old.casefold(), new.casefold()), key=len)
        return bool(one) and other.startswith(one)
    if not old and not new:
        return True
    old, new = (value.decode("latin-1") if isinstance(value, bytes) else value for value in (old, new))
    if isinstance(old, str) or isinstance(new, str):
        return isinstance(old, bool) or isinstance(new, bool) or str(old) == str(new)
    if isinstance(old, int | float) and isinstance(new, int | float) and max(old, new) <= 0:
        return True
    if isinstance(old, tuple | list) and isinstance(new, tuple | list):
        left, right = cast("Sequence[object]", old), cast("Sequence[object]", new)
        pairs = list(zip(left, right, strict=False))
        return len(left) == len(right) and all(one == other or _says_the_same(one, other) for one, other in pairs)
    return old == new


def by_place(entry: Entry) -> int:
    """The number of parameters that can be passed by place; more than anyone passes where there is `*args`."""
    kinds = [parameter.kind for parameter in entry.parameters or ()]
    by_place = sum(kind in ("positional_only", "positional_or_keyword") for kind in kinds)
    return 1000 if "var_positional" in kinds else by_place


def takes_any_keyword(entry: Entry) -> bool:
    """Check for `**kwargs`."""
    return any(parameter.kind == "var_keyword" for parameter in entry.parameters or ())


def is_told_by_code(former: Entry, entry: Entry) -> bool:
    """Check that the defaults of both are those of code: what a docstring says of compiled code may be out of date."""
    return "docstring" not in (former.facts.get("parameters"), entry.facts.get("parameters"))


def is_sure(change: Change, was: Parameter, former: Entry, entry: Entry) -> bool:
    """Check that a place whose name is another means the same: it must be filled as before, or the names are akin.

    Where more or fewer must be filled than before, one may have become two.
    """
    if _must_be_filled(former) != _must_be_filled(entry):
        return False
    old, new = change.old or "", change.parameter
    akin = set(old.lower().split("_")) & set(new.lower().split("_")) or old in new or new in old
    return was.required or bool(akin)


def _must_be_filled(entry: Entry) -> int:
    return sum(one.required and not one.kind.startswith("var_") for one in entry.parameters or ())


def word_of(text: str | None) -> str | None:
    """The word that a default is; None for any other value."""
    value = literal_value(text) if text and is_literal(text) else None
    return value if isinstance(value, str) else None


def directives_on_parameters(entry: Entry) -> Iterator[tuple[str, Directive]]:
    """The parameters that a docstring calls deprecated, as a whole and not for one of their values."""
    names = {parameter.name for parameter in entry.parameters or ()}
    for directive in directives_in(entry.docstring or ""):
        if directive.kind == "deprecated" and directive.part == "parameter" and not _OF_VALUES.match(directive.text):
            subject = _SUBJECT.match(directive.text)
            found = (name for name in directive.parameters if name in names)
            yield from ((name, directive) for name in found if subject is None or name in subject.groups())
