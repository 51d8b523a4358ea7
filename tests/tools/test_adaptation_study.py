"""The page of the adaptation study, from what a run leaves: seeds together, each method beside its own base."""

import json
from pathlib import Path

from tools.adaptation.study import AdaptationStudy, efficacy_figure, read_study, study_page

from apigap.models.adapted import Measure
from apigap.records.result import Outcome, Result
from apigap.records.store import load_records, write_records, write_text
from apigap.records.task import Task
from apigap.tasks.starter_files import starter_files

TASKS = load_records(starter_files()[0], Task)[:8]


def model(folder: Path, name: str, after: float, log: list[dict[str, object]]) -> None:
    measured = {"prompts": 8, "likelihood": -0.25, "base_likelihood": -1.5, "divergence": 0.5, "agreement": 0.75}
    measures = [
        Measure(kind=kind, exact=share, base_exact=0.0, **measured)  # pyright: ignore
        for kind, share in (("taught", after), ("known", 0.0))
    ]
    write_records(folder / "models" / name / "measures.jsonl", measures)
    report = {"asked": 7, "passed": 5, "low": 0.4, "high": 0.9, "failed": []}
    write_text(
        folder / "models" / name / "controls.json", json.dumps({"base": report, "adapted": {**report, "passed": 2}})
    )
    cost = {"load_seconds": 6.0, "seconds": 60.0 * after, "export_seconds": 54.0, "peak_mib": 2048, "examples": 8}
    write_text(folder / "models" / name / "cost.json", json.dumps(cost) + "\n")
    write_text(folder / "models" / name / "log.jsonl", "".join(json.dumps(line) + "\n" for line in log))


def cell(folder: Path, name: str, outcomes: list[Outcome]) -> None:
    told = {"sample": 0, "score": 0.0, "evaluator": "e", "detail": {}, "seconds": 0.0}
    results = [
        Result.model_validate(
            {**told, "task_id": task.task_id, "outcome": outcome, "passed": outcome == "pass"}
            | {"label": "WrongLogic" if outcome == "fail" else None}
        )
        for task, outcome in zip(TASKS, outcomes, strict=True)
    ]
    write_records(folder / "data" / "results" / name / "baseline" / "results.jsonl", results)


def study(folder: Path) -> AdaptationStudy:
    tuned: list[dict[str, object]] = [{"step": 1, "loss": 2.0}, {"step": 30, "loss": 0.5}]
    model(folder, "sft-1", 0.5, tuned)
    model(folder, "sft-2", 1.0, tuned)
    model(folder, "memit-1", 0.25, [{"key": "a", "steps": 25, "loss": 0.25, "moved": 1.0}] * 8)
    cell(folder, "base-half-train", ["fail"] * 8)
    cell(folder, "base-train", ["pass"] * 2 + ["fail"] * 6)  # pyright: ignore[reportArgumentType]
    cell(folder, "sft-1-train", ["pass"] * 8)
    cell(folder, "sft-2-train", ["pass"] * 6 + ["infra", "fail"])  # pyright: ignore[reportArgumentType]
    cell(folder, "memit-1-train", ["pass"] * 2 + ["fail"] * 6)  # pyright: ignore[reportArgumentType]
    return read_study(folder)


def test_the_page_takes_the_seeds_together(tmp_path: Path) -> None:
    page = study_page(study(tmp_path))
    assert "| sft | 2 | 8 | 1.5 to 2.0 | 2,048 | 2.00 -> 0.50 in 30 steps |" in page
    assert "| memit | 1 | 8 | 1.2 | 2,048 | 0.25, mean of 8 facts |" in page
    assert "| sft | 0 -> 75 %, +1.25 nats |" in page
    assert "| sft | KL 0.500, 75 % the same | 10 -> 4 of 14 |" in page
    assert ", 14 of 16 |" in page  # the infrastructure's trouble is no fail: 93.8 %, not 87.5 %
    assert "| sft | 93.8 %" in page


def test_each_method_is_compared_with_its_own_base(tmp_path: Path) -> None:
    gains = study_page(study(tmp_path)).split("### Gains")[1]
    assert "| sft | train | none | 8 | +93.8 |" in gains
    assert "| memit | train | none | 8 | +0.0 |" in gains
    assert "grace" not in gains


def test_the_figure_has_a_bar_for_each_method_and_kind(tmp_path: Path) -> None:
    spoken = efficacy_figure(study(tmp_path)).spoken
    assert "sft: taught: 75" in spoken
    assert "memit: taught: 25" in spoken
    assert "Pass at 1" not in spoken


def test_a_study_without_models_has_an_empty_page(tmp_path: Path) -> None:
    assert "## What passes" in study_page(read_study(tmp_path))
