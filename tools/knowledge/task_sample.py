"""A page with synthesised tasks as a solver sees them: a sample that nobody chose, for people to judge."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from apigap.gates.record import GateRecord
from apigap.records.base import content_hash
from apigap.records.layout import Layout
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.tasks.synthesise import AUTHOR


def validated(root: Path, model: str, libraries: Iterable[str]) -> list[Task]:
    """The synthesised tasks of these libraries that passed the first gate, from a data folder."""
    found: list[Task] = []
    layout = Layout(root, model)
    for library in libraries:
        path, gate = layout.stage(library, "stage3_tasks"), layout.stage(library, "stage4_c1")
        if path.exists() and gate.exists():
            passed = {record.task_id for record in load_records(gate, GateRecord) if record.status == "passed"}
            found += [task for task in load_records(path, Task) if task.task_id in passed and task.author == AUTHOR]
    return found


def drawn(tasks: Sequence[Task], size: int, draw: int) -> list[Task]:
    """`size` of the tasks, at most one per API, by the hash of the number of the draw and their id."""
    ordered = sorted(tasks, key=lambda task: content_hash([draw, task.task_id]))
    one_each = {task.api_name: task for task in reversed(ordered)}
    kept = [task for task in ordered if one_each[task.api_name] is task][:size]
    return sorted(kept, key=lambda task: (task.library, task.api_name))


def page(tasks: Sequence[Task]) -> str:
    """The tasks as Markdown: what a solver sees, then the reference and the scenarios, folded."""
    return "\n\n".join(_section(number, task) for number, task in enumerate(tasks, start=1)) + "\n"


def _section(number: int, task: Task) -> str:
    scenarios = ", ".join(scenario.name for scenario in task.harness.scenarios)
    return "\n".join(
        (
            f"## {number}. {task.library} {task.version}, {task.change}, {task.difficulty}",
            "",
            *fenced(task.context_code or "# nothing before", "python"),
            "",
            *fenced(task.description, "text"),
            "",
            f"<details><summary>answer (`{task.api_name}`)</summary>",
            "",
            *fenced(task.masked_region, "python"),
            "",
            f"{_origin(task)}Scenarios: {scenarios}.",
            "",
            "</details>",
        )
    )


def _origin(task: Task) -> str:
    return f"From {'; '.join(task.provenance)}. " if task.provenance else ""


def fenced(text: str, language: str) -> tuple[str, str, str]:
    """A text as the lines of a block of code, which it cannot end."""
    fence = "````" if "```" in text else "```"
    return (f"{fence}{language}", text, fence)
