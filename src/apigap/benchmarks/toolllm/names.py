"""The function names under which ToolBench shows APIs to a model."""

import re

_FOREIGN = re.compile(r"[^\u4e00-\u9fa5A-Za-z0-9_^]")
"""Characters that are replaced. That `^` stays is an accident of the published pattern, and part of published names."""
_RESERVED = frozenset(("from", "class", "return", "false", "true", "id", "and"))
_LONGEST = 64


def standardise(text: str) -> str:
    """A name in the published spelling: lower case, words joined by single `_`, `get_` before a leading digit.

    May be empty. Applied to its own result it changes nothing.
    """
    words = re.sub(r"_+", "_", _FOREIGN.sub("_", text)).lower().strip("_")
    return f"get_{words}" if words[:1].isdigit() else words


def avoid_reserved(name: str) -> str:
    """`is_` before a standardised API or parameter name that is a word of the language."""
    return f"is_{name}" if name in _RESERVED else name


def category_name(text: str) -> str:
    """A category in the published spelling; the case stays."""
    return re.sub(r"[ ,/]", "_", text).replace("__", "_")


def function_name(tool_name: str, api_name: str) -> str:
    """The name of an API's function: its API and tool names, of which the last 64 characters are kept.

    Long names lose their beginning, so that two APIs of a tool can have the same one.
    """
    return f"{avoid_reserved(standardise(api_name))}_for_{standardise(tool_name)}"[-_LONGEST:]


def without_get(name: str) -> str:
    """A function name as it was before the rule about leading digits, under which answers were once recorded."""
    return re.sub(r"^get_(?=[0-9])", "", name)
