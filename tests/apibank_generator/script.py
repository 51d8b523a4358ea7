"""A model of the tests: it answers the five agents with the dialogues of `written.json`, some of which do not hold."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from apigap.models.generate import OnAnswer
from apigap.models.request import Answer, GenerationRequest

WRITTEN: dict[str, Any] = json.loads(Path(__file__).with_name("written.json").read_text("utf-8"))
APIS: dict[str, dict[str, list[str]]] = WRITTEN["apis"]
ROWS: dict[str, list[dict[str, Any]]] = WRITTEN["rows"]
CHOICES = {
    "call": "one or two of them", "retrieve+call": "exactly one of them", "plan+retrieve+call": "two or three of them",
}  # fmt: skip
PROSE = "I am afraid that I cannot think of anything else."


class Scripted:
    """In the place of the generator of `transcripts`; rows are handed out in order, each once."""

    waiting: dict[tuple[str, str], list[dict[str, Any]]] = {}
    asked: list[str] = []

    @classmethod
    def reset(cls) -> None:
        cls.asked = []
        cls.waiting = {
            (domain, ability): [row for row in rows if row["ability"] == ability]
            for domain, rows in ROWS.items()
            for ability in CHOICES
        }

    def __init__(self, model: str, decoding: object, **_: object) -> None:
        pass

    def generate(
        self, requests: Sequence[GenerationRequest], on_answer: OnAnswer, form: type[BaseModel] | None = None
    ) -> None:
        for request in requests:
            self.asked.append(request.key)
            said = self.said(request.key, request.messages()[-1].content)
            tokens = {"input_tokens": len(request.messages()[-1].content) // 4, "output_tokens": len(said) // 4 + 1}
            on_answer(request.key, 0, Answer(text=said, stop_reason="stop", **tokens))  # pyright: ignore[reportArgumentType]

    def close(self) -> None:
        pass

    def said(self, key: str, prompt: str) -> str:
        agent, _, rest = key.partition("/")
        if agent == "domains":
            return domains_answer(int(rest))
        if agent == "apis":
            return apis_answer(rest.partition("/")[0])
        if agent == "query":
            return self._query(prompt)
        row = next(row for row in all_rows() if row["query"] in prompt)
        return dialogue_answer(row) if agent == "dialogue" else verdict_answer(row)

    def _query(self, prompt: str) -> str:
        domain = next(name for name, apis in APIS.items() if any(f'"{api}"' in prompt for api in apis))
        ability = next(name for name, choice in CHOICES.items() if choice in prompt)
        waiting = self.waiting[domain, ability]
        if not waiting:
            return PROSE
        row = waiting.pop(0)
        return json.dumps({"apis": apis_of(row), "query": row["query"]})


def all_rows() -> Iterator[dict[str, Any]]:
    for rows in ROWS.values():
        yield from rows


def apis_of(row: dict[str, Any]) -> list[str]:
    return row.get("apis") or list(dict.fromkeys(api for api, _, _ in row["calls"]))


def domains_answer(turn: int) -> str:
    """First all domains, two of them twice and one that is none; then nothing that is new."""
    first = [*APIS, "Beekeeping", "pottery", "everything that people could ever want to have from the world"]
    told = [{"name": name, "description": f"What people want of {name}."} for name in first]
    answers = [json.dumps({"domains": told}), '{"domains": []}', PROSE]
    return answers[min(turn, len(answers) - 1)]


def apis_answer(domain: str) -> str:
    """The APIs of a domain; in some there is one that does not hold."""
    wrong: dict[str, list[dict[str, Any]]] = {
        "pottery": [api("Throw Pot", "Throws a pot.", "size", "pot")],
        "choirs": [api("AddAgenda", "Adds an entry to the agenda.", "content", "status")],
        "orchards": [api("CountTrees", "Counts trees.", "valley:forest", "trees:int")],
    }
    good = [api(name, *told) for name, told in APIS[domain].items()]
    return json.dumps({"apis": [*wrong.get(domain, []), *good]})


def api(name: str, description: str, inputs: str, outputs: str) -> dict[str, Any]:
    parameters = [value(word) for word in inputs.split()]
    return {"name": name, "description": description, "parameters": parameters, "outputs": [value(o) for o in outputs.split()]}  # fmt: skip  # noqa: E501


def value(word: str) -> dict[str, Any]:
    name, _, kind = word.removesuffix("?").partition(":")
    return {"name": name, "type": kind or "str", "description": f"The {name}.", "required": not word.endswith("?")}


def dialogue_answer(row: dict[str, Any]) -> str:
    if "raw" in row:
        return row["raw"]
    answer = {"calls": list(calls(row)), "reply": row["reply"], "follow_up": []}
    for turn in row.get("follow_up", []):
        told = [{"api": api, "arguments": given, "result": result} for api, given, result in turn["calls"]]
        answer["follow_up"].append({"user": turn["user"], "calls": told, "reply": turn["reply"]})
    return f"Here it is:\n```json\n{json.dumps(answer, indent=1)}\n```"


def calls(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    searched = set(row.get("unsearched", ()))
    for name, given, result in row["calls"]:
        if row["ability"] != "call" and name not in searched:
            searched.add(name)
            keywords = row.get("keywords", {}).get(name) or description(name).lower().rstrip(".")
            yield {"api": "ToolSearcher", "arguments": {"keywords": keywords}, "result": {}}
        yield {"api": name, "arguments": given, "result": result}


def description(name: str) -> str:
    return next(apis[name][0] for apis in APIS.values() if name in apis)


def verdict_answer(row: dict[str, Any]) -> str:
    return json.dumps({"reason": "the weakest point of it", "broken": row.get("broken", [])})
