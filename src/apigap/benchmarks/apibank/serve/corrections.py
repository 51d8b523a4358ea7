"""The APIs as they are served without the released faults: what they answer depends on all that they are given.

The released ones, by which answers are judged, find a row by one of several columns and pass over the others.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from apigap.benchmarks.apibank.errors import ApiError, Refused
from apigap.benchmarks.apibank.registry import Api, Pool, Registry
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING, tables
from apigap.benchmarks.apibank.world import World

Run = Callable[..., Any]
_EARTH = 6_371_000.0
"""The mean radius of the earth in metres."""


def own_row(world: World, token: str, **given: Any) -> tuple[Any, dict[str, Any]]:
    """The first row of the token's user that has all that is given; an empty value asks for nothing.

    Raises:
        ApiError: when there is none; it names the row that comes nearest.
    """
    wanted = {name: value for name, value in given.items() if value not in ("", [])}
    rows = list(world.own_rows(token))
    if not wanted:
        raise ApiError(f"Nothing to look for; give one of {', '.join(given)}.")
    if not rows:
        raise ApiError("The user of this token has no row.")
    apart = [([name for name, value in wanted.items() if row.get(name) != value], key, row) for key, row in rows]
    differs, key, row = min(apart, key=lambda found: len(found[0]))
    if differs:
        near = ", ".join(f"{name} {row.get(name)!r}" for name in differs)
        least = f"; the nearest has {near}" if len(differs) < len(wanted) else ""
        raise ApiError(f"The user of this token has no row with all of {', '.join(wanted)}{least}.")
    return key, row


def _query(world: World, token: str, **given: Any) -> Any:
    return own_row(world, token, **given)[1]


def _delete(world: World, token: str, **given: Any) -> Any:
    del world.rows[own_row(world, token, **given)[0]]
    return "success"


def _modify_meeting(run: Run) -> Run:
    """The released change of a topic and a time, and of place and people."""

    def modify(world: World, token: str, **given: Any) -> Any:
        done = run(world, token=token, **given)
        _, changed = own_row(world, token, meeting_topic=given["meeting_topic"], start_time=given["start_time"])
        changed.update({name: given[name] for name in ("location", "attendees") if given[name]})
        return done

    return modify


def _email_reminder(run: Run) -> Run:
    def send(world: World, location: str, recipient: str, **given: Any) -> Any:
        if "@" not in recipient.strip("@"):
            raise ApiError("Email address of the receiver is invalid.")
        if not location.strip():
            raise ApiError("Location should not be empty")
        return run(world, location=location, recipient=recipient, **given)

    return send


def _nearby_restaurants(run: Run) -> Run:
    def near(world: World, latitude: float, longitude: float, distance: int) -> Any:
        found = run(world, latitude=latitude, longitude=longitude, distance=distance)["restaurants"]
        here = (latitude, longitude)
        return {"restaurants": [one for one in found if metres(here, one["coordinates"]) <= distance]}

    return near


def metres(here: tuple[float, float], there: tuple[float, float]) -> float:
    """The distance between two places in metres, on a sphere (the haversine formula)."""
    (north, east), (other_north, other_east) = (tuple(map(math.radians, place)) for place in (here, there))
    half = math.sin((other_north - north) / 2) ** 2
    half += math.cos(north) * math.cos(other_north) * math.sin((other_east - east) / 2) ** 2
    return 2 * _EARTH * math.asin(min(1.0, math.sqrt(half)))


def _weather(run: Run) -> Run:
    def tell(world: World, **given: Any) -> Any:
        try:
            return run(world, **given)
        except Refused:
            raise ApiError(f"No weather is known there; it is known of {', '.join(tables.WEATHER)}.") from None

    return tell


def _afresh(run: Run) -> Run:
    """A search whose rows no earlier search has written over."""

    def search(world: World, **given: Any) -> Any:
        world.memory.clear()
        return run(world, **given)

    return search


def _readable(run: Run) -> Run:
    """An API that says what it does not know, where the released one gives the bare key."""

    def tell(world: World, **given: Any) -> Any:
        try:
            return run(world, **given)
        except KeyError as error:
            raise ApiError(f"{error.args[0]!r} is not known here.") from None

    return tell


_WRAPPED: Mapping[Pool, Mapping[str, Callable[[Run], Run]]] = {
    "level-1-2": {
        **dict.fromkeys(("QueryAgenda", "QueryReminder", "QueryMeeting"), lambda run: _query),
        **dict.fromkeys(("DeleteAgenda", "DeleteReminder", "DeleteMeeting"), lambda run: _delete),
        "ModifyMeeting": _modify_meeting,
    },
    "level-3": {
        "EmailReminder": _email_reminder, "NearbyRestaurants": _nearby_restaurants,
        "GetWeatherForCoordinates": _weather, "FlightSearch": _afresh, "HotelAvailability": _afresh,
    },
}  # fmt: skip


def _corrected(registry: Registry) -> Registry:
    def mended(api: Api) -> Api:
        wrap = _WRAPPED[registry.pool].get(api.name)
        return replace(api, run=_readable(wrap(api.run) if wrap else api.run))

    return Registry(registry.pool, {name: mended(api) for name, api in registry.apis.items()})


CORRECTED: dict[Pool, Registry] = {registry.pool: _corrected(registry) for registry in (DIALOGUE, PLANNING)}
"""The pools without the released faults."""
