"""The study of several models: asked once, judged in both modes, figures over what was asked."""

import json
from pathlib import Path
from typing import Any

from tools.apibank.study import ask_model, study_page, summarise_study
from tools.study import PREDICTIONS, ROOT, SUMMARY

from apigap.evaluation.predict import Asking
from apigap.models.generate import Generator
from apigap.models.request import Decoding
from apigap.records.result import Prediction
from apigap.records.store import load_records
from tests.benchmarks.apibank.test_predict import Knowing, gold_answers
from tests.silent import Silent

OWN = Path("own")


def silent(model: str, decoding: Decoding) -> Generator:
    return Generator(model, decoding, reply=lambda _: "I do not know.")


def figures(summary: dict[str, Any], model: str, mode: str, level: str) -> tuple[float, int]:
    found = summary["models"][model]["modes"][mode][level]
    return found["right"], found["answered"]


def test_a_study_from_end_to_end(tmp_path: Path) -> None:
    knowing = Knowing(gold_answers())
    ask_model(OWN, tmp_path, Asking("mockllm/knowing"), Silent(), knowing)
    ask_model(OWN, tmp_path, Asking("mockllm/silent", limit=4), Silent(), silent)
    asked = knowing.asked
    ask_model(OWN, tmp_path, Asking("mockllm/knowing"), Silent(), knowing)
    assert knowing.asked == asked == len(load_records(tmp_path / "knowing" / PREDICTIONS, Prediction))
    summary = summarise_study(OWN, tmp_path, Silent())
    assert figures(summary, "knowing", "corrected", "level-1") == (24, 24)
    assert figures(summary, "knowing", "released", "level-1") == (16, 24)
    assert figures(summary, "silent", "released", "level-1") == (0, 4)  # over what was asked, not over all 24
    assert summary["models"]["silent"]["modes"]["released"]["level-2"]["categories"] == {"NO_API_CALL": 4}
    assert summarise_study(OWN, tmp_path, Silent()) == summary
    page = study_page(summary)
    assert "| silent | 0.00 (" in page and "| Lynx-7B (paper) | 49.87 | - | 30.37 | - |" in page
    assert page.index("| silent |") < page.index("| knowing |") < page.index("(paper)")


def test_the_kept_summary_is_what_the_kept_answers_come_to(published: Path) -> None:
    folder = ROOT / "studies" / "apibank"
    kept = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
    assert kept == json.loads(json.dumps(summarise_study(published, folder, Silent())))
