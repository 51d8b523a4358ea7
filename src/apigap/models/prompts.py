"""Prompts for a completion task: short, since a local model reads a hundred tokens a second.

A layout of the user's own is a Jinja file with the parts of a prompt as variables.
"""

import functools
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from apigap.models.fences import fenced
from apigap.models.request import Message, OfferedTool, tool_of_text
from apigap.records.configuration import LAYOUTS
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import ImmutableSandboxedEnvironment

_MARK = "\ue000"
_WISH = "Write only the Python lines that come next, in one code block."
_WORK = "You write Python code that goes on from code that has already run."
_SYSTEM = f"{_WORK} {_WISH}"
_HAND_IN = f"{_WORK} Hand in only the Python lines that come next, by calling `submit`."
_SUBMIT = tool_of_text("submit", "Hand in the Python lines that come next.", "code", "The Python lines that come next.")


class Prompt(NamedTuple):
    """The text of a prompt, and what stands before it as the system's message, if anything.

    The first `shared` characters of the first of these messages are the same whatever knowledge is given. `tools` are
    offered beside it, in the provider's own way.
    """

    text: str
    shared: int
    system: str = ""
    tools: tuple[OfferedTool, ...] = ()

    def messages(self, begin: str = "") -> tuple[Message, ...]:
        """The conversation to send; `begin` is the beginning of the answer, where it is given."""
        turns = (
            Message(role="system", content=self.system),
            Message(role="user", content=self.text),
            Message(role="assistant", content=begin),
        )
        return tuple(turn for turn in turns if turn.content)


class Parts(NamedTuple):
    """Parts of a prompt; `knowledge` is empty where none is given, `release` is the library and its version."""

    context: str
    description: str
    knowledge: str
    release: str


def build_prompt(
    layout: str, *, context_code: str, description: str, knowledge: str | None, library: str, version: str
) -> Prompt:
    """The user message for one task.

    `published` orders the parts as NovelAPIBench does (arXiv:2606.03657): documentation, code, task and instruction
    as comments. `instructed` tells a small model in words what the documentation is for and what to answer, and puts
    it after the task, so that all conditions of a task begin alike; `chat` has the instruction as the system's message
    and the rest as `instructed` has it, and `tools` asks for the code as a call of a tool that is offered beside it.
    Without `knowledge` the block with the documentation is missing and everything else is the same. Any other layout is
    the path of a template.

    Raises:
        UsageError: when the template cannot be used.
    """
    parts = Parts(context_code.strip("\n"), description.strip(), (knowledge or "").strip(), f"{library} {version}")
    if layout not in LAYOUTS:
        return Prompt(*render_template(Path(layout), parts))
    made = {"published": _published, "instructed": _instructed, "chat": _chat, "tools": _tools}
    return made[layout](*parts)


def _published(context: str, description: str, knowledge: str, release: str) -> Prompt:
    documentation = f"# Reference documentation\n\n{knowledge}\n\n---\n" if knowledge else ""
    instruction = (
        "Complete the code above. The completion must work as it stands: add every import, name and value\n"
        "that is still missing.\nWrite only the lines that come next, without explanation."
    )
    parts = [documentation, context, f"# Task\n{_comment(description)}", f"#\n{_comment(instruction)}"]
    return Prompt("\n".join(part for part in parts if part) + "\n", 0)


def _instructed(context: str, description: str, knowledge: str, release: str) -> Prompt:
    shared, documentation = _asked(context, description, knowledge, release)
    return Prompt(f"{shared}{documentation}\n\n{_WISH}", len(shared))


def _chat(context: str, description: str, knowledge: str, release: str) -> Prompt:
    return Prompt("".join(_asked(context, description, knowledge, release)), len(_SYSTEM), _SYSTEM)


def _tools(context: str, description: str, knowledge: str, release: str) -> Prompt:
    asked = "".join(_asked(context, description, knowledge, release))
    return Prompt(asked, len(_HAND_IN), _HAND_IN, (_SUBMIT,))


def _asked(context: str, description: str, knowledge: str, release: str) -> tuple[str, str]:
    """The code and the task, and the documentation that may follow."""
    before = f"This Python code has already run:\n{fenced(context)}\n\n" if context else ""
    shared = f"{before}Task: {description}"
    documentation = (
        f"\n\n{release} has a new API that solves this task. Its reference documentation:\n\n{knowledge}\n\n"
        "Use the documented API."
        if knowledge
        else ""
    )
    return shared, documentation


def _comment(text: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines())


def render_template(path: Path, parts: Parts) -> tuple[str, int]:
    """The prompt that the template makes of `parts`, and how many of its first characters no knowledge changes.

    The template knows `context`, `description`, `knowledge` and `release`, and no other names.

    Raises:
        UsageError: when the file is no template, names something else, or leaves out the description.
    """
    text = _rendered(path, parts)
    if parts.description not in text:
        raise UsageError(f"the template {path} does not show the task: write {{{{ description }}}} where it belongs")
    plain = _rendered(path, parts._replace(knowledge=""))
    marked = _rendered(path, parts._replace(knowledge=_MARK))
    same = next((n for n, (one, other) in enumerate(zip(plain, marked, strict=False)) if one != other), len(plain))
    return text, same if text.startswith(plain[:same]) else 0


def _rendered(path: Path, parts: Parts) -> str:
    from jinja2 import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    try:
        return _template(read_template(path), ImmutableSandboxedEnvironment).render(parts._asdict()).strip("\n") + "\n"
    except TemplateError as error:
        raise UsageError(f"the template {path} cannot be used: {error}") from error


def read_template(path: Path) -> str:
    """The text of a template.

    Raises:
        UsageError: when the file cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the template {path} cannot be read: {error}") from error


@functools.lru_cache(maxsize=4)
def _template(text: str, kind: "type[ImmutableSandboxedEnvironment]") -> "Template":
    from jinja2 import StrictUndefined

    return kind(undefined=StrictUndefined, keep_trailing_newline=True).from_string(text)
