"""A budget holds in any script, with any provider's way to count, and is used but for a rest."""

import json
from collections.abc import Sequence
from typing import Any, cast

import pytest
from pydantic import BaseModel

from apigap.apibank_generator.answers import ApisAnswer, VerdictAnswer
from apigap.apibank_generator.budgeted_client import Budget, BudgetedClient, Price, TokenBounds
from apigap.models.request import Decoding, GenerationRequest, Message
from apigap.models.transcripts import Call, Transcripts, estimated_tokens, tokens_of

CHINESE = "渡轮几点从巴里出发"
DECODING = Decoding(max_tokens=900)


class Counting:
    """In the place of the transcripts: counts as many tokens for a character as it is told, and so many more."""

    def __init__(self, per_character: float, more: int) -> None:
        self._per_character, self._more = per_character, more
        self.groups: list[int] = []

    def ask(self, requests: Sequence[GenerationRequest], form: type[BaseModel], advance: Any) -> list[Call]:
        self.groups.append(len(requests))
        return [self._call(request) for request in requests]

    def _call(self, request: GenerationRequest) -> Call:
        read = int(len(request.messages()[0].content) * self._per_character) + self._more
        return Call(
            purpose=request.key, model="m/x", decoding=DECODING, messages=request.messages(), temperature=0, seed=0,
            answer="{}", stop_reason="stop", input_tokens=read, output_tokens=200,
        )  # fmt: skip


def asked(text: str, transcripts: Counting, budget: Budget, form: type[BaseModel] = VerdictAnswer) -> BudgetedClient:
    """The desk after rounds of sixteen requests, until the budget is used up."""
    client = BudgetedClient(cast(Transcripts, transcripts), DECODING, None, budget)
    for _ in range(40):
        client.ask("query", [GenerationRequest(key=f"query/{n}", prompt=text) for n in range(16)], form)
    return client


PROVIDERS: list[tuple[str, float, int]] = [
    ("English", 0.25, 0), ("English, with a schema", 0.25, 400), ("Chinese", 1.0, 0), ("Chinese, badly", 1.8, 0),
    ("a chat template", 0.25, 60),
]  # fmt: skip


@pytest.mark.parametrize(("per", "more"), [row[1:] for row in PROVIDERS], ids=[row[0] for row in PROVIDERS])
@pytest.mark.parametrize("budget", [50_000, 20_000])
def test_a_budget_of_tokens_is_held(per: float, more: int, budget: int) -> None:
    text = CHINESE * 334 if per >= 1 else "Which ferry leaves Bari at ten? " * 94
    client = asked(text, Counting(per, more), Budget(tokens=budget), ApisAnswer)
    assert budget - 8000 < client.tokens <= budget
    assert client.ending is not None
    assert client.ending.why == f"the budget is used up: {client.tokens} tokens"
    assert "--max-tokens" in client.ending.remedy


def test_a_budget_of_dollars_is_held() -> None:
    client = BudgetedClient(
        cast(Transcripts, Counting(1.0, 0)), DECODING, Price(input=1, output=2), Budget(dollars=0.05)
    )
    requests = [GenerationRequest(key=f"query/{n}", prompt=CHINESE * 334) for n in range(40)]
    client.ask("query", requests, VerdictAnswer)
    assert client.dollars is not None and 0.04 < client.dollars <= 0.05
    assert client.ending is not None and "dollars" in client.ending.why and "--max-dollars " in client.ending.remedy


def test_groups_are_whole_where_there_is_plenty_and_small_near_the_limit() -> None:
    transcripts = Counting(0.25, 0)
    asked("Which ferry leaves Bari at ten? " * 94, transcripts, Budget(tokens=100_000))
    assert transcripts.groups[0] == 16
    assert transcripts.groups[-1] == 1
    whole = Counting(0.25, 0)
    asked("Which ferry leaves Bari at ten?", whole, Budget())
    assert whole.groups == [16] * 40


def test_the_schema_that_may_be_sent_is_counted() -> None:
    request = GenerationRequest(key="query/0", prompt="Which ferry?")
    few, many = (TokenBounds(900).of(request, form)[0] for form in (VerdictAnswer, ApisAnswer))
    for found, form in ((few, VerdictAnswer), (many, ApisAnswer)):
        assert found >= len(json.dumps(form.model_json_schema())) / 4
    assert many > few


TEXTS = [("", 0), ("word " * 8, 10), ("渡轮" * 20, 30), ("\ud83d" * 4, 3)]


@pytest.mark.parametrize(("text", "tokens"), TEXTS)
def test_tokens_that_nobody_counted_are_reckoned_by_bytes(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens
    told: dict[str, Any] = {"purpose": "x", "model": "m/x", "decoding": DECODING, "temperature": 0, "seed": 0}
    call = Call(**told, messages=(Message(role="user", content=text),), answer=text)
    assert tokens_of(call) == (tokens, tokens)


def test_without_a_price_there_are_no_dollars() -> None:
    client = asked("Which ferry?", Counting(1, 0), Budget(tokens=3000))
    told = client.account(2)
    assert client.dollars is None
    assert told["dollars"] is None and told["dollars_per_accepted"] is None
    assert {row["dollars"] for row in told["agents"].values()} == {None}
    assert told["tokens_per_accepted"] == round(client.tokens / 2)
