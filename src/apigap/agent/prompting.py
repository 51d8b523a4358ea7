"""The words to an agent: its tools, how it calls them, its budget, the task, and results."""

from collections.abc import Sequence

from apigap.agent.budget import Spent, left, told
from apigap.agent.protocol import Asked, Protocol
from apigap.agent.toolsets import EXAMPLES, SETS, TOOLS
from apigap.models.prompts import build_prompt
from apigap.models.request import Message
from apigap.records.configuration import AgentBudget
from apigap.records.experiment import ToolName, ToolSet
from apigap.records.task import Task

HAND_IN = "Hand in the Python lines that come next with `submit`."
"""The end of a task's message, by which an agent's prompt is known."""
_REMINDER = "Your answer called no tool. "


def opening(task: Task, tools: ToolSet, protocol: Protocol, budget: AgentBudget) -> tuple[Message, ...]:
    """The messages before the first answer."""
    asked = build_prompt(
        "chat",
        context_code=task.context_code,
        description=task.description,
        knowledge=None,
        library=task.library,
        version=task.version,
    )
    named = ", ".join(SETS[tools])
    system = "\n\n".join(part for part in (_work(task, tools), _tools(tools, protocol), _budget(budget)) if part)
    user = f"{asked.text}\n\nTools: {named}. {HAND_IN}"
    return (Message(role="system", content=system), Message(role="user", content=user))


def reminder(tools: ToolSet, protocol: Protocol, spent: Spent, budget: AgentBudget) -> str:
    """The words after an answer without a call."""
    how = "" if protocol == "native" else f"Write a fenced block whose tag is one of {', '.join(SETS[tools])}. "
    return f"{_REMINDER}{how}{HAND_IN}\n\n{left(spent, budget)}"


def results(given: Sequence[tuple[Asked, str]]) -> str:
    """The results of the calls of one answer, as one message of the text protocol."""
    return "\n\n".join(f"Result of {asked.named}:\n{text}" for asked, text in given)


def not_offered(tools: ToolSet) -> str:
    """The words after a call of a tool that there is not here."""
    return f"There is no such tool here; there is {', '.join(SETS[tools])}."


NO_CALLS_LEFT = "No tool calls are left; hand in your code with `submit`."


def _work(task: Task, tools: ToolSet) -> str:
    release = f"{task.library} {task.version}"
    look = " Look up what you need before you hand in." if tools != "none" else ""
    return (
        f"You write Python code that goes on from code that has already run, with {release}, which may be newer than "
        f"what you know of it.{look}"
    )


def _tools(tools: ToolSet, protocol: Protocol) -> str:
    if protocol == "native":
        return "Work by calling the tools; several calls in one answer are made in their order."
    listed = "\n".join(f"- {name}: {TOOLS[name].does} Its text: {TOOLS[name].wants}." for name in SETS[tools])
    examples = "\n\n".join(_example(name) for name in (SETS[tools][0], "submit") if name != "submit" or tools != "none")
    return (
        f"Tools:\n{listed}\n\nCall a tool by a fenced block whose tag is the tool's name, alone on its line, and whose "
        f"text is what the tool wants. Several blocks in one answer are run in their order. As:\n\n"
        f"{examples or _example('submit')}"
    )


def _example(name: ToolName) -> str:
    return f"```{name}\n{EXAMPLES[name]}\n```"


def _budget(budget: AgentBudget) -> str:
    return (
        f"Your budget: {told(budget)}. `submit` costs no tool call. When the budget is used up, the last code that you "
        "submitted or ran counts, as the lines that come next."
    )
