"""Tasks of a pair with a release between the old version and the cutoff: that release is asked about each."""

import pytest

from apigap.execution.engine import Engine
from apigap.gates.novelty import Boundary
from apigap.pipeline import boundary_runs
from apigap.pipeline.boundary_runs import settle
from apigap.records.errors import EnvironmentFailure
from apigap.records.task import Harness, Observation, Scenario, Spy, Task
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
        found = settle([NAMES, LICENCES], lambda _: OPEN, engine, Silent())
        assert found[NAMES.task_id].status == "open"
        assert "its reference passes in packaging 24.0" in found[NAMES.task_id].reason
        assert found[LICENCES.task_id].status == "member"


class NoStore:
    def get(self, library: str, version: str) -> None:
        raise EnvironmentFailure(f"{library} {version} has no wheel")


def test_a_release_that_cannot_be_installed_leaves_it_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boundary_runs, "EnvironmentStore", NoStore)
    with Engine() as engine:
        found = settle([NAMES], lambda _: OPEN, engine, Silent())[NAMES.task_id]
    assert (found.status, "packaging 24.0 cannot be installed here" in found.reason) == ("open", True)


def test_nothing_is_run_where_the_pair_decides() -> None:
    with Engine() as engine:
        assert settle([NAMES], lambda _: MEMBER, engine, Silent()) == {NAMES.task_id: MEMBER}
