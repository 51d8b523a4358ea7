"""Words of the command line are completed by a shell: commands, options and values, and nothing else is printed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from apigap.cli.completion import VARIABLE
from apigap.cli.completion.shells import script
from tests.cli.commands import every_command, options_of

_ASK = (
    '{script}\nCOMP_WORDS=({words})\nCOMP_CWORD={last}\n_apigap_completion apigap\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
)


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell that finds this very apigap."""
    command = tmp_path / "bin" / "apigap"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m apigap.cli.main "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _completed(words: list[str], shell: dict[str, str]) -> list[str]:
    quoted = " ".join(f"'{word}'" for word in words)
    asked = _ASK.format(script=script("bash"), words=quoted, last=len(words) - 1)
    shown = subprocess.run(["bash", "-c", asked], env=shell, cwd=shell["HOME"], capture_output=True, text=True)
    assert (shown.returncode, shown.stderr) == (0, "")
    return shown.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("apigap aud", ["audit"]),
        ("apigap envs l", ["lock"]),
        ("apigap help envs l", ["lock"]),
        ("apigap predict novelapi --condition s_m_prose_", ["s_m_prose_m_code"]),
        ("apigap audit flask --max-", ["--max-dollars", "--max-tokens", "--max-minutes"]),
        ("apigap audit fla", ["flask"]),
        ("apigap audit flask -m gguf/smol", ["gguf/smollm2-135m"]),
        ("apigap audit flask --model = gguf/smol", ["gguf/smollm2-135m"]),
        ("apigap filter --gates c1,r", ["c1,reading"]),
        ("apigap run --cells rag.full oracle.s_e_", ["oracle.s_e_m_code"]),
        ("apigap run --cells rag.full --lay", ["--layout"]),
        ("apigap run --tasks starter/pyd", ["starter/pydantic"]),
        ("apigap run --tasks no-such-file --dat", ["--data"]),
        ("apigap run --tasks ./", []),
        ("apigap audit flask --out ./", []),
        ("apigap completion z", ["zsh"]),
    ],
)
def test_bash_completes(words: str, expected: list[str], shell: dict[str, str]) -> None:
    assert _completed(words.split(), shell) == expected


def test_bash_completes_an_edition(shell: dict[str, str]) -> None:
    found = _completed(["apigap", "starter", "bundles", "--edition", ""], shell)
    assert {"2026.11", "compose"} <= set(found)


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_other_shells_get_the_same_words_with_what_they_mean(name: str, shell: dict[str, str]) -> None:
    asked = {
        VARIABLE: f"complete_{name}",
        "_TYPER_COMPLETE_ARGS": "apigap doc",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    shown = subprocess.run(["apigap"], env=shell | asked, capture_output=True, text=True, check=True)
    assert (
        "doctor" in shown.stdout and "Show what works on this machine, and what to do about the rest." in shown.stdout
    )
    assert shown.stderr == ""


def test_the_script_asks_by_the_variable_that_is_read() -> None:
    assert all(VARIABLE in script(name) for name in ("bash", "zsh", "fish"))


def test_installing_tells_the_file_and_a_shell_that_is_none_is_refused(shell: dict[str, str]) -> None:
    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["apigap", "completion", *words], env=shell | more, capture_output=True, text=True)

    told = run("--install", SHELL="/bin/bash")
    file = Path(shell["HOME"]) / ".bash_completions" / "apigap.sh"
    assert told.stdout.startswith(f"{file}: bash completes apigap")
    assert file.read_text(encoding="utf-8").strip() == run("bash").stdout.strip()
    assert (Path(shell["HOME"]) / ".bashrc").read_text(encoding="utf-8").strip() == f"source '{file}'"
    wrong = run("tcsh")
    assert (wrong.returncode, wrong.stderr) == (
        2,
        "apigap: name the shell, as bash, zsh or fish: 'tcsh' is none of them\n",
    )
    unset = run("", SHELL="/bin/bash")
    assert unset.returncode == 2 and "'' is none of them" in unset.stderr
    nowhere = run("fish", "--install", HOME="/dev/null")
    assert nowhere.returncode == 3 and "without --install the script is printed" in nowhere.stderr


_COMPLETED_OPTIONS = (
    "--model", "--author", "--rewrite", "--reader", "--library", "--edition", "--condition", "--cells", "--steps",
    "--group", "--gates", "--searcher", "--layout", "--engine",
)  # fmt: skip


def test_an_option_is_completed_in_every_command_that_has_it() -> None:
    found: Any = [(words, option) for words, command in every_command() for option in options_of(command)]
    lacking = [
        f"{words} {option.opts[0]}"
        for words, option in found
        if option.opts[0] in _COMPLETED_OPTIONS and option._custom_shell_complete is None
    ]
    assert lacking == []
