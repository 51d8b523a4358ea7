"""Tasks of a pair with a release between the old version and the cutoff: that release is asked about each."""

from collections.abc import Sequence
from typing import Any, cast

import pytest

from apigap.gates import boundary_runs
from apigap.gates.boundary_runs import boundaries_of
from apigap.gates.novelty import Boundary, novelty_record
from apigap.records.errors import EnvironmentFailure
from apigap.records.run import RunRecord
from apigap.records.task import Harness, Observation, Scenario, Spy, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.judge import Verdict, judge_runs
from tests.silent import Silent

OPEN = Boundary(status="open", reason="packaging 24.0 came before", before="24.0")
MEMBER = Boundary(status="member", reason="nothing came in between")


def task(module: str, function: str, solution: str, expected: object) -> Task:
    """One on packaging 25.0; `given` is what it works on."""
    context = "given = 'mit'\n"
    code = f"from {module} import {function}\nresult = {solution}\n"
    return Task(
        api_name=f"{module}.{function}", library="packaging", version="25.0", old_version="23.0", domain="tests",
        change="added", difficulty="easy", description="Make result.", context_code=context, masked_region=code,
        reference_solution=context + code,
        harness=Harness(
            layers=("comparative",),
            scenarios=(
                Scenario(
                    name="basic", context_code=context,
                    observations=(Observation(expression="result", expected=expected),),
                ),
            ),
            spy=Spy(target=f"{module}.{function}"),
        ),
        author="written",
    )  # fmt: skip


NAMES = task("packaging.utils", "canonicalize_name", "canonicalize_name(given)", "mit")
LICENCES = task(
    "packaging.licenses", "canonicalize_license_expression", "canonicalize_license_expression(given)", "MIT"
)


@pytest.mark.network
@pytest.mark.sandbox
def test_what_the_release_before_the_cutoff_solves_stays_open() -> None:
    with Engine() as engine:
        found = boundaries_of([NAMES, LICENCES], lambda _: OPEN, engine, Silent())
        assert found[NAMES.task_id].status == "open"
        assert "its reference passes in packaging 24.0" in found[NAMES.task_id].reason
        assert found[LICENCES.task_id].status == "member"


def settled(monkeypatch: pytest.MonkeyPatch, seen: Verdict | str) -> Boundary:
    """Where a task of an open pair lies whose reference has this verdict before the cutoff, or is not installed."""

    def environment(tasks: Sequence[Task], version: str, engine: object) -> None:
        if isinstance(seen, str):
            raise EnvironmentFailure(f"{tasks[0].library} {version} cannot be installed for Python 3.11.7: {seen}")

    def references(engine: object, environment: object, tasks: Sequence[Task], preload: object) -> list[object]:
        return [seen] * len(tasks)

    monkeypatch.setattr(boundary_runs, "references_in", references)
    monkeypatch.setattr(boundary_runs, "former_environment", environment)
    return boundaries_of([NAMES], lambda _: OPEN, cast("Any", None), Silent())[NAMES.task_id]


NO_WHEEL = (
    "error: No solution found when resolving dependencies   cause: Because packaging==24.0 has no wheels with a "
    "matching Python ABI tag (e.g., `cp311`) and you require packaging==24.0, we can conclude that your requirements "
    "are unsatisfiable."
)
NO_BUILD = "x 1.0 cannot be built from source: build_wheel.py ended without a result: No module named 'x'"
NO_SOURCE = "packaging 24.0 needs x, which has no wheels for this Python and no (further) source distribution"
SLOW = "the installation took more than 1800 s and was ended; check the network, then run the same command again"
NO_ROUTE = (
    "error: Request failed after 3 retries in 11.3s   cause: Failed to fetch: https://pypi.org/simple/packaging/   "
    "cause: client error (Connect)   cause: Connection refused (os error 111)"
)
BUSY = "x 1.0 cannot be built from source: HTTP status server error (503) cause: Failed to fetch: https://pypi.org/x"
REFUSED = f"{NO_WHEEL}  hint: An index (https://mirror/simple) returned a 403 Forbidden error."
OFFLINE = f"{NO_WHEEL}  hint: Packages were unavailable because the network was disabled."
FULL = "error: Failed to install: x.whl   cause: No space left on device (os error 28)"


@pytest.mark.parametrize("told", [NO_WHEEL, NO_BUILD, NO_SOURCE])
def test_a_release_that_cannot_be_installed_leaves_it_open(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    found = settled(monkeypatch, told)
    assert (found.status, "packaging 24.0 cannot be installed here" in found.reason) == ("open", True)


@pytest.mark.parametrize("told", [NO_ROUTE, BUSY, REFUSED, OFFLINE, FULL, SLOW, "killed"])
def test_an_installation_that_infrastructure_prevented_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    found = settled(monkeypatch, told)
    assert (found.status, told in found.reason) == ("untold", True)
    assert novelty_record(NAMES, [], found, require_boundary=True).undecided


def run(status: str, phase: str) -> RunRecord:
    return RunRecord.model_validate({"status": status, "phase": phase, "reason": "so it was"})


@pytest.mark.parametrize(
    ("plain", "recorded", "status"),
    [
        (run("infra", "start"), None, "untold"),
        (run("raised", "completion"), run("infra", "start"), "untold"),
        (run("raised", "completion"), run("infra", "completion"), "member"),  # what is not there cannot be watched
        (run("raised", "context"), None, "member"),
        (run("limit", "completion"), None, "member"),
    ],
)
def test_only_a_reference_that_was_run_says_where_its_task_lies(
    monkeypatch: pytest.MonkeyPatch, plain: RunRecord, recorded: RunRecord | None, status: str
) -> None:
    found = settled(monkeypatch, judge_runs(NAMES, [plain], recorded, "bubblewrap"))
    assert found.status == status
    assert novelty_record(NAMES, [], found, require_boundary=True).undecided == (status == "untold")


def test_nothing_is_run_where_the_pair_decides() -> None:
    with Engine() as engine:
        assert boundaries_of([NAMES], lambda _: MEMBER, engine, Silent()) == {NAMES.task_id: MEMBER}
