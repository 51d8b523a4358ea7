"""A small toolset, queries to it, and a model that takes its words from a rule."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai.model import ModelOutput, ModelUsage

from apigap.evaluation.model_pool import MakeGenerator
from apigap.models.generate import MOCK_MODEL, Generator
from apigap.tool_audit.run import ToolAudit
from apigap.tool_audit.source import Source

MODULE = '''\
"""A post office."""
raise SystemExit("nobody may import this")


def send_letter(to: str, express: bool = False) -> str:
    """Sends something.

    Args:
        to: The name of who gets it.
    """


def send_parcel(to: str, kilos: float) -> str:
    """Sends something in a box."""


def track(number: int) -> str:
    """Tells where a parcel is."""
'''
QUERIES: list[dict[str, Any]] = [
    *(
        {"query": f"Send a letter to {name}.", "tool": "send_letter", "arguments": {"to": name}}
        for name in ("Ana", "Bo")
    ),
    *({"query": f"Write to {name} for me.", "tool": "send_letter", "arguments": {"to": name}} for name in ("Cy", "Di")),
    *({"query": f"Where is parcel {n}?", "tool": "track", "arguments": {"number": n}} for n in (7, 8)),
    {"query": "Sing a song.", "tool": None},
    {"query": "What is a stamp?", "tool": None},
]


def audit(folder: Path, rows: list[dict[str, Any]] = QUERIES, **options: Any) -> ToolAudit:
    """An audit of the post office; its module and queries are written into `folder`."""
    module, queries = folder / "post.py", folder / "queries.jsonl"
    module.write_text(MODULE)
    queries.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = {"model": MOCK_MODEL, "out": folder / "run", "queries": queries, "forms": ("text",)}
    return ToolAudit(source=Source("python", str(module)), **{**given, **options})


def answering(reply: Callable[[str, str], str]) -> MakeGenerator:
    """Generators of a mock that answers from the system message (with the tools, in the form `text`) and the query."""

    def output(messages: Any, *_: object) -> ModelOutput:
        found = ModelOutput.from_content(MOCK_MODEL, reply(messages[0].text, messages[-1].text))
        found.usage = ModelUsage()
        return found

    return lambda model, decoding: Generator(model, decoding, model_args={"custom_outputs": output})


def call(name: str, **arguments: Any) -> str:
    """A call as the form `text` asks for it."""
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"
