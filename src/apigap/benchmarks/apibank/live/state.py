"""The state that calls leave behind, as rows that can be compared whatever their keys and their order.

Keys that are counted or drawn by chance (numbers of entries, appointments, orders) are no part of a row; names that
mean something (user, scene, device) are. Tokens that were drawn count as one value. Mails and music leave no row in a
database, and are rows of their own here.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from apigap.benchmarks.apibank.registry import Envelope
from apigap.benchmarks.apibank.world import Databases, System

Row = Mapping[str, Any]
State = Mapping[str, tuple[Row, ...]]
"""Rows by table; a table that is not there is as it was at the start."""

_NAMED = {"Account": "username", "Bank": "username"}
"""Databases whose keys are names, and the column that holds them here."""
_LISTED = {"HealthData": "user_id", "TimeSwitch": "device"}
"""Databases with a list of rows for each name."""
_MEETING = ("meeting_topic", "start_time", "end_time", "location", "attendees")
_SENT = {"SendEmail": "Mails", "EmailReminder": "Mails"}
_PLAYED = {"PlayMusic": "Music"}
_DRAWN = "drawn"
_ACCOUNTS, _ADDRESSES, _MEETINGS = "Bank accounts", "Addresses", "Meetings of level 3"
_NO_DATABASE = (_ACCOUNTS, _ADDRESSES, _MEETINGS, *_SENT.values(), *_PLAYED.values())
"""Tables that start empty, since no file holds them."""


class Outbox:
    """The effects of calls that no database keeps: mails that were sent, and the music that was played last."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {}

    def add(self, api: str, result: Envelope) -> None:
        """Count a call in, unless its API refused it."""
        if result["exception"] is None:
            if api in _SENT:
                self.rows.setdefault(_SENT[api], []).append(dict(result["input"]))
            elif api in _PLAYED:
                self.rows[_PLAYED[api]] = [dict(result["input"])]


def state_of(system: System, outbox: Outbox) -> State:
    """The rows of all tables that calls have opened, and of what the APIs keep elsewhere."""
    (opened, memory), _ = system.snapshot()
    found = {name: tuple(_rows(system.databases, name, rows)) for name, rows in opened.items()}
    accounts = memory.get("OpenBankAccount", {}).get("opened", {})
    found[_ACCOUNTS] = tuple({"account": key, **row} for key, row in accounts.items() if key != "test")
    addresses = memory.get("PersonalInfoUpdate", {})
    found[_ADDRESSES] = tuple({"username": name, "address": address} for name, address in addresses.items())
    meetings = memory.get("AddMeeting", {}).get("meetings", ())
    found[_MEETINGS] = tuple(dict(zip(_MEETING, row, strict=True)) for row in meetings)
    return {**found, **{name: tuple(rows) for name, rows in outbox.rows.items()}}


def start_of(databases: Databases, tables: Iterable[str]) -> State:
    """The rows of databases among `tables` as every system starts; what is no database starts empty."""
    return {name: tuple(_rows(databases, name, databases.fresh(name))) for name in tables if name not in _NO_DATABASE}


def _rows(databases: Databases, name: str, rows: Any) -> Iterator[Row]:
    for key, row in rows.items():
        if name in _LISTED:
            yield from ({_LISTED[name]: key, **entry} for entry in row)
        elif name == "Scenes":
            yield {"scene": key, "devices": row}
        elif name == "Account":
            first = databases.shared(name).get(key, {}).get("token")
            yield {**row, "username": key, "token": row["token"] if row["token"] == first else _DRAWN}
        else:
            yield {**row, _NAMED[name]: key} if name in _NAMED else row
