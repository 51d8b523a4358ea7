"""Names of users become parts of paths: none leads out of the data folder."""

from pathlib import Path

import pytest

from tests.auditing.conftest import APIGAP, run


@pytest.mark.parametrize("name", ["../../x", "/tmp/apigap-x", "..", "a/b"])
@pytest.mark.parametrize("command", ["run", "analyze"])
def test_an_experiment_stays_in_its_folder(tmp_path: Path, command: str, name: str) -> None:
    more = ["--tasks", "starter/flask", "--mock-llm"] if command == "run" else []
    ended = run([*APIGAP, command, "--experiment", name, "--data", str(tmp_path / "data" / "d"), *more])
    assert ended.returncode == 2
    assert "is no name for an experiment" in ended.stderr
    assert not list(tmp_path.iterdir())
