"""The smart home: scenes and timed switches."""

from typing import Any

from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.scoring.rules import by, equal, fresh, lowered, rule, same_time
from apigap.benchmarks.apibank.times import TIME, normal
from apigap.benchmarks.apibank.tools.pools import DIALOGUE
from apigap.benchmarks.apibank.world import World


def _devices(devices: Any) -> Any:
    """Devices as they are kept: names in lower case, sorted by them."""
    tidy = [{"name": d["name"].strip().lower(), "description": d["description"].strip()} for d in devices]
    return sorted(tidy, key=lambda device: device["name"])


_SCENE = {"name": by(lowered)}
_WITH_DEVICES = {"name": by(lowered), "devices": by(_devices)}


@DIALOGUE.add("AddScene", "name devices:list", database="Scenes", rule=fresh(_WITH_DEVICES))
def add_scene(world: World, name: str, devices: Any) -> Any:
    """Adds a scene: a name and the devices that belong to it."""
    scene = _scene(name)
    _tidy(devices)
    if scene in world.rows:
        raise ApiError("Scene name already exists.")
    world.rows[scene] = devices
    return "success"


@DIALOGUE.add("DeleteScene", "name", database="Scenes", rule=rule(_SCENE))
def delete_scene(world: World, name: str) -> Any:
    """Removes a scene."""
    scene = _scene(name)
    if scene not in world.rows:
        raise ApiError("The scene does not exist.")
    del world.rows[scene]
    return "success"


@DIALOGUE.add("ModifyScene", "name devices:list", database="Scenes", rule=rule(_WITH_DEVICES))
def modify_scene(world: World, name: str, devices: Any) -> Any:
    """Gives a scene other devices."""
    scene = _scene(name)
    _tidy(devices)
    if scene not in world.rows:
        raise ApiError("The scene does not exist.")
    world.rows[scene] = devices
    return "success"


@DIALOGUE.add("QueryScene", "name", output="devices", database="Scenes", rule=rule(_SCENE))
def query_scene(world: World, name: str) -> Any:
    """Shows the devices of a scene."""
    scene = _scene(name)
    if scene not in world.rows:
        raise ApiError("Scene not found.")
    return world.rows[scene]


def _scene(name: str) -> str:
    scene = name.strip().lower()
    if not scene:
        raise ApiError("Scene name cannot be empty.")
    return scene


def _tidy(devices: Any) -> None:
    """Bring the caller's own list into the form that is kept; the result's `input` shows it so."""
    names: set[str] = set()
    for device in devices:
        if "name" not in device or "description" not in device:
            raise ApiError("Invalid device format.")
        device["name"] = device["name"].strip().lower()
        device["description"] = device["description"].strip()
        if device["name"] in names:
            raise ApiError("Device name cannot be duplicated.")
        names.add(device["name"])
    devices.sort(key=_name_of)


def _name_of(device: dict[str, str]) -> str:
    return device["name"]


@DIALOGUE.add(
    "TimedSwitch", "name time on:bool", database="TimeSwitch",
    rule=rule({"name": by(lowered), "time": same_time, "on": equal}),
)  # fmt: skip
def timed_switch(world: World, name: str, time: str, on: bool) -> Any:
    """Switches a device on or off at a time."""
    device = name.strip().lower()
    if not device:
        raise ApiError("Name cannot be empty.")
    when = normal(time, TIME)
    entries = world.rows.setdefault(device, [])
    for entry in entries:
        if entry["time"] == when:
            entry["on"] = on
            return "success"
    entries.append({"time": when, "on": on})
    return "success"


@DIALOGUE.add(
    "CancelTimedSwitch", "name time", database="TimeSwitch", rule=rule({"name": by(lowered), "time": same_time})
)
def cancel_timed_switch(world: World, name: str, time: str) -> Any:
    """Takes back what a device was to do at a time."""
    device = name.strip().lower()
    if not device:
        raise ApiError("name cannot be empty.")
    when = normal(time, TIME)
    if device not in world.rows:
        raise ApiError("device name does not exist.")
    for entry in world.rows[device]:
        if entry["time"] == when:
            world.rows[device].remove(entry)
            return "success"
    raise ApiError("time does not exist.")
