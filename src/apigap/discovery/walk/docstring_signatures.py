"""Signatures that compiled code has only in its docstring: Boost.Python, pybind11, Cython, numpy's own."""

# ruff: noqa: B905 (Python 3.9 has no strict zip)
from __future__ import annotations

import ast
import re
from typing import Any

from .texts import clean, text_or_none

_HEAD = r"(?:[A-Za-z_]\w*\.)*"
_RETURNS = re.compile(r"\s*(?:->\s*(?P<type>[^\n]*?))?\s*:?\s*(?:\n|$)")
_LINES = re.compile(r"^(?=\S)", re.MULTILINE)
_NUMBERED = re.compile(r"^\d+\. ", re.MULTILINE)
_BOOST = re.compile(r"(?P<comma> ?\[?, ?)?\((?P<type>[\w.:<>]+)\)(?P<name>\w+)(?P<default>=)?")
_BETWEEN = re.compile(r" ?(\[?), ?(?=\([\w.:<>]+\)\w)")
_ANONYMOUS = re.compile(r"arg\d+$")
_OPTIONAL = re.compile(r"\[\s*,\s*([^\[\]]*)\]")
_OPAQUE = re.compile(r"=\s*<[^<>=]*>")
_NAME = re.compile(r"(?:^|[,\[\](*])\s*\*{0,2}([A-Za-z_]\w*)\s*(?=[=:,\[\])]|$)")
RECEIVERS = {"self", "cls", "arg0"}


def parameter_record(
    name: str, kind: str, annotation: str | None, default: str | None, required: bool
) -> dict[str, Any]:
    """The form that a parameter has on disk."""
    texts = {"annotation": annotation, "default": default, "description": None}
    return {"name": name, "kind": kind, "required": required, **texts}


class DocstringSignatures:
    """The forms that a docstring's first lines give, without `self`; and all names in them, if not how they are used.

    `forms` are empty where the lines say something that is no signature (`arange([start,] stop)`).
    """

    def __init__(self, target: Any, kind: str) -> None:
        self.forms: list[list[dict[str, Any]]] = []
        self.names: list[str] = []
        self.returns: str | None = None
        leaf = getattr(target, "__name__", None)
        texts = [target.__doc__]
        if kind == "class":
            texts.append(getattr(getattr(target, "__init__", None), "__doc__", None))
        for text, name in zip(texts, (leaf, "__init__")):
            if isinstance(text, str) and isinstance(name, str) and not self.forms:
                self._read(text, name, bound=kind in ("method", "classmethod", "class"))

    def _read(self, text: str, leaf: str, bound: bool) -> None:
        for body, returns in _calls(text, leaf):
            is_boost = bool(_BOOST.match(body.lstrip(" [")))
            form = _boost_form(body, bound) if is_boost or "C++ signature" in text else _python_form(body, bound)
            if form is not None:
                self.forms.append(form)
                self.returns = self.returns or (clean(returns) if returns else None)
            self.names += [name for name in _NAME.findall(body) if name not in RECEIVERS and name not in self.names]


def _calls(text: str, leaf: str) -> list[tuple[str, str | None]]:
    """(what is between the parentheses, return type) of each form of a call at the head of `text`."""
    start = re.compile(rf"\s*{_HEAD}{re.escape(leaf)}\(")
    if "C++ signature" in text:
        heads = [head for line in _LINES.finditer(text) if (head := start.match(text, line.end()))]
    elif "Overloaded function." in text:
        parts = _NUMBERED.finditer(text)
        heads = [head for part in parts if (head := start.match(text, part.end()))]
    else:
        heads = [head for head in [start.match(text)] if head]
    found: list[tuple[str, str | None]] = []
    for head in heads:
        end = _closing(text, head.end())
        returns = _RETURNS.match(text, end + 1) if end else None
        if end and returns:
            found.append((" ".join(text[head.end() : end].split()), returns["type"]))
    return found


def _closing(text: str, start: int) -> int | None:
    """The position where the parenthesis that was opened before `start` closes."""
    depth, quote = 1, ""
    for place in range(start, min(len(text), start + 5000)):
        letter = text[place]
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "()":
            depth += 1 if letter == "(" else -1
            if depth == 0:
                return place
    return None


def _boost_form(body: str, bound: bool) -> list[dict[str, Any]] | None:
    """`(Mol)mol [, (bool)sanitize=True]`: each bracket opens what may be left out, and all close at the end."""
    body = body.strip()
    is_optional = body.startswith("[")
    pieces = _BETWEEN.split(body.lstrip("[ "))
    optional = [is_optional]
    for bracket in pieces[1::2]:
        optional.append(optional[-1] or bool(bracket))
    texts = pieces[::2]
    texts[-1] = texts[-1].rstrip(" ")
    closed = pieces[1::2].count("[") + is_optional
    texts[-1] = texts[-1][: len(texts[-1]) - closed].rstrip() if closed else texts[-1]
    found: list[dict[str, Any]] = []
    for text, may_miss in zip(texts, optional):
        match = _BOOST.match(text)
        if match is None:
            return [] if text == "" else None
        default = clean(text[match.end() :]) if match["default"] else None
        kind = "positional_only" if _ANONYMOUS.match(match["name"]) else "positional_or_keyword"
        found.append(parameter_record(match["name"], kind, match["type"], default, not (may_miss or default)))
    return _named(found[1:] if bound else found)


def _named(form: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Nameless parameters only come before named ones; where they do not, none can be given by its name."""
    kinds = [parameter["kind"] for parameter in form]
    last = max((place for place, kind in enumerate(kinds) if kind == "positional_only"), default=-1)
    return [{**p, "kind": "positional_only" if place <= last else p["kind"]} for place, p in enumerate(form)]


def _python_form(body: str, bound: bool) -> list[dict[str, Any]] | None:
    """Parameters written as in Python, or with what may be left out in brackets at the end."""
    while True:
        shorter = _OPTIONAL.sub(lambda match: "".join(f", {name.strip()}=..." for name in match[1].split(",")), body)
        if shorter == body:
            break
        body = shorter
    try:
        function = ast.parse(f"def f({_OPAQUE.sub('=_opaque_', body.replace('$', ''))}): ...").body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(function, ast.FunctionDef):
        return None
    form = _form(function.args)
    return form[1:] if bound and form and form[0]["name"] in RECEIVERS else form


def _form(spec: ast.arguments) -> list[dict[str, Any]]:
    places = [*spec.posonlyargs, *spec.args]
    defaults: list[ast.expr | None] = [None] * (len(places) - len(spec.defaults)) + list(spec.defaults)
    kinds = ["positional_only"] * len(spec.posonlyargs) + ["positional_or_keyword"] * len(spec.args)
    found = [_argument(*each) for each in zip(places, kinds, defaults)]
    if spec.vararg:
        found.append(parameter_record(spec.vararg.arg, "var_positional", None, None, False))
    found += [_argument(arg, "keyword_only", default) for arg, default in zip(spec.kwonlyargs, spec.kw_defaults)]
    if spec.kwarg:
        found.append(parameter_record(spec.kwarg.arg, "var_keyword", None, None, False))
    return found


def _argument(argument: ast.arg, kind: str, default: ast.expr | None) -> dict[str, Any]:
    annotation = None if argument.annotation is None else ast.unparse(argument.annotation)
    text = None if default is None else ast.unparse(default)
    if text in ("...", "_opaque_"):
        text = None if text == "..." else "<default>"
    return parameter_record(argument.arg, kind, text_or_none(annotation), text, default is None)
