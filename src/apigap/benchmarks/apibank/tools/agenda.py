"""Agenda, alarms and reminders. Each finds the first own row that fits, in the database's order."""

from collections.abc import Iterator
from typing import Any

from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.scoring.rules import EXACT, deletion, equal, overlap, rule
from apigap.benchmarks.apibank.times import parse
from apigap.benchmarks.apibank.tools.pools import DIALOGUE
from apigap.benchmarks.apibank.world import World, next_key

_AGENDA = rule({"content": overlap(), "time": equal, "location": equal})
_REMINDER = rule({"content": overlap(lower=True), "time": equal})
_NOTHING = Exception("Error")
"""The output of the released agenda where it was asked for nothing: an error, but not a raised one."""


@DIALOGUE.add("AddAgenda", "token content time location", database="Agenda", rule=_AGENDA)
def add_agenda(world: World, token: str, content: str, time: str, location: str) -> Any:
    """Adds an entry to a user's agenda."""
    parse(time)
    _check_content(content)
    user = world.user(token)
    row = {"content": content, "time": time, "location": location, "username": user}
    world.rows[len(world.rows) + 1] = row
    return "success"


@DIALOGUE.add("DeleteAgenda", "token content time location", database="Agenda", rule=deletion)
def delete_agenda(world: World, token: str, content: str, time: str, location: str) -> Any:
    """Takes an entry off a user's agenda."""
    for key, _ in _entries(world, token, content, time):
        del world.rows[key]
        return "success"
    if content:
        raise ApiError(f"You have no meeting about {content}")
    if time:
        raise ApiError(f"You have no meeting at time : {time}")
    return "success"


@DIALOGUE.add("ModifyAgenda", "token content time location", database="Agenda", rule=_AGENDA)
def modify_agenda(world: World, token: str, content: str, time: str, location: str) -> Any:
    """Changes an entry of a user's agenda."""
    for key, row in _entries(world, token, content, time):
        world.rows[key] = {"content": content, "time": time, "location": location, "username": row["username"]}
        return "success"
    return _no_agenda(content, time)


@DIALOGUE.add("QueryAgenda", "token content time location", output="info", database="Agenda", rule=_AGENDA)
def query_agenda(world: World, token: str, content: str, time: str, location: str) -> Any:
    """Shows an entry of a user's agenda."""
    for _, row in _entries(world, token, content, time):
        return row
    return _no_agenda(content, time)


def _entries(world: World, token: str, content: str, time: str) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Own rows of that content or that time."""
    if time.strip():
        parse(time)
    return ((key, row) for key, row in world.own_rows(token) if row["content"] == content or row["time"] == time)


def _no_agenda(content: str, time: str) -> Any:
    if content:
        raise ApiError(f"You have no agenda about {content}")
    if time:
        raise ApiError(f"You have no agenda at time : {time}")
    return _NOTHING


def _check_content(content: str) -> None:
    if not content.strip():
        raise ApiError("Content should not be null")


@DIALOGUE.add("AddAlarm", "token time", database="Alarm", rule=EXACT)
def add_alarm(world: World, token: str, time: str) -> Any:
    """Sets an alarm."""
    parse(time)
    key = len(world.rows) + 1
    world.rows[key] = {"username": world.user(token), "time": time}
    return "success"


@DIALOGUE.add("DeleteAlarm", "token time", database="Alarm", rule=EXACT)
def delete_alarm(world: World, token: str, time: str) -> Any:
    """Removes an alarm."""
    parse(time)
    key, _ = _own_at(world, token, time, "alarm clock")
    del world.rows[key]
    return "success"


@DIALOGUE.add("ModifyAlarm", "token from_time to_time", database="Alarm", rule=EXACT)
def modify_alarm(world: World, token: str, from_time: str, to_time: str) -> Any:
    """Moves an alarm to another time."""
    parse(from_time)
    parse(to_time)
    _own_at(world, token, from_time, "agenda")[1]["time"] = to_time
    return "success"


@DIALOGUE.add("QueryAlarm", "token time", output="info", database="Alarm", rule=EXACT)
def query_alarm(world: World, token: str, time: str) -> Any:
    """Shows the alarm at a time."""
    parse(time)
    return _own_at(world, token, time, "alarm clock")[1]


def _own_at(world: World, token: str, time: str, what: str) -> tuple[Any, dict[str, Any]]:
    for key, row in world.own_rows(token):
        if row["time"] == time:
            return key, row
    raise ApiError(f"You have no {what} at time : {time}")


@DIALOGUE.add("AddReminder", "token content time", database="Reminder", rule=_REMINDER)
def add_reminder(world: World, token: str, content: str, time: str) -> Any:
    """Sets a reminder."""
    parse(time)
    _check_content(content)
    row = {"content": content, "time": time, "username": world.user(token)}
    world.rows[next_key(world.rows)] = row
    return "success"


@DIALOGUE.add("DeleteReminder", "token content time", database="Reminder", rule=deletion)
def delete_reminder(world: World, token: str, content: str, time: str) -> Any:
    """Removes a reminder."""
    key, _ = _reminder(world, token, content, time)
    del world.rows[key]
    return "success"


@DIALOGUE.add("ModifyReminder", "token content time", database="Reminder", rule=_REMINDER)
def modify_reminder(world: World, token: str, content: str, time: str) -> Any:
    """Changes what a reminder says, or when."""
    _, row = _reminder(world, token, content, time)
    row.update(content=content, time=time)
    return "success"


@DIALOGUE.add("QueryReminder", "token content time", output="reminder_info", database="Reminder", rule=_REMINDER)
def query_reminder(world: World, token: str, content: str, time: str) -> Any:
    """Shows a reminder."""
    return _reminder(world, token, content, time)[1]


def _reminder(world: World, token: str, content: str, time: str) -> tuple[Any, dict[str, Any]]:
    parse(time)
    _check_content(content)
    for key, row in world.own_rows(token):
        if row["content"] == content or row["time"] == time:
            return key, row
    raise ApiError(f"You have no reminder about {content} or at time : {time}")
