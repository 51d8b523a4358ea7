"""What stands behind ToolSearcher: recordings, words, or vectors; the choice is in the manifest of the results."""

import json
from pathlib import Path
from typing import Any

import pytest

from apigap.benchmarks.apibank.api_search import ApiSearch
from apigap.benchmarks.apibank.dialogues import load_bank
from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.interfaces import load_interfaces, own_interfaces
from apigap.benchmarks.apibank.judge import ApiBankJudge, Mode
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.records.errors import UsageError
from apigap.records.result import Prediction
from apigap.records.store import write_records
from apigap.retrieval.embedder import Embedder
from apigap.retrieval.lexical import LexicalEmbedder, words_of
from tests.benchmarks.runs import apibank, summary_of

OWN = Path("own")
BANK = load_bank(OWN)
TOLD = load_interfaces(BANK.data)
GOLD = ApiBankJudge(BANK).gold
SEARCHES = {
    task.task_id: task for task in BANK.tasks("level-2") if task.is_call and GOLD(task).startswith("[ToolSearcher")
}
KINDS = pytest.mark.parametrize("embedder", [None, LexicalEmbedder()], ids=["words", "vectors"])


def last(found: Any) -> str:
    return (found[-1] if isinstance(found, list) else found)["name"]


@KINDS
@pytest.mark.parametrize(
    ("keywords", "name"),
    [("add a meeting", "AddMeeting"), ("Calculator", "Calculator"), ("open a bank account", "OpenBankAccount")],
)
def test_an_api_is_found_by_what_it_does(embedder: Embedder | None, keywords: str, name: str) -> None:
    assert last(ApiSearch(DIALOGUE, TOLD["level-1-2"], embedder).find(keywords)) == name


@KINDS
def test_every_api_is_found_by_its_own_words_but_the_search_never_finds_itself(embedder: Embedder | None) -> None:
    for registry in (DIALOGUE, PLANNING):
        told = own_interfaces()[registry.pool]
        search = ApiSearch(registry, told, embedder)
        for name in registry.apis:
            words = f"{' '.join(words_of(name))} {told[name]['description']}"
            assert (last(search.find(words)) == name) == (name != "ToolSearcher")


def test_an_api_that_takes_a_token_comes_with_the_one_that_gives_it() -> None:
    search = ApiSearch(DIALOGUE, TOLD["level-1-2"])
    first, second = search.find("add agenda")
    assert (first["name"], second["name"]) == ("GetUserToken", "AddAgenda")
    assert first["desc_for_search"] == f"get user token{first['description']}"
    assert search.find("calculator")["name"] == "Calculator"


def test_words_that_no_api_has_find_none() -> None:
    with pytest.raises(ApiError):
        ApiSearch(DIALOGUE, TOLD["level-1-2"]).find("qqqq zzzz")


@pytest.mark.parametrize(
    ("mode", "search", "right"),
    [("released", "recorded", False), ("corrected", "recorded", True), ("released", "lexical", True),
     ("corrected", "lexical", True)],
)  # fmt: skip
def test_other_words_for_the_same_search(mode: Mode, search: str, right: bool) -> None:
    task = SEARCHES["rehearsal-reminder.jsonl#0"]
    adapter = ApiBankJudge(BANK, mode, search=search)
    assert adapter.score(task, GOLD(task)).passed
    assert adapter.score(task, "[ToolSearcher(keywords='set reminder')]").passed == right
    assert not adapter.score(task, "[ToolSearcher(keywords='calculator')]").passed
    assert not adapter.score(task, "[ToolSearcher(keywords='qqqq zzzz')]").passed


def test_the_recorded_api_is_what_must_be_found_whatever_the_search_makes_of_the_recorded_words() -> None:
    task = SEARCHES["rehearsal-reminder.jsonl#0"]
    astray = task.dialogue.turns[task.place].model_copy(update={"param_dict": {"keywords": "calculator"}})  # pyright: ignore[reportAttributeAccessIssue]
    adapter = ApiBankJudge(BANK, "corrected", search="lexical")
    judged = adapter._judge_corrected(task, astray, "[ToolSearcher(keywords='set reminder')]")  # pyright: ignore
    assert judged.right


def test_the_manifest_tells_the_search(tmp_path: Path) -> None:
    rows = [Prediction(task_id=task_id, samples=(GOLD(task),)) for task_id, task in SEARCHES.items()]
    write_records(tmp_path / "gold.jsonl", rows)
    told: dict[str, Any] = {}
    for mode, search in (("released", "recorded"), ("corrected", "recorded"), ("corrected", "lexical")):
        out = tmp_path / f"{mode}-{search}.jsonl"
        summary = summary_of(apibank(OWN, mode=mode, search=search), tmp_path / "gold.jsonl", out)
        assert summary.search == search
        made_from = json.loads(out.with_suffix(".manifest.json").read_text())["made_from"]
        told[mode, search] = made_from["search"], made_from["unrecorded"]  # pyright: ignore[reportArgumentType]
    assert told == {
        ("released", "recorded"): ("recorded", None),
        ("corrected", "recorded"): ("recorded", "lexical"),
        ("corrected", "lexical"): ("lexical", "lexical"),
    }


@pytest.mark.network
def test_an_embedding_model_finds_by_meaning() -> None:
    adapter = ApiBankJudge(BANK, "corrected", search="minilm")
    assert adapter.plan.described["embedder"]["embedder"]
    task = SEARCHES["rehearsal-reminder.jsonl#0"]
    assert adapter.score(task, "[ToolSearcher(keywords='set reminders')]").passed
    assert not adapter.score(task, "[ToolSearcher(keywords='translate a text')]").passed


def test_an_unknown_search_is_refused() -> None:
    with pytest.raises(UsageError, match="no embedder is named 'bing'"):
        ApiBankJudge(BANK, search="bing")
