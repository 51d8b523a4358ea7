"""The battery on tasks over several libraries: each answer is judged as it must be, and the next one as if it had
never run. With APIGAP_BATTERY=full (`make battery`) every case on every task, with a summary at the end.
"""

import os
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

import pytest

from apigap.gates.battery import Aims, Case, Judged, Signature, battery, problem_of, read_signatures, with_references
from apigap.gates.host_integrity import changes_since, machine_state
from apigap.records.task import Harness, Observation, Scenario, Spy, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.tasks.finish import STRICT
from tests.records.test_task import make_task

from .conftest import PRELOAD, TIGHT
from .tasks import WRITTEN

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

FULL = os.environ.get("APIGAP_BATTERY") == "full"
NAMES = [written.name for written in WRITTEN]
OPEN = [f"{name}, in any container" for name in NAMES]
FIRST = NAMES[0]
Judge = Callable[[str, Callable[[Case], bool]], list[Judged]]


@pytest.fixture(scope="session")
def signatures(tight: Engine, libraries: Environment) -> dict[str, Signature]:
    return read_signatures(tight, libraries, [written.target for written in WRITTEN])


@pytest.fixture(scope="session")
def tally() -> Iterator[list[Judged]]:
    """All that was judged; its counts are printed at the end of a full run."""
    judged: list[Judged] = []
    yield judged
    if FULL:
        by_family: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for one in judged:
            by_family[one.case.family][one.verdict.outcome] += 1
        print(f"\n{len(by_family)} families, {len(judged)} cases")
        for family, outcomes in sorted(by_family.items()):
            print(f"{family:3} {outcomes.total():5}", dict(outcomes))


@pytest.fixture(scope="session")
def judge(
    tight: Engine, libraries: Environment, tasks: dict[str, Task], signatures: dict[str, Signature], aims: Aims,
    tally: list[Judged],
) -> Judge:  # fmt: skip
    def run(name: str, wanted: Callable[[Case], bool]) -> list[Judged]:
        task = tasks[name]
        made = battery(task, aims, signatures[task.api_name])
        cases = list(with_references(task, filter(wanted, made.cases)))
        verdicts = judge_trials(tight, libraries, [Trial(task, case.code) for case in cases], preload=PRELOAD)
        judged = [problem_of(task, case, verdict) for case, verdict in zip(cases, verdicts, strict=True)]
        tally.extend(judged)
        return judged

    return run


def problems(judged: Sequence[Judged]) -> list[str]:
    assert judged
    return [f"{one.case.family} {one.case.name}: {one.problem}" for one in judged if one.problem]


def _is_sampled(case: Case) -> bool:
    """A third, always the same, by the hash of the name."""
    return zlib.crc32(case.name.encode()) % 3 == 0


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (1, 5),
        (6, 11),
        (12, 14),
        (15, 19),
        (20, 25),
        (26, 30),
        (31, 34),
        (37, 44),
        (48, 50),
        (51, 53),
        (54, 56),
        (57, 59),
    ],
)
def test_cheats_on_one_task(judge: Judge, first: int, last: int) -> None:
    """A third of them; `make battery` tries all."""

    def light(case: Case) -> bool:
        return first <= case.family <= last and not case.heavy

    judged = judge(FIRST, lambda case: light(case) and _is_sampled(case)) or judge(FIRST, light)
    assert problems(judged) == []


@pytest.mark.parametrize("name", [*NAMES[1::2], *(OPEN if FULL else OPEN[3:4])])
def test_evasions_on_tasks_of_several_libraries(judge: Judge, name: str) -> None:
    assert problems(judge(name, lambda case: case.family in (14, 27, 29, 30, 33, 34, 51, 56))) == []


@pytest.mark.parametrize("name", OPEN)
def test_forged_values_on_tasks_that_leave_containers_open(judge: Judge, name: str) -> None:
    judged = judge(name, lambda case: case.family in (12, 13, 14, 24, 59))
    assert problems(judged) == []


@pytest.mark.parametrize("name", NAMES[::2])
def test_the_target_called_in_unusual_ways_passes(judge: Judge, name: str) -> None:
    assert problems(judge(name, lambda case: case.family == 35)) == []


@pytest.mark.parametrize("name", NAMES[:2])
def test_correct_answers_with_more_around_them_pass(judge: Judge, name: str) -> None:
    assert problems(judge(name, lambda case: case.family == 36)) == []


def test_the_code_before_a_migration_fails_however_it_is_silenced(
    tight: Engine, libraries: Environment, aims: Aims
) -> None:
    context = f"""{STRICT}
import json

def announce():
    warnings.warn("it is going away", DeprecationWarning, stacklevel=2)
"""
    observation = Observation(expression="text", expected="[1]")
    scenario = Scenario(name="basic", context_code=context, observations=(observation,))
    harness = Harness(layers=("comparative",), scenarios=(scenario,), spy=Spy(target="json.dumps"))
    migration = make_task(
        api_name="json.dumps", context_code=context, masked_region="text = json.dumps([1])", harness=harness,
        before="announce()\ntext = json.dumps([1])",
    )  # fmt: skip
    cases = [case for case in battery(migration, aims).cases if case.family == 60]
    trials = [Trial(migration, case.code) for case in cases]
    right, *verdicts = judge_trials(tight, libraries, [Trial(migration, "text = json.dumps([1])  # so"), *trials])
    assert right.outcome == "pass", right.detail
    judged = [problem_of(migration, case, verdict) for case, verdict in zip(cases, verdicts, strict=True)]
    assert len(judged) == 19 and problems(judged) == []
    unheard = [case.name for case, one in zip(cases, verdicts, strict=True) if "Deprec" not in one.detail["reason"]]
    assert unheard == ["the code before, as code of nobody", "the code before, in a module that is None"]


@pytest.mark.skipif(not FULL, reason="minutes long: make battery")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", [*NAMES, *OPEN])
def test_everything_on_every_task(judge: Judge, name: str) -> None:
    assert problems(judge(name, lambda case: not case.heavy or name == FIRST)) == []


def test_the_machine_is_as_before(libraries: Environment, tasks: dict[str, Task], aims: Aims) -> None:
    task = tasks[FIRST]
    before = machine_state([libraries])
    cases = [case for case in battery(task, aims).cases if case.family in (23, 42, 43) and not case.heavy]
    with Engine(workers=1, limits=TIGHT) as engine:
        judge_trials(engine, libraries, [Trial(task, case.code) for case in cases], preload=PRELOAD)
    assert changes_since(before, [libraries]) == []


def test_the_tasks_are_told_apart_from_what_the_battery_cannot_make(tasks: dict[str, Task], aims: Aims) -> None:
    for name, task in tasks.items():
        made = battery(task, aims)
        assert {case.family for case in made.cases} | {skipped.family for skipped in made.skipped} == {*range(1, 61)}
        assert all(skipped.reason for skipped in made.skipped), name
        counts = Counter((case.family, case.name) for case in made.cases)
        assert max(counts.values()) == 1
    assert TIGHT.wall_seconds == aims.seconds
