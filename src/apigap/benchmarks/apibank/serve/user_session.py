"""APIs for one user: calls on a system of one's own, and what each has changed in the databases."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank.api_search import RECORDED, SearchPlan
from apigap.benchmarks.apibank.calls import call
from apigap.benchmarks.apibank.dialogues import load_bank
from apigap.benchmarks.apibank.errors import Refused
from apigap.benchmarks.apibank.interfaces import Interface, interface, load_interfaces
from apigap.benchmarks.apibank.judge import Mode
from apigap.benchmarks.apibank.outside import ByName, ExactReplay, Replay
from apigap.benchmarks.apibank.registry import Api, Envelope, Pool, Registry
from apigap.benchmarks.apibank.serve.checks import CallError, argument_error, unknown_api, without_nulls
from apigap.benchmarks.apibank.serve.corrections import CORRECTED
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import Databases, Outside, System
from apigap.records.parsing.json_shapes import is_list, is_object

POOLS: dict[Pool, Registry] = {registry.pool: registry for registry in (DIALOGUE, PLANNING)}
DEEPEST = 50
_ASK_FOR_ONE = "Take a token that GetUserToken gives for a user name and a password."
_OTHER_VALUES = "The call reached the API; call it with other values."


@dataclass(frozen=True)
class Change:
    """A row of a database that a call added (`before` null), removed (`after` null) or changed."""

    database: str
    row: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Called:
    """The outcome of a call: the API's result, the reason that it has no output, what it changed, and remarks on it.

    An API that refuses gives both a result, with its exception, and (in corrected mode) an error.
    """

    result: dict[str, Any] | None
    error: CallError | None
    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()


class ServedData:
    """One data set, from which sessions are made.

    `corrected`: answers depend on all arguments, which are checked by the schema, and what was never recorded is
    searched for by words. `released`: everything as the released system answers.
    """

    def __init__(self, data: Path, search: str = RECORDED, mode: Mode = "corrected") -> None:
        """Load the data.

        Raises:
            CorruptRecord: when the data is not there or not what it must be.
            UsageError: when there is no such search.
        """
        self.mode: Mode = mode
        self.bank = load_bank(data)
        self.interfaces = load_interfaces(self.bank.data)
        self.databases = Databases(self.bank.data / "init_database")
        self._plan = SearchPlan(search, self.interfaces, fallback=mode == "corrected")
        replay = ExactReplay if mode == "corrected" else Replay
        self._recorded: dict[Pool, Outside] = {
            "level-1-2": replay(self.bank.dialogues), "level-3": ByName(PLANNING, self.interfaces["level-3"].get),
        }  # fmt: skip

    def user_session(self, pool: Pool) -> "UserSession":
        """APIs of one pool with all databases as they are at first."""
        notes: list[str] = []
        outside = self._plan.behind(pool, self._recorded[pool], notes.append)
        kind = CorrectedSession if self.mode == "corrected" else UserSession
        return kind(pool, self.databases, outside, notes)

    def interfaces_of(self, pool: Pool) -> dict[str, Interface]:
        """The interfaces of a pool's APIs; our own words stand in for what the data does not describe."""
        return {name: self.interfaces[pool].get(name) or interface(api) for name, api in POOLS[pool].apis.items()}


class UserSession:
    """The APIs of one pool on a system of one's own, as released; `notes` is where its search says what it did."""

    registries: Mapping[Pool, Registry] = POOLS

    def __init__(self, pool: Pool, databases: Databases, outside: Outside, notes: list[str]) -> None:
        self.registry = self.registries[pool]
        self._databases = databases
        self._system = System(databases, outside)
        self._notes = notes

    def call(self, name: str, arguments: Mapping[str, Any]) -> Called:
        """Make a call.

        Raises:
            CorruptRecord: when the API's database is missing from the data.
        """
        before = self._system.opened()
        self._notes.clear()
        result, error = self._made(name, arguments)
        return Called(plain(result), error, tuple(self._changes(before)), tuple(self._notes))

    def _made(self, name: str, arguments: Mapping[str, Any]) -> tuple[Envelope | None, CallError | None]:
        """The result of a call as the released system makes it, or the error that it raises."""
        try:
            return call(self.registry, self._system, name, arguments), None
        except Refused as error:
            return None, CallError("refused by the API", error.message, "The released system takes no such call.")

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


class CorrectedSession(UserSession):
    """The APIs without the released faults: arguments are checked by the schema, and a refusal is an error."""

    registries = CORRECTED

    def _made(self, name: str, arguments: Mapping[str, Any]) -> tuple[Envelope | None, CallError | None]:
        api = self.registry.apis.get(name)
        if api is None:
            return None, unknown_api(self.registry, name)
        given = without_nulls(api, arguments)
        error = argument_error(api, given)
        if error is not None:
            return None, error
        result = call(self.registry, self._system, name, given)
        return result, _refusal(api, result)


def _refusal(api: Api, result: Envelope) -> CallError | None:
    """The error of an API that has refused; also where the released one gives an exception as its output."""
    raised = result["exception"] or (str(result["output"]) if isinstance(result["output"], Exception) else None)
    if raised is None:
        return None
    rows = f" What it knows is in the database {api.database}." if api.database else ""
    is_token = "token" in raised.lower() and api.input("token") is not None
    return CallError(
        "refused by the API", f"{api.name}: {raised.rstrip('.')}.", _ASK_FOR_ONE if is_token else _OTHER_VALUES + rows
    )


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
