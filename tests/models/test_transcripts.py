"""Calls of a model that are kept: asked once, replayed without a model, and never confused with other prompts."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from apigap.models import transcripts as room
from apigap.models.generate import OnAnswer
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.models.transcripts import Call, Transcripts
from apigap.records.errors import CorruptRecord, ModelUnavailable, UsageError
from apigap.records.store import load_records

DECODING = Decoding(max_tokens=50)


class Form(BaseModel):
    text: str


class Counting:
    """In the place of the generator: answers with what it was asked, and dies at the word `die`."""

    asked: list[str] = []

    def __init__(self, model: str, decoding: Decoding, *, web_search: str | None, connections: int | None) -> None:
        self.found = (f"{web_search} says so",) if web_search else ()

    def generate(
        self, requests: list[GenerationRequest], on_answer: OnAnswer, form: type[BaseModel] | None = None
    ) -> None:
        assert form is Form
        for request in requests:
            text = request.messages()[-1].content
            if text == "die":
                raise ModelUnavailable("it died")
            self.asked.append(text)
            answer = Answer(text=text.upper(), stop_reason="stop", input_tokens=2, output_tokens=3, found=self.found)
            on_answer(request.key, 0, answer)

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(room, "Generator", Counting)
    Counting.asked = []
    return Counting.asked


def request(text: str, key: str = "", temperature: float = 0.0, seed: int = 1) -> GenerationRequest:
    return GenerationRequest(key=key or text, prompt=text, temperature=temperature, seed=seed)


def run(path: Path, *requests: GenerationRequest, recorded: Path | None = None, model: str = "some/model") -> list[str]:
    with Transcripts(model, DECODING, path, recorded) as transcripts:
        return [call.answer for call in transcripts.ask(requests, Form)]


def test_what_was_asked_is_not_asked_again(tmp_path: Path, asked: list[str]) -> None:
    path = tmp_path / "calls.jsonl"
    assert run(path, request("b"), request("a")) == ["B", "A"]
    before = path.read_bytes()
    assert run(path, request("a"), request("b")) == ["A", "B"]
    assert (asked, path.read_bytes()) == (["b", "a"], before)
    assert run(path, request("c")) == ["C"]
    assert [call.purpose for call in load_records(path, Call)] == ["a", "b", "c"]


def test_a_run_that_dies_keeps_what_was_answered(tmp_path: Path, asked: list[str]) -> None:
    path = tmp_path / "calls.jsonl"
    with pytest.raises(ModelUnavailable):
        run(path, request("a"), request("die"), request("b"))
    assert run(path, request("a"), request("b")) == ["A", "B"]
    assert asked == ["a", "b"]


def test_a_replay_asks_nobody_and_gives_the_same_bytes(tmp_path: Path, asked: list[str]) -> None:
    recorded, replayed = tmp_path / "recorded.jsonl", tmp_path / "replayed.jsonl"
    requests = [request("a"), request("b", temperature=0.5)]
    first = run(recorded, *requests)
    asked.clear()
    assert run(replayed, *requests, recorded=recorded) == first
    assert (asked, replayed.read_bytes()) == ([], recorded.read_bytes())


OTHERS = [
    ("another prompt", {"text": "x"}, {}),
    ("another model", {"text": "a", "key": "a"}, {"model": "other/model"}),
    ("another temperature", {"text": "a", "key": "a", "temperature": 0.9}, {}),
    ("another seed", {"text": "a", "key": "a", "temperature": 0.5, "seed": 2}, {}),
]


@pytest.mark.parametrize(("changed", "how"), [row[1:] for row in OTHERS], ids=[row[0] for row in OTHERS])
def test_what_was_not_recorded_says_what_to_do(
    tmp_path: Path, asked: list[str], changed: dict[str, object], how: dict[str, str]
) -> None:
    recorded = tmp_path / "recorded.jsonl"
    run(recorded, request("a", temperature=0.5))
    wanted = request(**changed)  # type: ignore[arg-type]
    with pytest.raises(UsageError) as caught:
        run(tmp_path / "new.jsonl", wanted, recorded=recorded, **how)
    for part in (str(recorded), wanted.key, str(wanted.prompt), "without --replay"):
        assert part in str(caught.value)
    assert asked == ["a"]


def test_the_seed_counts_only_where_something_is_drawn(tmp_path: Path, asked: list[str]) -> None:
    path = tmp_path / "calls.jsonl"
    run(path, request("a", seed=1), request("a", key="again", seed=2))
    assert len(load_records(path, Call)) == 1


def test_tokens_are_counted_over_all_runs(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    run(path, request("a"))
    with Transcripts("some/model", DECODING, path) as transcripts:
        transcripts.ask([request("a"), request("b")], Form)
    assert transcripts.cost == {"calls": 2, "input_tokens": 4, "output_tokens": 6}


def test_an_edited_prompt_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    run(path, request("a"))
    (line,) = path.read_text().splitlines()
    call = json.loads(line)
    path.write_text(json.dumps({**call, "messages": [{"role": "user", "content": "z"}]}) + "\n")
    with pytest.raises(CorruptRecord, match="edited"):
        Transcripts("some/model", DECODING, tmp_path / "new.jsonl", recorded=path)


def test_what_a_search_found_is_kept_and_is_another_call(tmp_path: Path, asked: list[str]) -> None:
    path = tmp_path / "calls.jsonl"
    run(path, request("one"))
    with Transcripts("some/model", DECODING, path, web_search="tavily") as transcripts:
        (call,) = transcripts.ask([request("one")], Form)
    assert (call.found, call.web_search) == (("tavily says so",), "tavily")
    assert asked == ["one", "one"]
    assert [one.found for one in load_records(path, Call)].count(()) == 1
