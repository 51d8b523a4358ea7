"""Calls in an answer: fenced blocks whose tag is a tool's name, or a provider's own calls. Nothing of it is evaluated.

Any text gives calls or none, never an error; a call whose argument cannot be read says why, and is not made.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from apigap.agent.toolsets import CODE, EXAMPLES, TOOLS
from apigap.models.adapted import IN_PROCESS
from apigap.models.extraction import extract_code
from apigap.models.fences import read_blocks
from apigap.models.model_facts import BATCH, LOCAL, MOCK
from apigap.models.provider_facts import facts_of
from apigap.models.traces import without_trace
from apigap.records.experiment import ToolName
from apigap.records.parsing.json_shapes import is_list, is_object

Protocol = Literal["native", "text"]
MOST_CALLS = 32
"""Calls of one answer that are read; who writes more is writing nonsense."""
MOST_ARGUMENT = 20_000
"""Characters of an argument."""
_TEXT_ONLY = (LOCAL, IN_PROCESS, BATCH, MOCK)


class Asked(NamedTuple):
    """A call that an answer asks for; `wrong` says why it cannot be made, empty where it can.

    `tool` is `unknown` where no tool has the name, which `named` keeps.
    """

    tool: ToolName | Literal["unknown"]
    named: str
    argument: str
    wrong: str = ""

    @property
    def arguments(self) -> dict[str, str]:
        """The argument under its name."""
        key = TOOLS[self.tool].argument if self.tool != "unknown" else "text"
        return {key: self.argument}


def protocol_for(model: str, wanted: str) -> Protocol:
    """The protocol in which `model` calls tools: the one `wanted`, or with `auto` its provider's own where it has one.

    Models of this machine, folders and made-up answers take text.
    """
    if wanted in ("native", "text"):
        return "native" if wanted == "native" else "text"
    return "text" if model.startswith(_TEXT_ONLY) or facts_of(model) is None else "native"


def read_calls(answer: str, protocol: Protocol, *, whole: bool = True) -> list[Asked]:
    """The calls of an answer in their order.

    With `native` an answer with calls is the JSON that `native_tools.calls_text` writes, and any other has none. In
    text a call is a block that is closed; the last may be open where the model ended the answer itself (`whole`).
    """
    if protocol == "native" and (message := _message(answer)) is not None:
        return [_native(one) for one in message["tool_calls"][:MOST_CALLS]]
    return [] if protocol == "native" else _in_blocks(answer, whole)


def said(answer: str, protocol: Protocol) -> str:
    """The words of an answer beside its calls."""
    message = _message(answer) if protocol == "native" else None
    return answer if message is None else str(message.get("content") or "")


def written_code(answer: str, context: str) -> str:
    """The code in an answer that calls no tool; empty where there is no block of it."""
    return extract_code(answer, context).code if "```" in answer or "~~~" in answer else ""


def _in_blocks(answer: str, whole: bool) -> list[Asked]:
    blocks = read_blocks(without_trace(answer.replace("\r\n", "\n")))
    found: list[Asked] = []
    for block in blocks:
        name = _tool(block.tag)
        if name is None:
            continue
        is_last = block is blocks[-1]
        cut = not block.closed and not (is_last and whole)
        text = block.text if name in CODE else block.text.strip()
        found.append(_checked(name, block.tag, text, "its block is not closed" if cut else ""))
    return found[:MOST_CALLS]


def _tool(tag: str) -> ToolName | None:
    return next((name for name in TOOLS if name == tag), None)


def _native(call: Any) -> Asked:
    name, arguments = (
        str(call.get("name")) if is_object(call) else "",
        call.get("arguments") if is_object(call) else None,
    )
    tool = _tool(name)
    if tool is None:
        return Asked("unknown", name[:100], "", f"there is no tool {name[:100]!r}")
    wanted = TOOLS[tool].argument
    if not is_object(arguments):
        return Asked(tool, name, "", f"its arguments are no object with {wanted!r}")
    value = arguments.get(wanted, "" if tool == "list_changes" else None)
    others = [key for key in arguments if key != wanted]
    if not isinstance(value, str) or others:
        why = f"it takes {wanted!r}, a text, and nothing else"
        return Asked(tool, name, value if isinstance(value, str) else "", why)
    return _checked(tool, name, value, "")


def _checked(tool: ToolName, named: str, argument: str, wrong: str) -> Asked:
    if len(argument) > MOST_ARGUMENT:
        return Asked(tool, named, argument[:MOST_ARGUMENT], f"its argument is longer than {MOST_ARGUMENT:,} characters")
    if not argument.strip() and tool != "list_changes":
        wrong = wrong or f"it wants {TOOLS[tool].wants}"
    if argument.strip() == EXAMPLES.get(tool):
        wrong = wrong or "that is the text of the example; write your own in its place"
    return Asked(tool, named, argument, wrong)


def _message(answer: str) -> Mapping[str, Any] | None:
    if not answer.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError):
        return None
    return value if is_object(value) and is_list(value.get("tool_calls")) else None
