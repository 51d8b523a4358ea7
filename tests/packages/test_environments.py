"""Environments as of a release's date, made once, also by several processes at a time."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from apigap.packages import environments
from apigap.packages.environments import EnvironmentStore
from apigap.packages.interpreter_choice import resolution_day
from apigap.records.errors import EnvironmentFailure, UsageError

pytestmark = pytest.mark.network


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> EnvironmentStore:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))
    return EnvironmentStore()


def test_the_dependencies_are_those_of_the_time(store: EnvironmentStore) -> None:
    environment = store.get("flask", "3.0.0")
    assert "werkzeug==3.0.0" in environment.packages
    assert environment.packages == tuple(sorted(environment.packages))
    asked = "import flask, sys; print(flask.__version__, sys.prefix, sys.base_prefix)"
    out = subprocess.run([environment.python, "-I", "-W", "ignore", "-c", asked], capture_output=True, text=True)
    assert out.stdout.split() == ["3.0.0", str(environment.root), str(environment.base_prefix)]


def test_a_second_time_nothing_is_made(store: EnvironmentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    first = store.get("h11", "0.14.0")
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    monkeypatch.setattr(environments, "release", None)
    assert store.get("h11", "0.14.0") == first
    assert store.get("h11", "0.14.0").lock == first.lock


def test_a_half_made_one_is_made_anew(store: EnvironmentStore) -> None:
    first = store.get("h11", "0.14.0")
    (first.root / ".apigap-ready").unlink()
    (first.site_packages / "h11" / "__init__.py").unlink()
    assert store.get("h11", "0.14.0") == first
    assert (first.site_packages / "h11" / "__init__.py").exists()


def test_more_requirements_make_another_environment(store: EnvironmentStore) -> None:
    plain, more = store.get("h11", "0.14.0"), store.get("h11", "0.14.0", ["iniconfig<3"])
    assert plain.root != more.root
    assert plain.lock != more.lock
    (added,) = set(more.packages) - set(plain.packages)
    assert added.startswith("iniconfig==")


def test_several_processes_ask_for_the_same(store: EnvironmentStore) -> None:
    code = "from apigap.packages.environments import EnvironmentStore as S; print(S().get('h11', '0.14.0').lock)"
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    locks = {process.communicate(timeout=600)[0].strip() for process in running}
    assert [process.returncode for process in running] == [0] * 4
    assert len(locks) == 1


def test_what_has_no_wheel_for_this_python_says_so(store: EnvironmentStore) -> None:
    with pytest.raises(EnvironmentFailure, match=r"tensorflow 2.3.0 .*2020-07-27.*no wheels.*choose another version"):
        store.get("tensorflow", "2.3.0")


def test_what_does_not_exist(store: EnvironmentStore) -> None:
    with pytest.raises(UsageError, match="h11 has no version '99'; the latest is"):
        store.get("h11", "99")
    with pytest.raises(UsageError, match="h11 has no version 'x y'"):
        store.get("h11", "x y")


@pytest.mark.parametrize(
    ("uploaded", "minor", "expected"),
    [
        ("2023-11-01", 11, "2023-11-02"),  # the day after
        ("2021-12-22", 11, "2023-04-22"),  # older than Python 3.11: the first days with wheels for it
        ("2021-12-22", 9, "2021-12-23"),
        ("2021-12-22", 99, "2021-12-23"),
    ],
)
def test_the_day_of_the_dependencies(uploaded: str, minor: int, expected: str) -> None:
    moment = datetime.fromisoformat(uploaded).replace(tzinfo=UTC)
    assert resolution_day(moment, f"3.{minor}.0").date().isoformat() == expected
