"""A run that is killed goes on; one that is replayed gives the same bytes; one with a budget keeps to it."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apigap.apibank_generator import budgeted_client as client
from apigap.apibank_generator.budgeted_client import Budget, Price
from apigap.apibank_generator.order import Order
from apigap.apibank_generator.records import Dialogue, Rejection
from apigap.apibank_generator.run import Folder, RunOptions, generate_apibank
from apigap.models import transcripts
from apigap.models.generate import OnAnswer
from apigap.models.request import Answer, GenerationRequest
from apigap.records.errors import UsageError
from apigap.records.store import load_records
from tests.apibank_generator.conftest import MEANS, ORDER, Quiet
from tests.apibank_generator.script import Scripted

Run = tuple[Folder, dict[str, Any]]
KILLED = """
import os, signal, sys
from apigap.records import store

append, calls, most = store.Journal.append, 0, int(sys.argv[1])
write, last = store.write_bytes, sys.argv[2]

def write_or_die(path, data, **how):
    write(path, data, **how)
    if path.name == last:
        os.kill(os.getpid(), signal.SIGKILL)

def append_or_die(self, record):
    global calls
    if calls == most:
        line = (record.to_line() + "\\n").encode()
        self._file.write(line[: len(line) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    calls += 1
    append(self, record)

store.Journal.append = append_or_die
store.write_bytes = write_or_die
sys.argv = ["apigap", *sys.argv[3:]]
from apigap.cli.main import main
main()
"""


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def command(out: Path, recorded: Path) -> list[str]:
    return ["apibank", "generate", "--out", str(out), "--model", MEANS.model, "--count", "60", "--embedder", "lexical",
            "--replay", str(recorded)]  # fmt: skip


def apigap(*arguments: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "apigap.cli.main", *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def kill(after: int, last: str, call: list[str]) -> None:
    """Run until so many answers are kept, or a file of the name `last` is written."""
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(after), last, *call], capture_output=True, text=True, check=False
    )
    assert killed.returncode == -9, killed.stderr


def test_a_run_that_is_killed_five_times_ends_in_the_same_bytes(run: Run, tmp_path: Path) -> None:
    folder, _ = run
    out = tmp_path / "run"
    asked = 0
    for further in (1, 60, 100):
        kill(further, "nothing", command(out, folder.transcripts))
        asked += further
        whole = (out / "transcripts.jsonl").read_bytes().count(b"\n")
        assert whole == asked
        assert not (out / "dialogues.jsonl").exists()
    for last in ("rejections.jsonl", "prompts.jsonl"):
        kill(-1, last, command(out, folder.transcripts))
        assert (out / "rejections.jsonl").exists() and not (out / "card.md").exists()
        assert json.loads((out / "manifest.json").read_text())["complete"] is False
    done = apigap(*command(out, folder.transcripts))
    assert done.returncode == 0, done.stderr
    assert files(out) == files(folder.path)


def test_a_folder_of_another_order_is_refused(run: Run) -> None:
    with pytest.raises(UsageError, match=r"made with order\.seed = 0"):
        generate_apibank(Order(count=60, seed=1), MEANS, run[0].path, Quiet())
    with pytest.raises(UsageError, match=r"a run of 60 dialogues.* give --count 60 or more"):
        generate_apibank(Order(count=3), MEANS, run[0].path, Quiet())


class Saying:
    """In the place of the generator: says the same to everybody."""

    words = ""

    def __init__(self, model: str, decoding: object, **_: object) -> None:
        pass

    def generate(self, requests: list[GenerationRequest], on_answer: OnAnswer, form: Any = None) -> None:
        for request in requests:
            on_answer(request.key, 0, Answer(text=self.words, stop_reason="stop", input_tokens=10, output_tokens=5))

    def close(self) -> None:
        pass


SAME_API = {"name": "FindIt", "description": "Finds it.", "parameters": [],
            "outputs": [{"name": "it", "type": "str", "description": "It."}]}  # fmt: skip
USELESS: list[tuple[str, str, str, str]] = [
    ("prose", "I am only a language model, but I would love to help!", "agent 1 gave no domain", "unreadable"),
    ("no domains", '{"domains": []}', "agent 1 gave no domain", "empty_list"),
    ("broken JSON", '{"domains": [{"name": "bees"', "agent 1 gave no domain", "unreadable"),
    ("no APIs", '{"domains": [{"name": "bees"}], "apis": []}', "agent 2 gave no API", "empty_list"),
    ("one API a hundred times", json.dumps({"domains": [{"name": "bees"}], "apis": [SAME_API] * 100}), "attempts",
     "api_repeated"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "why", "reason"), [row[1:] for row in USELESS], ids=[row[0] for row in USELESS])
def test_a_model_of_no_use_is_counted_and_explained(
    words: str, why: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "Generator", Saying)
    monkeypatch.setattr(Saying, "words", words)
    told = generate_apibank(Order(count=2), RunOptions("useless/model", embedder="lexical"), tmp_path, Quiet())
    assert why in told["why"]
    assert told["statistics"]["dialogues"] == 0
    assert reason in {rejection.reason for rejection in load_records(Folder(tmp_path).rejections, Rejection)}
    assert "| dialogues | 0 |" in (tmp_path / "card.md").read_text()


@pytest.mark.parametrize(
    "budget", [Budget(tokens=0), Budget(dollars=0.0), Budget(minutes=0)], ids=["tokens", "dollars", "minutes"]
)
def test_a_budget_of_zero_asks_nothing(budget: Budget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Scripted.reset()
    monkeypatch.setattr(transcripts, "Generator", Scripted)
    means = RunOptions("scripted/by-hand", embedder="lexical", price=Price(input=1, output=2), budget=budget)
    told = generate_apibank(ORDER, means, tmp_path, Quiet())
    assert Scripted.asked == []
    assert told["account"]["calls"] == 0
    assert "used up" in told["why"] or "minutes" in told["why"]


def test_a_limit_of_minutes_ends_a_round_of_slow_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Scripted):
        def generate(self, requests: Any, on_answer: Any, form: Any = None) -> None:
            super().generate(requests, on_answer, form)
            clock.append(clock[-1] + 60 * len(requests))

    clock = [0.0]
    Scripted.reset()
    monkeypatch.setattr(transcripts, "Generator", Slow)
    monkeypatch.setattr(client, "time", SimpleNamespace(monotonic=lambda: clock[-1]))
    means = RunOptions("scripted/by-hand", embedder="lexical", budget=Budget(minutes=20))
    told = generate_apibank(ORDER, means, tmp_path, Quiet())
    assert 20 <= told["account"]["calls"] <= 23
    assert "the 20 minutes are over" in told["why"]


@pytest.mark.slow
def test_a_budget_is_kept_and_a_larger_one_goes_on(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "run"
    whole = run[1]["account"]["tokens"]
    few = apigap(*command(out, run[0].transcripts), "--max-tokens", str(whole // 2))
    assert few.returncode == 1
    assert "the budget is used up" in few.stderr
    assert "a larger --max-tokens goes on from here" in " ".join(few.stderr.split())
    told = json.loads((out / "summary.json").read_text())
    assert 0 < told["account"]["tokens"] <= whole // 2
    assert 0 < told["statistics"]["dialogues"] < 60
    cut = {one.verdict.reason for one in load_records(out / "dialogues.jsonl", Dialogue) if not one.verdict.accepted}
    assert "budget" in cut
    assert apigap(*command(out, run[0].transcripts)).returncode == 0
    assert files(out) == files(run[0].path)


@pytest.mark.slow
def test_more_attempts_go_on(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "run"
    few = apigap(*command(out, run[0].transcripts), "--attempts", "1")
    assert few.returncode == 1
    assert "60 attempts were made" in few.stderr
    assert "a larger --attempts goes on from here" in " ".join(few.stderr.split())
    assert apigap(*command(out, run[0].transcripts)).returncode == 0
    assert files(out) == files(run[0].path)


def test_an_order_under_caps_that_can_never_fill_it_is_refused(tmp_path: Path) -> None:
    given = ["--count", "30", "--domains", "3", "--per-domain", "2"]
    for further in ([], ["--dry-run"]):
        refused = apigap("apibank", "generate", "--out", str(tmp_path / "run"), *given, *further)
        assert refused.returncode == 2
        assert "--domains or --per-domain" in refused.stderr
    assert not (tmp_path / "run").exists()


def test_dollars_need_a_price(tmp_path: Path) -> None:
    refused = apigap("apibank", "generate", "--out", str(tmp_path), "--max-dollars", "1")
    assert refused.returncode == 2
    assert "--price" in refused.stderr
    with pytest.raises(UsageError, match="--price"):
        RunOptions("scripted/by-hand", budget=Budget(dollars=1))


def test_a_dry_run_asks_nothing_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = apigap("apibank", "generate", "--out", str(out), "--price", "0.15/0.6", "--dry-run", "--json")
    told = json.loads(done.stdout)
    assert told["calls"] > 60 and told["dollars"] > 0
    unpriced = apigap("apibank", "generate", "--out", str(out), "--dry-run")
    assert "no price was given" in unpriced.stdout and "0.0" not in unpriced.stdout
    assert not out.exists()
