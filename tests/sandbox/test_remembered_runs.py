"""Runs that several steps of an author ask for: each is made once, but for one that the machine may have ended."""

from collections.abc import Iterator

import pytest

from apigap.packages.environments import EnvironmentStore
from apigap.records.run import Program
from apigap.sandbox.engine import Engine
from apigap.sandbox.limits import Limits
from apigap.sandbox.remembered_runs import RememberedRuns, is_endless

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

CHANCE = Program(context="import os", completion="x = os.urandom(8).hex()", observe=("x",))
RAISES = Program(context="import os", completion="raise ValueError(os.urandom(8).hex())")
EXITS = Program(context="import os", completion="print(os.urandom(8).hex())\nraise SystemExit(1)")
ENDLESS = Program(context="", completion="while True: pass")
OTHER = CHANCE.model_copy(update={"seed": 1})


@pytest.fixture(scope="module")
def runs() -> Iterator[RememberedRuns]:
    environment = EnvironmentStore().get("packaging", "25.0")
    with Engine(workers=1, limits=Limits(cpu_seconds=1)) as engine:
        yield RememberedRuns(engine, environment, ())


@pytest.mark.parametrize("program", [CHANCE, RAISES], ids=["completed", "raised"])
def test_a_program_is_run_once_until_it_is_forgotten(runs: RememberedRuns, program: Program) -> None:
    first, second = runs.run([program, program])
    (third,) = runs.run([program])
    runs.forget()
    (fourth,) = runs.run([program])
    assert first == second == third
    assert (first.observations, first.exception) != (fourth.observations, fourth.exception)


def test_another_program_is_another_run(runs: RememberedRuns) -> None:
    one, other, again = runs.run([CHANCE, OTHER, CHANCE])
    assert one.observations == again.observations != other.observations


def test_an_end_that_need_not_be_its_own_is_looked_at_again(runs: RememberedRuns) -> None:
    (first,), (second,) = runs.run([EXITS]), runs.run([EXITS])
    assert first.status == second.status == "exited"
    assert first.stdout != second.stdout


def test_a_program_that_does_not_end_is_run_once(runs: RememberedRuns) -> None:
    (first,), (second,) = runs.run([ENDLESS]), runs.run([ENDLESS])
    assert first == second
    assert is_endless(first)
