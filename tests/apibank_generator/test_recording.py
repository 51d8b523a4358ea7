"""The recorded run: anybody makes it again without a model, byte for byte, and reads it by hand."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tools.apibank.dialogue_reading import PLANTED, Draw, Planted, Reading, counted, draw
from typer.testing import CliRunner

from apigap.apibank_generator.records import Dialogue
from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.records.errors import UsageError
from apigap.records.store import load_records

AS_RECORDED = {
    "transcripts.jsonl": "5476938303e749b0082ec7ea18650728431bd0b18469b27465872b7d15c69323",
    "domains.jsonl": "81c1f9d47b519056704a06a50849c60d7871da2ce117b73ed475336e371588f7",
    "apis.jsonl": "22ba551ba123dc2c5579d60fe50a61f577fdce5f180c31063a8368fcdeecee54",
    "dialogues.jsonl": "cb54e9e38f11db5b3ea00cbdeac357f9725504fe2098658399e5408c8a35e523",
    "formats/prompts.jsonl": "c3144b2f6a1f6ecf2bd43516db77b7e2e69a1113349128e86ccbefc6f8a0b541",
    "formats/trl.jsonl": "d22566e7daf4b75569f88962d05786df9fb2488de2b305efaeda6e39be1b5d4a",
}
"""Of the files that the run itself left."""


def apigap(*arguments: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "apigap.cli.main", "apibank", "generate", *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    out = tmp_path_factory.mktemp("recorded") / "run"
    done = apigap("--mock-llm", "--out", str(out), "--json")
    assert done.returncode == 0, done.stderr
    return out, json.loads(done.stdout)


def test_the_recorded_run_is_made_again_byte_for_byte(replayed: tuple[Path, dict[str, Any]]) -> None:
    out, told = replayed
    assert {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in AS_RECORDED} == AS_RECORDED
    assert told["statistics"]["dialogues"] == told["ordered"] == 104
    assert told["statistics"]["domains"] == 7
    assert told["account"]["calls"] == 331


OTHERWISE = [
    ["--count", "8"],
    ["--model", "mockllm/model"],
    ["--openapi", str(Path(__file__).with_name("library.yaml"))],
]


@pytest.mark.parametrize("given", OTHERWISE)
def test_the_recorded_run_is_as_it_was_ordered(given: list[str], tmp_path: Path) -> None:
    words = ["apibank", "generate", "--mock-llm", "--out", str(tmp_path / "run"), *given]
    refusal = CliRunner().invoke(application(VERBS), words).exception
    assert isinstance(refusal, UsageError) and "leave out --model, --replay" in str(refusal)
    assert not (tmp_path / "run").exists()


def test_a_reading_by_hand_is_counted(replayed: tuple[Path, dict[str, Any]]) -> None:
    dialogues = load_records(replayed[0] / "dialogues.jsonl", Dialogue)
    ids = draw(dialogues, load_records(PLANTED, Planted))
    others = [*ids.refused, *ids.planted]
    assert len(ids.drawn) == 50 and not set(ids.drawn) & set(others)
    bad = {ids.drawn[3]: "not_served", others[-1]: "result_not_plausible"}
    told = [{"id": name, "good": name not in bad, "principle": bad.get(name)} for name in [*ids.drawn, *others]]
    readings = [Reading.model_validate(one) for one in told]
    lines = list(counted(ids, readings, set(ids.drawn) - set(bad)))
    assert lines[0] == "49 of 50 (98 %, 95 %: 90 to 100) of the drawn dialogues are good"
    assert lines[1] == "not_served: 1"
    assert lines[-3] == "0 of 1 that the tester had refused are found broken"
    assert lines[-2] == "1 of 5 with a planted fault are found broken"
    assert lines[-1].startswith("49 of 49 (100 %")
    with pytest.raises(UsageError, match="1 of the dialogues on the sheet were not read"):
        list(counted(ids, readings[1:]))


def test_the_kept_reading_is_of_the_recorded_run(replayed: tuple[Path, dict[str, Any]]) -> None:
    """Its one broken dialogue names a currency that nobody had named: a check of today refuses it."""
    dialogues = load_records(replayed[0] / "dialogues.jsonl", Dialogue)
    kept = PLANTED.parent
    ids = Draw.model_validate_json((kept / "drawn.json").read_text())
    readings = load_records(kept / "reading.jsonl", Reading)
    lines = list(counted(ids, readings, {one.id for one in dialogues if one.verdict.accepted}))
    assert lines[0].startswith("49 of 50 (98 %") and lines[-1].startswith("49 of 49")
    broken = next(one for one in dialogues if one.id == "00058")
    assert broken.verdict.reason == "reply_currency"
