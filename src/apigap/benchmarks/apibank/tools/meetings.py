"""Meetings of levels 1 and 2."""

from typing import Any

from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.scoring.rules import deletion, topic
from apigap.benchmarks.apibank.times import parse
from apigap.benchmarks.apibank.tools.pools import DIALOGUE
from apigap.benchmarks.apibank.world import World, next_key

_INPUTS = "token meeting_topic start_time end_time location attendees:list(str)"


@DIALOGUE.add("AddMeeting", _INPUTS, database="Meeting", rule=topic)
def add_meeting(
    world: World, token: str, meeting_topic: str, start_time: str, end_time: str, location: str, attendees: Any
) -> Any:
    """Reserves a meeting."""
    parse(start_time)
    parse(end_time)
    if not meeting_topic.strip():
        raise ApiError("Meeting Topic should not be null")
    row = {
        "meeting_topic": meeting_topic, "start_time": start_time, "end_time": end_time, "location": location,
        "attendees": attendees, "username": world.user(token),
    }  # fmt: skip
    world.rows[next_key(world.rows)] = row
    return "success"


@DIALOGUE.add("DeleteMeeting", _INPUTS, database="Meeting", rule=deletion)
def delete_meeting(
    world: World, token: str, meeting_topic: str, start_time: str, end_time: str, location: str, attendees: Any
) -> Any:
    """Cancels a meeting."""
    key, _ = _meeting(world, token, meeting_topic, start_time, end_time)
    del world.rows[key]
    return "success"


@DIALOGUE.add("ModifyMeeting", _INPUTS, database="Meeting", rule=topic)
def modify_meeting(
    world: World, token: str, meeting_topic: str, start_time: str, end_time: str, location: str, attendees: Any
) -> Any:
    """Changes a meeting's topic and time."""
    _, row = _meeting(world, token, meeting_topic, start_time, end_time)
    if meeting_topic:
        row["meeting_topic"] = meeting_topic
    if start_time:
        row["start_time"] = start_time
        row["end_time"] = end_time
    return "success"


@DIALOGUE.add("QueryMeeting", _INPUTS, output="meeting_info", database="Meeting", rule=topic)
def query_meeting(
    world: World, token: str, meeting_topic: str, start_time: str, end_time: str, location: str, attendees: Any
) -> Any:
    """Shows a meeting."""
    return _meeting(world, token, meeting_topic, start_time, end_time)[1]


def _meeting(
    world: World, token: str, meeting_topic: str, start_time: str, end_time: str
) -> tuple[Any, dict[str, Any]]:
    """The first own meeting of that topic or that start."""
    for time in (start_time, end_time):
        if time.strip():
            parse(time)
    if not meeting_topic.strip() and not start_time.strip():
        raise ApiError("Meeting Topic and start_time should not be null both")
    for key, row in world.own_rows(token):
        if row["meeting_topic"] == meeting_topic or row["start_time"] == start_time:
            return key, row
    if meeting_topic:
        raise ApiError(f"You have no meeting about {meeting_topic}")
    raise ApiError(f"You have no meeting at time : {start_time}")
