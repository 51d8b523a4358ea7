"""The changes of a library in words: for models that ask through MCP, and for people."""

import re

from apigap.projects.changes import Changes, gone_text, ran
from apigap.records.base import Json
from apigap.records.candidate import Candidate
from apigap.reporting.api_pages import CHANGES

_MOST = 40


def summary(
    changes: Changes, known_by: str, told_by: str, about: str = "", most: int = _MOST, how: str = "`read_change`"
) -> str:
    """The changes as Markdown: what is gone first, since old habits fail there, then what is new, by rank.

    At most `most` entries of each, and with `about` only those whose name holds one of its words. `how` reads one.
    """
    head = (
        f"# {changes.library}: {changes.old} -> {changes.new}\n\n"
        f"The project uses {changes.new} ({told_by}); {changes.old} is the release that you know ({known_by})."
    )
    gone = [one for one in changes.retired if _is_about(f"{one.old_name} {one.parameter or ''}", about)]
    new = [one for one in changes.heads if _is_about(one.api_name, about)]
    if not gone and not new:
        what = f"No name that holds a word of {about!r} changed" if about else "Nothing public changed"
        return f"{head}\n\n{what}: write it as you know it.\n"
    parts = [head]
    if gone:
        parts.append(_section("Gone or about to go", [f"- {gone_text(one).splitlines()[0]}" for one in gone], most))
    if new:
        examples = {one.api_name: ran(one) for one in changes.bundles}
        lines = [f"- {_line(one, examples.get(one.api_name, 0))}" for one in new]
        parts.append(_section("New and changed, what matters most first", lines, most))
    parts.append(f"Before you write code with one of them, read it by its full name: {how}.")
    return "\n\n".join(parts) + "\n"


def as_data(changes: Changes) -> dict[str, Json]:
    """All that changed, for programs: `changed` by rank, with the number of examples that ran, and `gone`."""
    examples = {one.api_name: ran(one) for one in changes.bundles}
    return {
        "library": changes.library,
        "old": changes.old,
        "new": changes.new,
        "changed": [
            {"api_name": one.api_name, "what": change_words(one), "signature": one.signature,
             "examples": examples.get(one.api_name, 0)}
            for one in changes.candidates
        ],
        "gone": [one.model_dump(mode="json") for one in changes.retired],
    }  # fmt: skip


def change_words(candidate: Candidate) -> str:
    """The change of an API in a few words."""
    what = f"{CHANGES[candidate.change]} {candidate.kind.replace('_', ' ')}"
    details = ", ".join(f"{one.what}: {one.parameter}" for one in candidate.changes[:3])
    moved = f" from {candidate.old_api_name}" if candidate.old_api_name else ""
    return f"{what}{moved}{f' ({details})' if details else ''}"


def _line(candidate: Candidate, examples: int) -> str:
    count = "example" if examples == 1 else "examples"
    tested = f"; {examples} {count} that ran" if examples else ""
    return f"`{candidate.api_name}`: {change_words(candidate)}{tested}"


def _section(title: str, lines: list[str], most: int) -> str:
    left = len(lines) - most
    more = [f"- and {left} more: ask again with `about`, a word of their names"] if left > 0 else []
    return "\n".join([f"## {title} ({len(lines)})", "", *lines[:most], *more])


def _is_about(name: str, about: str) -> bool:
    words = re.findall(r"\w+", about.lower())
    return not words or any(word in name.lower() for word in words)
