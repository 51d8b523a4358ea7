"""The build of written tasks: which environments it asks for."""

from pathlib import Path

import pytest

from apigap.records.configuration import load_settings
from apigap.records.errors import EnvironmentFailure
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.starter import files
from tests.silent import Silent


@pytest.mark.parametrize(
    ("lines", "python", "beside"),
    [("", None, ()), ('python = "3.12"', "3.12", ()), ('beside = ["polars", "pyarrow"]', None, ("polars", "pyarrow"))],
)
def test_the_environment_has_the_python_and_the_company_that_a_source_names(
    lines: str, python: str | None, beside: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "tomli.toml"
    source.write_text(f'library = "tomli"\nversion = "2.4.1"\ndomain = "swe"\ntask = []\n{lines}\n', encoding="utf-8")
    asked: list[object] = []

    def refuse(*wanted: object) -> Environment:
        asked.extend(wanted[3:])
        raise EnvironmentFailure("none is made here")

    monkeypatch.setattr(files, "environment_at", refuse)
    with Engine.of(load_settings().execution) as engine, pytest.raises(EnvironmentFailure):
        files.build(source, engine, Silent())
    assert asked == [python, beside]
