"""A task's id is its content."""

import pytest
from pydantic import ValidationError

from apigap.records.task import Harness, Observation, Scenario, Spy, Task


def make_task(**changes: object) -> Task:
    scenario = Scenario(name="basic", context_code="x = 1", observations=(Observation(expression="y", expected=2),))
    values: dict[str, object] = {
        "api_name": "library.thing",
        "library": "library",
        "version": "2",
        "old_version": "1",
        "domain": "swe",
        "change": "added",
        "difficulty": "easy",
        "description": "Make y.",
        "context_code": "x = 1",
        "masked_region": "y = x + 1",
        "reference_solution": "x = 1\ny = x + 1",
        "harness": Harness(layers=("structural",), scenarios=(scenario,), spy=Spy(target="library.thing")),
        "author": "written",
    }
    return Task.model_validate({**values, **changes})


def test_the_id_depends_on_content_only() -> None:
    assert make_task().task_id == make_task().task_id
    assert make_task(description="Make z.").task_id != make_task().task_id
    dated = make_task(since={"version": "2", "released": "2026-10-01"})
    assert dated.task_id == make_task().task_id
    assert Task.model_validate_json(dated.model_dump_json()) == dated
    assert "since" not in make_task().model_dump()


def test_what_a_task_leaves_open_is_part_of_it_and_where_nothing_is_open_nothing_is_written() -> None:
    strict = make_task()
    assert not {"containers", "also", "needed", "before"} & set(strict.to_line().replace('"', " ").split())
    free = Observation(expression="y", expected=2, containers="any")
    harness = strict.harness.model_copy(
        update={"scenarios": (strict.harness.scenarios[0].model_copy(update={"observations": (free,)}),)}
    )
    opened = make_task(harness=harness)
    assert opened.task_id != strict.task_id
    assert Task.from_line(opened.to_line()) == opened
    spy = Spy(target="library.thing", also=("library.other",))
    assert make_task(harness=harness.model_copy(update={"spy": spy})).task_id != opened.task_id


def test_a_task_of_several_apis_is_looked_at_once_for_each() -> None:
    alone = make_task()
    assert alone.facets == (alone,)
    spy = Spy(target=alone.api_name, also=("library.twin",), needed=("library.other",))
    task = make_task(harness=alone.harness.model_copy(update={"spy": spy}))
    assert Task.from_line(task.to_line()) == task
    assert task.apis == (alone.api_name, "library.other")
    assert [one.harness.spy for one in task.facets] == [
        Spy(target=alone.api_name, also=("library.twin",)),
        Spy(target="library.other"),
    ]
    assert {one.task_id for one in task.facets} == {task.task_id}
    assert task.facet("library.other").api_name == "library.other"
    assert task.facet(None) == task.facets[0]


def test_an_edited_task_is_refused() -> None:
    record = make_task().model_dump(mode="json")
    record["description"] = "Something easier."
    with pytest.raises(ValidationError, match="it was edited"):
        Task.model_validate(record)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "evil @ https://host/evil-1-py3-none-any.whl",
        "evil\n--index-url https://host",
        "-r/etc/hosts",
        "./evil",
        "a==1",
    ],
)
def test_only_names_are_installed_beside_a_release(name: str) -> None:
    assert make_task(beside=("pandas", "table-maker")).beside == ("pandas", "table-maker")
    with pytest.raises(ValidationError, match="is no distribution's name"):
        make_task(beside=("pandas", name))
