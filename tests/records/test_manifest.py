"""Manifests keep runs of different makings apart."""

from pathlib import Path

import pytest

from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.manifest import Stage, read_manifest


def test_a_finished_stage_is_complete_for_the_same_making_only(tmp_path: Path) -> None:
    path = tmp_path / "stage.manifest.json"
    assert not Stage(path, "stage 1", {"seed": 1}).complete
    Stage(path, "stage 1", {"seed": 1}).finish({"rows": 3})
    again = Stage(path, "stage 1", {"seed": 1})
    assert again.complete
    assert again.manifest.counts == {"rows": 3}
    with pytest.raises(UsageError, match=r"seed = 1, this run has 2; choose another folder with --data"):
        Stage(path, "stage 1", {"seed": 2})


def test_the_same_making_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        Stage(tmp_path / name, "stage 1", {"seed": 1, "model": "m"}).finish({"rows": 3})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_unreadable_manifest_is_named(tmp_path: Path) -> None:
    path = tmp_path / "stage.manifest.json"
    path.write_text("{")
    with pytest.raises(CorruptRecord, match=r"stage\.manifest\.json is not a manifest"):
        Stage(path, "stage 1", {})


def test_the_key_that_differs_is_named_however_deep(tmp_path: Path) -> None:
    backend = {"engine": "llama.cpp", "settings": {"built_for": "AVX512"}, "words": "x" * 100}
    Stage(tmp_path / "m.json", "x", {"model": {"backend": backend}})
    other = {**backend, "settings": {"built_for": "AVX2"}}
    with pytest.raises(UsageError, match=r"model\.backend\.settings\.built_for = AVX512, this run has AVX2"):
        Stage(tmp_path / "m.json", "x", {"model": {"backend": other}})


def test_what_may_grow_makes_a_finished_stage_go_on_and_nothing_else_does(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    Stage(path, "x", {"seed": 1, "tasks": ["a"]}, ("tasks",)).finish({"rows": 1})
    assert Stage(path, "x", {"seed": 1, "tasks": ["a"]}, ("tasks",)).complete
    grown = Stage(path, "x", {"seed": 1, "tasks": ["a", "b"]}, ("tasks",))
    assert (grown.complete, grown.manifest.counts) == (False, {})
    assert read_manifest(path).made_from == {"seed": 1, "tasks": ["a", "b"]}
    with pytest.raises(UsageError, match="seed = 1, this run has 2"):
        Stage(path, "x", {"seed": 2, "tasks": ["a", "b", "c"]}, ("tasks",))
    with pytest.raises(UsageError, match="tasks = "):
        Stage(path, "x", {"seed": 1, "tasks": ["a"]})
