"""Changed descriptions that may cure a tool: made from its schema, from what it was confused with, or by a model."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from apigap.benchmarks.calls.queries import Function, Query
from apigap.benchmarks.calls.schema import properties_of, required_of, resolved
from apigap.benchmarks.calls.values import first_value, is_optional
from apigap.records.parsing.json_shapes import is_list, is_object
from apigap.tool_audit.asking import Judged, Variant
from apigap.tool_audit.diagnosis import called, confused, wanted
from apigap.tool_audit.queries import text_of
from apigap.tool_audit.toolset import LONGEST_DESCRIPTION, Toolset

_MOST_CHOICES = 12
_MOST_RIVALS = 2
_SUMMARY = 160


def troubled(judged: Sequence[Judged], toolset: Toolset, most: int) -> list[str]:
    """The tools with the most queries that fail, at most so many; those that are called unasked count too."""
    failed: Counter[str] = Counter()
    for one in judged:
        if one.result.outcome == "fail":
            failed.update(wanted(one.query) or set(called(one)) & toolset.schemas.keys())
    order = {tool.name: number for number, tool in enumerate(toolset.tools)}
    return sorted(failed, key=lambda name: (-failed[name], order[name]))[:most]


def rivals(name: str, judged: Sequence[Judged], toolset: Toolset) -> list[str]:
    """The offered tools that were called in the place of `name`, or unasked beside it, the most frequent first."""
    found: Counter[str] = Counter()
    for one in judged:
        found.update(second for first, second in confused(one) if first == name)
    return [other for other, _ in found.most_common() if other in toolset.schemas][:_MOST_RIVALS]


def from_schema(name: str, judged: Sequence[Judged], toolset: Toolset) -> list[Variant]:
    """The changes that need no model; `judged` are answers to the queries by which a description is chosen."""
    tools = {tool.name: tool for tool in toolset.tools}
    tool, others = tools[name], [tools[other] for other in rivals(name, judged, toolset)]
    parts = {
        "parameters": _parameters(tool),
        "not for": _not_for(others),
        "example": _example(tool, [one.query for one in judged]),
        "when not": _when_not(judged, name),
    }
    given = {kind: words for kind, words in parts.items() if words}
    found = [_variant(tool, kind, [words], others if kind == "not for" else []) for kind, words in given.items()]
    if len(given) > 1:
        found.append(_variant(tool, "all of these", list(given.values()), others))
    return found


def _variant(tool: Function, kind: str, words: Sequence[str], others: Sequence[Function]) -> Variant:
    changes = {tool.name: _joined(tool.description, *words)}
    changes |= {other.name: _joined(other.description, _not_for([tool])) for other in others}
    return Variant(tool.name, kind, tuple(changes.items()))


def rewritten(tool: Function, text: str) -> Variant:
    """The description that a model has written."""
    return Variant(tool.name, "rewritten", ((tool.name, text.strip()[:LONGEST_DESCRIPTION]),))


def _joined(*parts: str) -> str:
    return "\n".join(part for part in parts if part)[:LONGEST_DESCRIPTION]


def _parameters(tool: Function) -> str:
    """The arguments in words; empty where there is none."""
    required = required_of(tool.parameters)
    lines = [
        f"- {name} ({_kind(schema, tool.parameters)}{', required' if name in required else ''}){_words(schema)}"
        for name, schema in properties_of(tool.parameters).items()
    ]
    return "\n".join(["Arguments:", *lines]) if lines else ""


def _kind(schema: Any, root: Mapping[str, Any]) -> str:
    known = resolved(schema, root)
    kind: Any = known.get("type") or "any"
    told = " or ".join(map(str, kind)) if is_list(kind) else str(kind)
    choices = known.get("enum")
    if is_list(choices):
        told += f", one of {', '.join(map(str, choices[:_MOST_CHOICES]))}"
    return told + (f", {json.dumps(known['default'])} where it is left out" if "default" in known else "")


def _words(schema: Any) -> str:
    words = schema.get("description") if is_object(schema) else None
    return f": {words}" if isinstance(words, str) and words else ""


def _not_for(others: Sequence[Function]) -> str:
    return "\n".join(f"Not for what {other.name} does: {summary(other)}" for other in others)


def _example(tool: Function, queries: Sequence[Query]) -> str:
    """A request with its call, of the queries that are not held back; empty where none says its arguments."""
    for query in queries:
        call = query.expected[0] if len(query.expected) == 1 else None
        if call is None or call.name != tool.name or any(_is_open(value) for value in call.arguments.values()):
            continue
        arguments = {name: first_value(value) for name, value in call.arguments.items() if not is_optional(value)}
        return f'Example: for "{text_of(query)}" give {json.dumps(arguments, ensure_ascii=False)}.'
    return ""


def _is_open(value: Any) -> bool:
    return is_object(value) and ("any_value" in value or "any_text" in value)


def _when_not(judged: Sequence[Judged], name: str) -> str:
    """A request that the tool is not for, where it was called unasked; empty where it never was."""
    for one in judged:
        if one.query.expects == "nothing" and name in called(one):
            return f'Call it only where it can do what is asked; not for "{text_of(one.query)}".'
    return ""


def summary(tool: Function) -> str:
    """The first sentence of a description, or the name in words."""
    line = " ".join(tool.description.split()) or tool.name.replace("_", " ")
    return line[:_SUMMARY].partition(". ")[0]
