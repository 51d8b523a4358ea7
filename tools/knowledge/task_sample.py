"""A page with synthesised tasks as a solver sees them: a sample that nobody chose, for people to judge."""

from collections.abc import Sequence

from apigap.models.fences import fenced
from apigap.records.base import content_hash
from apigap.records.task import Task


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
    return "\n\n".join(
        (
            f"## {number}. {task.library} {task.version}, {task.change}, {task.difficulty}",
            fenced(task.context_code or "# nothing before"),
            fenced(task.description, "text"),
            f"<details><summary>answer (`{task.api_name}`)</summary>",
            fenced(task.masked_region),
            f"{_origin(task)}Scenarios: {scenarios}.",
            "</details>",
        )
    )


def _origin(task: Task) -> str:
    return f"From {'; '.join(task.provenance)}. " if task.provenance else ""
