"""Values that are written as Java or JavaScript writes them, read by the type that a function declares.

BFCL takes the arguments of such functions as texts. A text that is not written as its type asks for stays a text, which
is then of the wrong type.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

Language = Literal["java", "javascript"]
_INTEGER = re.compile(r"-?\d+")
_LONG = re.compile(r"-?\d+[lL]")
_BIG = re.compile(r"-?\d+n")
_DOUBLE = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_FLOAT = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[fF]")
_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")
_TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|[()\[\]{},;:]", re.DOTALL)
_JAVA_ARRAY = re.compile(r"new\s+\w+(?:\[\])+\s*\{(.*)\}", re.DOTALL)
_JAVA_AS_LIST = re.compile(r"new\s+ArrayList\s*<\w*>\s*\(\s*Arrays\.asList\s*\((.*)\)\s*\)", re.DOTALL)
_JAVA_ADDED = re.compile(r"new\s+ArrayList\s*<\w*>\s*\(\s*\)\s*(?:\{\s*\{(.*)\}\s*\})?", re.DOTALL)
_JAVA_MAP = re.compile(r"new\s+HashMap\s*<[^>]*>\s*\(\s*\)(.*)", re.DOTALL)
_CALL = re.compile(r"\s*(?:add|put)\s*\((.*)\)\s*", re.DOTALL)
_JS_ARRAY = re.compile(r"\[(.*)\]|new\s+Array\s*\((.*)\)", re.DOTALL)
_JS_OBJECT = re.compile(r"\{(.*)\}", re.DOTALL)
_LONGEST = 20_000
_MOST_DIGITS = 300
_DEEPEST = 20


def read_value(text: str, kind: str, inner: str | None, language: Language) -> Any:
    """The value of a text of a declared type; `inner` is the type of a list's items, where one is declared."""
    if len(text) > _LONGEST:
        return text
    return _java(text, kind, inner) if language == "java" else _javascript(text, kind, inner, 0)


_Reader = tuple[re.Pattern[str], Callable[[str], Any]]
_JAVA: Mapping[str, _Reader] = {
    "byte": (_INTEGER, int), "short": (_INTEGER, int), "integer": (_INTEGER, int),
    "long": (_LONG, lambda text: int(text[:-1])), "float": (_FLOAT, lambda text: float(text[:-1])),
    "double": (_DOUBLE, float), "boolean": (re.compile("true|false"), lambda text: text == "true"),
}  # fmt: skip
_JAVASCRIPT: Mapping[str, _Reader] = {
    "integer": (_INTEGER, int), "float": (_DECIMAL, float), "Bigint": (_BIG, lambda text: int(text[:-1])),
    "Boolean": (re.compile("true|false"), lambda text: text == "true"),
}  # fmt: skip


def _simple(text: str, kind: str, readers: Mapping[str, _Reader]) -> Any:
    written, read = readers.get(kind, (_INTEGER, str))
    return read(text) if kind in readers and len(text) < _MOST_DIGITS and written.fullmatch(text) else text


def _java(text: str, kind: str, inner: str | None) -> Any:
    code = text.strip().removesuffix(";").strip()
    if kind == "Array" and (found := _JAVA_ARRAY.fullmatch(code)):
        return [_java_item(part, inner) for part in _split(found[1])]
    if kind == "ArrayList" and (found := _JAVA_AS_LIST.fullmatch(code)):
        return [_java_item(part, inner) for part in _split(found[1])]
    if kind == "ArrayList" and (found := _JAVA_ADDED.fullmatch(code)):
        return [_java_item(call[1].strip(), inner) for call in _calls(found[1])]
    if kind == "HashMap" and (found := _JAVA_MAP.fullmatch(code)):
        pairs = [list(_split(call[1])) for call in _calls(_without_braces(found[1]))]
        return {_unquoted(pair[0]): _java_any(pair[1]) for pair in pairs if len(pair) == 2}
    return _simple(text, kind, _JAVA)


def _without_braces(body: str) -> str:
    """The statements within the braces of a class and of its initialiser."""
    for _ in range(2):
        body = body.strip()
        body = body[1:-1] if body.startswith("{") and body.endswith("}") else body
    return body


def _java_item(text: str, kind: str | None) -> Any:
    if kind in ("String", "char"):
        return _unquoted(text)
    return _java_any(text) if kind is None else _java(text, kind, None)


def _java_any(text: str) -> Any:
    """A value whose type nobody declares."""
    if text.startswith('"'):
        return _unquoted(text)
    readers = ("boolean", "long", "float", "integer", "double")
    return next((value for kind in readers if not isinstance(value := _simple(text, kind, _JAVA), str)), text)


def _calls(body: str | None) -> Iterator[re.Match[str]]:
    """The calls of `add` or `put` in a body of statements."""
    found = (_CALL.fullmatch(part) for part in _split(body or "", ";"))
    yield from (call for call in found if call)


def _javascript(text: str, kind: str | None, inner: str | None, depth: int) -> Any:
    text = text.strip()
    if depth > _DEEPEST:
        return text
    array = _JS_ARRAY.fullmatch(text) if kind in (None, "array") else None
    if array:
        body = array[1] if array[1] is not None else array[2]
        return [_javascript(part, inner if inner != "any" else None, None, depth + 1) for part in _split(body)]
    found = _JS_OBJECT.fullmatch(text) if kind in (None, "dict") else None
    if found:
        pairs = [list(_split(part, ":", most=2)) for part in _split(found[1])]
        return {_unquoted(pair[0]): _javascript(pair[1], None, None, depth + 1) for pair in pairs if len(pair) == 2}
    if kind in (None, "String"):
        return _js_any(text) if kind is None else _unquoted(text)
    return _simple(text, kind, _JAVASCRIPT)


def _js_any(text: str) -> Any:
    if text[:1] in ("'", '"'):
        return _unquoted(text)
    readers = ("Boolean", "integer", "float")
    return next((value for kind in readers if not isinstance(value := _simple(text, kind, _JAVASCRIPT), str)), text)


def _unquoted(text: str) -> str:
    """A text without the quotes around it, where it has any."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _split(text: str, sign: str = ",", most: int = 0) -> Iterator[str]:
    """The parts of a text between signs that stand in no bracket and no quotes, empty ones left out; at most `most`."""
    depth, start, parts = 0, 0, 1
    for token in _TOKEN.finditer(text):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
        elif token[0] == sign and depth == 0 and parts != most:
            if part := text[start : token.start()].strip():
                yield part
            start, parts = token.end(), parts + 1
    if part := text[start:].strip():
        yield part
