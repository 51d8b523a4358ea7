"""Audits in a maintainer's CI: the action hands its inputs on, and the script ends as apigap does, with a comment."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.auditing.conftest import SETTINGS

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "ci-audit.sh"
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]


def run(folder: Path, *words: str, apigap: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    """The script with `apigap` in the place of the command, else with that of this installation."""
    command = folder / "apigap"
    command.write_text(apigap or f'#!/bin/sh\nexec "{sys.executable}" -m apigap.cli.main "$@"\n')
    command.chmod(0o755)
    own = {"APIGAP": str(command), "OUT": str(folder / "out"), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    return subprocess.run(
        ["sh", str(SCRIPT), *words], env={**os.environ, **own, **settings}, capture_output=True, text=True, check=False
    )


def test_every_input_of_the_action_is_used_and_every_used_one_declared() -> None:
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(STEPS)))
    assert used == set(ACTION["inputs"])
    assert all(one["description"].endswith(".") for one in ACTION["inputs"].values())


def test_no_text_of_a_user_stands_in_a_command_of_the_action() -> None:
    """Whatever stands in an input or an event reaches a shell as a variable alone."""
    assert [step["run"] for step in STEPS if "run" in step]
    assert not [step["run"] for step in STEPS if "${{" in step.get("run", "")]


def test_the_action_sets_what_the_script_reads() -> None:
    (audit,) = (step for step in STEPS if step.get("id") == "audit")
    read = set(re.findall(r"^(?:apigap|[A-Z_]+)=\$\{([A-Z_]+):-", SCRIPT.read_text(), re.MULTILINE))
    assert read == set(audit["env"]) - {"LIBRARY", "NEW", "OLD"}


def test_files_that_the_action_names_exist() -> None:
    named = set(re.findall(r"scripts/[\w-]+\.sh", json.dumps(STEPS)))
    assert named == {"scripts/ci-audit.sh", "scripts/ensure-bubblewrap.sh"}
    assert all((ROOT / name).is_file() for name in named)


@pytest.mark.parametrize(
    ("script", "status", "told"),
    [
        ("echo '{}'; echo 'budget spent' >&2; exit 0", 3, "budget spent"),
        ("echo 'apigap: no such library' >&2; exit 2", 2, "no such library"),
        ("printf 'a\\n```\\n# not a heading\\n' >&2; exit 3", 3, "# not a heading"),
    ],
    ids=["budget", "usage", "fences"],
)
def test_what_ends_before_there_is_a_report_has_a_comment_too(
    script: str, status: int, told: str, tmp_path: Path
) -> None:
    done = run(tmp_path, "flask", "3.1.3", apigap=f"#!/bin/sh\n{script}\n")
    comment = (tmp_path / "out" / "comment.md").read_text()
    assert done.returncode == status
    assert told in comment and f"ended with status {status}" in comment
    assert comment.count("```") == 2, "a log line ends the block"
    assert (tmp_path / "summary.md").read_text() == comment


def test_further_options_are_words_and_no_patterns_of_files(tmp_path: Path) -> None:
    script = '#!/bin/sh\nfor word; do echo "<$word>" >&2; done; exit 2\n'
    done = run(tmp_path, "flask", apigap=script, ARGS=f"--about {tmp_path}/* --set x=[12]")
    assert f"<{tmp_path}/*>\n<--set>\n<x=[12]>\n" in done.stderr


def test_a_real_error_of_the_command_reaches_the_comment(tmp_path: Path) -> None:
    done = run(tmp_path, "flask", "3.1.3", "3.1.3", MODEL="mock")
    assert done.returncode == 2
    assert "3.1.3" in (tmp_path / "out" / "comment.md").read_text().split("```text")[1]


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.slow
def test_an_audit_leaves_comment_figures_and_report(tmp_path: Path) -> None:
    given = {"MODEL": "mock", "LIMIT": "4", "FAIL_BELOW": "0.5", "ARGS": f"--cutoff 2024-01-01 {' '.join(SETTINGS)}"}
    done = run(tmp_path, "httpx", "0.28.1", "0.25.2", **given)
    figures = json.loads((tmp_path / "out" / "audit.json").read_text())
    comment = (tmp_path / "out" / "comment.md").read_text()
    assert done.returncode == int(any(row["high"] < 0.5 for row in figures["conditions"][:1])), done.stderr
    assert figures["headline"] in comment and "Gate: at least 50%" in comment
    assert "<html" in (tmp_path / "out" / "report.html").read_text()[:500]
