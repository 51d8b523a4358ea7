"""Dialogues in the form of API-Bank's training files: rows of instruction, input and output, one per call and reply.

The instruction is in the words in which our evaluation asks. As published, levels 1 and 2 describe the APIs in the
instruction, level 3 in the input; at levels 2 and 3 only the search is described, but for the replies of level 2.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from apigap.apibank_generator.agents.prompts import SEARCH_TOOL
from apigap.apibank_generator.api_pool import interface
from apigap.apibank_generator.records import SEARCH, Ability, Dialogue, Step, Tool, readable_json
from apigap.benchmarks.apibank.dialogues import Reply
from apigap.benchmarks.apibank.dialogues import Step as EvaluatedStep
from apigap.benchmarks.apibank.interfaces import own_interfaces
from apigap.benchmarks.apibank.prompts import Prompter, written
from apigap.records.errors import CorruptRecord
from apigap.records.store import read_bytes

LEVELS: Mapping[Ability, str] = {"call": "lv1", "retrieve+call": "lv2", "plan+retrieve+call": "lv3"}
Row = dict[str, str]
CALL_END, REPLY_END = "Generate API Request:", "Generate AI Response:"


def released_files(dialogues: Sequence[Dialogue], tools: Mapping[str, Tool]) -> dict[str, list[Row]]:
    """The rows by file name, those of a level in two files, as published; levels without a dialogue have none."""
    files: dict[str, list[Row]] = {}
    for dialogue in dialogues:
        level = LEVELS[dialogue.ability]
        for is_call, row in rows_of(dialogue, tools):
            files.setdefault(f"{level}-{'api' if is_call else 'response'}-train.json", []).append(row)
    return files


def rows_of(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[tuple[bool, Row]]:
    """The rows of a dialogue in order: whether it is a call, and the row."""
    assert dialogue.query is not None
    used = [tools[name] for name in dialogue.query.apis]
    lines: list[str] = []
    for exchange in dialogue.exchanges:
        lines.append(f"User: {exchange.user}")
        for step in exchange.steps:
            yield True, _row(dialogue.ability, True, used, lines, REQUEST + written(step.api, step.arguments))
            lines.append(request_line(step))
        reply = exchange.reply if dialogue.ability != "plan+retrieve+call" else f"AI: {exchange.reply}"
        yield False, _row(dialogue.ability, False, used, lines, reply)
        lines.append(f"AI: {exchange.reply}")


def request_line(step: Step) -> str:
    """A call with its result, or the words of its exception, as the conversations show it."""
    return f"{REQUEST}{written(step.api, step.arguments)}->{step.failure or step.result}"


def _row(ability: Ability, is_call: bool, used: Sequence[Tool], lines: Sequence[str], output: str) -> Row:
    request = "\n".join([*lines, CALL_END if is_call else REPLY_END, ""])
    if ability == "plan+retrieve+call":
        return {
            "instruction": instruction(is_call, ()) + "\n",
            "input": f"{described_search()}\n{request}",
            "output": output,
        }
    described = [readable_json(interface(tool)) for tool in _described_tools(ability, is_call, used)]
    return {"instruction": instruction(is_call, described), "input": request, "output": output}


def _described_tools(ability: Ability, is_call: bool, used: Sequence[Tool]) -> Sequence[Tool]:
    if ability == "call":
        return used
    return [SEARCH_TOOL] if is_call else [*used, SEARCH_TOOL]


class _TrainingRow(BaseModel):
    instruction: str
    input: str
    output: str


def read_rows(path: Path) -> list[Row]:
    """The rows of a training file in this form.

    Raises:
        CorruptRecord: when it is none; the message says where.
    """
    try:
        rows = TypeAdapter(list[_TrainingRow]).validate_json(read_bytes(path))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = ".".join(map(str, fault["loc"])) or "the file"
        raise CorruptRecord(
            f"{path} is no training file of API-Bank ({where}: {fault['msg']}); give files such as lv3-api-train.json"
        ) from None
    return [row.model_dump() for row in rows]


DESCRIBED = "API descriptions:"
REQUEST = "API-Request: "


def instruction(is_call: bool, described: Sequence[str]) -> str:
    """The instruction before a conversation; `described` are the APIs, a line each."""
    return "\n".join([_of_level_3(is_call)[0], *described])


def described_search() -> str:
    """The search as the prompts of level 3 describe it."""
    return _of_level_3(True)[1]


@cache
def _of_level_3(is_call: bool) -> tuple[str, str]:
    """The instruction of level 3, which has no year in it, and the line that describes the search."""
    task = EvaluatedStep(0, 0, SEARCH, {}, {}, "", "") if is_call else Reply(0, "", "", ())
    introduction, mark, search = Prompter(own_interfaces()).instruction(task).partition(DESCRIBED)
    return introduction + mark, search.strip()
