"""Databases in memory, in which APIs run: they start as the files are, one copy per system."""

import copy
import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank.errors import ApiError
from apigap.records.errors import CorruptRecord
from apigap.records.store import read_bytes

MISS = "replay miss"
UNDEFINED = "Failed."


class Outside:
    """The network and the models that the released APIs ask; this one knows nothing."""

    def find_tool(self, keywords: str) -> Any:
        """The interface, or interfaces, that a search for `keywords` gives."""
        raise ApiError(MISS)

    def translate(self, text: str, source: str | None = None, target: str | None = None) -> Any:
        """The translation of `text` from one language into another, by their codes."""
        raise ApiError(MISS)

    def define(self, word: str) -> Any:
        """The meanings of `word`."""
        raise ApiError(UNDEFINED)


class Databases:
    """The start state; files are read once, when they are first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts: dict[str, str] = {}
        self._shared: dict[str, Any] = {}

    def fresh(self, name: str) -> Any:
        """A copy of a database of one's own.

        Raises:
            CorruptRecord: when its file is not there or is no JSON.
        """
        return json.loads(self._text(name))

    def shared(self, name: str) -> Any:
        """A database that nobody changes, read once."""
        if name not in self._shared:
            self._shared[name] = self.fresh(name)
        return self._shared[name]

    def _text(self, name: str) -> str:
        if name not in self._texts:
            path = self._folder / f"{name}.json"
            if not path.is_file():
                raise CorruptRecord(f"{path} is not there; give the folder of API-Bank's data with --data")
            self._texts[name] = _checked(path, list if name in _LISTS else dict)
        return self._texts[name]


def _checked(path: Path, kind: type) -> str:
    """The text of a database that holds rows in a `kind`."""
    try:
        text = read_bytes(path).decode("utf-8")
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CorruptRecord(f"{path} is not JSON ({error}); download it again") from None
    if not isinstance(found, kind):
        raise CorruptRecord(f"{path} holds a {type(found).__name__} instead of rows in a {kind.__name__}")
    return text


_LISTS = frozenset(("ImageCaptioning",))
READ_ONLY = frozenset(
    ("ImageCaptioning", "SearchEngine", "SpeechRecognition", "Symptom", "Wiki", "History", "Stock", "QuestionAnswering")
)
"""Databases that no API changes."""


class System:
    """One system: databases that are shared by all its APIs, and what each API remembers.

    `random` draws tokens and ids; the same seed draws the same ones.
    """

    def __init__(self, databases: Databases, outside: Outside, seed: int = 0) -> None:
        self.databases = databases
        self.outside = outside
        self.random = random.Random(seed)  # noqa: S311  (made-up tokens and ids)
        self._held: dict[str, Any] = {}
        self._memories: dict[str, dict[str, Any]] = {}

    def database(self, name: str) -> Any:
        """The database as it is now."""
        if name in READ_ONLY:
            return self.databases.shared(name)
        if name not in self._held:
            self._held[name] = self.databases.fresh(name)
        return self._held[name]

    def memory(self, api: str) -> dict[str, Any]:
        """The memory of an API from call to call."""
        return self._memories.setdefault(api, {})

    def state(self, database: str | None) -> Any:
        """A copy of what an API of this database could have changed: its rows, and what all APIs remember."""
        held = self.database(database) if database and database not in READ_ONLY else None
        return copy.deepcopy((held, self._memories))

    def opened(self) -> dict[str, Any]:
        """A copy of the databases that an API has opened and could change, as they are now."""
        return copy.deepcopy(self._held)

    def snapshot(self) -> Any:
        """All that can change, to be given to `restore`."""
        return copy.deepcopy((self._held, self._memories)), self.random.getstate()

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot, which stays as it is."""
        (held, memories), state = snapshot
        self._held, self._memories = copy.deepcopy((held, memories))
        self.random.setstate(state)


class World:
    """The part of a system that one API sees."""

    def __init__(self, system: System, api: str, database: str | None) -> None:
        self.system = system
        self._api = api
        self._database = database

    @property
    def rows(self) -> Any:
        """The API's database."""
        return self.system.database(self._database or "")

    @property
    def memory(self) -> dict[str, Any]:
        """The API's memory from call to call."""
        return self.system.memory(self._api)

    @property
    def accounts(self) -> dict[str, Any]:
        """The accounts by user name."""
        return self.system.database("Account")

    def user(self, token: str) -> str:
        """The user of a token: of the first account that has it.

        Raises:
            ApiError: when no account has it.
        """
        for name, account in self.accounts.items():
            if account["token"] == token:
                return name
        raise ApiError("The token is invalid.")

    def own_rows(self, token: str) -> Iterator[tuple[Any, dict[str, Any]]]:
        """Key and row of all rows of the token's user, in the database's order."""
        user = self.user(token)
        return ((key, row) for key, row in list(self.rows.items()) if row["username"] == user)


def next_key(rows: Mapping[str, Any]) -> str:
    """One more than the largest key, as text."""
    return str(max(map(int, rows)) + 1) if rows else "0"
