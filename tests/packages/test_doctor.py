"""Findings of the examination of a machine that count as broken."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.packages import doctor
from apigap.packages.doctor import Check, examine
from apigap.records.errors import CheckFailed, IsolationMissing
from apigap.records.extras import install_command


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """One with bubblewrap alone, on which the index can be reached."""

    def isolated(backend: str = "bubblewrap") -> None:
        if backend != "bubblewrap":
            raise IsolationMissing(f"{backend} does not answer")

    monkeypatch.setattr(doctor, "require_isolation", isolated)
    monkeypatch.setattr(doctor, "releases", lambda name: [name])


def without(monkeypatch: pytest.MonkeyPatch, *missing: str) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda module: None if module in missing else module)


def found(name: str, checks: list[Check]) -> Check:
    return next(check for check in checks if check.name == name)


def test_an_optional_part_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "torch", "fastmcp")
    torch = found("torch", examine())
    assert (torch.works, torch.needed, install_command("adapt") in torch.detail) == (False, False, True)
    done = CliRunner().invoke(application(VERBS), ["doctor", "--json"])
    assert (done.exit_code, install_command("mcp") in done.stdout) == (0, True)


def test_a_needed_part_may_not(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "xllamacpp")
    done = CliRunner().invoke(application(VERBS), ["doctor", "--json"])
    assert isinstance(done.exception, CheckFailed) and "xllamacpp" in str(done.exception)


def test_clients_and_variables_of_keys_are_told_and_no_key_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GEMINI_API_KEY", "sk-planted-1")
    monkeypatch.setattr(doctor, "is_installed", lambda module: module != "anthropic")
    checks = examine()
    openai, anthropic, google = (found(name, checks) for name in ("openai", "anthropic", "google"))
    assert (openai.works, openai.needed, "set OPENAI_API_KEY" in openai.detail) == (False, False, True)
    assert install_command("anthropic") in anthropic.detail
    assert google.works and "sk-planted-1" not in CliRunner().invoke(application(VERBS), ["doctor"]).stdout


def test_isolation_is_tried_by_the_backend_of_the_settings() -> None:
    done = CliRunner().invoke(application(VERBS), ["doctor", "--set", "execution.backend=docker"])
    assert isinstance(done.exception, CheckFailed) and "docker does not answer" in str(done.exception)
    assert not any(check.name == "landlock" for check in examine("docker"))


def test_folders_of_wheels_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "lib-1.0-py3-none-any.whl").touch()
    gone = tmp_path / "gone"
    for folders, works, told in (
        ([tmp_path], True, f"{tmp_path} (wheels: 1)"), ([tmp_path, gone], False, f"no such folder: {gone}"),
        ([], True, "none (APIGAP_WHEELHOUSE names one)"),
    ):  # fmt: skip
        monkeypatch.setattr(doctor, "wheel_folders", lambda folders=folders: tuple(folders))
        check = found("wheel folders", examine())
        assert (check.works, check.needed, told in check.detail) == (works, False, True)
