"""Whatever becomes of the nodes, every piece is told once; slow nodes are helped, and what kills nodes ends alone."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.cluster.schedule import MOST_DEATHS, SECONDS
from tests.cluster.simulated import SimulatedNode, Simulation

SPEEDS = st.floats(min_value=0.001, max_value=50.0)
NODES = st.lists(st.tuples(SPEEDS, st.one_of(st.none(), st.floats(0.1, 60.0))), min_size=0, max_size=4)
COSTS = st.lists(st.integers(1, 9), min_size=1, max_size=120)
SOME = st.frozensets(st.integers(0, 119), max_size=8)


def told_of(simulation: Simulation) -> dict[int, str | None]:
    pieces = [told.piece for told in simulation.told]
    assert len(pieces) == len(set(pieces)), "a piece was told twice"
    return {told.piece: told.line.decode() if told.line else None for told in simulation.told}


@given(costs=COSTS, others=NODES, infra=SOME, speed=SPEEDS)
def test_nothing_is_lost_or_told_twice(
    costs: Sequence[int], others: Sequence[tuple[float, float | None]], infra: frozenset[int], speed: float
) -> None:
    """One node stays; some of the others die; each but the last cannot judge some pieces."""
    nodes = [
        SimulatedNode(f"n{number}", seconds, dies, infra if number % 2 else frozenset())
        for number, (seconds, dies) in enumerate(others)
    ]
    found = told_of(Simulation(costs, [*nodes, SimulatedNode("last", speed)]).run())
    assert found == {piece: f"{piece} pass" for piece in range(len(costs))}


@given(costs=COSTS, infra=SOME, nodes=st.integers(1, 4))
def test_what_no_node_can_judge_has_no_verdict(costs: Sequence[int], infra: frozenset[int], nodes: int) -> None:
    found = told_of(Simulation(costs, [SimulatedNode(f"n{n}", infra=infra) for n in range(nodes)]).run())
    marks = {piece: "infra" if piece in infra else "pass" for piece in range(len(costs))}
    assert found == {piece: f"{piece} {mark}" for piece, mark in marks.items()}


@given(deadly=st.frozensets(st.integers(0, 59), max_size=3), nodes=st.integers(1, 3))
def test_a_piece_that_kills_its_worker_takes_no_other_with_it(deadly: frozenset[int], nodes: int) -> None:
    made = [SimulatedNode(f"n{n}", deadly=deadly) for n in range(nodes)]
    simulation = Simulation([1] * 60, made).run()
    found = told_of(simulation)
    assert {piece for piece, line in found.items() if line is None} == deadly
    assert len(found) == 60
    assert all(str(MOST_DEATHS) in told.reason for told in simulation.told if told.line is None)


def test_a_node_that_hangs_is_not_waited_for_and_its_work_counts_once() -> None:
    hangs, works = SimulatedNode("hangs", seconds=1e9), SimulatedNode("works", seconds=0.1)
    simulation = Simulation([1] * 200, [hangs, works]).run()
    assert set(told_of(simulation)) == set(range(200))
    assert not hangs.done
    assert simulation.seconds < 200 * 0.1 + 20


def test_a_copy_that_disagrees_leaves_no_verdict() -> None:
    """The slow node answers before the run is over, and otherwise: nobody knows which of them is right."""
    slow, quick = SimulatedNode("slow", seconds=6.0, says="fail"), SimulatedNode("quick", seconds=4.5)
    third = SimulatedNode("third", seconds=9.0)
    simulation = Simulation([1] * 8, [slow, quick, third]).run()
    both = set(slow.done) & {*quick.done, *third.done}
    assert both
    doubtful = {told.piece: told.reason for told in simulation.told if told.line is None}
    assert set(doubtful) == both
    assert all("fail" in reason and "pass" in reason for reason in doubtful.values())


@pytest.mark.parametrize("speed", [0.003, 0.03, 0.3])
def test_batches_take_some_seconds_once_the_speed_is_known(speed: float) -> None:
    simulation = Simulation([2] * 20_000, [SimulatedNode("only", seconds=speed)])
    sizes: list[float] = []
    take = simulation.schedule.take

    def noted(node: str, workers: int, nodes: int, now: float):
        taken = take(node, workers, nodes, now)
        if taken is not None:
            sizes.append(speed * 2 * len(taken[1].pieces))
        return taken

    simulation.schedule.take = noted  # pyright: ignore[reportAttributeAccessIssue]
    simulation.run()
    middle = sizes[len(sizes) // 4 : len(sizes) // 2]
    assert all(0.5 * SECONDS < size < 2 * SECONDS for size in middle)
    assert sizes[-1] < SECONDS / 2


def test_the_costliest_go_first() -> None:
    costs = [1, 5, 1, 9, 1]
    taken = Simulation(costs, []).schedule.take("a", 1, 1, 0.0)
    assert taken is not None and taken[1].pieces == (3, 1)
