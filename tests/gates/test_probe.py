"""The novelty probe: whom it asks about, what it makes of answers, and that it goes on where it was ended."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from apigap.discovery.discover import Discovery
from apigap.gates.probe import probe as room
from apigap.gates.probe.items import check_enough, choose_candidates, choose_known, invent
from apigap.gates.probe.names_script import main as existing
from apigap.gates.probe.probe import Probe, ProbedApis, ProbeSettings, make_report
from apigap.models.generate import Generator
from apigap.models.prompts import Prompt
from apigap.records.candidate import Candidate, ChangeKind, Evidence, Parameter
from apigap.records.errors import ModelUnavailable, UsageError
from apigap.records.questions.probe import ProbeAnswer, ProbeItem
from tests.silent import Silent

FOUND = Discovery(library="lib", old_version="1", new_version="2", candidates=(), counts={}, failures=())
HERE = (Evidence(kind="documented", where="docs"),)
LEAVES = ["read_csv", "write_json", "draw_plot", "load_table", "sort_rows", "join_all", "drop_column"]


def candidate(name: str, change: ChangeKind = "added", parameters: Sequence[str] = ("a",)) -> Candidate:
    return Candidate(
        api_name=f"lib.{name}", kind="function", library="lib", old_version="1", new_version="2", change=change,
        signature="()", import_module="lib", evidence=HERE, parameters=tuple(Parameter(name=p) for p in parameters),
    )  # fmt: skip


def item(name: str, group: str, parameters: Sequence[str] = ("alpha", "beta")) -> ProbeItem:
    return ProbeItem.model_validate(
        {"api_name": f"lib.{name}", "group": group, "kind": "function", "parameters": list(parameters)}
    )


ASKED = ProbedApis(
    (
        item("fresh", "candidate"),
        *(item(f"old{n}", "known") for n in range(8)),
        *(item(f"made{n}", "invented") for n in range(8)),
    ),
    3,
)


def test_only_added_apis_with_parameters_are_asked_about_and_the_seed_draws_them() -> None:
    pool = [candidate("changed", "modified"), candidate("plain", parameters=())] + [candidate(n) for n in LEAVES]
    drawn = [choose_candidates(pool, 4, seed) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert {i.api_name for i in choose_candidates(pool, 99, 0)} == {f"lib.{name}" for name in LEAVES}


def test_invented_names_are_of_no_api_and_borrow_from_who_lent_them_nothing() -> None:
    known = choose_known([candidate(name, parameters=(f"of_{name}",)) for name in LEAVES], [], 6)
    asked: list[str] = []

    def exists(names: Sequence[str]) -> set[str]:
        asked.extend(names)
        return {names[0]}

    made = invent([candidate(name) for name in LEAVES], known, set(LEAVES), exists, 0)
    names = [i.api_name for i in made]
    assert len(set(names)) == 6 and not set(names) & {f"lib.{name}" for name in LEAVES}
    assert asked[0] not in names  # the library has that one after all
    words = {word for name in LEAVES for word in name.split("_")}
    assert all(set(name.removeprefix("lib.").split("_")) <= words for name in names)
    assert made == invent([candidate(name) for name in LEAVES], known, set(LEAVES), lambda _: {asked[0]}, 0)


def test_a_library_with_too_few_names_is_refused() -> None:
    with pytest.raises(UsageError, match="invented names of kind function can be made"):
        invent([candidate("a"), candidate("b")], [item("a", "known")] * 5, {"a", "b"}, lambda _: set(), 0)
    with pytest.raises(UsageError, match="only 2 unchanged"):
        check_enough([item("a", "known")] * 2)


def test_the_library_itself_is_asked_which_names_exist() -> None:
    names = [
        "json.dumps",
        "json.dump_lines",
        "json.decoder.JSONDecoder.decode",
        "no_such_library.x",
        "pathlib.Path.cwd",
    ]
    assert existing({"names": names}) == ["json.dumps", "json.decoder.JSONDecoder.decode", "pathlib.Path.cwd"]


def answers(known: float | None, invented: float | None, fresh: float | None) -> list[ProbeAnswer]:
    """Scores that differ a little inside a group."""
    bases = {"known": known, "invented": invented, "candidate": fresh}
    return [
        ProbeAnswer(
            api_name=i.api_name, question=question, prompt_hash="", answers=("",),
            score=None if (base := bases[i.group]) is None else base + number % 3 / 10, unread=int(base is None),
        )
        for question in room.QUESTIONS
        for number, i in enumerate(ASKED.items)
    ]  # fmt: skip


@pytest.mark.parametrize(("fresh", "low", "high"), [(0.0, 0.75, 1.0), (2.0, 0.0, 0.25), (1.1, 0.25, 0.75)])
def test_who_answers_like_an_invented_name_is_new(fresh: float, low: float, high: float) -> None:
    report = make_report("m", ASKED, FOUND, answers(2.0, 0.0, fresh), seed=0)
    first = report.results[0]
    assert report.tells and report.separation["both"].auc == 1 and report.left_out == 3
    assert first.novelty is not None and low <= first.novelty <= high
    assert first.low is not None and first.high is not None and first.low <= first.novelty <= first.high


@pytest.mark.parametrize(("known", "invented"), [(1.0, 1.0), (0.0, 2.0), (None, 1.0)])
def test_a_blind_probe_says_so_and_gives_no_number(known: float | None, invented: float | None) -> None:
    report = make_report("m", ASKED, FOUND, answers(known, invented, 0.5), seed=0)
    assert not report.tells and report.verdict.startswith("the probe tells nothing for m")
    assert all(result.novelty is None for result in report.results)


def test_an_answer_that_cannot_be_read_is_no_no() -> None:
    report = make_report("m", ASKED, FOUND, answers(2.0, 0.0, None), seed=0)
    assert report.tells and report.results[0].novelty is None
    assert report.unread == {"existence": 1, "signature": 1}


def _reply(prompt: str) -> str:
    known = "lib.old" in prompt or "\ndef old" in prompt
    if "exist in" in prompt:
        return "Yes" if known else "Who can say?" if "fresh" in prompt else "No"
    return "alpha, beta)" if known else "gamma)"


@pytest.fixture
def mock(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The mock model answers by `_reply`; the list has every prompt that it was sent."""
    sent: list[str] = []

    def reply(prompt: str) -> str:
        sent.append(prompt)
        return _reply(prompt)

    def generator(model: str, decoding: object, **rest: object) -> Generator:
        return Generator(model, decoding, reply=reply, **rest)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(room, "Generator", generator)
    return sent


SAMPLED = ProbeSettings(samples=3, scoring="samples")


def test_samples_are_counted_and_a_killed_run_ends_in_the_same_bytes(tmp_path: Path, mock: list[str]) -> None:
    report = Probe("mockllm/model", SAMPLED, tmp_path / "one", Silent()).run(ASKED, FOUND)
    by_name = {result.item.api_name: result for result in report.results}
    assert by_name["lib.old1"].existence == pytest.approx(1.9459, abs=1e-3)  # log(3.5 / 0.5)
    assert by_name["lib.old1"].signature == 1.0
    assert by_name["lib.fresh"].existence is None and by_name["lib.fresh"].signature == 0.0
    assert report.unread["existence"] == 3
    whole = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    lines = whole["answers.jsonl"].splitlines(keepends=True)

    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "answers.jsonl").write_bytes(b"".join(lines[:20]) + lines[20][:10])
    sent = len(mock)
    with pytest.warns(UserWarning, match="half-written"):
        Probe("mockllm/model", SAMPLED, tmp_path / "two", Silent()).run(ASKED, FOUND)
    assert {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()} == whole
    assert len(mock) - sent < sent


def test_another_seed_in_the_same_folder_is_refused(tmp_path: Path, mock: list[str]) -> None:
    Probe("mockllm/model", SAMPLED, tmp_path, Silent()).run(ASKED, FOUND)
    other = SAMPLED.model_copy(update={"seed": 1})
    with pytest.raises(UsageError, match="was made with settings"):
        Probe("mockllm/model", other, tmp_path, Silent()).run(ASKED, FOUND)
    assert json.loads((tmp_path / "probe.manifest.json").read_text())["complete"]


def test_a_model_without_probabilities_is_not_taken_at_its_word(tmp_path: Path, mock: list[str]) -> None:
    settings = ProbeSettings(scoring="likelihood")
    with pytest.raises(ModelUnavailable, match="--scoring samples"):
        Probe("mockllm/model", settings, tmp_path, Silent()).run(ASKED, FOUND)


def test_answers_to_other_prompts_are_refused(tmp_path: Path, mock: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    Probe("mockllm/model", SAMPLED, tmp_path, Silent()).run(ASKED, FOUND)
    monkeypatch.setattr(room, "existence_prompt", lambda library, name: Prompt(f"Is {name} in {library}?", 0))
    with pytest.raises(UsageError, match="was made with prompts"):
        Probe("mockllm/model", SAMPLED, tmp_path, Silent()).run(ASKED, FOUND)
