"""Queries to a user's tools, as a file has them, and as the benchmark of calls judges them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from apigap.benchmarks.calls.check import Order
from apigap.benchmarks.calls.queries import ExpectedCall, Query
from apigap.benchmarks.calls.schema import properties_of, required_of
from apigap.models.request import Message
from apigap.records.base import Record, content_hash
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.names import did_you_mean
from apigap.records.store import existing_file, load_records
from apigap.tool_audit.toolset import Toolset

NOTHING = "(no tool)"
"""The category of queries that no tool is for."""
SEVERAL = "(several tools)"
WANTED = (
    'give a file with --queries, a JSON object on each line: {"query": "What time is it in Oslo?", "tool": '
    '"get_current_time", "arguments": {"timezone": "Europe/Oslo"}}; or name a model that writes them with --author'
)


class AuditCall(Record):
    """A call that is to be made; without `arguments` whatever its schema allows is right."""

    tool: str
    arguments: dict[str, Any] | None = None


class AuditQuery(Record):
    """A line of a file of queries.

    What a user says is in `query`, or as a conversation in `messages`. `tool` with `arguments` is the call that is to
    be made, null where none is; `calls` are several. Accepted values are written as in the benchmark of calls.
    """

    id: str = ""
    query: str = ""
    messages: tuple[Message, ...] = ()
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    calls: tuple[AuditCall, ...] = Field(default=(), max_length=20)
    order: Order = "free"
    why: str = ""

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if bool(self.query.strip()) is bool(self.messages):
            raise ValueError("give what the user says as `query`, or as `messages`")
        if ("tool" in self.model_fields_set) is bool(self.calls):
            raise ValueError("say which call is right: `tool` (null for none) with `arguments`, or several as `calls`")
        if self.arguments is not None and self.tool is None:
            raise ValueError("`arguments` are those of `tool`")
        return self

    @property
    def wanted(self) -> tuple[AuditCall, ...]:
        """The calls that are to be made."""
        return self.calls or ((AuditCall(tool=self.tool, arguments=self.arguments),) if self.tool else ())


def read_queries(path: Path, toolset: Toolset) -> list[Query]:
    """The queries of a file, in order.

    Raises:
        UsageError: when the file is not there, or names a tool or an argument that there is not.
        CorruptRecord: when a line is no query, or two have one id.
    """
    return queries_of(load_queries(path), toolset, str(path))


def load_queries(path: Path) -> list[AuditQuery]:
    """The lines of a file of queries, whatever tools they name; see `read_queries`."""
    given = load_records(existing_file(path, "a file of queries with --queries"), AuditQuery)
    if not given:
        raise CorruptRecord(f"{path} holds no query; {WANTED}")
    return given


def queries_of(given: Iterable[AuditQuery], toolset: Toolset, where: str) -> list[Query]:
    """Queries that offer all tools; see `read_queries`."""
    found: dict[str, Query] = {}
    for number, one in enumerate(given, 1):
        name = one.id or f"q{content_hash(one.model_dump(mode='json'), 8)}"
        if "/" in name or name in found:
            raise CorruptRecord(f"{where}, query {number}: it is there twice, or its id {name!r} has a slash in it")
        for call in one.wanted:
            _check(call, toolset, f"{where}, query {number}")
        found[name] = _query(name, one, toolset)
    return list(found.values())


def _check(call: AuditCall, toolset: Toolset, where: str) -> None:
    schemas = toolset.schemas
    if call.tool not in schemas:
        hint = did_you_mean(call.tool, schemas, f"there are {', '.join(sorted(schemas))}")
        raise UsageError(f"{where}: {toolset.name} has no tool {call.tool!r}; {hint}")
    schema = schemas[call.tool]
    strange = [name for name in call.arguments or () if name not in properties_of(schema)]
    if strange and schema.get("additionalProperties", False) is False:
        known = ", ".join(properties_of(schema)) or "none"
        raise UsageError(f"{where}: {call.tool} has no argument {strange[0]!r}; it has {known}")


def _query(name: str, given: AuditQuery, toolset: Toolset) -> Query:
    wanted = given.wanted
    names = {call.tool for call in wanted}
    return Query(
        task_id=name,
        category=NOTHING if not wanted else wanted[0].tool if len(names) == 1 else SEVERAL,
        messages=given.messages or (Message(role="user", content=given.query),),
        functions=toolset.tools,
        expects="calls" if wanted else "nothing",
        expected=tuple(
            ExpectedCall(name=call.tool, arguments=_accepted(call, toolset.schemas[call.tool])) for call in wanted
        ),
        order=given.order,
        why=given.why,
    )


def _accepted(call: AuditCall, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The accepted values; of a call without arguments all that the schema allows."""
    if call.arguments is not None:
        return call.arguments
    required = required_of(schema)
    return {name: {"any_value": True, "optional": name not in required} for name in properties_of(schema)}


def halves(queries: Sequence[Query]) -> tuple[list[Query], list[Query]]:
    """The queries by which a description is chosen, and those that are held back: of each tool every second one."""
    seen: dict[str, int] = {}
    parts: tuple[list[Query], list[Query]] = ([], [])
    for query in queries:
        number = seen[query.category] = seen.get(query.category, 0) + 1
        parts[(number - 1) % 2].append(query)
    return parts


def text_of(query: Query) -> str:
    """The last words of the user."""
    return query.messages[-1].content
