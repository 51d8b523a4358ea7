"""What is wrong with a command is said in a sentence, with the exit code of its kind, and never as a traceback."""

import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from apigap.cli import dispatch
from tests.cli.commands import every_command

Run = Callable[..., tuple[int, str]]


def _keep_signals(number: int, handler: object) -> None:
    """The test run keeps its own handlers."""


@pytest.fixture
def apigap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A command run in an empty folder that holds a `folder`; its exit code, and what it says on standard error."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    monkeypatch.setattr(dispatch.signal, "signal", _keep_signals)

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["apigap", *words])
        monkeypatch.setattr(sys, "stdout", sys.stdout)
        monkeypatch.setattr(sys, "stderr", sys.stderr)
        return dispatch.run(words[0]), capsys.readouterr().err

    return run


COMMANDS = [words for words, _ in every_command()]
NEEDS_WORDS = [words for words, command in every_command() if any(each.required for each in command.params)]


@pytest.mark.parametrize("words", COMMANDS)
def test_a_wrong_option_is_named(apigap: Run, words: str) -> None:
    code, told = apigap(*words.split(), "--no-such-option")
    assert code == 2
    assert "No such option: --no-such-option" in told


@pytest.mark.parametrize("words", [*NEEDS_WORDS, "report", "suspects", "discover", "extract", "generate", "pipeline"])
def test_what_is_missing_is_named(apigap: Run, words: str) -> None:
    code, told = apigap(*words.split())
    assert code == 2
    assert "Missing " in told or any(ask in told for ask in ("name a", "give ")), told


FILES = [
    "run --experiment x --tasks",
    "run --experiment x --knowledge",
    "report",
    "report --tasks",
    "compare",
    "analyze --experiment x --tasks",
    "suspects --tasks",
    "filter --out written --tasks",
    "filter --out written --tasks starter/flask --knowledge",
    "extract flask --rewrite x --replay",
    "group build --tasks",
    "predict apibank --out written --data",
    "predict novelapi --out written --tasks",
    "predict novelapi --out written --knowledge",
    "predict novelapi-release --out written --tasks",
    "predict toolllm --out written --queries",
    "score apibank --out written --predictions",
    "score novelapi --out written --predictions",
    "score novelapi --out written --predictions folder --replay",
    "score toolllm --out written --predictions",
    "calibrate novelapi --tasks",
    "validate novelapi --tasks",
    "toolllm retrieve --queries",
    "toolllm tune --out written --queries",
    "apibank record --out written --data",
    "apibank convert --out written --data",
    "apibank review --apply --data",
    "export bundles --out written --knowledge",
    "export llms-txt --out written --knowledge",
    "export sft --out written --tasks",
    "rag build --knowledge",
    "rag eval --tasks",
    "adapt sft --tasks",
    "adapt split --out written --tasks",
    "adapt measure folder --tasks",
    "mcp",
    "starter build",
    "doctor --config",
]


@pytest.mark.parametrize("words", FILES)
def test_a_file_that_is_not_there_is_named_with_what_to_give(apigap: Run, words: str) -> None:
    more = ["no-such"] if words == "compare" else []
    code, told = apigap(*words.split(), "no-such", *more)
    assert code == 2, told
    assert "no-such" in told and "Traceback" not in told
    assert any(advice in told for advice in ("give ", "make it with", "point to a file")), told


@pytest.mark.parametrize("words", [words for words in FILES if "apibank" not in words])
def test_a_folder_in_the_place_of_a_file_is_named(apigap: Run, words: str) -> None:
    more = ["folder"] if words == "compare" else []
    code, told = apigap(*words.split(), "folder", *more)
    assert code == 2, told
    assert "folder" in told and "Traceback" not in told
