"""A task to attack, and one way to make tasks."""

from apigap.records.task import Harness, Observation, Scenario, Spy, Task

CONTEXT = "from __future__ import annotations\n\nimport pydantic\n\nnumbers = {numbers}\n"
SOLUTION = "adapter = pydantic.TypeAdapter(list[int])\nresult = adapter.validate_python(numbers)\n"


def make_task(
    scenarios: dict[str, tuple[str, dict[str, object]]], target: str, solution: str, required: bool = True
) -> Task:
    """A task whose scenarios are given as name -> (context, {expression: expected fingerprint})."""
    made = tuple(
        Scenario(
            name=name,
            context_code=context,
            observations=tuple(Observation(expression=text, expected=form) for text, form in expected.items()),
        )
        for name, (context, expected) in scenarios.items()
    )
    return Task(
        api_name=target,
        library="pydantic",
        version="2.13.3",
        old_version=None,
        domain="validation",
        change="added",
        difficulty="easy",
        description="Turn the texts in numbers into a list of integers called result.",
        context_code=made[0].context_code,
        masked_region=solution,
        reference_solution=made[0].context_code + solution,
        harness=Harness(
            layers=("structural", "comparative"), scenarios=made, spy=Spy(target=target, required=required)
        ),
        author="tests",
    )


def numbers_task() -> Task:
    """Validation of numbers by `TypeAdapter.validate_python`, with one hidden scenario."""
    scenarios = {
        "basic": (CONTEXT.format(numbers='["1", "2", "3"]'), {"result": [1, 2, 3]}),
        "others": (CONTEXT.format(numbers='["40", "50"]'), {"result": [40, 50]}),
    }
    return make_task(scenarios, "pydantic.TypeAdapter.validate_python", SOLUTION)  # pyright: ignore[reportArgumentType]
