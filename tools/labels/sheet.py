"""Sheets for labellers: what was asked, what was offered, what was expected, and the answer."""

import json
from collections.abc import Sequence
from typing import Any

from apigap.benchmarks.apibank.interfaces import load_interfaces
from apigap.benchmarks.apibank.prompts import Prompter
from apigap.benchmarks.apibank.prompts import offered as offered_apis
from apigap.benchmarks.apibank.scoring.corrected_scorer import SEARCHER
from apigap.benchmarks.json_values import json_values
from apigap.benchmarks.toolllm.prompts import selection_messages
from apigap.benchmarks.toolllm.trees import tree_names
from tools.labels.answers import DATA, Answer
from tools.labels.code import Code

_RULE = "=" * 100
_LONGEST = 6000


def sheet(answers: Sequence[Answer], code: Code, first: int = 1) -> str:
    """A sheet as text, its items numbered from `first`."""
    items = [f"{_RULE}\nITEM {n}    id: {one.id}\n{_RULE}\n{_item(one, code)}" for n, one in enumerate(answers, first)]
    return "\n".join(items)


def _item(answer: Answer, code: Code) -> str:
    tell = {"apibank": _of_apibank, "toolllm": _of_toolllm, "calls": _of_calls}[answer.benchmark]
    return "".join(f"## {title}\n{text.strip()}\n\n" for title, text in tell(answer, code) if text)


def _of_apibank(answer: Answer, code: Code) -> list[tuple[str, str]]:
    task = code.tasks[answer.task_id]
    told, asked = Prompter(load_interfaces(DATA / "apibank")).messages(task)
    searches = offered_apis(task) == [SEARCHER]
    offered = told.content.partition("API descriptions:\n")[2]
    return [
        ("Benchmark", f"API-Bank ({'only the search is described' if searches else 'all APIs are described'})"),
        ("Offered", offered),
        ("So far", asked.content),
        ("Expected", code.judge.gold(task)),
        ("Answer", answer.text or "(empty)"),
        ("Search", _found(answer, code)),
    ]  # fmt: skip


def _found(answer: Answer, code: Code) -> str:
    """The API that the search of an answer finds, and the one that was to be found."""
    result = code.result(answer)
    if result.detail.get("parsed_name") != SEARCHER or result.detail["api"] != SEARCHER:
        return ""
    return f"It {'finds' if result.passed else 'does not find'} the API that the expected search finds."


def _of_toolllm(answer: Answer, code: Code) -> list[tuple[str, str]]:
    query = code.selections[answer.task_id]
    asked = selection_messages(query)[1].content
    names = "\n".join(f"- {api.function}: tool {api.tool_name!r}, API {api.api_name!r}" for api in query.apis)
    return [
        ("Benchmark", "ToolLLM (a choice of APIs, no arguments)"),
        ("So far", asked),
        ("Offered, with their tools", names),
        ("Expected", "\n".join(sorted(query.expected))),
        ("Answer", _shown_run(answer.text)),
    ]


def _shown_run(text: str) -> str:
    """A recorded run by the functions that it called; every other answer as it stands."""
    if not text.startswith("{") or len(text) < _LONGEST:
        return text or "(empty)"
    names = [name for value in json_values(text) for name in tree_names(value.value)]
    return "(a recorded run of several steps) It called, in this order:\n" + "\n".join(names or ["nothing"])


def _of_calls(answer: Answer, code: Code) -> list[tuple[str, str]]:
    query = code.queries[answer.task_id]
    offered = "\n".join(_json(one.model_dump(mode="json", exclude_none=True)) for one in query.functions)
    expected = "\n".join(f"{one.name}({_json(dict(one.arguments))})" for one in query.expected)
    order = {"fixed": "\n(in this order)", "free": "\n(in any order)" if len(query.expected) > 1 else ""}[query.order]
    return [
        ("Benchmark", "Calls"),
        ("Offered", offered),
        ("So far", "\n".join(f"{message.role}: {message.content}" for message in query.messages)),
        ("Expected", expected + order if expected else f"nothing is to be called. {query.why}"),
        ("Answer", answer.text or "(empty)"),
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
