"""The recorded run: anybody makes it again without a model, byte for byte, and reads it by hand."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tools.apibank.dialogue_reading import PLANTED, Planted, Reading, counted, drawn, refused
from typer.testing import CliRunner

from apigap.apibank_generator.records import Dialogue
from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.records.errors import UsageError
from apigap.records.store import load_records

AS_RECORDED = {
    "transcripts.jsonl": "2a436f2e71f2ffd50e6fc077b69a0496604c0e811d35f5c8a40ce9edb29badd1",
    "domains.jsonl": "81c1f9d47b519056704a06a50849c60d7871da2ce117b73ed475336e371588f7",
    "apis.jsonl": "22ba551ba123dc2c5579d60fe50a61f577fdce5f180c31063a8368fcdeecee54",
    "dialogues.jsonl": "1eca95b26a44dc360ec718ff491f8f9911250166786efd3cb58cee74693b989b",
    "formats/prompts.jsonl": "aaa66fb5a721b70494a5e05bfcedcc5140bba97aa264267f6901d1a9bc251c16",
    "formats/trl.jsonl": "272bebae16d6f901dc7a08474c4bd2222caad044a996cd233668ef68c16fee46",
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
    assert told["account"]["calls"] == 330


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
    planted = load_records(PLANTED, Planted)
    ids, others = drawn(dialogues), [*refused(dialogues), *(fault.id for fault in planted)]
    assert len(ids) == 50 and not set(ids) & set(others)
    bad = {ids[3]: "not_served", others[0]: "reply_not_faithful", others[-1]: "result_not_plausible"}
    readings = [
        Reading.model_validate({"id": n, "good": n not in bad, "principle": bad.get(n)}) for n in [*ids, *others]
    ]
    lines = list(counted(dialogues, planted, readings))
    assert lines[0] == "49 of 50 accepted dialogues are good: 98 % (95 %: 90 to 100)"
    assert lines[1] == "not_served: 1"
    assert lines[-2:] == ["1 of 2 that the tester refused are refused", "1 of 5 planted faults are found"]
    with pytest.raises(UsageError, match="1 of the 50 drawn dialogues were not read"):
        list(counted(dialogues, planted, readings[1:]))
