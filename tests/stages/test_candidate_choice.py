"""The selection between stage 1 and stage 2, as the settings say."""

import pytest

from apigap.records.candidate import Candidate, ChangeKind
from apigap.records.configuration import load_settings
from apigap.stages.candidate_choice import select_candidates


def candidate(library: str, name: str, change: ChangeKind, docstring: str = "") -> Candidate:
    return Candidate(
        api_name=f"{library}.{name}", kind="function", library=library, old_version="1", new_version="2",
        change=change, signature="()", docstring=docstring, import_module=library,
    )  # fmt: skip


POOL = [
    candidate("a", "read_csv", "added", "Read a table from text."),
    candidate("a", "read_csv_again", "added", "Read a table from text."),
    candidate("a", "eigenvalues", "added", "Eigenvalues of a matrix."),
    candidate("a", "old", "modified", "Changed."),
    candidate("a", "gone", "moved"),
    candidate("b", "one", "added"),
]


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ([], ["a.read_csv", "a.read_csv_again", "a.eigenvalues", "a.old", "a.gone", "b.one"]),
        (["selection.trade_off=0.1"], ["a.read_csv", "a.read_csv_again", "a.eigenvalues", "a.old", "a.gone", "b.one"]),
        (["selection.added=2"], ["a.eigenvalues", "a.gone", "a.old", "a.read_csv_again", "b.one"]),
        (["selection.per_library=1", "selection.trade_off=1"], ["a.eigenvalues", "a.gone", "b.one"]),
        (["selection.added=1", "selection.modified=1"], ["a.eigenvalues", "a.gone", "a.old", "b.one"]),
    ],
)
def test_caps_are_off_until_they_are_set_and_hold_per_library(overrides: list[str], expected: list[str]) -> None:
    chosen = select_candidates(POOL, load_settings(overrides=overrides).selection)
    assert [c.api_name for c in chosen] == expected
