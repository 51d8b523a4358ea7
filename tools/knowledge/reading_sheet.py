"""A sheet of synthesised tasks for somebody to read: numbered, with the criteria on top, and readings that are kept."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from apigap.gates import reading
from apigap.records.base import Record, content_hash
from apigap.records.task import Task

Of = Literal["purpose", "data", "outcome", "new", "copy", "argument", "other"]
CRITERIA: dict[Of, str] = {**reading.CRITERIA, "copy": "it is no near-copy of another task of the sheet"}
"""Criteria of a task that is fit to publish; one that fails in another way is `other`."""
_HEAD = """# Synthesised tasks to read, sheet {number} of {sheets}

A task asks for code with an API that a new release of a library has. A solver sees the code that ran before, and the
text under it, nothing else. The answer is what the author has as the right one; answers are judged by what they leave
behind, in this and in other scenarios. Read as an editor would: **is it fit to publish as it stands?** It is, if

{criteria}

Small clumsiness of language is no reason against it; a text that leads a good solver astray is. Write one line of JSON
per task, `{{"id": "...", "fit": true}}` or `{{"id": "...", "fit": false, "of": "data", "why": "a sentence"}}`, where
`of` is the first of these that fails: {reasons}.
"""


class Reading(Record):
    """What a reader found of one task: whether it is fit to publish, and, if not, the first criterion it fails.

    `sheet` is the number of the sheet on which it stood.
    """

    id: str
    reader: str
    date: str
    sheet: int = 1
    fit: bool
    of: Of | None = None
    why: str = ""


def drawn_evenly(tasks: Sequence[Task], size: int, draw: int) -> list[Task]:
    """At most `size` tasks, one per API, from all libraries alike: these take turns, within each by hash.

    An API that two releases of its library have a task of is one API.
    """
    ordered = sorted(tasks, key=lambda task: content_hash([draw, task.task_id]))
    one_each = {task.api_name: task for task in reversed(ordered)}
    turns: Counter[str] = Counter()
    ranked: list[tuple[int, int, Task]] = []
    for place, task in enumerate(task for task in ordered if one_each[task.api_name] is task):
        turns[task.library] += 1
        ranked.append((turns[task.library], place, task))
    return [task for _, _, task in sorted(ranked, key=lambda entry: entry[:2])][:size]


def sheets(tasks: Sequence[Task], most: int) -> list[str]:
    """The tasks as sheets of at most `most` each, in their order."""
    parts = [tasks[start : start + most] for start in range(0, len(tasks), most)]
    return [_sheet(number, len(parts), part) for number, part in enumerate(parts, start=1)]


def _sheet(number: int, count: int, tasks: Sequence[Task]) -> str:
    criteria = "\n".join(f"- ({name}) {text};" for name, text in CRITERIA.items())
    reasons = ", ".join(f"`{name}`" for name in (*CRITERIA, "other"))
    head = _HEAD.format(number=number, sheets=count, criteria=criteria, reasons=reasons)
    return "\n".join((head, *(_item(place, task) for place, task in enumerate(tasks, start=1))))


def _item(place: int, task: Task) -> str:
    title = f"## {place}. `{task.task_id}` ({task.library} {task.version}, before {task.old_version})"
    return f"{title}\n\n{reading.as_read(task)}\n"
