"""Corrected mode: answers depend on every argument, which are what the schema says. Released mode: as before."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from apigap.benchmarks.apibank.calls import call
from apigap.benchmarks.apibank.dialogues import load_bank
from apigap.benchmarks.apibank.interfaces import schema
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.outside import Replay
from apigap.benchmarks.apibank.registry import Pool
from apigap.benchmarks.apibank.serve.checks import argument_error
from apigap.benchmarks.apibank.serve.corrections import metres
from apigap.benchmarks.apibank.serve.domains import DOMAINS
from apigap.benchmarks.apibank.serve.examples import examples
from apigap.benchmarks.apibank.serve.user_session import POOLS, ServedData
from apigap.benchmarks.apibank.world import System

SERVED = ServedData(Path("own"))
RELEASED = ServedData(Path("own"), mode="released")
EXAMPLES = examples(SERVED)
UNRECORDED = {"Dictionary", "Translate"}
"""The own data records no answer of theirs."""
TOKEN = {"token": "t0k3nmiriam"}
SEEDS = {
    **TOKEN, "meeting_topic": "seed order", "start_time": "2023-04-11 14:00:00", "end_time": "2023-04-11 15:00:00",
    "location": "barn", "attendees": ["Ines"],
}  # fmt: skip
ENTRY = {**TOKEN, "content": "prune the pear trees", "time": "2023-04-08 09:00:00", "location": "orchard"}
APIS = [(pool, name) for pool, registry in POOLS.items() for name in registry.apis]


def outcome(served: ServedData, pool: Pool, name: str, arguments: Mapping[str, Any]) -> tuple[Any, str | None]:
    called = served.user_session(pool).call(name, arguments)
    return (called.result or {}).get("output"), called.error and called.error.message


@pytest.mark.parametrize(("pool", "name"), APIS)
def test_the_example_of_every_api_works(pool: Pool, name: str) -> None:
    _, error = outcome(SERVED, pool, name, EXAMPLES[pool][name])
    assert (error is not None) == (name in UNRECORDED)


def test_the_examples_of_the_published_data_work(published: Path) -> None:
    served = ServedData(published)
    shown = examples(served)
    for pool, apis in shown.items():
        assert [name for name, arguments in apis.items() if outcome(served, pool, name, arguments)[1]] == []


def test_every_api_has_one_domain() -> None:
    listed = [name for names in DOMAINS.values() for name in names]
    assert sorted(listed) == sorted({name for _, name in APIS})


VALUES: tuple[Any, ...] = ("", "7", "true", 7, 7.5, True, None, [], ["a"], [1], {}, {"a": 1})


@pytest.mark.parametrize(("pool", "name"), APIS)
def test_a_value_is_refused_exactly_where_the_schema_refuses_it(pool: Pool, name: str) -> None:
    api = POOLS[pool].apis[name]
    validator = Draft202012Validator(schema(api)["parameters"])
    for given in api.inputs:
        for value in VALUES:
            arguments = {**EXAMPLES[pool][name], given.name: value}
            error = argument_error(api, arguments)
            assert (error is None) == validator.is_valid(arguments), (arguments, error)
            assert error is None or (error.kind, error.parameter) == ("wrong type", given.name)
    assert argument_error(api, {**EXAMPLES[pool][name], "colour": "red"}) is not None
    required = [given.name for given in api.inputs if given.required]
    found = argument_error(api, {})
    assert (found and found.parameter) == (required[0] if required else None)


def test_an_optional_argument_may_be_null() -> None:
    given = {"appointment_id": "40110275", "new_appointment_date": "2023-06-13", "new_appointment_doctor": None}
    assert outcome(SERVED, "level-1-2", "ModifyRegistration", given)[1] is None
    assert "must be a text, and is null" in (outcome(SERVED, "level-1-2", "Wiki", {"keyword": None})[1] or "")


@pytest.mark.parametrize(
    ("name", "right", "other"),
    [
        *((f"{verb}Agenda", ENTRY, {name: value}) for verb in ("Query", "Delete")
          for name, value in (("content", "x"), ("time", "2023-04-09 09:00:00"), ("location", "town hall"))),
        *((f"{verb}Meeting", SEEDS, {name: value}) for verb in ("Query", "Delete")
          for name, value in (("meeting_topic", "x"), ("start_time", "2023-04-11 13:00:00"),
                              ("end_time", "2023-04-11 16:00:00"), ("location", "x"), ("attendees", ["Paul"]))),
        ("QueryReminder", {**TOKEN, "content": "water the seedlings", "time": "2023-04-01 08:00:00"}, {"content": "x"}),
        ("DeleteReminder", {**TOKEN, "content": "water the seedlings", "time": "2023-04-01 08:00:00"},
         {"time": "2023-04-01 09:00:00"}),
    ],
)  # fmt: skip
def test_a_row_is_found_by_all_that_is_given(name: str, right: dict[str, Any], other: dict[str, Any]) -> None:
    assert outcome(SERVED, "level-1-2", name, right)[1] is None
    error = outcome(SERVED, "level-1-2", name, {**right, **other})[1]
    assert error and "the nearest has" in error and next(iter(other)) in error
    assert outcome(RELEASED, "level-1-2", name, right) == (outcome(SERVED, "level-1-2", name, right)[0], None)


def test_a_meeting_is_changed_in_all_that_is_given() -> None:
    session = SERVED.user_session("level-1-2")
    moved = {**SEEDS, "start_time": "2023-04-12 14:00:00", "location": "town hall", "attendees": ["Ines", "Oskar"]}
    (change,) = session.call("ModifyMeeting", moved).changes
    assert change.after == {**{name: value for name, value in moved.items() if name != "token"}, "username": "miriam"}


@pytest.mark.parametrize(
    ("name", "arguments", "output", "error"),
    [
        ("NearbyRestaurants", {"latitude": 40.71, "longitude": 74.0, "distance": 5000}, ["A", "C"], None),
        ("NearbyRestaurants", {"latitude": 0.0, "longitude": 0.0, "distance": 5000}, [], None),
        ("Geocoding", {"address": "Nowhere"}, None, "'Nowhere' is not known here"),
        ("GetWeatherForCoordinates", {"latitude": 0.0, "longitude": 0.0}, None, "it is known of"),
        ("EmailReminder", {"content": "x", "time": "2023-01-01 10:00:00", "location": "y", "recipient": "z"}, None,
         "Email address"),
    ],
)  # fmt: skip
def test_level_3(name: str, arguments: dict[str, Any], output: Any, error: str | None) -> None:
    found, told = outcome(SERVED, "level-3", name, arguments)
    assert (told is None) == (error is None) and (error or "") in (told or "")
    assert output is None or [row["name"][-1] for row in found["restaurants"]] == output


def test_a_search_gives_the_same_the_second_time() -> None:
    for name in ("FlightSearch", "HotelAvailability"):
        session = SERVED.user_session("level-3")
        first, second = (session.call(name, EXAMPLES["level-3"][name]) for _ in range(2))
        assert first == second and first.error is None


def test_metres_between_two_cities() -> None:
    assert metres((48.8566, 2.3522), (51.5074, -0.1278)) == pytest.approx(343_500, rel=0.002)  # Paris and London
    assert metres((10.0, 20.0), (10.0, 20.0)) == 0


def test_a_translation_depends_on_the_languages(published: Path) -> None:
    served, released = ServedData(published), ServedData(published, mode="released")
    hello = {"src": "Hello", "src_lang": "English"}
    assert outcome(served, "level-1-2", "Translate", {**hello, "tgt_lang": "Spanish"}) == ("Hola", None)
    for language in ("French", "fr", "German"):
        output, error = outcome(served, "level-1-2", "Translate", {**hello, "tgt_lang": language})
        assert output is None and error and "into Spanish" in error
        assert outcome(released, "level-1-2", "Translate", {**hello, "tgt_lang": language}) == ("Hola", None)
    assert "Language not supported" in (
        outcome(served, "level-1-2", "Translate", {**hello, "tgt_lang": "Moon"})[1] or ""
    )


def test_a_call_into_another_language_is_wrong_by_the_corrected_rules(published: Path) -> None:
    bank = load_bank(published)
    calls = (sample for dialogue in bank.dialogues for sample in dialogue.samples if sample.is_call)
    task = next(one for one in calls if one.truth.param_dict == {"src": "Hello", "tgt_lang": "es"})
    released, corrected = ApiBankJudge(bank), ApiBankJudge(bank, "corrected")
    for language, right in (("es", True), ("Spanish", True), ("fr", False), ("German", False)):
        answer = f"[Translate(src='Hello', tgt_lang='{language}')]"
        assert (released.score(task, answer).passed, corrected.score(task, answer).passed) == (True, right), language


def test_released_sessions_answer_as_the_released_system(published: Path) -> None:
    served = ServedData(published, mode="released")
    for dialogue in served.bank.dialogues[::10]:
        session, system = served.user_session("level-1-2"), System(served.databases, Replay(served.bank.dialogues))
        for turn in dialogue.turns:
            if turn.role == "API" and turn.api_name in POOLS["level-1-2"].apis:
                called = session.call(turn.api_name, turn.param_dict)
                if called.error is None:
                    assert called.result == call(POOLS["level-1-2"], system, turn.api_name, turn.param_dict)
