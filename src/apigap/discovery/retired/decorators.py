"""Deprecations that stand as a decorator over a function or class, in the ways that libraries have for it.

`@deprecated("...")` of `warnings`, `typing_extensions` and of the libraries themselves; those that name a parameter,
with the one that takes its place (`deprecate_kwarg`, `deprecate_renamed_parameter`, `deprecated_params`).
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from apigap.discovery.retired.deprecation_classes import last_name
from apigap.discovery.retired.messages import one_line, text_of
from apigap.discovery.retired.warned import Warned
from apigap.records.parsing.syntax_trees import dotted

_OF_PARAMETERS = re.compile(r"param|kwarg|arg(?:ument)?s?(?:_|$)|keyword")
_OF_ORDER = re.compile(r"nonkeyword|non_keyword|positional|posargs")
_VERSION = re.compile(r"v?\d+(?:\.\d+)*(?:\.?[a-z]+\d*)?$")
_INSTEAD = ("alternative", "instead", "replacement", "alt", "new_name", "replaced_by", "use_instead")
_OLD, _NEW = ("old_arg_name", "old_name", "old"), ("new_arg_name", "new_name", "new")


class Told(NamedTuple):
    """A notice of a release on one of its own objects: that it, or its `parameter`, is deprecated.

    `successor` is what takes its place, where that is a value of its own and not only in the words. It `warns`, but for
    another name that a release takes without a word.
    """

    home: str
    kind: Literal["warning", "decorator"]
    where: str
    text: str
    parameter: str | None = None
    successor: str | None = None
    warns: bool = True


def decorated(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
    home: str,
    where: str,
    constants: dict[str, ast.expr],
    takers: Mapping[str, Sequence[Warned]],
) -> Iterator[Told]:
    """The deprecations among the decorators of `node`; `takers` are those whose own code asks for a keyword.

    One that copies from another object it is given does not deprecate: what it brings is said of that.
    """
    for decorator in node.decorator_list:
        name = last_name(decorator).lower()
        place = f"{where}:{decorator.lineno}"
        call = decorator if isinstance(decorator, ast.Call) else None
        if _OF_ORDER.search(name) or not ("deprecat" in name or name.strip("_") in ("rename_parameter", "moved_20")):
            continue
        if last_name(decorator) in takers and not (call and (call.args or call.keywords)):
            for one in takers[last_name(decorator)]:
                yield Told(home, "decorator", place, one.text, one.parameter)
        elif _OF_PARAMETERS.search(name):
            warns = "deprecat" in name or _names_a_version(call, constants)
            yield from (told._replace(warns=warns) for told in _of_parameters(call, home, place, constants))
        elif not ("copy" in name and call is not None and any(map(dotted, call.args))):
            yield _of_object(call, name, home, place, constants)


def _of_object(call: ast.Call | None, name: str, home: str, where: str, constants: dict[str, ast.expr]) -> Told:
    texts = _texts(call, constants)
    given = {keyword.arg or "": text_of(keyword.value, constants) for keyword in (call.keywords if call else ())}
    instead = next((given[key] for key in _INSTEAD if given.get(key)), "")
    if not instead and "renam" in name and texts:
        instead = texts[0]
    successor = instead.strip("`'") if instead and " " not in instead else None
    # the API's own name may stand beside words on what to do instead
    text = max([*texts, given.get("message", ""), given.get("reason", "")], key=len)
    text = instead if instead and not successor else text
    return Told(home, "decorator", where, one_line(text), None, successor)


def _of_parameters(call: ast.Call | None, home: str, where: str, constants: dict[str, ast.expr]) -> Iterator[Told]:
    """One notice for the parameter that is named, or for each that has a text of its own."""
    if call is None:
        return
    tables = [keyword for keyword in call.keywords if isinstance(keyword.value, ast.Tuple)]
    for keyword in tables:
        words = [text_of(part, constants) for part in getattr(keyword.value, "elts", ())]
        yield Told(home, "decorator", where, one_line(max(words, key=len, default="")), keyword.arg)
    if tables:
        return
    given = {keyword.arg or "": text_of(keyword.value, constants) for keyword in call.keywords}
    texts = _texts(call, constants)
    old = next((given[key] for key in _OLD if given.get(key)), None) or (texts.pop(0) if texts else None)
    new = next((given[key] for key in _NEW if given.get(key)), None) or (texts.pop(0) if texts else None)
    if old and old.isidentifier():
        successor = new if new and new.isidentifier() else None
        text = max([*texts, given.get("msg", ""), given.get("message", ""), "" if successor else new or ""], key=len)
        yield Told(home, "decorator", where, one_line(text), old, successor)


def _names_a_version(call: ast.Call | None, constants: dict[str, ast.expr]) -> bool:
    """Check for the release since which another name gives a warning; without one it is taken silently."""
    values = [*call.args, *(keyword.value for keyword in call.keywords)] if call else []
    return any(_VERSION.match(text_of(value, constants)) for value in values)


def _texts(call: ast.Call | None, constants: dict[str, ast.expr], versions: bool = False) -> list[str]:
    """The texts that are given by position; version numbers as well with `versions`."""
    found = [text_of(argument, constants) for argument in (call.args if call else ())]
    return [text for text in found if text and (versions or not _VERSION.match(text))]
