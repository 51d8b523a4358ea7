"""Open requests of a folder as one text for people, and the answers that they wrote into it."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from apigap.models.batch.folder import BatchFolder
from apigap.records.errors import UsageError
from apigap.records.store import existing_file, read_text, write_text

_HEAD = (
    "Each prompt below wants an answer: give it to a model, a new conversation each, and write what it says between "
    "the two lines under the prompt. What is left empty stays open."
)
_ANSWER = re.compile(r"^=+ answer to (\w+) below =+\n(.*?)^=+ end of \1 =+$", re.MULTILINE | re.DOTALL)


def write_sheet(folder: BatchFolder, path: Path) -> int:
    """Write the requests of `folder` that have no answer to `path`; their number."""
    lines = folder.open_requests()
    write_text(path, "\n\n".join([_HEAD, *map(_entry, lines)]) + "\n")
    return len(lines)


def read_sheet(folder: BatchFolder, path: Path) -> int:
    """Put the answers in a sheet, or in lines of `{"id": ..., "answer": ...}`, into `folder`; their number.

    Raises:
        UsageError: when it holds no answer.
    """
    text = read_text(existing_file(path, "the sheet of `apigap prompts export`, with answers in it"))
    answers: list[Any] = _answers(text) if _ANSWER.search(text) else _lines(text, path)
    if not answers:
        raise UsageError(f"{path} holds no answer; write each between the two lines under its prompt")
    lines = "".join(json.dumps(answer, ensure_ascii=False) + "\n" for answer in answers)
    write_text(folder.path / f"answers-{path.stem}.jsonl", lines)
    return len(answers)


def _entry(line: Mapping[str, Any]) -> str:
    name = line["custom_id"]
    turns = [f"({message['role']})\n{message['content']}" for message in line["body"]["messages"]]
    whole = "\n\n".join(turns) if len(turns) > 1 else line["body"]["messages"][0]["content"]
    return f"===== prompt {name} =====\n{whole}\n===== answer to {name} below =====\n\n===== end of {name} ====="


def _lines(text: str, path: Path) -> list[Any]:
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError as error:
        raise UsageError(f"{path} is neither a sheet of `apigap prompts export` nor JSONL ({error})") from error


def _answers(text: str) -> list[dict[str, str]]:
    found = ((name, answer.strip("\n")) for name, answer in _ANSWER.findall(text))
    return [{"id": name, "answer": answer} for name, answer in found if answer.strip()]
