"""A finished run is made longer: what it has stays byte for byte, and the further dialogues follow it."""

from pathlib import Path
from typing import Any

import pytest

from apigap.apibank_generator.order import Order
from apigap.apibank_generator.records import Dialogue
from apigap.apibank_generator.run import RunOptions, generate_apibank
from apigap.models import transcripts
from apigap.records.store import load_records
from tests.apibank_generator.conftest import MEANS, Quiet
from tests.apibank_generator.script import Scripted
from tests.apibank_generator.test_resume import files

SHORT, LONG = Order(count=24), Order(count=40)


def lines(folder: Path, name: str) -> list[str]:
    return (folder / name).read_text().splitlines()


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[str]]:
    """A run of 24 as it was, the same made longer to 40, and what was asked for that."""
    folder = tmp_path_factory.mktemp("longer")
    with pytest.MonkeyPatch.context() as patch:
        Scripted.reset()
        patch.setattr(transcripts, "Generator", Scripted)
        generate_apibank(SHORT, MEANS, folder / "run", Quiet())
        (folder / "before").mkdir()
        for name in ("dialogues", "apis", "domains", "rejections", "transcripts"):
            (folder / "before" / f"{name}.jsonl").write_bytes((folder / "run" / f"{name}.jsonl").read_bytes())
        Scripted.asked.clear()
        generate_apibank(LONG, MEANS, folder / "run", Quiet())
    return folder / "before", folder / "run", list(Scripted.asked)


def test_what_is_there_stays_and_only_the_rest_is_asked(grown: tuple[Path, Path, list[str]]) -> None:
    before, run, asked = grown
    for name in ("dialogues.jsonl", "apis.jsonl", "domains.jsonl", "rejections.jsonl"):
        was = lines(before, name)
        assert lines(run, name)[: len(was)] == was
    known = set(lines(before, "transcripts.jsonl"))
    assert known < set(lines(run, "transcripts.jsonl"))
    assert len(asked) == len(lines(run, "transcripts.jsonl")) - len(known)
    dialogues = load_records(run / "dialogues.jsonl", Dialogue)
    assert sum(one.verdict.accepted for one in dialogues) == 40
    assert len({one.id for one in dialogues}) == len(dialogues)
    assert len(lines(run, "domains.jsonl")) > len(lines(before, "domains.jsonl"))


def test_it_can_be_replayed_by_the_same_orders(grown: tuple[Path, Path, list[str]], tmp_path: Path) -> None:
    means = RunOptions(MEANS.model, embedder="lexical", recorded=grown[1] / "transcripts.jsonl")
    told: list[dict[str, Any]] = [generate_apibank(order, means, tmp_path, Quiet()) for order in (SHORT, LONG, LONG)]
    assert [one["statistics"]["dialogues"] for one in told] == [24, 40, 40]
    assert files(tmp_path) == files(grown[1])
