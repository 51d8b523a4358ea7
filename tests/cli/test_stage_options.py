"""`apigap extract` and `apigap generate` take the same options, and say what is missing."""

import inspect
from pathlib import Path

import pytest

from apigap.api import stages as api
from apigap.cli.option_groups import BudgetOptions
from apigap.cli.options import settings_of
from apigap.cli.stages.single import extract, generate
from apigap.cli.stages.stage_options import StageOptions, run_stage, shown
from apigap.records.errors import UsageError


def names(command: object) -> set[str]:
    return set(inspect.signature(command).parameters)  # pyright: ignore[reportArgumentType]


def test_the_options_are_listed_once() -> None:
    shared = {name for options in (StageOptions, BudgetOptions) for name in inspect.signature(options).parameters}
    assert names(extract) == shared
    assert names(generate) == shared | {"knowledge", "retired", "author"}
    assert set(extract.__annotations__) == names(extract) | {"return"}


@pytest.mark.parametrize(
    ("value", "told"),
    [(8, "8"), ({"baseline": 0, "e": 8, "m_prose": 4}, "e (8); m_prose (4)"), ({"baseline": 0}, "none"), ({}, "none")],
)
def test_counts_are_told_in_words(value: object, told: str) -> None:
    assert shown(value) == told


REFUSED = [
    (StageOptions(), "name a LIBRARY, or give --candidates"),
    (StageOptions(candidates=Path("c")), "say with --out"),
    (StageOptions(candidates=Path("c"), out=Path("o"), library="x"), "leave out LIBRARY"),
    (StageOptions(candidates=Path("c"), out=Path("o"), old="1"), "leave out LIBRARY"),
    (StageOptions(library="x", libraries=["y"], out=Path("o")), "--out is one file"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_what_cannot_be_is_refused_before_anything_runs(options: StageOptions, told: str) -> None:
    for stage in (api.extract, api.generate):
        with pytest.raises(UsageError, match=told):
            run_stage(stage, options)


@pytest.mark.parametrize(
    ("given", "flag", "builds"), [([], False, False), ([], True, True), (["execution.build_sdists=true"], False, True)]
)
def test_packages_are_built_only_on_request(given: list[str], flag: bool, builds: bool) -> None:
    assert settings_of(None, given, build_sdists=flag).execution.build_sdists is builds
