"""The prompts of items: by the likelihood of the options where a model tells it, in words and letters elsewhere."""

from typing import Literal

from apigap.benchmarks.novelapi.prompting import Prompter
from apigap.models.options import OptionRequest, lettered
from apigap.models.request import GenerationRequest, Message
from apigap.records.configuration import GenerationSettings
from apigap.records.questions.ladder import LadderItem
from apigap.records.task import Task

Way = Literal["likelihood", "letters"]
_WISH_OF_VALUE = " Answer with the value alone, as a Python literal."
_YES_NO = "Answer with one word, Yes or No.\n\n"
_APIS = (
    ("Does `json.dumps` exist in the Python library json?", "Yes"),
    ("Does `json.dump_lines` exist in the Python library json?", "No"),
    ("Does `pathlib.Path.read_text` exist in the Python library pathlib?", "Yes"),
    ("Does `pathlib.Path.read_words` exist in the Python library pathlib?", "No"),
    ("Does `collections.SortedCounter` exist in the Python library collections?", "No"),
    ("Does `collections.Counter` exist in the Python library collections?", "Yes"),
)
_PARAMETERS = (
    ("Does the signature of `json.dumps` of the Python library json name a parameter `indent`?", "Yes"),
    ("Does the signature of `json.dumps` of the Python library json name a parameter `line_width`?", "No"),
    ("Does the signature of `pathlib.Path.mkdir` of the Python library pathlib name a parameter `owner`?", "No"),
    ("Does the signature of `pathlib.Path.mkdir` of the Python library pathlib name a parameter `parents`?", "Yes"),
    ("Does the signature of `shutil.copytree` of the Python library shutil name a parameter `dirs_exist_ok`?", "Yes"),
    ("Does the signature of `shutil.copytree` of the Python library shutil name a parameter `compress`?", "No"),
)
"""As many of yes as of no."""


def request_of(item: LadderItem, knowledge: str | None, way: Way) -> GenerationRequest | OptionRequest:
    """The question about an item that code does not answer, with `knowledge` before it where there is any."""
    key = f"{item.task_id}/{way}"
    if item.form == "parameters":
        asked = Message(role="user", content=_documented(knowledge) + item.question)
        begun = Message(role="assistant", content=item.begin)
        return GenerationRequest(key=key, prompt=(asked, begun))
    if item.form == "value":
        asked = Message(role="user", content=f"{_documented(knowledge)}{item.question}{_WISH_OF_VALUE}")
        return GenerationRequest(key=key, prompt=(asked, Message(role="assistant", content=begun_console(item))))
    if item.form == "yes or no":
        return _yes_or_no(item, knowledge, way, key)
    if way == "likelihood":
        return _options(item, knowledge, key)
    choice = lettered(item.question, item.options, range(len(item.options)))
    shared = 0 if knowledge else choice.shared
    return GenerationRequest(key=key, prompt=_documented(knowledge) + choice.prompt, shared=shared)


def code_request(
    item: LadderItem, task: Task, knowledge: str, way: Way, settings: GenerationSettings, room: int | None
) -> GenerationRequest:
    """The question about an item that code answers, worded as benchmark novelapi words its `task`.

    Knowledge ends at the last line that fits in `room` characters of the whole.
    """
    prompter = Prompter(settings, "the item's", lambda _: knowledge or None, room)
    request = prompter.request(task, way, 1, 0.0, 0)
    return request.model_copy(update={"key": f"{item.task_id}/{way}"})


def begun_console(item: LadderItem) -> str:
    """The beginning of an answer that shows what a console shows."""
    return f"```python\n>>> {item.expression}\n"


def _options(item: LadderItem, knowledge: str | None, key: str) -> OptionRequest:
    """The options as what follows a begun answer: the first line of the API, or what a console shows of a value."""
    if item.rung == "effect":
        wish, begun, after = " Answer with what the console shows.", begun_console(item), "\n"
    else:
        name = item.asked_name.rpartition(".")[2]
        wish, begun, after = " Answer with its first line.", f"```python\ndef {name}", ":"
    shown = _documented(knowledge)
    asked = Message(role="user", content=f"{shown}{item.question}{wish}")
    started = Message(role="assistant", content=begun)
    options = tuple(f"{text}{after}" for text in item.options)
    return OptionRequest(key=key, prompt=(asked, started), shared=len(shown), options=options)


def _yes_or_no(item: LadderItem, knowledge: str | None, way: Way, key: str) -> GenerationRequest | OptionRequest:
    examples = _APIS if "(" not in item.subject else _PARAMETERS
    shared = _YES_NO + "".join(f"{question} {answer}\n\n" for question, answer in examples) + _documented(knowledge)
    prompt = f"{shared}{item.question}"
    if way == "likelihood":
        return OptionRequest(key=key, prompt=prompt, shared=len(shared), options=tuple(item.options))
    return GenerationRequest(key=key, prompt=prompt, shared=len(shared))


def _documented(knowledge: str | None) -> str:
    return f"Documentation:\n\n{knowledge.strip()}\n\n---\n\n" if knowledge else ""
