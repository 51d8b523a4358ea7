"""The model of the agents is tried before anything is built, unless it will be asked nothing."""

from pathlib import Path

import pytest

from apigap.apibank_generator.budgeted_client import Budget
from apigap.apibank_generator.run import RunOptions, try_model
from apigap.models import trial
from apigap.records.errors import ModelUnavailable
from tests.auditing.conftest import APIGAP, run
from tests.models.scripted_server import KEY, MODEL, Scripted, serving
from tests.silent import Silent

SERVED = f"openai-api/local/{MODEL}"


@pytest.fixture(autouse=True)
def dead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_tried", set())
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("LOCAL_API_KEY", KEY)


def test_a_dead_server_is_told_first(tmp_path: Path) -> None:
    out = tmp_path / "dialogues"
    words = ["apibank", "generate", "--count", "1", "--embedder", "lexical", "-m", SERVED, "--out", str(out)]
    done = run([*APIGAP, *words])
    assert done.returncode == 3 and "nothing answers at http://127.0.0.1:1/v1" in done.stderr
    assert not out.exists()


ASKED_NOTHING = [Budget(tokens=0), Budget(minutes=0)]


@pytest.mark.parametrize("budget", ASKED_NOTHING)
def test_nobody_is_asked_where_nothing_will_be(budget: Budget, tmp_path: Path) -> None:
    try_model(RunOptions(SERVED, budget=budget), tmp_path, Silent())
    try_model(RunOptions(SERVED, recorded=tmp_path / "t.jsonl"), tmp_path, Silent())
    (tmp_path / "summary.json").write_text("{}")
    try_model(RunOptions(SERVED), tmp_path, Silent())


def test_it_is_asked_for_one_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Scripted({})) as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.address)
        try_model(RunOptions(SERVED), tmp_path, Silent())
        assert [body["max_tokens"] for body in server.bodies] == [900]
    monkeypatch.setattr(trial, "_tried", set())
    with pytest.raises(ModelUnavailable, match="nothing answers"):
        try_model(RunOptions(SERVED), tmp_path, Silent())
