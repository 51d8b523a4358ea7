"""The build of written tasks: which environments it asks for."""

from pathlib import Path

import pytest

from apigap.records.configuration import load_settings
from apigap.records.errors import EnvironmentFailure
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.starter import files
from tests.silent import Silent


@pytest.mark.parametrize(("line", "python"), [('python = "3.12"', "3.12"), ("", None)])
def test_the_environment_has_the_python_that_a_source_names(
    line: str, python: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "tomli.toml"
    source.write_text(f'library = "tomli"\nversion = "2.4.1"\ndomain = "swe"\ntask = []\n{line}\n', encoding="utf-8")
    asked: list[object] = []

    def refuse(*wanted: object) -> Environment:
        asked.append(wanted[3])
        raise EnvironmentFailure("none is made here")

    monkeypatch.setattr(files, "environment_at", refuse)
    with Engine.of(load_settings().execution) as engine, pytest.raises(EnvironmentFailure):
        files.build(source, engine, Silent())
    assert asked == [python]
