"""The study's script with a program in apigap's place that notes how it was called."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "adaptation_study.sh"
APIGAP = """#!/bin/sh
echo "$@" >>calls
case "$*" in *"$FAILS"*) exit 3 ;; esac
case "$*" in
    *"adapt measure"*--controls*) touch "$3/measures.jsonl" "$3/controls.json" ;;
    *"adapt measure"*) touch "$3/measures.jsonl" ;;
    *--out*) for folder in "$@"; do case $folder in data/*/models/*) mkdir -p "$folder" ;; esac; done ;;
esac
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    program = tmp_path / "apigap"
    program.write_text(APIGAP)
    program.chmod(0o755)
    return tmp_path


def study(room: Path, **given: str) -> tuple[int, str, list[str]]:
    """The exit status, what was told at the end, and the calls."""
    (room / "calls").unlink(missing_ok=True)
    wanted = {"APIGAP": "./apigap", "SEEDS": "1", "APIS": "7", "FAILS": "no such call", **given}
    done = subprocess.run(
        ["sh", str(SCRIPT)], cwd=room, env={**os.environ, **wanted}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr, (room / "calls").read_text().splitlines()


def test_only_what_is_split_off_is_taught_and_measured_with_controls(room: Path) -> None:
    status, told, calls = study(room)
    assert (status, told) == (0, "")
    assert calls[0].startswith("adapt split") and "--apis 7" in calls[0]
    taught = [call for call in calls if call.startswith(("adapt sft", "adapt raft", "adapt memit", "adapt grace"))]
    assert len(taught) == 4
    assert not any("--limit" in call for call in taught)
    measured = [call for call in calls if call.startswith("adapt measure")]
    assert len(measured) == 5
    assert all(call.endswith("--controls") for call in measured)
    assert sum(call.startswith("analyze --experiment base-transformers-") for call in calls) == 4
    assert "adapt base --model gguf/smollm2-135m --out data/adaptation/models/base-half" in calls
    assert sum("--adapted base-half=base-half-" in call for call in calls) == 4


def test_one_method_that_fails_does_not_end_the_others(room: Path) -> None:
    status, told, calls = study(room, FAILS="adapt raft")
    assert status == 1
    assert told.startswith("failed: raft-1;")
    assert any("--experiment grace-1-new_library" in call for call in calls)
    analysed = [call for call in calls if call.startswith("analyze --experiment base-train")]
    names = [word.partition("=")[0] for word in analysed[0].split() if "=" in word]
    assert names == ["base-half", "sft-1", "memit-1", "alphaedit-1"]
    assert not any("raft-1=" in call for call in calls)
    status, _, calls = study(room)
    assert status == 0
    assert [call for call in calls if call.startswith("adapt measure")] == [  # the others have theirs
        "adapt measure data/adaptation/models/raft-1 --tasks starter/2026.04 --limit 40 --controls"
    ]


def test_an_analysis_that_fails_is_named(room: Path) -> None:
    status, told, calls = study(room, FAILS="--experiment base-new_api --adapted")
    assert status == 1
    assert told.startswith("failed: analysis-new_api;")
    assert calls[-1].startswith("analyze --experiment base-transformers-new_library")


def test_controls_are_made_up_for_where_only_the_measures_are_there(room: Path) -> None:
    without = {"METHODS": "sft", "CONTROLS": ""}
    assert sum(call.endswith("--limit 40") for call in study(room, **without)[2] if "measure" in call) == 1
    assert not [call for call in study(room, **without)[2] if "measure" in call]
    assert [call.endswith("--controls") for call in study(room, METHODS="sft")[2] if "measure" in call] == [True]
    assert not [call for call in study(room, METHODS="sft")[2] if "measure" in call]


def test_what_runs_in_pytorch_is_asked_less_where_that_is_wanted(room: Path) -> None:
    _, _, calls = study(room, METHODS="memit grace", LIMIT="16", SLOW="8", TOKENS="200")
    asked = [call for call in calls if call.startswith("run ")]
    assert {call.split("--limit ")[1].split()[0] for call in asked if "--model transformers/" in call} == {"8"}
    assert {call.split("--limit ")[1].split()[0] for call in asked if "--model gguf/" in call} == {"16"}
    assert all(call.endswith("--set generation.max_tokens=200") for call in asked)
