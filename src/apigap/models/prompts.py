"""Prompts for a completion task: pure functions, and short, since a local model reads a hundred tokens a second."""

import re
from pathlib import Path
from typing import NamedTuple

from apigap.models.templates import Parts, render_template

LAYOUTS = ("published", "instructed")


class Prompt(NamedTuple):
    """The text of a prompt; its first `shared` characters are the same whatever knowledge is given."""

    text: str
    shared: int


def build_prompt(
    layout: str, *, context_code: str, description: str, knowledge: str | None, library: str, version: str
) -> Prompt:
    """The user message for one task.

    `published` orders the parts as NovelAPIBench does (arXiv:2606.03657): documentation, code, task and instruction
    as comments. `instructed` tells a small model in words what the documentation is for and what to answer, and puts
    it after the task, so that all conditions of a task begin alike. Without `knowledge` the block with the
    documentation is missing and everything else is the same. Any other layout is the path of a template.

    Raises:
        UsageError: when the template cannot be used.
    """
    parts = Parts(context_code.strip("\n"), description.strip(), (knowledge or "").strip(), f"{library} {version}")
    if layout not in LAYOUTS:
        return Prompt(*render_template(Path(layout), parts))
    return (_published if layout == "published" else _instructed)(*parts)


def _published(context: str, description: str, knowledge: str, release: str) -> Prompt:
    documentation = f"# Reference documentation\n\n{knowledge}\n\n---\n" if knowledge else ""
    instruction = (
        "Complete the code above. The completion must work as it stands: add every import, name and value\n"
        "that is still missing.\nWrite only the lines that come next, without explanation."
    )
    parts = [documentation, context, f"# Task\n{_comment(description)}", f"#\n{_comment(instruction)}"]
    return Prompt("\n".join(part for part in parts if part) + "\n", 0)


def _instructed(context: str, description: str, knowledge: str, release: str) -> Prompt:
    before = f"This Python code has already run:\n{_fenced(context)}\n\n" if context else ""
    shared = f"{before}Task: {description}"
    documentation = (
        f"\n\n{release} has a new API that solves this task. Its reference documentation:\n\n{knowledge}\n\n"
        "Use the documented API."
        if knowledge
        else ""
    )
    instruction = "\n\nWrite only the Python lines that come next, in one code block."
    return Prompt(shared + documentation + instruction, len(shared))


def _comment(text: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines())


def _fenced(code: str) -> str:
    """`code` in a fence that is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{code}\n{fence}"
