"""APIs for one user: calls on a system of one's own, and what each has changed in the databases."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank.api_search import RECORDED, SearchPlan
from apigap.benchmarks.apibank.dialogues import load_bank
from apigap.benchmarks.apibank.errors import Refused
from apigap.benchmarks.apibank.interfaces import Interface, interface, load_interfaces
from apigap.benchmarks.apibank.outside import ByName, Replay
from apigap.benchmarks.apibank.registry import Pool, Registry
from apigap.benchmarks.apibank.scoring.corrected import Read
from apigap.benchmarks.apibank.scoring.corrected_scorer import make
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import Databases, Outside, System
from apigap.records.parsing.json_shapes import is_list, is_object

POOLS: dict[Pool, Registry] = {registry.pool: registry for registry in (DIALOGUE, PLANNING)}
DEEPEST = 50


@dataclass(frozen=True)
class Change:
    """A row of a database that a call added (`before` null), removed (`after` null) or changed."""

    database: str
    row: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Called:
    """The outcome of a call: the API's result, or the reason that it never reached an API; and what it changed."""

    result: dict[str, Any] | None
    refused: str | None
    changes: tuple[Change, ...]


class ServedData:
    """One data set, from which sessions are made."""

    def __init__(self, data: Path, search: str = RECORDED) -> None:
        """Load the data; what was recorded answers first, a search by words what was not.

        Raises:
            CorruptRecord: when the data is not there or not what it must be.
            UsageError: when there is no such search.
        """
        bank = load_bank(data)
        self.interfaces = load_interfaces(bank.data)
        self._databases = Databases(bank.data / "init_database")
        plan = SearchPlan(search, self.interfaces, fallback=True)
        recorded: dict[Pool, Outside] = {
            "level-1-2": Replay(bank.dialogues), "level-3": ByName(PLANNING, self.interfaces["level-3"].get),
        }  # fmt: skip
        self._outsides = {pool: plan.behind(pool, outside) for pool, outside in recorded.items()}

    def user_session(self, pool: Pool) -> "UserSession":
        """APIs of one pool with all databases as they are at first."""
        return UserSession(POOLS[pool], self._databases, self._outsides[pool])

    def interfaces_of(self, pool: Pool) -> dict[str, Interface]:
        """The interfaces of a pool's APIs; our own words stand in for what the data does not describe."""
        return {name: self.interfaces[pool].get(name) or interface(api) for name, api in POOLS[pool].apis.items()}


class UserSession:
    """The APIs of one pool on a system of one's own."""

    def __init__(self, registry: Registry, databases: Databases, outside: Outside) -> None:
        self.registry = registry
        self._databases = databases
        self._system = System(databases, outside)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Called:
        """Make a call; texts become the types that the API declares, where they can be read as such.

        Raises:
            CorruptRecord: when the API's database is missing from the data.
        """
        before = self._system.opened()
        result, refused = None, None
        try:
            result = plain(make(self.registry, self._system, Read(name, dict(arguments))))
        except Refused as error:
            refused = error.message
        return Called(result, refused, tuple(self._changes(before)))

    def rows(self, name: str) -> Any:
        """The database of an API as it is now; None where it has none.

        Raises:
            CorruptRecord: when it is missing from the data.
        """
        api = self.registry.apis.get(name)
        return plain(self._system.database(api.database)) if api and api.database else None

    def _changes(self, before: Mapping[str, Any]) -> Iterator[Change]:
        for database, rows in sorted(self._system.opened().items()):
            old = before[database] if database in before else self._databases.fresh(database)
            first, second = _by_key(old), _by_key(rows)
            for key in dict.fromkeys([*first, *second]):
                if first.get(key) != second.get(key):
                    yield Change(database, key, plain(first.get(key)), plain(second.get(key)))


def _by_key(rows: Any) -> dict[str, Any]:
    """The rows of a database by key, those of a list by number."""
    if is_object(rows):
        return {str(key): row for key, row in rows.items()}
    return {str(number): row for number, row in enumerate(rows)} if is_list(rows) else {"": rows}


def plain(value: Any, depth: int = 0) -> Any:
    """A value as strict JSON has it: what that does not know (infinities, errors, what is too deep) becomes text."""
    if depth > DEEPEST:
        return "..."
    if is_object(value):
        return {str(key): plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner, depth + 1) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, str | int | float) else str(value)


def as_json(value: Any) -> str:
    """JSON in plain ASCII, so that half a surrogate pair harms nobody."""
    return json.dumps(plain(value))
