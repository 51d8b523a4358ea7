"""A study of API-Bank: answers of several models kept in one folder, scored in both modes, beside the paper's rows."""

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from apigap.benchmarks.apibank.benchmark import ApiBank, ApiBankOptions, decoding_for
from apigap.benchmarks.apibank.dialogues import Level
from apigap.benchmarks.apibank.judge import Mode
from apigap.evaluation.model_pool import MakeGenerator
from apigap.evaluation.predict import Asking, Predicted, predict
from apigap.evaluation.score import score
from apigap.records.configuration import load_settings
from apigap.records.manifest import read_manifest
from apigap.records.progress import Progress
from apigap.reporting.markdown import markdown_table
from tools.faults import confusion_lines, fault_table
from tools.kept import drop_prompts
from tools.study import answers_of, kept_answers

STUDIED: tuple[Level, ...] = ("level-2", "level-1")
"""Level 2 first: all its prompts begin alike and go to one server, while the other one goes on with level 1."""
MAX_TOKENS = 160
"""The longest recorded call has 257 characters."""
MODES: tuple[Mode, ...] = get_args(Mode)

PAPER: dict[str, dict[Level, float]] = {
    "Alpaca-7B": {"level-1": 24.06, "level-2": 5.19},
    "ChatGLM-6B": {"level-1": 23.62, "level-2": 13.33},
    "GPT-3 Davinci": {"level-1": 0.50, "level-2": 1.48},
    "GPT-3.5-turbo-0613": {"level-1": 59.40, "level-2": 38.52},
    "GPT-4-0613": {"level-1": 63.66, "level-2": 37.04},
    "Lynx-7B": {"level-1": 49.87, "level-2": 30.37},
}
"""Per cent right, released mode (arXiv:2304.08244, table 3: Call and Retrieve+Call)."""


def ask_model(data: Path, folder: Path, asking: Asking, progress: Progress, make: MakeGenerator) -> Predicted:
    """Ask for the calls of levels 1 and 2, at most `asking.limit` of each, greedily, as text."""
    out = answers_of(folder, asking.model)
    options = ApiBankOptions(data=data, level=(2, 1), kind="calls")
    bounded = replace(asking, decoding=decoding_for(asking.model, MAX_TOKENS))
    told = predict(ApiBank(options, load_settings()), out, bounded, progress, make)
    drop_prompts(out)
    return told


def summarise_study(data: Path, folder: Path, progress: Progress) -> dict[str, Any]:
    """Judge all answers in `folder`; figures by model, mode and level, over what was asked."""
    found: dict[str, Any] = {}
    for path in kept_answers(folder):
        told = read_manifest(path.with_name(f"{path.stem}.manifest.json")).made_from["model"]
        summaries = {mode: _scored(data, path, mode, progress) for mode in MODES}
        found[path.parent.name] = {
            "model": told["model"],
            "decoding": told["decoding"],
            "modes": {mode: _levels(summary) for mode, summary in summaries.items()},
            "calls": summaries["corrected"]["calls"],
        }
    return {"paper": PAPER, "models": found}


def _scored(data: Path, path: Path, mode: Mode, progress: Progress) -> dict[str, Any]:
    benchmark = ApiBank(ApiBankOptions(data=data, mode=mode), load_settings())
    with tempfile.TemporaryDirectory(prefix="apigap-study-") as folder:
        scored = score(benchmark, path, Path(folder, "results.jsonl"), progress, answered_only=True)
    return scored.summary.model_dump(mode="json")


def _levels(summary: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("answered", "right", "accuracy", "interval", "categories", "labels", "searches", "after_search")
    return {level: {key: summary["levels"][level][key] for key in kept} for level in STUDIED}


def study_page(summary: Mapping[str, Any]) -> str:
    """The figures as Markdown: what is right per level and mode, and why the rest is not."""
    models: dict[str, Any] = summary["models"]
    head = ["model", *(f"{level}, {mode}" for level in sorted(STUDIED) for mode in MODES)]
    rows = [
        [name, *(_cell(told["modes"][mode][level]) for level in sorted(STUDIED) for mode in MODES)]
        for name, told in sorted(models.items(), key=lambda item: _overall(item[1]))
    ]
    rows += [
        [f"{name} (paper)", *(text for level in sorted(STUDIED) for text in (f"{told[level]:.2f}", "-"))]
        for name, told in summary["paper"].items()
    ]
    faults = {name: told["calls"] for name, told in models.items()}
    parts = [markdown_table(head, rows), "## Why calls were wrong (released mode)\n", markdown_table(*_reasons(models))]
    parts += ["## Faults by name (corrected mode, both levels)\n", fault_table(faults), *confusion_lines(faults), ""]
    parts += ["## Searches and calls apart (corrected mode, level 2)\n", markdown_table(*_searches(models))]
    return "\n".join(parts)


def _searches(models: Mapping[str, Any]) -> tuple[tuple[str, ...], list[list[str]]]:
    """The calls of level 2 that search, and those after a search, which is the recorded one."""
    found = {name: told["modes"]["corrected"]["level-2"] for name, told in models.items()}
    rows = [[name, _part(one["searches"]), _part(one["after_search"])] for name, one in found.items()]
    return ("model", "searches", "calls after a right search"), rows


def _part(part: Mapping[str, Any]) -> str:
    return f"{part['right']} of {part['answered']}"


def _overall(told: Mapping[str, Any]) -> float:
    return sum(told["modes"]["released"][level]["right"] for level in STUDIED)


def _cell(found: Mapping[str, Any]) -> str:
    if not found["answered"]:
        return "-"
    low, high = (100 * value for value in found["interval"])
    return f"{100 * found['accuracy']:.2f} ({low:.1f}-{high:.1f}), {found['right']:.0f} of {found['answered']}"


def _reasons(models: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    counts = {
        (name, level): told["modes"]["released"][level] for name, told in models.items() for level in sorted(STUDIED)
    }
    categories = sorted({category for found in counts.values() for category in found["categories"]})
    rows = [
        [name, level, *(str(found["categories"].get(category, 0)) for category in categories)]
        for (name, level), found in counts.items()
    ]
    return ["model", "level", *categories], rows
