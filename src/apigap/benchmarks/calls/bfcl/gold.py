"""Right arguments by BFCL's accepted values, as an answer would have them."""

from collections.abc import Mapping
from typing import Any

from apigap.benchmarks.calls.bfcl.languages import Language
from apigap.benchmarks.calls.bfcl.rules import LEFT_OUT
from apigap.records.parsing.json_shapes import is_list, is_object


def plain_values(accepted: Any, schema: Any, language: Language | None) -> list[Any]:
    """The accepted values of one argument; where the language is another than Python's, as it writes them."""
    known: Mapping[str, Any] = schema if is_object(schema) else {}
    values = [_plain(one) for one in (accepted if is_list(accepted) else [accepted]) if one != LEFT_OUT]
    if language is None:
        return values
    items = known.get("items")
    inner = str(items.get("type")) if is_object(items) else ""
    return [_written(one, str(known.get("type")), inner, language) for one in values]


def _plain(value: Any) -> Any:
    """A value without the sets of values within it: the first of each, and nothing for what may be left out."""
    if is_object(value):
        return {
            key: _plain(inner[0]) for key, inner in value.items() if is_list(inner) and inner and LEFT_OUT not in inner
        }
    return [_plain(inner) for inner in value] if is_list(value) else value


def _written(value: Any, kind: str, inner: str, language: Language) -> str:
    if isinstance(value, str):
        return value
    if language == "javascript":
        return f"{value}n" if kind == "Bigint" else _literal(value)
    if is_object(value):
        puts = " ".join(f"put({_literal(key)}, {_literal(one)});" for key, one in value.items())
        return f"new HashMap<>() {{{{ {puts} }}}}"
    if is_list(value):
        body = ", ".join(_java_item(one, inner) for one in value)
        return f"new Object[]{{{body}}}" if kind == "Array" else f"new ArrayList<>(Arrays.asList({body}))"
    return _literal(value) + {"long": "L", "float": "f"}.get(kind, "")


def _java_item(value: Any, kind: str) -> str:
    if isinstance(value, str) and kind not in ("String", "char", ""):
        return value
    return _literal(value) + {"long": "L", "float": "f"}.get(kind, "")


def _literal(value: Any) -> str:
    """A value as both languages write it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if is_list(value):
        return f"[{', '.join(map(_literal, value))}]"
    if is_object(value):
        return f"{{{', '.join(f'{_literal(key)}: {_literal(one)}' for key, one in value.items())}}}"
    return str(value)
