"""The set of dialogues that comes with apigap: made by our own APIs, and judged rightly in both modes."""

import json
import shutil
from pathlib import Path

import pytest

from apigap.benchmarks.apibank.dialogues import OWN, Level, data_folder, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.recording import record
from apigap.records.errors import CorruptRecord
from apigap.records.result import Prediction
from apigap.records.store import write_records
from tests.benchmarks.runs import apibank, calibrated, summary_of

NAME = Path("own")
REFUSED = {
    "level-1": [
        "choir-on-the-agenda.jsonl#1",  # an apostrophe in a value
        "choir-on-the-agenda.jsonl#2",  # the same call, which is the truth of two samples
        "dentist-appointment.jsonl#2",  # an appointment that was made before it
        "forgotten-password.jsonl#2",  # a code that was asked for before it
        "forgotten-password.jsonl#4",  # a password that was changed before it
        "orchard-meeting.jsonl#0",  # a list as a value
        "pulse-after-running.jsonl#0",  # the same
        "pulse-after-running.jsonl#2",  # what was recorded before it
    ],
    "level-2": [],
    "level-3": ["level-3-3#3"],  # a list as a value
}


def test_recording_it_again_gives_the_same_bytes(tmp_path: Path) -> None:
    assert record(NAME, tmp_path / "again") == 59
    files = sorted(path.relative_to(OWN) for path in OWN.rglob("*.json*"))
    assert len(files) == 19 + 1 + 16 + 1
    assert files == sorted(path.relative_to(tmp_path / "again") for path in (tmp_path / "again").rglob("*.json*"))
    assert [path for path in files if (OWN / path).read_bytes() != (tmp_path / "again" / path).read_bytes()] == []


def test_its_size() -> None:
    bank = load_bank(NAME)
    counts = {
        level: sum(1 for dialogue in bank.dialogues if dialogue.level == level) for level in ("level-1", "level-2")
    }
    assert counts == {"level-1": 12, "level-2": 4}
    assert len(bank.replies) == 5
    assert len({turn.api_name for dialogue in bank.dialogues for turn in dialogue.turns if turn.api_name}) >= 22
    assert len({step.api for step in bank.steps}) >= 12


def test_nothing_of_it_is_in_the_published_data(published: Path) -> None:
    theirs = load_bank(published)
    known = {turn.text for dialogue in theirs.dialogues for turn in dialogue.turns if len(turn.text) > 40}
    ours = {turn.text for dialogue in load_bank(NAME).dialogues for turn in dialogue.turns if turn.text}
    assert not known & ours
    assert not {step.requirement for step in theirs.steps} & {step.requirement for step in load_bank(NAME).steps}


def test_released_mode_refuses_the_gold_calls_that_it_must() -> None:
    found = calibrated(apibank(NAME))
    assert (found.wrong, found.probes) == ((), 3 * 65)
    assert [weak.task_id for weak in found.weak] == [task_id for several in REFUSED.values() for task_id in several]


def test_corrected_mode_takes_every_gold_call() -> None:
    found = calibrated(apibank(NAME, mode="corrected"))
    assert (found.wrong, found.weak) == ((), ())


def test_gold_answers_to_everything_are_the_best_there_is(tmp_path: Path) -> None:
    bank = load_bank(NAME)
    levels: tuple[Level, ...] = ("level-1", "level-2", "level-3")
    gold = ApiBankJudge(bank).gold
    rows = [Prediction(task_id=t.task_id, samples=(gold(t),)) for level in levels for t in bank.tasks(level)]
    write_records(tmp_path / "gold.jsonl", rows)
    summary = summary_of(apibank(NAME, mode="corrected"), tmp_path / "gold.jsonl", tmp_path / "results.jsonl")
    assert summary.total.model_dump() == {"accuracy": 1.0, "rouge_l": pytest.approx(1.0)}
    assert summary.levels["level-3"].whole_requirements == 1.0


def test_a_call_that_cannot_be_made_cannot_be_recorded(tmp_path: Path) -> None:
    source = tmp_path / "source"
    record(NAME, source)
    path = source / "lv1-lv2-samples/level-1-given-desc/wasp-sting.jsonl"
    turn = {"role": "API", "api_name": "EmergencyKnowledge", "param_dict": {"sign": "swelling"}}
    path.write_text(json.dumps(turn) + "\n")
    with pytest.raises(CorruptRecord, match=r"wasp-sting.jsonl: EmergencyKnowledge cannot be called so"):
        record(source, tmp_path / "out")
    assert not (tmp_path / "out").exists(), "half a folder looks like a whole one"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("test-data/level-3.json", "{", "is no file of level-3 requirements"),
        ("test-data/level-3.json", "[{}]", "is no file of level-3 requirements"),
        ("test-data/level-3.json", None, "is not there; give the folder of API-Bank's data with --data"),
        ("init_database/Account.json", None, "is not there; give the folder of API-Bank's data with --data"),
        ("init_database/Account.json", "[", "Account.json"),
    ],
)
def test_data_that_cannot_be_read_is_told_before_a_file_is_written(
    name: str, text: str | None, told: str, tmp_path: Path
) -> None:
    source = tmp_path / "source"
    shutil.copytree(OWN, source)
    (source / name).unlink()
    if text is not None:
        (source / name).write_text(text)
    with pytest.raises(CorruptRecord, match=told):
        record(source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_of_that_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert data_folder(NAME) == OWN
    NAME.mkdir()
    assert data_folder(NAME) == NAME
