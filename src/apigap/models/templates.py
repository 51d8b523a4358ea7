"""Prompt layouts of the user's own: a Jinja file with the parts of a prompt as variables."""

import functools
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import ImmutableSandboxedEnvironment

_MARK = "\ue000"


class Parts(NamedTuple):
    """Parts of a prompt; `knowledge` is empty where none is given, `release` is the library and its version."""

    context: str
    description: str
    knowledge: str
    release: str


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
