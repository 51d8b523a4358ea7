"""The data card: it stands whatever names are in it, counts only what was done, and says what it compared with."""

import json
from pathlib import Path
from typing import Any

import pytest

from apigap.apibank_generator.card import write_card
from apigap.apibank_generator.checks.evaluation import Evaluation, evaluation_of, is_own
from apigap.apibank_generator.order import Order
from apigap.apibank_generator.records import Ability, Agent, Dialogue, Exchange, Verdict
from apigap.apibank_generator.review import Choice, Decision, Effect, effect_of, last_of
from apigap.apibank_generator.run import Folder, RunOptions, generate_apibank
from apigap.apibank_generator.seeds.user_apis import NoteKind, Seeds
from apigap.apibank_generator.statistics import Share, Statistics, acceptance
from apigap.models import transcripts
from apigap.records.store import load_records, write_text
from tests.apibank_generator.conftest import Quiet
from tests.apibank_generator.desks import tools
from tests.apibank_generator.obliging import Obliging
from tests.benchmarks.apibank.conftest import published as published

AGENTS: tuple[Agent, ...] = ("domains", "apis", "query", "dialogue", "tester")
ACCOUNT = {
    "agents": {agent: {"calls": 1, "input_tokens": 800, "output_tokens": 200, "dollars": None} for agent in AGENTS},
    "calls": 5, "tokens": 5000, "dollars": None, "tokens_per_accepted": 2500, "dollars_per_accepted": None,
}  # fmt: skip
TOLD: dict[str, Any] = {
    "ordered": 3, "why": "the 5 minutes are over", "notes": ["your APIs have 1 domain"], "account": ACCOUNT,
    "evaluation": {"data": "API-Bank", "requests": 12, "runs": 345, "hash": "0123"},
}  # fmt: skip
NO_EFFECT = Effect(0, 0, 0)


def card(folder: Path, domain: str = "bees", effect: Effect = NO_EFFECT, **changed: Any) -> str:
    """The card of two dialogues that were made of a user's own APIs."""
    statistics = Statistics(
        domains=1, apis=2, dialogues=2, turns=2, calls=3, searches=0, single_call=1, several_calls=1,
        by_ability={"call": 2}, by_domain={domain: 2},
    )  # fmt: skip
    ran, never = Share(made=4, taken=2), Share()
    shares: dict[Agent, Share] = {
        "domains": never, "apis": never, "query": ran, "dialogue": ran, "tester": ran,
    }  # fmt: skip
    write_text(folder / "summary.json", json.dumps(TOLD | changed))
    write_card(folder, statistics, shares, {"trl.jsonl": 2}, folder / "summary.json", effect)
    return (folder / "card.md").read_text("utf-8")


@pytest.mark.parametrize("domain", [r"$\frac$ deals", "$", "from 5$ to 9$", "a_b^c {x} | <b>", "x" * 60])
def test_any_name_can_stand_in_the_picture(domain: str, tmp_path: Path) -> None:
    card(tmp_path, domain)
    assert (tmp_path / "card.png").stat().st_size > 10_000
    if "$" in domain:
        assert domain in (tmp_path / "card.svg").read_text("utf-8")


def test_an_agent_that_never_ran_has_no_share(tmp_path: Path) -> None:
    told = card(tmp_path)
    assert "| domains | 0 | 0 | – |" in told
    assert "| tester | 4 | 2 | 50 % |" in told
    picture = (tmp_path / "card.svg").read_text("utf-8")
    assert ">tester<" in picture and ">apis<" not in picture


def test_where_no_price_was_given_no_dollars_are_told(tmp_path: Path) -> None:
    told = card(tmp_path)
    assert "| query | 1 | 800 | 200 | - |" in told
    assert "2500 tokens per dialogue; no price was given." in told
    assert "0.0 dollars" not in told
    priced = card(tmp_path, account={**ACCOUNT, "dollars": 0.5})
    assert "2500 tokens per dialogue, 0.250000 dollars" in priced


def test_costs_are_of_the_dialogues_that_are_left(tmp_path: Path) -> None:
    told = card(tmp_path, account={**ACCOUNT, "tokens_per_accepted": 5000})
    assert "2500 tokens per dialogue" in told


def test_the_card_says_what_was_compared_and_done(tmp_path: Path) -> None:
    told = card(tmp_path, effect=Effect(5, 2, 1))
    assert "Compared with the words of API-Bank: 12 requests, 345 runs of ten words (hash 0123)." in told
    assert "decided on 5 attempts (accepted and left out: 2; refused by the tester and taken in: 1)" in told
    assert "Why there are not more: the 5 minutes are over. Your APIs have 1 domain." in told


def test_a_folder_of_an_earlier_version_has_a_card(tmp_path: Path) -> None:
    card(tmp_path, evaluation=None)
    assert "An earlier version made them" in (tmp_path / "card.md").read_text("utf-8")


def attempt(name: str, accepted: bool, reason: str = "") -> Dialogue:
    ability: Ability = "call"
    verdict = Verdict(accepted=accepted, by="tester" if reason != "no_call" else "dialogue", reason=reason)
    exchange = Exchange(user="Hello there.", reply="Hello.")
    return Dialogue(id=name, ability=ability, domain="bees", offered=(), exchanges=(exchange,), verdict=verdict)


ATTEMPTS = [
    attempt("0", True), attempt("1", True), attempt("2", False, "not_served"), attempt("3", False, "no_call"),
    attempt("4", False, "budget"),
]  # fmt: skip
EFFECTS: list[tuple[list[tuple[str, Choice]], Effect]] = [
    ([], Effect(0, 0, 0)),
    ([("0", "keep"), ("1", "drop")], Effect(2, 1, 0)),
    ([("2", "keep"), ("3", "keep"), ("4", "keep")], Effect(3, 0, 1)),
    ([("0", "drop"), ("0", "none"), ("2", "drop")], Effect(1, 0, 0)),
    ([("7", "keep"), ("1", "drop")], Effect(1, 1, 0)),
]


@pytest.mark.parametrize(("decisions", "wanted"), EFFECTS)
def test_what_decisions_come_to(decisions: list[tuple[str, Choice]], wanted: Effect) -> None:
    last = last_of([Decision(id=name, choice=choice) for name, choice in decisions])
    assert effect_of(ATTEMPTS, last) == wanted


class Noting(Quiet):
    """Progress whose notes are kept."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


def test_a_users_own_apis_are_nobodys_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "Generator", Obliging)
    left: dict[NoteKind, int] = {
        "apis_left_out": 2,
        "parameters_left_out": 3,
        "cycles_cut": 1,
        "references_not_read": 0,
    }
    seeds = Seeds(tools(1, apis=4), [], left)
    noting = Noting()
    told = generate_apibank(Order(count=8), RunOptions("obliging/model", embedder="lexical"), tmp_path, noting, seeds)
    assert [told["acceptance"][agent]["made"] for agent in ("domains", "apis")] == [0, 0]
    assert told["acceptance"]["query"]["made"] >= 8
    assert any("--per-domain" in note for note in told["notes"])
    assert any("small set only" in note and "--evaluation" in note for note in noting.notes)
    text = (tmp_path / "card.md").read_text("utf-8")
    assert "| apis | 0 | 0 | – |" in text
    assert told["seeds"] == {"apis": 4, **left}
    assert "2 APIs and 3 parameters were left out, 1 cycles were cut and 0 references not read" in text
    assert "Compared with the words of apigap's own small set" in text
    summary = json.loads(Folder(tmp_path).summary.read_text())
    assert summary["evaluation"] == evaluation_of(Path("own")).summary()
    shares = acceptance([], seeds.tools, [], load_records(Folder(tmp_path).dialogues, Dialogue))
    assert (shares["apis"].made, shares["apis"].taken) == (0, 0)


def test_the_hash_is_of_requests_and_replies() -> None:
    asked, said, none = ["Please book a room in Paris."], ["It is booked."], list[str]()
    data = [(asked, said), (asked, none), (none, said), (asked, [*said, "Yes."])]
    hashes = {Evaluation(*words).hash for words in data}
    assert len(hashes) == 4
    assert Evaluation(asked * 2, said[::-1]).hash == Evaluation(asked, said).hash


def test_only_the_small_set_is_told_apart(published: Path) -> None:
    assert is_own(Path("own")) and not is_own(published)
    told = evaluation_of(published).summary()
    assert told["data"] == published.resolve().name
    assert told["requests"] > 10 * evaluation_of(Path("own")).summary()["requests"]
