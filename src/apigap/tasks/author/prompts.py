"""The prompts for tasks and scenarios. What all of them share comes first, so that a local model reads it once.

No exemplar is in them: what a bundle shows must not be what its tasks are made of. Working code that is shown comes
from the usages that were kept back from the bundle.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from apigap.knowledge.conditions import render
from apigap.knowledge.usages.verify import VerifiedUsage, changed_parameters
from apigap.models.request import Message
from apigap.records.candidate import Candidate
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.task import Difficulty
from apigap.sandbox.verdict.summary import summary
from apigap.tasks.author.answers import inputs_of
from apigap.tasks.hand_written import WrittenTask

_USAGE_CHARACTERS = 700
_OUTCOME_CHARACTERS = 120
_SAID_CHARACTERS = 4000

SHARED = """\
You write exercises about single functions and classes of Python libraries. An exercise is a short program with a gap. \
Another programmer gets the description and the code before the gap, and writes the lines of the gap. The values that \
they leave in variables are compared with yours.

Write one JSON object:
- description: what the variables of the context hold, and what each result variable must hold then, exactly enough \
that there is one right answer. It never contains the name of the function, and does not explain the function.
- context: the lines of code before the gap: imports, then realistic data assigned to variables. They do not use the \
function.
- solution: the lines of the gap. They call the function with variables of the context, and assign each result to a \
new variable.
- observe: the result variables to compare. Their values are numbers, texts, lists or dictionaries: the solution \
converts others.

This one is about math.dist:
{"description": "A courier rides from `depot` to each of the `stops` (kilometres east and north). Make `legs` the list \
of the straight distances from the depot, in the order of the stops, rounded to one decimal.",
"context": ["import math", "depot = (2.0, 1.5)", "stops = [(5.0, 5.5), (2.0, 9.25), (-1.5, 0.5)]"],
"solution": ["legs = [round(math.dist(depot, stop), 1) for stop in stops]"],
"observe": ["legs"]}
"""

_SIZES: Mapping[Difficulty, str] = {
    "easy": "The solution is one line.",
    "medium": "The solution has two to five lines: the call, and what prepares its arguments or uses its result.",
    "hard": "The solution uses it at least twice, with different arguments, and combines the results.",
}


def task_prompt(candidate: Candidate, bundle: KnowledgeBundle, usage: VerifiedUsage | None, size: Difficulty) -> str:
    """The prompt for a task of `candidate`; it begins with `SHARED`."""
    parts = (
        f"{SHARED}\nWrite one about {candidate.api_name}, the {candidate.kind} `{candidate.leaf}` of "
        f"{candidate.library} {candidate.new_version}. {_news(candidate)} {_SIZES[size]}",
        render(bundle, "s_m_prose"),
        _working(usage),
        "Answer with the JSON object only.",
    )
    return "\n\n".join(part for part in parts if part)


def scenarios_prompt(task: WrittenTask, observed: Mapping[str, Any]) -> str:
    """The prompt for the scenarios of a task whose reference gives `observed`."""
    known = inputs_of(task.context)
    lines = "\n".join(known.values())
    outcomes = "\n".join(f"{name} is {summary(value, _OUTCOME_CHARACTERS)}" for name, value in observed.items())
    first = next(iter(known.values()), "").split("\n")[0]
    return f"""\
This program runs:
```python
{task.context.strip()}
{task.solution.strip()}
```
Afterwards:
{outcomes}

Its inputs are these lines:
```python
{lines}
```
Write two other sets of inputs as one JSON object: {{"scenarios": [{{"name": "what is special", "inputs": ["the lines \
that change"]}}, ...]}}. Each of `inputs` is one of the lines above (such as `{first}`) with other values of the same \
kind; lines that stay the same are left out. The first set has other ordinary values. The second is an extreme case: \
few or many items, zero, negative or very large numbers. The program must still run, and the results must be different \
each time. Answer with the JSON object only."""


def retry_prompt(prompt: str, said: str, reason: str) -> tuple[Message, ...]:
    """The conversation that goes on from an answer that was rejected."""
    return (
        Message(role="user", content=prompt),
        Message(role="assistant", content=said[:_SAID_CHARACTERS]),
        Message(role="user", content=f"This was tried and rejected: {reason}\nWrite the whole JSON object again."),
    )


def _news(candidate: Candidate) -> str:
    """The change that the task must be about."""
    if candidate.change == "added":
        return "It is new in this version."
    changed = sorted(changed_parameters(candidate))
    names = " or ".join(f"`{name}`" for name in changed)
    return f"The solution must pass {names}, which this version changed." if changed else "This version changed it."


def _working(usage: VerifiedUsage | None) -> str:
    if usage is None:
        return ""
    code = usage.usage.code
    return f"This code works (yours is about something else and has other data):\n```python\n{code}\n```"


def usages_to_show(usages: Sequence[VerifiedUsage]) -> list[VerifiedUsage]:
    """The usages that are short enough for a prompt, in their order."""
    return [verified for verified in usages if len(verified.usage.code) <= _USAGE_CHARACTERS]
