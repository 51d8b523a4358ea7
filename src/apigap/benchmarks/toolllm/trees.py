"""Answer trees of ToolBench: which functions the steps of a recorded run called.

There are two generations: the runner's own (nodes with `node_type`, an action's name as its `description`) and the
converted one (nodes with `role`, a tool's message as text that looks like a Python mapping).
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from apigap.records.parsing.json_shapes import is_list, is_object

_NAME = re.compile(r"""^\s*\{\s*['"]name['"]\s*:\s*(['"])(.*?)\1\s*[,}]""", re.DOTALL)
_MOST_NODES = 100_000


def is_tree(value: Mapping[str, Any]) -> bool:
    """True if a JSON object is a recorded run, or holds one."""
    return any(True for _ in _roots(value))


def tree_names(value: Mapping[str, Any]) -> Iterator[str]:
    """The names that were called, in the order of the steps; repeated ones and `Finish` among them."""
    # A stack of our own: a hostile tree may be as deep as it likes.
    left = [node for root in _roots(value) for node in reversed(root)]
    for _ in range(_MOST_NODES):
        if not left:
            return
        node = left.pop()
        if is_object(node):
            yield from _called(node)
            for key in ("next", "children"):
                below = node.get(key)
                left += reversed(below) if is_list(below) else []


def tree_text(value: Mapping[str, Any]) -> str:
    """A recorded run as the text of an answer, in which nothing that the run quotes is taken for a tag."""
    return json.dumps(value).replace("<", "\\u003c")


def recorded_query(value: Mapping[str, Any]) -> str | None:
    """The query that a recorded run answers, where it says so; one in pieces as `Query.question` joins them."""
    text = value.get("query")
    if is_list(text) and all(isinstance(piece, str) for piece in text):
        return "\n".join(text)
    return text if isinstance(text, str) else None


def _roots(value: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The lists of first nodes."""
    answer = value.get("answer")
    details = (answer if is_object(answer) else value).get("answer_details")
    if is_list(details):
        yield details
    tree = value.get("tree")
    if is_object(tree):
        inner = tree.get("tree", tree)
        if is_object(inner) and ("node_type" in inner or "children" in inner):
            yield [inner]


def _called(node: Mapping[str, Any]) -> Iterator[str]:
    if node.get("node_type") == "Action" and isinstance(node.get("description"), str):
        yield node["description"]
    elif node.get("role") == "tool":
        message = node.get("message")
        name = message.get("name") if is_object(message) else _named(message)
        if isinstance(name, str):
            yield name


def _named(message: Any) -> str | None:
    found = _NAME.match(message) if isinstance(message, str) else None
    return found[2] if found else None
