"""Rows of training files as prompts and completions, so that a trainer's loss is on the answer alone.

Each is asked as the evaluation asks: its instruction and the APIs as the system's message, the conversation as the
user's. The published files have other words there, and `{{time}}` where a time was to be filled in; their replies
begin with `AI: `, which is taken off, since the evaluation asks for the assistant's words alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from apigap.apibank_generator.formats.released import CALL_END, DESCRIBED, REPLY_END, REQUEST, Row, instruction, rows_of
from apigap.apibank_generator.records import Dialogue, Tool


def prompt_and_completion(row: Row) -> dict[str, Any]:
    """A row as TRL's conversational prompt and completion."""
    is_call = row["output"].lstrip().startswith(REQUEST.strip())
    described, request = _parts(row)
    end = CALL_END if is_call else REPLY_END
    request = request.rstrip().removesuffix(end).rstrip()
    return {
        "prompt": [
            {"role": "system", "content": instruction(is_call, described)},
            {"role": "user", "content": f"{request}\n{end}\n"},
        ],
        "completion": [{"role": "assistant", "content": _answer(row["output"], is_call)}],
    }


def _answer(output: str, is_call: bool) -> str:
    return output.strip() if is_call else output.strip().removeprefix("AI:").strip()


def _parts(row: Row) -> tuple[list[str], str]:
    """The descriptions of the APIs, wherever they stand, and the conversation."""
    introduction = row["instruction"].partition(DESCRIBED)[2]
    before, user, after = row["input"].partition("User:")
    lines = [line for line in (*introduction.splitlines(), *before.splitlines()) if line.strip()]
    return lines, user + after


def inspect_samples(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[dict[str, Any]]:
    """Samples that `inspect_ai.dataset.json_dataset` reads; what a record is from is in the metadata."""
    for number, (is_call, row) in enumerate(rows_of(dialogue, tools)):
        request = prompt_and_completion(row)
        yield {
            "id": f"{dialogue.id}#{number}",
            "input": request["prompt"],
            "target": request["completion"][0]["content"],
            "metadata": {
                "kind": "call" if is_call else "reply",
                "ability": dialogue.ability,
                "domain": dialogue.domain,
                "apis": list(dialogue.query.apis) if dialogue.query else [],
                "model": dialogue.provenance.model if dialogue.provenance else None,
            },
        }
