"""The selection between stage 1 and stage 2, as the settings say."""

import pytest

from apigap.records.candidate import Candidate, ChangeKind, Importance
from apigap.records.configuration import load_settings
from apigap.stages.candidate_choice import left_out, select_candidates, told_left_out


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
        (
            ["selection.by=variety", "selection.added=2"],
            ["a.eigenvalues", "a.gone", "a.old", "a.read_csv_again", "b.one"],
        ),
        (
            ["selection.by=variety", "selection.per_library=1", "selection.trade_off=1"],
            ["a.eigenvalues", "a.gone", "b.one"],
        ),
        (
            ["selection.by=variety", "selection.added=1", "selection.modified=1"],
            ["a.eigenvalues", "a.gone", "a.old", "b.one"],
        ),
    ],
)
def test_caps_are_off_until_they_are_set_and_hold_per_library(overrides: list[str], expected: list[str]) -> None:
    chosen = select_candidates(POOL, load_settings(overrides=overrides).selection)
    assert [c.api_name for c in chosen] == expected


def ranked(name: str, score: float, change: ChangeKind = "added", family: str = "", minor: str = "") -> Candidate:
    one = candidate("r", name, change)
    importance = Importance(score=score, family=f"r.{family or name}", minor=minor)
    return one.model_copy(update={"importance": importance})


RANKED = [
    ranked("plumbing", 0.9, minor="a private name"),
    ranked("first", 0.8),
    ranked("second", 0.6, "modified"),
    ranked("like_first", 0.7, family="first"),
    ranked("last", 0.1),
    ranked("gone", 0.9, "moved"),
]


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        (["selection.per_library=1"], ["first"]),
        (["selection.per_library=3"], ["first", "last", "second"]),
        (["selection.per_library=4"], ["first", "last", "like_first", "second"]),
        (["selection.added=1"], ["first", "second"]),
        (["selection.per_library=2", "selection.modified=1"], ["first", "second"]),
    ],
)
def test_with_a_cap_the_first_in_rank_go_on_and_the_rest_is_told(overrides: list[str], expected: list[str]) -> None:
    chosen = select_candidates(RANKED, load_settings(overrides=overrides).selection)
    assert [c.leaf for c in chosen if c.change != "moved"] == expected
    out = left_out(RANKED, chosen)
    assert {c.leaf for c in out} | {c.leaf for c in chosen} == {c.leaf for c in RANKED}
    told = told_left_out(out)
    assert told.startswith(f"{len(out)} candidates are left out")
    assert "1 minor: a private name" in told
    assert out[0].api_name in told
