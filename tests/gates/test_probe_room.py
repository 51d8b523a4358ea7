"""`generation.max_tokens` is the room of a model that may reason, wherever a short answer is wanted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.benchmarks.apibank.benchmark import ApiBank, ApiBankOptions
from apigap.benchmarks.novelapi.benchmark import NovelApi, NovelApiOptions
from apigap.gates.probe.probe import Probe, ProbeSettings
from apigap.records.configuration import load_settings
from tests.gates.test_probe import ASKED, FOUND
from tests.models.scripted_server import KEY, MODEL, Scripted, said, serving
from tests.silent import Silent

SERVED = f"openai-api/local/{MODEL}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    with serving(Scripted({}, said("Yes"))) as scripted:
        monkeypatch.setenv("LOCAL_BASE_URL", scripted.address)
        monkeypatch.setenv("LOCAL_API_KEY", KEY)
        yield scripted


@pytest.mark.parametrize(("told", "room"), [(None, 16384), (200, 200), (10, 96)])
def test_the_probe_asks_for_as_many_tokens(server: Scripted, tmp_path: Path, told: int | None, room: int) -> None:
    Probe(SERVED, ProbeSettings(samples=1, scoring="samples"), tmp_path, Silent(), told).run(ASKED, FOUND)
    asked = {body["max_tokens"] for body in server.bodies if body["messages"][-1]["role"] == "assistant"}
    assert asked == {room}


@pytest.mark.parametrize(("setting", "room", "judged"), [("null", 16384, None), ("300", 300, 300), ("10", 256, 10)])
def test_benchmarks_hand_it_on(setting: str, room: int, judged: int | None) -> None:
    settings = load_settings((), [f"generation.max_tokens={setting}"])
    assert ApiBank(ApiBankOptions(), settings).decoding(SERVED).max_tokens == room
    judge = NovelApi(NovelApiOptions(judge=SERVED), settings)._asked_judge
    assert judge and judge.max_tokens == judged
