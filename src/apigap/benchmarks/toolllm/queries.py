"""ToolBench's and StableToolBench's query files: what was asked, which APIs were offered, which are relevant."""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from apigap.benchmarks.toolllm.names import function_name
from apigap.benchmarks.toolllm.spellings import Offered, Spellings
from apigap.records.base import content_hash
from apigap.records.errors import CorruptRecord
from apigap.records.store import existing_file, read_bytes

Pair = tuple[str, str]


class _Row(BaseModel):
    """The parts that are read of another project's row; keys that we do not know are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Parameter(_Row):
    """A parameter of an API; the types are the file's own (STRING, NUMBER, BOOLEAN...)."""

    name: str
    type: str = "STRING"
    description: str = ""
    default: Any = None


class Api(_Row):
    """An API that was offered."""

    category_name: str = ""
    tool_name: str
    api_name: str
    api_description: str | None = ""
    method: str = ""
    required_parameters: tuple[Parameter, ...] = ()
    optional_parameters: tuple[Parameter, ...] = ()
    template_response: Any = None

    @property
    def pair(self) -> Pair:
        """Tool and API name, as in the labels."""
        return self.tool_name, self.api_name

    @cached_property
    def function(self) -> str:
        """The name that a model sees."""
        return function_name(self.tool_name, self.api_name)


class Query(_Row):
    """A query of one set (the file's name without its ending); `labels` are the relevant APIs, some twice."""

    set_name: str
    query_id: int | str
    text: Annotated[str | list[str], Field(alias="query")]
    apis: Annotated[tuple[Api, ...], Field(alias="api_list", min_length=1)]
    labels: Annotated[tuple[Pair, ...], Field(alias="relevant APIs", min_length=1)]

    @property
    def task_id(self) -> str:
        """The query's id."""
        return str(self.query_id)

    @property
    def api_name(self) -> str:
        """The subject of the row: the tools that it offers."""
        return self.tools

    @property
    def question(self) -> str:
        """The query's text; a few rows of the full benchmark have it in pieces."""
        return self.text if isinstance(self.text, str) else "\n".join(self.text)

    @cached_property
    def tools(self) -> str:
        """The offered tools, sorted; rows with the same ones are no independent observations."""
        return " + ".join(sorted({api.tool_name for api in self.apis}))

    @cached_property
    def expected(self) -> frozenset[str]:
        """The function names of the labels; fewer than labels where names collide."""
        return frozenset(function_name(*pair) for pair in self.labels)

    @cached_property
    def offered(self) -> frozenset[str]:
        """The function names of the row's own list."""
        return frozenset(api.function for api in self.apis)

    @cached_property
    def colliding(self) -> frozenset[str]:
        """Function names that more than one API of the row has."""
        names = [api.function for api in self.apis]
        return frozenset(name for name in names if names.count(name) > 1)

    @cached_property
    def spellings(self) -> Spellings:
        """The row's functions under other names than their own."""
        return Spellings(Offered(api.function, api.tool_name, api.api_name) for api in self.apis)

    @property
    def is_trivial(self) -> bool:
        """True if every offered API is relevant, so that choosing everything is right."""
        return self.offered == self.expected


OWN = Path(__file__).with_name("own.json")
"""Queries, tools and labels that were made up for this project; nothing of them exists elsewhere."""


def queries_path(name: Path) -> Path:
    """The query file that `name` means: `own` are this package's, unless a file is called so; all else is a path.

    Raises:
        UsageError: for a path that is no file.
    """
    if name == Path(OWN.stem) and not name.is_file():
        return OWN
    return existing_file(name, "a file of queries, or `own`, with --queries")


def load_queries(paths: Sequence[Path]) -> list[Query]:
    """The rows of all files, in order.

    Raises:
        CorruptRecord: when a file is no list of rows, or a row has no usable label, naming file, row and id; when two
            rows have one id.
    """
    queries: list[Query] = []
    seen: dict[str, Path] = {}
    for path in paths:
        for number, row in enumerate(_rows(path)):
            query = _query(path, number, row)
            if query.task_id in seen:
                other = seen[query.task_id]
                raise CorruptRecord(f"query {query.task_id} is in {other} and again in {path}; give each query once")
            seen[query.task_id] = path
            queries.append(query)
    if not queries:
        raise CorruptRecord(f"no query in {', '.join(map(str, paths)) or 'no file'}; give query files with --queries")
    return queries


def drawn(queries: Sequence[Query], limit: int) -> list[Query]:
    """`limit` of the queries (0: all) by the hash of their ids, in their own order; more of them hold all of fewer."""
    ordered = sorted(queries, key=lambda query: content_hash(query.task_id))
    chosen = {query.task_id for query in ordered[: limit or None]}
    return [query for query in queries if query.task_id in chosen]


def _rows(path: Path) -> list[Any]:
    data = read_bytes(path)
    if not data.strip():
        raise CorruptRecord(f"{path} is empty; give a query file of (Stable)ToolBench, or `own`, with --queries")
    try:
        rows: Any = json.loads(data.decode("utf-8-sig"))
        return _ROWS.validate_python(rows)
    except ValidationError:
        raise CorruptRecord(f"{path} holds no list of queries; give a query file of (Stable)ToolBench") from None
    except (ValueError, RecursionError) as error:
        raise CorruptRecord(f"{path} is not JSON ({error}); give a query file of (Stable)ToolBench") from None


_ROWS = TypeAdapter(list[dict[str, Any]])


def _query(path: Path, number: int, row: dict[str, Any]) -> Query:
    place = f"{path}, row {number} (query_id {row.get('query_id')!r})"
    try:
        query = Query.model_validate({**row, "set_name": path.stem})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise CorruptRecord(f"{place} cannot be scored: {where}: {first['msg']}; repair or remove the row") from None
    offered = {api.pair for api in query.apis}
    for pair in query.labels:
        if pair not in offered:
            raise CorruptRecord(f"{place}: the label {list(pair)} is not in its api_list, so nobody could choose it")
    return query
