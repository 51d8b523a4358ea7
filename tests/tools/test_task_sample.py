"""The page of synthesised tasks: drawn, one per API, the answer folded."""

from tools.knowledge.task_sample import drawn, page

from apigap.records.task import Harness, Scenario, Spy, Task


def task(api: str, number: int = 0) -> Task:
    scenarios = tuple(Scenario(name=n, context_code="x = 1", observations=()) for n in ("basic", "changed_1", "edge"))
    return Task(
        api_name=f"lib.{api}", library="lib", version="2", old_version="1", domain="user", change="added",
        difficulty="easy", description=f"Do it {number} times.", context_code="x = 1", masked_region=f"y = {api}(x)",
        reference_solution="", harness=Harness(layers=("structural",), scenarios=scenarios, spy=Spy(target="lib.f")),
        author="synthesised", provenance=("docs/a.md#1",),
    )  # fmt: skip


TASKS = [task(api, number) for api in "abcdef" for number in range(3)]


def test_a_draw_has_one_task_per_api_and_is_the_same_every_time() -> None:
    one = drawn(TASKS, 4, 1)
    assert len({made.api_name for made in one}) == len(one) == 4
    assert one == drawn(TASKS[::-1], 4, 1)
    assert any(drawn(TASKS, 4, number) != one for number in range(2, 6))


def test_the_page_shows_what_a_solver_sees_and_folds_the_answer() -> None:
    text = page([task("a")])
    head, _, folded = text.partition("<details>")
    assert "Do it 0 times." in head
    assert "y = a(x)" not in head
    assert "y = a(x)" in folded
    assert "From docs/a.md#1. Scenarios: basic, changed_1, edge." in folded
