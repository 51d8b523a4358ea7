"""The words in which the evaluation asks, for training data that is to be asked the same."""

from collections.abc import Sequence
from functools import cache

from apigap.apibank_generator.records import SEARCH
from apigap.benchmarks.apibank.dialogues import Reply, Step
from apigap.benchmarks.apibank.interfaces import own_interfaces
from apigap.benchmarks.apibank.prompts import Prompter

DESCRIBED = "API descriptions:"
REQUEST = "API-Request: "


def instruction(is_call: bool, described: Sequence[str]) -> str:
    """What a model is told before a conversation; `described` are the APIs, a line each."""
    return "\n".join([_of_level_3(is_call)[0], *described])


def described_search() -> str:
    """The search as the prompts of level 3 describe it."""
    return _of_level_3(True)[1]


@cache
def _of_level_3(is_call: bool) -> tuple[str, str]:
    """The instruction of level 3, which has no year in it, and the line that describes the search."""
    task = Step(0, 0, SEARCH, {}, {}, "", "") if is_call else Reply(0, "", "", ())
    told, mark, search = Prompter(own_interfaces()).instruction(task).partition(DESCRIBED)
    return told + mark, search.strip()
