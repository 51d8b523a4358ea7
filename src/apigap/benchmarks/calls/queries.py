"""Queries: what was asked, which functions were offered, and which calls of them are right."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from apigap.benchmarks.calls.check import Expected, Order
from apigap.models.request import Message
from apigap.records.base import Record
from apigap.records.errors import CorruptRecord
from apigap.records.store import load_records

RuleSet = Literal["own", "bfcl python", "bfcl java", "bfcl javascript"]
Expects = Literal["calls", "nothing", "any call"]
OWN = Path(__file__).with_name("own.jsonl")
"""Queries, functions and answers that were made up for this project; nothing of them exists elsewhere."""


class Function(Record):
    """A function that is offered; `parameters` is the JSON schema of its arguments, or what stands for it elsewhere."""

    name: str = Field(min_length=1)
    description: str = ""
    parameters: dict[str, Any] = {}


class ExpectedCall(Record):
    """A call that is to be made, and what is accepted for each of its arguments (see `values`)."""

    name: str
    arguments: dict[str, Any]

    @property
    def plain(self) -> Expected:
        """The call as the check takes it."""
        return Expected(self.name, self.arguments)


class Query(Record):
    """A query of one category.

    `expects` says whether calls are to be made, just those of `expected` in their order where that is `fixed`; or
    nothing is to be called; or any of the functions, whatever its arguments. `why` says what makes the answer right.
    """

    task_id: str = Field(min_length=1)
    category: str
    domain: str = ""
    messages: tuple[Message, ...] = Field(min_length=1)
    functions: tuple[Function, ...] = ()
    expects: Expects = "calls"
    expected: tuple[ExpectedCall, ...] = ()
    order: Order = "free"
    rules: RuleSet = "own"
    why: str = ""

    @model_validator(mode="after")
    def _can_be_answered(self) -> Self:
        names = [function.name for function in self.functions]
        strangers = [call.name for call in self.expected if call.name not in names]
        if self.rules == "own" and len(set(names)) < len(names):
            raise ValueError("two functions have one name")
        if strangers:
            raise ValueError(f"{strangers[0]} is expected and not offered")
        if bool(self.expected) is not (self.expects == "calls"):
            raise ValueError(f"expects {self.expects}, with {len(self.expected)} expected calls")
        return self

    @property
    def api_name(self) -> str:
        """The subject of the query: the functions that it offers."""
        return self.offered_together

    @cached_property
    def offered_together(self) -> str:
        """The offered functions, sorted; queries with the same ones are no independent observations."""
        return " + ".join(sorted(function.name for function in self.functions))

    @cached_property
    def schemas(self) -> Mapping[str, dict[str, Any]]:
        """The schema of the arguments of each function."""
        return {function.name: function.parameters for function in self.functions}

    @property
    def expected_calls(self) -> list[Expected]:
        """The calls that are to be made."""
        return [call.plain for call in self.expected]


def load_queries(path: Path) -> list[Query]:
    """The queries of a JSONL file, in order.

    Raises:
        CorruptRecord: when a line is none, or two have one id, naming the file and the place.
    """
    queries = load_records(path, Query)
    if not queries:
        raise CorruptRecord(f"{path} holds no query")
    return unlike(queries, path)


def unlike(queries: list[Query], path: Path) -> list[Query]:
    """The queries, each of which has an id of its own.

    Raises:
        CorruptRecord: when two have one.
    """
    seen: set[str] = set()
    for query in queries:
        if query.task_id in seen:
            raise CorruptRecord(f"{path} has two queries with the id {query.task_id}; give each its own")
        seen.add(query.task_id)
    return queries
