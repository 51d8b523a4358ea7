"""A model of the tests for any APIs: whatever it is shown, it writes a dialogue with values of the declared types."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel

from apigap.models.generate import OnAnswer
from apigap.models.request import Answer, GenerationRequest

VALUES: dict[str, Any] = {
    "str": "walnut {n}", "int": 7, "float": 2.5, "bool": True, "list": ["one", "two"], "dict": {"kind": "small"},
    "date": "2025-03-14", "time": "09:30:00", "datetime": "2025-03-14 09:30:00",
}  # fmt: skip
OPENINGS = (
    "Could you tell me at once about {a} number {n}, the one of my aunt {b}?",
    "My neighbour {b} wonders what happens with {a} after the {n} storms of spring.",
    "I need {a}: our little club {b} has waited {n} weeks for it.",
    "Before we leave for {b} at {n}, somebody has to settle {a}.",
    "It rains in {b} and I am bored, so show me {a}, {n} times if you can.",
    "For the school of {b}, with {n} pupils, get {a} done.",
)
NAMES = ("Ottilie", "Ravna", "Brindisi", "Kestrel", "Oslavia", "Zenobia", "Umbria", "Pavao", "Quilla", "Morwenna")


class Obliging:
    """In the place of the generator of `transcripts`."""

    def __init__(self, model: str, decoding: object, **_: object) -> None:
        pass

    def generate(
        self, requests: Sequence[GenerationRequest], on_answer: OnAnswer, form: type[BaseModel] | None = None
    ) -> None:
        for request in requests:
            agent, _, number = request.key.partition("/")
            prompt = request.messages()[-1].content
            said = ANSWERS[agent](prompt, int(number))
            on_answer(request.key, 0, Answer(text=json.dumps(said), stop_reason="stop"))

    def close(self) -> None:
        pass


def shown(prompt: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in prompt.splitlines() if line.startswith('{"name"')]


def query(prompt: str, number: int) -> dict[str, Any]:
    tools = shown(prompt)[: 2 if "two or three" in prompt else 1]
    about = " and ".join(tool["description"].lower().rstrip(".") for tool in tools)
    words = OPENINGS[number % len(OPENINGS)]
    return {"apis": [tool["name"] for tool in tools], "query": words.format(a=about, b=NAMES[number % 10], n=number)}


def dialogue(prompt: str, number: int) -> dict[str, Any]:
    calls: list[dict[str, Any]] = []
    searched = "ToolSearcher" in prompt
    for tool in shown(prompt):
        if tool["name"] == "ToolSearcher":
            continue
        if searched:
            calls.append({"api": "ToolSearcher", "arguments": {"keywords": tool["description"]}, "result": {}})
        given = {one["name"]: filled(one["type"], number) for one in tool["parameters"] if one["required"]}
        result = {one["name"]: filled(one["type"], number) for one in tool["outputs"]}
        calls.append({"api": tool["name"], "arguments": given, "result": result})
    return {"calls": calls, "reply": f"It is done, and it gave what you see for {NAMES[number % 10]}."}


ANSWERS: dict[str, Callable[[str, int], dict[str, Any]]] = {
    "query": query, "dialogue": dialogue, "tester": lambda prompt, number: {"reason": "fine", "broken": []},
}  # fmt: skip


def filled(kind: str, number: int) -> Any:
    value = VALUES[kind]
    return value.format(n=number) if isinstance(value, str) else value
