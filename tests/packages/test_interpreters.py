"""The interpreters of this machine, found without running anything else."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import uv

from apigap.packages.interpreters import MINORS, at_hand, interpreter_of, named, running
from apigap.records.errors import EnvironmentFailure, UsageError
from tests.interpreters import make_environment


@pytest.fixture(autouse=True)
def looked_for_anew() -> Iterator[None]:
    at_hand.cache_clear()
    yield
    at_hand.cache_clear()


@pytest.fixture
def nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH, pyenv's and uv's."""
    for variable in ("PATH", "PYENV_ROOT", "UV_PYTHON_INSTALL_DIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    return tmp_path


def test_each_minor_is_there_once_and_the_newest_first() -> None:
    found = at_hand()
    assert running() in found
    numbers = [one.number for one in found]
    assert numbers == sorted(set(numbers), reverse=True)
    assert running().prefix == sys.base_prefix
    for one in found:
        asked = "import sys; print('.'.join(map(str, sys.version_info[:3])), sys.prefix, sys.base_prefix)"
        told = subprocess.run([one.executable, "-I", "-c", asked], capture_output=True, text=True, check=True).stdout
        assert told.split() == [one.version, one.prefix, one.prefix], "an installation, no environment in it"


def test_without_any_other_there_is_the_running_one(nothing_else: Path) -> None:
    assert at_hand() == (running(),)


def test_launchers_are_not_run(nothing_else: Path) -> None:
    for name in ("python3", "python3.12"):
        shim = nothing_else / name
        shim.write_text(f'#!/bin/sh\ntouch {nothing_else}/was-run\nexec {sys.executable} "$@"\n')
        shim.chmod(0o755)
    (nothing_else / "python3.10").symlink_to(nothing_else / "gone")
    (nothing_else / "python3.13").write_bytes(b"\x7fELF no program")
    (nothing_else / "python3.13").chmod(0o755)
    assert at_hand() == (running(),)
    assert not (nothing_else / "was-run").exists()


OTHERS = [one for one in at_hand() if one != running()]


@pytest.mark.skipif(not OTHERS, reason="no other interpreter on this machine")
@pytest.mark.parametrize("place", ["PATH", "versions", "uv"])
def test_an_environment_stands_for_its_installation(
    nothing_else: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    other = OTHERS[0]
    home = nothing_else / {"PATH": "", "versions": "versions", "uv": ""}[place] / "made"
    command = [uv.find_uv_bin(), "venv", "-q", "--python", str(other.executable), str(home)]
    subprocess.run(command, check=True, env={**os.environ, "PATH": os.defpath})
    if place == "PATH":
        monkeypatch.setenv("PATH", str(home / "bin"))
    at_hand.cache_clear()
    assert sorted(one.version for one in at_hand()) == sorted([other.version, running().version])


def test_a_version_that_is_missing_names_the_commands(nothing_else: Path) -> None:
    missing = next(f"3.{number}" for number in MINORS if f"3.{number}" != running().minor)
    with pytest.raises(EnvironmentFailure, match=rf"`uv python install {missing}` or `pyenv install {missing}`"):
        named(missing)
    for wrong in ("3.9", "2.7", "x"):
        with pytest.raises(UsageError, match=r"none of newest, running, 3\.10"):
            named(wrong)


def test_the_interpreter_of_an_environment(tmp_path: Path) -> None:
    for one in at_hand():
        made = make_environment(tmp_path / one.minor, "none", "1", interpreter=one)
        assert (made.minor, made.python_version) == (one.minor, one.version)
        assert interpreter_of(made) == one
        assert made.site_packages.is_dir()
        gone = made.model_copy(update={"python_version": "3.12.99"})
        with pytest.raises(EnvironmentFailure, match="is not there any more"):
            interpreter_of(gone)
