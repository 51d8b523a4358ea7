"""The agents' prompts: one file each in `prompts`, with its version in the first line and $words to fill in.

Whoever changes a text counts its version up; the hash tells in every record which text it really was.
"""

import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any

from apigap.apibank_generator.records import (
    SEARCH,
    VALUE_TYPES,
    Ability,
    Agent,
    Dialogue,
    Domain,
    Exchange,
    Provenance,
    Query,
    Tool,
    Value,
    readable_json,
)
from apigap.benchmarks.apibank.interfaces import interface
from apigap.benchmarks.apibank.tools import PLANNING
from apigap.models.transcripts import Call
from apigap.records.base import Record, content_hash

_SHOWN_EXAMPLES = 2
_CHOICE: Mapping[Ability, str] = {
    "call": "one or two of them",
    "retrieve+call": "exactly one of them",
    "plan+retrieve+call": "two or three of them whose results build on each other",
}
_PLAN = "They name one goal that only several of these APIs together can reach, one after the other.\n"
_ORDER: Mapping[Ability, str] = {
    "call": "calls: one to three calls of these APIs.",
    "retrieve+call": (
        f"calls: first one of {SEARCH} with the keywords that would find the API (its result is left empty: {{}}), "
        "then one call of the API."
    ),
    "plan+retrieve+call": (
        f"calls: before each API's first call one of {SEARCH} with the keywords that would find that API (its result "
        "is left empty: {}), then the call; in the order in which one result is needed for the next call. Each API is "
        "called."
    ),
}
_FOLLOW_UP: Mapping[Ability, str] = {
    "call": (
        'empty, or one further turn as {"user": "...", "calls": [...], "reply": "..."}, in which the person asks for '
        "something else of these APIs."
    ),
    "retrieve+call": "empty.",
    "plan+retrieve+call": "empty.",
}


def _search_tool() -> Tool:
    """The search, in the words in which the evaluation's prompts describe it."""
    api = interface(PLANNING.apis[SEARCH])
    (keywords, keywords_value), (result, result_value) = (
        *api["input_parameters"].items(),
        *api["output_parameters"].items(),
    )
    return Tool(
        name=SEARCH,
        domain="",
        description=api["description"],
        inputs=(Value(name=keywords, type="str", description=keywords_value["description"]),),
        outputs=(Value(name=result, type="dict", description=result_value["description"]),),
        origin="API-Bank",
    )


SEARCH_TOOL = _search_tool()


class Prompt(Record):
    """An agent's prompt file."""

    agent: Agent
    file: str
    version: int
    hash: str
    text: str

    def fill(self, **words: object) -> str:
        """The text with every $word in place."""
        return Template(self.text).substitute(words).strip()

    def provenance(self, call: Call) -> Provenance:
        """The provenance of a record that is made of `call`."""
        return Provenance(
            agent=self.agent, prompt=self.file, version=self.version, prompt_hash=self.hash, model=call.model,
            transcript=call.key,
        )  # fmt: skip


@functools.cache
def prompt_of(agent: Agent) -> Prompt:
    """The prompt of an agent."""
    name = f"{agent}.txt"
    whole = (files("apigap.apibank_generator") / "prompts" / name).read_text(encoding="utf-8")
    head, _, text = whole.partition("\n")
    return Prompt(
        agent=agent, file=name, version=int(head.removeprefix("version:")), hash=content_hash(text), text=text
    )


def domains_prompt(count: int, taken: Sequence[str]) -> str:
    """Agent 1's: `count` domains beside those that are taken."""
    return prompt_of("domains").fill(count=count, taken=", ".join(taken) or "(none yet)")


def apis_prompt(domain: Domain, count: int, taken: Sequence[str], turn: int) -> str:
    """Agent 2's: `count` APIs; which real ones are shown goes round with `turn`."""
    examples = _examples()
    abridged = [examples[(turn + place) % len(examples)] for place in range(_SHOWN_EXAMPLES)]
    return prompt_of("apis").fill(
        count=count,
        domain=domain.name,
        description=domain.description or "what people want there",
        examples=_lines(abridged),
        taken=f" These are there already: {', '.join(taken)}." if taken else "",
        types=", ".join(VALUE_TYPES),
    )


def query_prompt(ability: Ability, offered: Sequence[Tool], avoid: Sequence[str]) -> str:
    """Agent 3's: the APIs to choose from, and former queries that the new one must not be like."""
    return prompt_of("query").fill(
        apis=described(offered),
        choice=_CHOICE[ability],
        plan=_PLAN if ability == "plan+retrieve+call" else "",
        avoid="".join(f"They are about something else than: {text}\n" for text in avoid),
    )


def dialogue_prompt(query: Query, chosen: Sequence[Tool]) -> str:
    """Agent 4's."""
    tools = chosen if query.ability == "call" else (SEARCH_TOOL, *chosen)
    return prompt_of("dialogue").fill(
        apis=described(tools), query=query.text, order=_ORDER[query.ability], follow_up=_FOLLOW_UP[query.ability]
    )


def tester_prompt(dialogue: Dialogue, chosen: Sequence[Tool]) -> str:
    """Agent 5's."""
    return prompt_of("tester").fill(
        apis=described(chosen), dialogue="\n".join(line for one in dialogue.exchanges for line in exchange_lines(one))
    )


def exchange_lines(exchange: Exchange) -> Iterable[str]:
    """An exchange as lines for a reader."""
    yield f"Person: {exchange.user}"
    for step in exchange.steps:
        result = step.result.get("name", "") if step.is_search else readable_json(step.result)
        yield f"Call: {step.api} {readable_json(step.arguments)} gives {result}"
    yield f"Assistant: {exchange.reply}"


def described(tools: Sequence[Tool]) -> str:
    """One JSON object a line, as agent 2 writes them."""
    return _lines(
        {
            "name": tool.name,
            "description": tool.description,
            "parameters": [
                value.model_dump(include={"name", "type", "description", "required"}) for value in tool.inputs
            ],
            "outputs": [value.model_dump(include={"name", "type", "description"}) for value in tool.outputs],
        }
        for tool in tools
    )


@functools.cache
def _examples() -> list[dict[str, Any]]:
    text = (files("apigap.apibank_generator") / "examples.json").read_text(encoding="utf-8")
    return json.loads(text)


def _lines(values: Iterable[Any]) -> str:
    return "\n".join(readable_json(value) for value in values)
