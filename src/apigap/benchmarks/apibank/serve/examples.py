"""Example arguments of every API, with which a first call works on the databases as they are at first."""

import json
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import islice
from typing import Any

from apigap.benchmarks.apibank.registry import Api, Pool
from apigap.benchmarks.apibank.scoring.corrected_scorer import RENAMED, typed
from apigap.benchmarks.apibank.serve.user_session import POOLS, ServedData
from apigap.records.parsing.json_shapes import is_list, is_object

_MOST_TRIED = 12
"""Recorded calls of an API that are tried; a later one is hardly better."""
_KEYS = ("name", "appointment_id", "user_id")
"""Parameters that name a row by its key."""


def examples(served: ServedData) -> dict[Pool, dict[str, dict[str, Any]]]:
    """Arguments by pool and API: those of a recorded call that works at the start, else our own, fitted to the data.

    Where none works (what the data has no recording of), they are still what such a call looks like.
    """
    return {
        pool: {name: _example(served, pool, api) for name, api in registry.apis.items()}
        for pool, registry in POOLS.items()
    }


def _example(served: ServedData, pool: Pool, api: Api) -> dict[str, Any]:
    tried: list[dict[str, Any]] = []
    for arguments in _candidates(served, pool, api):
        called = served.user_session(pool).call(api.name, arguments)
        if called.error is None and called.result and called.result["exception"] is None:
            return arguments
        tried.append(arguments)
    return tried[-1] if tried else {}


def _candidates(served: ServedData, pool: Pool, api: Api) -> Iterator[dict[str, Any]]:
    renamed = RENAMED.get(api.name, {})
    for recorded in islice(_recorded(served, pool, api.name), _MOST_TRIED):
        yield {(own := renamed.get(name, name)): typed(api, own, value) for name, value in recorded.items()}
    ours = _own()[pool].get(api.name, {})
    if ours or not api.inputs:
        yield ours
        yield {**ours, **_from_rows(served, api)}


def _recorded(served: ServedData, pool: Pool, name: str) -> Iterator[Mapping[str, Any]]:
    if pool == "level-3":
        return (step.arguments for step in served.bank.steps if step.api == name)
    turns = (turn for dialogue in served.bank.dialogues for turn in dialogue.turns)
    return (turn.param_dict for turn in turns if turn.api_name == name)


def _own() -> dict[Pool, dict[str, dict[str, Any]]]:
    return json.loads((resources.files("apigap.benchmarks.apibank.serve") / "examples.json").read_text("utf-8"))


def _from_rows(served: ServedData, api: Api) -> dict[str, Any]:
    """What the first row of the API's database says of its parameters, and its user's account, else the first one."""
    if not api.database:
        return {}
    rows: Any = served.databases.fresh(api.database)
    key: Any = next(iter(rows), "") if is_object(rows) else ""
    row: Any = rows.get(key) if is_object(rows) else next(iter(rows), None)
    row = row[0] if is_list(row) and row else row
    columns: dict[str, Any] = {**(row if is_object(row) else {}), **dict.fromkeys(_KEYS, key)}
    accounts = served.databases.fresh("Account")
    user = columns.get("username") if columns.get("username") in accounts else next(iter(accounts), None)
    columns |= {"username": user, **accounts[user]} if user else {}
    return {given.name: columns[given.name] for given in api.inputs if given.name in columns}
