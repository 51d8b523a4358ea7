"""What the demo asks fits into its time."""

from pathlib import Path

import pytest

from apigap.auditing import demo
from apigap.auditing.demo import BUDGET_SECONDS, LARGE, LEAST_ITEMS, SMALL, Choice, choice_for, choose, seconds_of
from apigap.models.registry import ModelSpec
from apigap.records.configuration import Settings, load_settings
from tests.silent import Silent


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    def two(spec: ModelSpec) -> int:
        del spec
        return 2

    monkeypatch.setattr(demo, "default_processes", two)
    return load_settings(presets=["demo"])


SPEEDS = [(0.5, LARGE, 10), (1.3, SMALL, 10), (2.0, SMALL, 6), (5.2, SMALL, LEAST_ITEMS), (60.0, SMALL, LEAST_ITEMS)]


@pytest.mark.parametrize(("seconds", "model", "items"), SPEEDS)
def test_slower_machines_are_asked_less(seconds: float, model: str, items: int, settings: Settings) -> None:
    choice = choice_for(seconds, settings)
    assert (choice.model, choice.items) == (f"gguf/{model}", items)
    fits = seconds_of(choice.model, choice.items, seconds, settings) <= BUDGET_SECONDS
    assert fits or items == LEAST_ITEMS
    assert choice.put_in(settings).audit.items == items


def test_a_later_run_goes_on_with_the_choice(tmp_path: Path, settings: Settings) -> None:
    kept = Choice(model=f"gguf/{LARGE}", items=7, seconds_per_answer=0.1)
    (tmp_path / "choice.json").write_text(kept.model_dump_json(), encoding="utf-8")
    assert choose(tmp_path, settings, Silent()) == kept


def test_what_is_asked_at_least_is_no_more_than_what_is_wanted(settings: Settings) -> None:
    few = Choice(model="", items=2, seconds_per_answer=0).put_in(settings)
    assert choice_for(60, few).items == 2
