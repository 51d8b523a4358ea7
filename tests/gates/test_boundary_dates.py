"""Tasks of a pair with a release before the cutoff in between: what the day of an API decides is not run."""

from datetime import date

import pytest

from apigap.gates import boundary_dates
from apigap.gates.boundary_dates import settled_by_date
from apigap.gates.novelty import Boundary
from apigap.records.candidate import Candidate, Since
from apigap.records.errors import InfrastructureError
from tests.gates.test_boundary_runs import LICENCES, MEMBER, NAMES, OPEN
from tests.silent import Silent

CUTOFF = date(2024, 6, 30)


def candidate(change: str = "added", since: Since | None = None, old: str = "23.0") -> Candidate:
    return Candidate.model_validate({
        "api_name": LICENCES.api_name, "kind": "function", "library": "packaging", "old_version": old,
        "new_version": "25.0", "change": change, "signature": None, "import_module": "packaging.licenses",
        "since": since,
    })  # fmt: skip


def first(day: str, exact: bool = True) -> Since:
    return Since(version="24.2", released=date.fromisoformat(day), exact=exact)


@pytest.mark.parametrize(
    ("change", "since", "status", "runs"),
    [
        ("added", first("2024-06-29"), "open", False),
        ("added", first("2024-06-30"), "member", False),
        ("modified", first("2024-06-29"), "open", False),
        ("modified", first("2024-11-08"), "open", True),  # it may have had what the task asks for already
        ("added", first("2024-06-29", exact=False), "open", True),
        ("added", first("2024-11-08", exact=False), "open", True),
        ("added", Since(version="24.2"), "open", True),
    ],
)
def test_what_a_day_decides(change: str, since: Since, status: str, runs: bool) -> None:
    candidates = {LICENCES.api_name: candidate(change, since)}
    found = settled_by_date([LICENCES], {LICENCES.task_id: OPEN}, candidates, CUTOFF, Silent())[LICENCES.task_id]
    assert (found.status, found.before is not None) == (status, runs)
    assert runs or "24.2" in found.reason


def test_only_what_is_to_be_decided_is_dated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boundary_dates, "with_first_releases", lambda *_: pytest.fail("it was dated"))
    boundaries = {LICENCES.task_id: MEMBER, NAMES.task_id: OPEN}
    candidates = {LICENCES.api_name: candidate()}
    assert settled_by_date([LICENCES, NAMES], boundaries, candidates, CUTOFF, Silent()) == boundaries
    other_pair = {LICENCES.api_name: candidate(old="24.0")}
    assert settled_by_date([LICENCES], {LICENCES.task_id: OPEN}, other_pair, CUTOFF, Silent()) == {
        LICENCES.task_id: OPEN
    }


def test_what_cannot_be_dated_now_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise InfrastructureError("no network")

    monkeypatch.setattr(boundary_dates, "with_first_releases", fails)
    found = settled_by_date([LICENCES], {LICENCES.task_id: OPEN}, {LICENCES.api_name: candidate()}, CUTOFF, Silent())
    assert found == {LICENCES.task_id: OPEN}


@pytest.mark.network
def test_a_real_api_is_dated() -> None:
    """`packaging.licenses` came with 24.2 of 2024-11-08."""
    known = {LICENCES.task_id: OPEN}
    candidates = {LICENCES.api_name: candidate()}
    before = settled_by_date([LICENCES], known, candidates, date(2024, 12, 1), Silent())[LICENCES.task_id]
    since = settled_by_date([LICENCES], known, candidates, CUTOFF, Silent())[LICENCES.task_id]
    assert before == Boundary(
        status="open",
        reason=f"{LICENCES.api_name} is there since 24.2, 2024-11-08, before 2024-12-01",
    )
    assert since.status == "member"
