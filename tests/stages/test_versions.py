"""Which releases are compared, and in which environments: what the user, the model and the library's file say."""

from datetime import date, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from apigap.cli.options import settings_of
from apigap.discovery import discover
from apigap.discovery.library import find_library
from apigap.models.model_facts import cutoff_of
from apigap.packages.environments import EnvironmentStore
from apigap.records.configuration import load_settings
from apigap.records.errors import UsageError
from apigap.records.layout import Layout
from apigap.records.target import Target
from apigap.stages.chain import LibraryChain
from apigap.tasks.starter_files import starter_files
from tests.silent import Silent

NOTHING = cast("Any", None)
MODEL_FILE = """
title: mine
context: 2048
bytes: 4
sha256: "0000000000000000000000000000000000000000000000000000000000000000"
licence: MIT
cutoff: 2024-05-06
sources: [{path: model.gguf}]
"""


def test_a_cutoff_that_is_given_is_taken_before_the_one_that_is_known() -> None:
    given = date(2025, 1, 2)
    assert cutoff_of("openai/nobody-knows", given) == cutoff_of("gguf/qwen2.5-coder-0.5b", given) == given
    assert cutoff_of("gguf/qwen2.5-coder-0.5b") == date(2024, 9, 1)
    with pytest.raises(UsageError, match=r"openai/nobody-knows is not known.*--cutoff YYYY-MM-DD"):
        cutoff_of("openai/nobody-knows")
    with pytest.raises(UsageError, match=r"qwen-coder is not known.*no local model is named 'qwen-coder'.*did you"):
        cutoff_of("gguf/qwen-coder")


def test_a_providers_model_cannot_have_seen_what_came_after_its_release() -> None:
    assert cutoff_of("openai/gpt-4o-2024-08-06") == date(2024, 8, 6)
    assert cutoff_of("openai/gpt-4o") == cutoff_of("batch/queue/gpt-4o") == date(2024, 11, 20)  # of its last version
    assert cutoff_of("anthropic/claude-sonnet-4-5") >= date(2025, 9, 1)


def test_the_description_beside_a_model_file_has_its_cutoff(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(MODEL_FILE)
    assert cutoff_of(f"gguf/{tmp_path}/model.gguf") == date(2024, 5, 6)


def test_options_are_short_for_settings() -> None:
    settings = settings_of(None, ["execution.workers=5"], cutoff=datetime(2025, 1, 2), workers=3, max_tasks=0)
    assert (settings.gates.cutoff, settings.execution.workers) == (date(2025, 1, 2), 3)
    assert settings_of(None, ["execution.workers=5"]).execution.workers == 5
    assert settings_of(None, ["gates.cutoff=2025-01-02"]).gates.cutoff == date(2025, 1, 2)
    with pytest.raises(UsageError, match=r"gates\.cutoff"):
        settings_of(None, ["gates.cutoff=soon"])


def test_a_large_library_is_not_installed_unasked(tmp_path: Path) -> None:
    target, layout = Target("torch", "2.1.1", "2.9.1"), Layout(tmp_path, "mockllm/model")
    chain = LibraryChain(target, layout, load_settings(), NOTHING, NOTHING, Silent())
    with pytest.raises(
        UsageError, match=r"torch 2\.9\.1 takes gigabytes.*apigap discover.*large: false.*configs/libraries/torch\.yaml"
    ):
        chain.prepare()


def test_nothing_of_the_starter_benchmark_is_large() -> None:
    assert [name for name in {path.stem for path in starter_files()} if find_library(name).large] == []


class Asked:
    """Notes what environments are asked for."""

    def __init__(self) -> None:
        self.wanted: list[tuple[str, str]] = []

    def get(self, distribution: str, version: str, python: str | None = None) -> str:
        self.wanted.append((distribution, version))
        return f"{distribution} {version}"


def test_an_environment_is_of_the_distribution_that_the_library_s_file_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vision.yaml").write_text("distribution: opencv-python\n")
    monkeypatch.setenv("APIGAP_LIBRARIES", str(tmp_path))
    store = Asked()
    discover.environment_at("vision", "4.9", cast("EnvironmentStore", store))
    discover.environment_at("Flask", "3.1.3", cast("EnvironmentStore", store))
    assert store.wanted == [("opencv-python", "4.9"), ("flask", "3.1.3")]


def test_companions_are_installed_beside_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(discover, "release", lambda name, version: (name, version))
    monkeypatch.setattr(discover, "environment_of", lambda config, found, store, python: asked.append(found))
    discover.environment_at("pymatgen", "2026.4.16", NOTHING)
    assert asked == [("pymatgen", "2026.4.16")]
