"""Usages in two real releases of pydantic: what ran before, what it gives now, what gives the old result."""

from collections.abc import Iterator

import pytest

from apigap.discovery.surface import Entry
from apigap.knowledge.stale.behaviour import BehaviourChanges, Unchanged
from apigap.knowledge.stale.habit_usages import HabitUsages, Pair
from apigap.knowledge.usages.usage import Step, Usage
from apigap.packages.environments import EnvironmentStore
from apigap.records.base import Json
from apigap.records.retired import Retirement
from apigap.sandbox.engine import Engine

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as made:
        yield made


@pytest.fixture(scope="module")
def pair() -> Pair:
    store = EnvironmentStore()
    return Pair(store.get("pydantic", "2.5.2"), store.get("pydantic", "2.13.3"), ("pydantic",))


def usage(*steps: Step | str, prelude: tuple[str, ...] = ()) -> Usage:
    made = tuple(Step(code=step) if isinstance(step, str) else step for step in steps)
    return Usage(prelude=prelude, steps=made, source="docs/page.md#1", origin="docs")


def gone(old: str, new: str | None, kind: str = "deprecated", api_kind: str = "method", **more: str) -> Retirement:
    return Retirement.model_validate(
        {"kind": kind, "library": "pydantic", "old_version": "2.5.2", "new_version": "2.13.3", "old_name": old,
         "api_kind": api_kind, "replacement": new, **more}
    )  # fmt: skip


MODEL = ("from pydantic import BaseModel", "class Point(BaseModel):\n    x: int = 1")


def test_a_warning_and_the_code_that_gives_the_old_result(engine: Engine, pair: Pair) -> None:
    pool = [usage("data = Point(x=2).dict()", prelude=MODEL), usage("other = {}.get('dict')")]
    found = HabitUsages(engine, pair, pool).added_to(
        [
            gone("pydantic.BaseModel.dict", "pydantic.BaseModel.model_dump"),
            gone("pydantic.BaseModel.json", "pydantic.BaseModel.model_dump_json"),
        ]
    )
    shown, none = found[0].usage, found[1].usage
    assert shown is not None
    assert shown.now.startswith("PydanticDeprecatedSince20: The `dict` method is deprecated")
    assert shown.new is not None
    assert "Point(x=2).model_dump()" in shown.new
    assert none is None, "nothing in the pool calls it"


def test_a_replacement_that_gives_something_else_is_not_shown(engine: Engine, pair: Pair) -> None:
    pool = [usage("data = Point(x=2).dict()", prelude=MODEL)]
    wrong = gone("pydantic.BaseModel.dict", "pydantic.BaseModel.model_dump_json")
    (found,) = HabitUsages(engine, pair, pool).added_to([wrong])
    assert found.usage is not None
    assert found.usage.new is None


def test_a_default_that_gives_the_same_is_no_change(engine: Engine, pair: Pair) -> None:
    pool = [usage("data = Point(x=2).model_dump()", prelude=MODEL)]
    claimed = gone(
        "pydantic.BaseModel.model_dump", None, "default changed", parameter="round_trip",
        old_default="False", new_default="0",
    )  # fmt: skip
    assert HabitUsages(engine, pair, pool).added_to([claimed]) == []


def test_a_call_that_answers_otherwise(engine: Engine, pair: Pair) -> None:
    names = ("pydantic.alias_generators.to_camel", "pydantic.alias_generators.to_pascal")
    unchanged = Unchanged([Entry(name=name, kind="function", paths=(name,)) for name in names])
    prelude = ("from pydantic.alias_generators import to_camel, to_pascal",)
    pool = [
        usage("name = to_camel('camelCase')", prelude=prelude),
        usage("name = to_pascal('snake_case')", prelude=prelude),
        usage("name = to_pascal(to_camel('camelCase'))", prelude=prelude),
        usage("import random", "name = to_camel(str(random.random()))", prelude=prelude),
    ]
    found = BehaviourChanges(engine, pair, unchanged, "pydantic").found(pool)
    assert [one.old_name for one in found] == ["pydantic.alias_generators.to_camel"]
    assert found[0].evidence[0].text == "to_camel('camelCase') gives 'camelCase' where it gave 'camelcase'"


@pytest.mark.parametrize(
    ("before", "now", "differ"),
    [
        ("2.5.2", "2.13.3", False),
        (["of 2.5.2", 1], ["of 2.13.3", 1], False),
        (["of 2.5.2", 1], ["of 2.13.3", 2], True),
        ("12.5.2", "12.13.3", True),  # a number that has it in it
        ({"numpy": "float64", "value": 1.5}, 1.5, False),
        (1.5, {"numpy": "float64", "value": 1.5}, False),
        (1.5, {"numpy": "float64", "value": 2.5}, True),
    ],
)
def test_values_that_are_the_same_but_for_the_release(
    engine: Engine, pair: Pair, before: Json, now: Json, differ: bool
) -> None:
    assert BehaviourChanges(engine, pair, Unchanged([]), "pydantic").differ(before, now) == differ
