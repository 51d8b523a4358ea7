"""The question files and files of possible answers of BFCL, as queries; and the result files of its runs.

A category is a file `BFCL_v4_CATEGORY.json` with a JSON object on each line: `id`, `question` (a list of turns, each a
list of messages) and `function`. `possible_answer/` beside it has a file of the same name with `id` and `ground_truth`:
a list of `{"function": {"argument": [accepted values]}}`. Categories of nothing to call have none.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from apigap.benchmarks.calls.queries import Expects, Query, RuleSet, unlike
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.parsing.json_shapes import is_list, is_object
from apigap.records.store import read_bytes

_FILE = re.compile(r"(?:BFCL_v\d+_|gorilla_openfunctions_v\d+_test_)?(?P<category>\w+)\.jsonl?")
_ANSWERS = "possible_answer"
_READ = re.compile(
    r"(?:live_)?(?:simple(?:_python|_java|_javascript)?|multiple|parallel|parallel_multiple|irrelevance|relevance)|java(?:script)?"
)


def category_of(path: Path) -> str | None:
    """The category of a file that is read; None for any other (several turns, agents, calls that are executed)."""
    found = _FILE.fullmatch(path.name)
    return found["category"] if found and _READ.fullmatch(found["category"]) else None


def question_files(folder: Path) -> list[Path]:
    """The question files of a folder, by name.

    Raises:
        UsageError: when there is none.
    """
    found = sorted(path for path in folder.iterdir() if path.is_file() and category_of(path)) if folder.is_dir() else []
    if not found:
        raise UsageError(
            f"{folder} has no question file of BFCL; give the folder of BFCL_v4_simple_python.json and its like, "
            f"with the folder {_ANSWERS} in it, as --data bfcl:FOLDER"
        )
    return found


def answers_file(questions: Path) -> Path:
    """The file of possible answers to a question file."""
    return questions.parent / _ANSWERS / questions.name


def load_bfcl(folder: Path) -> list[Query]:
    """The queries of all question files of a folder, in order.

    Raises:
        CorruptRecord: when a line is none, or has no possible answer, naming file and id.
        UsageError: when the folder has no question file.
    """
    return unlike([query for path in question_files(folder) for query in _queries(path)], folder)


def _queries(path: Path) -> Iterator[Query]:
    category = category_of(path) or ""
    expects = expects_of(category)
    told = {row.get("id"): row.get("ground_truth") for row in rows(answers_file(path))} if expects == "calls" else {}
    for row in rows(path):
        try:
            yield _query(row, category, expects, told.get(row.get("id")))
        except (ValidationError, KeyError, TypeError, ValueError) as error:
            first = error.errors(include_url=False)[0]["msg"] if isinstance(error, ValidationError) else error
            raise CorruptRecord(f"{path}, id {row.get('id')!r}: {first}; repair or remove the row") from None


def expects_of(category: str) -> Expects:
    """True for a category whose queries are to be answered by calls."""
    if category.endswith("irrelevance"):
        return "nothing"
    return "any call" if category.endswith("relevance") else "calls"


def rules_of(category: str) -> RuleSet:
    """The rules of a category's language."""
    if category.endswith("javascript"):
        return "bfcl javascript"
    return "bfcl java" if category.endswith("java") else "bfcl python"


def _query(row: Mapping[str, Any], category: str, expects: Expects, truth: Any) -> Query:
    if expects == "calls" and not is_list(truth):
        raise ValueError(f"it has no ground_truth in {_ANSWERS}")
    calls = [{"name": name, "arguments": given} for one in truth or [] for name, given in one.items()]
    functions = row["function"] if is_list(row["function"]) else [row["function"]]
    return Query.model_validate(
        {
            "task_id": str(row["id"]),
            "category": category,
            "messages": _messages(row["question"]),
            "functions": [_function(one) for one in functions],
            "expects": expects,
            "expected": calls,
            "rules": rules_of(category),
        }
    )


def _messages(question: Any) -> list[dict[str, str]]:
    """The messages of the only turn; the first files have a text instead."""
    if isinstance(question, str):
        return [{"role": "user", "content": question}]
    turn = question[0] if is_list(question[0]) else question
    return [{"role": message["role"], "content": message["content"]} for message in turn]


def _function(told: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {key: value for key, value in told["parameters"].items() if key != "additionalProperties"}
    return {"name": told["name"], "description": told.get("description", ""), "parameters": parameters}


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a file: one on each line, or all of them in a list.

    Raises:
        CorruptRecord: for anything else, naming file and line.
    """
    text = read_bytes(path).decode("utf-8-sig", "replace")
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    found: Sequence[Any] = (
        whole if is_list(whole) else [_row(path, n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    )
    strange = next((one for one in found if not is_object(one)), None)
    if strange is not None:
        raise CorruptRecord(f"{path} holds {str(strange)[:80]!r}, which is no object; give a file of BFCL")
    return list(found)


def _row(path: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorruptRecord(f"{path}, line {number} is not JSON ({error}); give a file of BFCL") from None


def result_text(result: Any) -> str:
    """The response in a line of a result file: a text, or calls as BFCL keeps those of providers."""
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
