"""What a command is about to spend is told before the first request, and limits end it cleanly."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.evaluation.answers import collect
from apigap.models import trial
from apigap.models.generate import Generator
from apigap.models.request import Decoding, GenerationRequest
from apigap.models.spending import budget
from apigap.models.spending.budget import Limits, use
from apigap.models.spending.prices import price_of
from apigap.records.errors import BudgetSpent, UsageError
from tests.models.scripted_server import KEY, MODEL, Scripted, said, serving

LOCAL = f"openai-api/local/{MODEL}"
REQUESTS = [GenerationRequest(key=f"t{number}", prompt=f"{number} " * 40) for number in range(6)]
FREE = [Limits(tokens=40), Limits(dollars=40e-6, prices=("1/1",)), Limits(tokens=10_000, dollars=1, prices=("1/1",))]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    monkeypatch.setattr(trial, "_tried", set())
    monkeypatch.setenv("LOCAL_API_KEY", KEY)
    with serving(Scripted({}, otherwise=said("[]"))) as scripted:
        monkeypatch.setenv("LOCAL_BASE_URL", scripted.address)
        yield scripted
    use(Limits())


def ask(path: Path) -> None:
    with Generator(LOCAL, Decoding(max_tokens=100), connections=1, cache=False) as generator:
        collect({path: REQUESTS}, generator.generate, {}, lambda done, of: None)


@pytest.mark.parametrize("limits", FREE)
def test_a_limit_ends_a_run_and_the_next_one_goes_on(limits: Limits, server: Scripted, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    rounds: list[int] = []
    for _ in range(3):
        use(limits)
        try:
            ask(path)
        except BudgetSpent as error:
            assert error.exit_code == 0 and "the same command goes on" in str(error)
        rounds.append(len(path.read_text().splitlines()))
    # an answer takes 16 tokens: the third one passes 40
    assert rounds == ([6, 6, 6] if limits.tokens == 10_000 else [3, 6, 6])
    assert server.asked == {"": 6}


def test_no_request_is_made_where_nothing_is_left_or_no_price_is_known(server: Scripted, tmp_path: Path) -> None:
    use(Limits(minutes=0))
    with pytest.raises(BudgetSpent, match="--max-minutes 0 is reached"):
        ask(tmp_path / "a.jsonl")
    use(Limits(dollars=5))
    with pytest.raises(UsageError, match=f"the price of {LOCAL} is not known"):
        ask(tmp_path / "a.jsonl")
    use(Limits(dollars=5, prices=("cheap",)))
    with pytest.raises(UsageError, match="write IN/OUT in dollars"):
        ask(tmp_path / "a.jsonl")
    assert server.asked == {}


def test_what_is_to_be_spent_is_told_once_and_by_what_has_been_seen_then(server: Scripted, tmp_path: Path) -> None:
    told: list[str] = []
    use(Limits(prices=(f"{LOCAL}=2/10",)), told.append)
    with Generator(LOCAL, Decoding(max_tokens=100), connections=2, cache=False) as generator:
        for requests in (REQUESTS[:3], REQUESTS[:3], REQUESTS):
            generator.generate(requests, lambda *_: None)
    first, second = told
    assert first.startswith(f"{LOCAL}: 3 requests, about 60 tokens to read and at most 300 to write; at most $0.00")
    assert "minutes" not in first
    assert "6 requests" in second and "about 30 at the mean so far" in second and "minutes" in second
    assert budget.purse().tokens == 12 * 16
    assert budget.purse().dollars == pytest.approx(12 * (11 * 2 + 5 * 10) / 1e6)


def test_a_local_model_and_a_mock_cost_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    use(Limits(dollars=1), told.append)
    with Generator("mockllm/model") as generator:
        generator.generate(REQUESTS, lambda *_: None)
    assert told == [] and budget.purse().tokens == 0
    use(Limits())


PRICES = [
    ("openai/gpt-4o", (), (2.5, 10.0)),
    ("openai/gpt-4o-2024-08-06", (), (2.5, 10.0)),
    ("openrouter/openai/gpt-4o-mini", (), (0.15, 0.6)),
    ("anthropic/claude-sonnet-4-5-20250929", (), (3.0, 15.0)),
    ("batch/queue/gpt-4o", (), (2.5, 10.0)),
    ("openai/gpt-4o", ("1/2",), (1.0, 2.0)),
    ("openai/gpt-4o", ("1/2", "gpt-4o=3/4"), (3.0, 4.0)),
    ("openai/gpt-4o", ("other=1/2",), (2.5, 10.0)),
    ("openai-api/local/qwen", (), None),
]


@pytest.mark.parametrize(("model", "given", "price"), PRICES)
def test_prices(model: str, given: tuple[str, ...], price: tuple[float, float] | None) -> None:
    found = price_of(model, given)
    assert (found and (found.input, found.output)) == price


def test_a_command_stops_at_its_limit_and_goes_on(server: Scripted, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    command = ["predict", "toolllm", "--model", LOCAL, "--limit", "4", "--out", str(out), "--connections", "1"]
    run = CliRunner().invoke
    stopped = run(application(VERBS), [*command, "--max-tokens", "20"])
    assert isinstance(stopped.exception, BudgetSpent)
    assert "4 requests" in stopped.stderr and f"{LOCAL} answers" in stopped.stderr
    assert len(out.read_text().splitlines()) == 2
    done = run(application(VERBS), [*command, "--json"])
    assert done.exit_code == 0 and '"answers": 4' in done.stdout
    assert server.asked == {"": 5}  # four questions and one word of trial
