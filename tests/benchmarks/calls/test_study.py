"""A study with made-up models: asked, resumed, summed up and shown; and the study that is kept."""

import json
from pathlib import Path

import pytest
from tools.calls.make_study import HEAD
from tools.calls.page import study_page
from tools.calls.study import ask_model, summarise_study
from tools.study import PREDICTIONS, ROOT

from apigap.benchmarks.calls.mutants import NO_FUNCTION, gold
from apigap.benchmarks.calls.queries import OWN, load_queries
from apigap.evaluation.predict import Asking
from apigap.models.generate import Generator
from apigap.models.request import Decoding
from tests.silent import Silent

QUERIES = load_queries(OWN)
GOLD = {query.messages[-1].content: gold(query) for query in QUERIES}


def knowing(model: str, decoding: Decoding) -> Generator:
    return Generator(model, decoding, reply=lambda text: GOLD[text])


def refusing(model: str, decoding: Decoding) -> Generator:
    return Generator(model, decoding, reply=lambda text: NO_FUNCTION)


def test_models_are_compared_on_what_both_were_asked(tmp_path: Path) -> None:
    ask_model("own", tmp_path, Asking("mockllm/a-refusing", limit=4), Silent(), refusing)
    path = ask_model("own", tmp_path, Asking("mockllm/knowing", limit=2), Silent(), knowing)
    once = path.read_bytes()
    assert ask_model("own", tmp_path, Asking("mockllm/knowing", limit=2), Silent(), knowing).read_bytes() == once
    assert path == tmp_path / "knowing" / PREDICTIONS and b'prompt"' not in once
    summary = summarise_study(QUERIES, tmp_path)
    gains = summary["gains"]
    assert (gains["over"], gains["queries"]) == ("a-refusing", {"calls": 4, "nothing": 2})
    assert gains["models"]["knowing"]["calls"]["difference"] == 1
    assert gains["models"]["knowing"]["nothing"]["difference"] == 0
    page = study_page(summary)
    assert "| a-refusing | nothing | 4 | 100.0" in page and "*never call*" in page


@pytest.mark.skipif(not (ROOT / "docs" / "calls-study.md").exists(), reason="no study is kept beside the tests")
def test_the_page_says_what_the_kept_answers_come_to() -> None:
    folder = ROOT / "studies" / "calls"
    summary = summarise_study(QUERIES, folder)
    assert json.loads((folder / "summary.json").read_text(encoding="utf-8")) == json.loads(json.dumps(summary))
    assert (ROOT / "docs" / "calls-study.md").read_text(encoding="utf-8") == HEAD + study_page(summary)
