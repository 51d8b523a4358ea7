"""Agreement with what the released evaluator was measured to say, row by row."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apigap.benchmarks.apibank.calls import call
from apigap.benchmarks.apibank.dialogues import Bank, Dialogue
from apigap.benchmarks.apibank.errors import Refused
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.outside import Replay
from apigap.benchmarks.apibank.registry import Registry
from apigap.benchmarks.apibank.scoring.rouge import rouge_l
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import Databases, System

RANDOM = "<random>"


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text("utf-8").splitlines())


def _same(new: Any, recorded: Any) -> bool:
    """Equal, where large values are recorded as hashes and random ones not at all."""
    if recorded == RANDOM:
        return True
    if isinstance(recorded, dict) and "__sha256_of_json__" in recorded:
        text = json.dumps(new, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest() == recorded["__sha256_of_json__"]
    if isinstance(recorded, dict):
        return isinstance(new, dict) and new.keys() == recorded.keys() and all(_same(new[k], recorded[k]) for k in new)
    if isinstance(recorded, list):
        return isinstance(new, list) and len(new) == len(recorded) and all(map(_same, new, recorded))
    return bool(new == recorded)


def _said(registry: Registry, system: System, row: dict[str, Any]) -> dict[str, Any]:
    try:
        said = {"result": call(registry, system, row["api"], row["params"])}
    except Refused as error:
        said = {"raised": {"class": error.kind, "message": error.message}}
    return json.loads(json.dumps(said, default=str))


def _recorded(row: dict[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in ("result", "raised") if key in row}


def test_every_single_call_gives_the_recorded_result(published: Path, bank: Bank) -> None:
    databases = Databases(published / "init_database")
    pools = {"lv1-lv2": DIALOGUE}
    replay = Replay(bank.dialogues)
    count = 0
    for row in _rows(published / "calls.visible.jsonl"):
        system = System(databases, replay)
        assert _same(_said(pools.get(row["pool"], PLANNING), system, row), _recorded(row)), row
        count += 1
    assert count == 2543


def test_every_verdict_and_category_of_levels_1_and_2(
    published: Path, adapter: ApiBankJudge, dialogues: dict[tuple[str, str], Dialogue]
) -> None:
    counts = {"alone": 0, "replayed": 0}
    for row in _rows(published / "oracle.visible.jsonl"):
        sample = dialogues[row["level"], row["file"]].samples[row["sample_id"]]
        assert sample.duplicate_of == row.get("duplicate_of")
        found = adapter.score(sample, row["prediction"])
        assert (found.passed, found.detail["category"]) == (row["verdict"], row["error_type"]), row
        for key in ("parsed_params", "parsed_name", "matched_text", "exception", "message", "stage", "exception_class"):
            assert found.detail.get(key) == row["detail"].get(key), (key, row)
        counts["replayed" if row.get("external") else "alone"] += 1
    assert counts == {"alone": 10256, "replayed": 1075}


def test_every_verdict_and_status_of_level_3(published: Path, adapter: ApiBankJudge, bank: Bank) -> None:
    steps = {(step.sample_id, step.api_id): step for step in bank.steps}
    count = 0
    for row in _rows(published / "lv3_oracle.visible.jsonl"):
        found = adapter.score(steps[row["sample_id"], row["api_id"]], row["prediction"])
        assert (found.passed, found.detail["category"]) == (row["verdict"], row["status"]), row
        count += 1
    assert count == 2914


def test_calls_of_a_dialogue_in_order_on_one_system(
    published: Path, bank: Bank, dialogues: dict[tuple[str, str], Dialogue]
) -> None:
    databases = Databases(published / "init_database")
    file: tuple[str, str] | None = None
    system = System(databases, Replay(bank.dialogues))
    count, drawn = 0, 0
    for row in _rows(published / "stateful.visible.jsonl"):
        if file != (row["level"], row["file"]):
            file = (row["level"], row["file"])
            system = System(databases, Replay(bank.dialogues, dialogues[file]))
        said = _said(DIALOGUE, system, row)
        if row["api"] == "QueryRegistration" and said["result"]["output"] != row["result"]["output"]:
            assert list(said["result"]["output"].values()) == list(row["result"]["output"].values())  # its id is drawn
            drawn += 1
        else:
            assert _same(said, _recorded(row)), row
        count += 1
    assert (count, drawn) == (224, 1)


def test_made_up_sequences_on_one_system(published: Path, bank: Bank) -> None:
    databases = Databases(published / "init_database")
    names: list[str] = []
    for row in _rows(published / "sequences.visible.jsonl"):
        system = System(databases, Replay(bank.dialogues))
        registry = PLANNING if row["seq"].startswith("lv3") else DIALOGUE
        for step in row["steps"]:
            assert _same(_said(registry, system, step), _recorded(step)), (row["seq"], step)
        names.append(row["seq"])
    assert len(names) == 9


def test_every_rouge(published: Path, bank: Bank, dialogues: dict[tuple[str, str], Dialogue]) -> None:
    count = 0
    for row in _rows(published / "rouge.visible.jsonl"):
        truth = dialogues[row["level"], row["file"]].samples[row["sample_id"]].truth.text
        if row.get("error"):
            with pytest.raises(ValueError, match="without words"):
                rouge_l(truth, row["prediction"])
        else:
            assert round(rouge_l(truth, row["prediction"]), 4) == row["rouge_l_f"]
        count += 1
    replies = {reply.sample_id: reply for reply in bank.replies}
    adapter = ApiBankJudge(bank)
    for row in _rows(published / "lv3_rouge.visible.jsonl"):
        found = adapter.score(replies[row["sample_id"]], row["prediction"])
        assert found.score == pytest.approx(row["rouge_l_f"], abs=1e-12)
        count += 1
    assert count == 3180 + 182


def test_gold_calls_that_the_released_evaluator_refuses(adapter: ApiBankJudge, bank: Bank) -> None:
    right = {
        level: [adapter.score(task, adapter.gold(task)).passed for task in bank.tasks(level) if _is_call(task)]
        for level in ("level-1", "level-2", "level-3")
    }
    assert {level: (sum(found), len(found)) for level, found in right.items()} == {
        "level-1": (347, 399), "level-2": (125, 135), "level-3": (235, 245),
    }  # fmt: skip
    wrong = {step.sample_id for step, passed in zip(bank.steps, right["level-3"], strict=True) if not passed}
    assert len(wrong) == 10


def test_corrected_mode_takes_every_gold_call_and_all_that_is_right_as_released(
    published: Path, bank: Bank, dialogues: dict[tuple[str, str], Dialogue]
) -> None:
    corrected = ApiBankJudge(bank, "corrected")
    for level, count in (("level-1", 399), ("level-2", 135), ("level-3", 245)):
        calls = [task for task in bank.tasks(level) if _is_call(task)]  # pyright: ignore[reportArgumentType]
        assert len(calls) == count
        assert all(corrected.score(task, corrected.gold(task)).passed for task in calls)
    rows = [row for number, row in enumerate(_rows(published / "oracle.visible.jsonl")) if number % 5 == 0]
    for row in rows:
        found = corrected.score(dialogues[row["level"], row["file"]].samples[row["sample_id"]], row["prediction"])
        assert found.passed or not row["verdict"], row
        if row["kind"] in ("empty", "no_call_text", "wrong_api_existing", "wrong_api_unknown", "missing_all_args"):
            assert not found.passed, row


def _is_call(task: Any) -> bool:
    return bool(getattr(task, "is_call", False))
