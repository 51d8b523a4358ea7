"""Requests of a folder as one text for people, and the answers that they wrote into it."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from apigap.models.batch.folder import BatchFolder
from apigap.models.batch.formats import BatchAnswer, read_answer_line
from apigap.models.model_facts import BATCH
from apigap.records.errors import UsageError
from apigap.records.store import existing_file, read_text, write_text

_HEAD = (
    "Each prompt below wants an answer: give it to a model, a new conversation each, and write what it says between "
    "the two lines under the prompt. What is left empty stays open."
)
_ANSWER = re.compile(r"^=+ answer to (\w+) below =+\n(.*?)^=+ end of \1 =+$", re.MULTILINE | re.DOTALL)


class SheetCounts(NamedTuple):
    """The prompts that were written to a sheet, and those of the folder that wait for an answer."""

    written: int
    waiting: int


def write_sheet(folder: BatchFolder, path: Path, whole: bool = False) -> SheetCounts:
    """Write the requests of `folder` that have no answer to `path`, or all of them, with the answers that are there.

    Nothing is written where there is nothing to write.

    Raises:
        UsageError: when the folder holds no requests at all.
    """
    requests, waiting = folder.requests(), folder.open_requests()
    if not requests:
        raise _no_requests(folder)
    chosen = requests if whole else waiting
    if chosen:
        answers: Mapping[str, BatchAnswer] = folder.answers() if whole else {}
        entries = [_entry(line, answers.get(line["custom_id"])) for line in chosen]
        write_text(path, "\n\n".join([_HEAD, *entries]) + "\n")
    return SheetCounts(len(chosen), len(waiting))


def _no_requests(folder: BatchFolder) -> UsageError:
    return UsageError(
        f"{folder.path} holds no requests; give the folder of a command that was run with "
        f"--model {BATCH}{folder.path}, which writes them there"
    )


def read_sheet(folder: BatchFolder, path: Path) -> int:
    """Put the answers in a sheet, or in lines of `{"id": ..., "answer": ...}`, into `folder`; their number.

    What an earlier sheet of the same name gave stays, but for the prompts that are answered anew.

    Raises:
        UsageError: when it holds no answer, or `folder` no requests.
    """
    text = read_text(existing_file(path, "the sheet of `apigap prompts export`, with answers in it"))
    if not folder.requests():
        raise _no_requests(folder)
    answers: list[Any] = _answers(text) if _ANSWER.search(text) else _answer_lines(text, path)
    if not answers:
        raise UsageError(f"{path} holds no answer; write each between the two lines under its prompt")
    target = folder.path / f"answers-{path.stem}.jsonl"
    earlier = _lines(read_text(target), target) if target.exists() else []
    named = {_name(answer): answer for answer in (*earlier, *answers)}
    write_text(target, "".join(json.dumps(answer, ensure_ascii=False) + "\n" for answer in named.values()))
    return len(answers)


def _name(answer: Any) -> str:
    """The id of an answer, in whichever format it is; what has none is kept as it is, and told when it is read."""
    known: dict[str, Any] = cast("dict[str, Any]", answer) if isinstance(answer, dict) else {}
    return str(known.get("custom_id") or known.get("id") or json.dumps(answer))


def _entry(line: Mapping[str, Any], answer: BatchAnswer | None) -> str:
    name = line["custom_id"]
    turns = [f"({message['role']})\n{_said(message)}" for message in line["body"]["messages"]]
    whole = "\n\n".join(turns) if len(turns) > 1 else line["body"]["messages"][0]["content"]
    whole += _offered(line["body"].get("tools", ()))
    place = f"===== answer to {name} below =====\n{answer.text if answer else ''}\n===== end of {name} ====="
    return f"===== prompt {name} =====\n{whole}\n{place}"


def _said(message: Mapping[str, Any]) -> str:
    """A turn as text, with the calls that were made in it."""
    calls = [f"calls {one['function']['name']} {one['function']['arguments']}" for one in message.get("tool_calls", ())]
    return "\n".join([message["content"], *calls])


def _offered(tools: Sequence[Mapping[str, Any]]) -> str:
    """The tools of a request, and how an answer calls one: a folder's reader takes calls as this JSON."""
    if not tools:
        return ""
    functions = [tool["function"] for tool in tools]
    told = [
        f"- {one['name']}: {one['description']}\n  arguments, as a JSON schema: "
        + json.dumps(one["parameters"], ensure_ascii=False)
        for one in functions
    ]
    first = functions[0]
    given = dict.fromkeys(first["parameters"].get("properties", {}), "...")
    call = json.dumps({"content": "", "tool_calls": [{"name": first["name"], "arguments": given}]}, ensure_ascii=False)
    how = f"To call a tool, answer with JSON and nothing else, as: {call}\nAn answer in words calls none."
    return "\n\n".join(["\n\nTools that can be called:", *told, how])


def _lines(text: str, path: Path) -> list[Any]:
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError as error:
        raise UsageError(f"{path} is neither a sheet of `apigap prompts export` nor JSONL ({error})") from error


def _answer_lines(text: str, path: Path) -> list[Any]:
    """The lines of JSONL, each of which is an answer."""
    lines = _lines(text, path)
    for number, line in enumerate(lines, 1):
        try:
            read_answer_line(line)
        except (ValueError, AttributeError, TypeError) as error:
            raise UsageError(
                f'{path}, answer {number} is none ({error}); write each as {{"id": ..., "answer": ...}}'
            ) from error
    return lines


def _answers(text: str) -> list[dict[str, str]]:
    found = ((name, answer.strip("\n")) for name, answer in _ANSWER.findall(text))
    return [{"id": name, "answer": answer} for name, answer in found if answer.strip()]
