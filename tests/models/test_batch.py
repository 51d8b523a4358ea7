"""A model behind a folder: requests go out, answers come back in any order, in rounds, twice, or not at all."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner

from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.evaluation.answers import collect
from apigap.models.extraction import extract_code
from apigap.models.generate import Generator, describe
from apigap.models.model_facts import scores_options
from apigap.models.request import Decoding, GenerationRequest, Message, ToolCall, tool_of_text
from apigap.models.transcripts import Transcripts
from apigap.records.errors import AnswersAwaited, ApigapWarning, CorruptRecord, UsageError
from apigap.records.result import Prediction


@pytest.fixture
def queue(tmp_path: Path) -> Path:
    return tmp_path / "queue" / "gpt-4o"


def ask(queue: Path, count: int = 3, **fields: Any) -> dict[str, Prediction]:
    requests = [GenerationRequest(**{"key": f"t{n}", "prompt": f"prompt {n}", **fields}) for n in range(count)]
    with Generator(f"batch/{queue}", Decoding(max_tokens=64)) as generator:
        return collect({queue.parent / "answers.jsonl": requests}, generator.generate, {}, lambda done, of: None)


def lines(queue: Path, number: int = 1) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (queue / f"requests-{number:03}.jsonl").read_text().splitlines()]


def openai(name: str, text: str, finish: str = "stop", status: int = 200) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
    body = {"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    told = body if status == 200 else {"error": {"message": text, "code": None}}
    return {"id": "b1", "custom_id": name, "response": {"status_code": status, "body": told}, "error": None}


def anthropic(name: str, text: str, ending: str = "end_turn") -> dict[str, Any]:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
    message = {"content": parts, "stop_reason": ending, "usage": {"input_tokens": 7, "output_tokens": 3}}
    return {"custom_id": name, "result": {"type": "succeeded", "message": message}}


def put(queue: Path, *answers: dict[str, Any], name: str = "output.jsonl") -> None:
    (queue / name).write_text("".join(json.dumps(answer) + "\n" for answer in answers))


def test_requests_are_written_in_both_formats_and_asked_for_once(queue: Path) -> None:
    for _ in range(2):
        with pytest.raises(AnswersAwaited, match=r"3 requests wait in .*requests-001\.jsonl") as found:
            ask(queue)
        assert found.value.exit_code == 0
    assert sorted(path.name for path in queue.iterdir()) == ["requests-001.anthropic.json", "requests-001.jsonl"]
    first = lines(queue)[0]
    assert (first["method"], first["url"]) == ("POST", "/v1/chat/completions")
    assert first["body"] == {
        "model": "gpt-4o", "messages": [{"role": "user", "content": "prompt 0"}], "max_completion_tokens": 64,
        "temperature": 0.0,
    }  # fmt: skip
    theirs = json.loads((queue / "requests-001.anthropic.json").read_text())["requests"]
    assert [one["custom_id"] for one in theirs] == [one["custom_id"] for one in lines(queue)]
    assert theirs[0]["params"]["max_tokens"] == 64


@pytest.mark.parametrize("form", [openai, anthropic, lambda name, text: {"id": name, "answer": text}])
def test_answers_of_any_format_in_any_order_are_read(queue: Path, form: Any) -> None:
    with pytest.raises(AnswersAwaited):
        ask(queue)
    names = [line["custom_id"] for line in lines(queue)]
    put(queue, *(form(name, f"answer {n}") for n, name in reversed(list(enumerate(names)))))
    found = ask(queue)
    assert [found[f"t{n}"].samples for n in range(3)] == [(f"answer {n}",) for n in range(3)]
    assert found["t0"].endings == ("stop",)
    (queue / "output.jsonl").unlink()
    assert ask(queue) == found  # what was read is kept


def test_partial_answers_errors_and_endings(queue: Path) -> None:
    with pytest.raises(AnswersAwaited):
        ask(queue, 5)
    a, b, c, d, _ = (line["custom_id"] for line in lines(queue))
    too_long = openai(c, "This model's maximum context length is 8192 tokens", status=400)
    expired = {"custom_id": d, "result": {"type": "expired"}}
    put(queue, openai(a, "done"), openai(b, "cut", "length"), too_long, expired)
    with pytest.raises(AnswersAwaited, match=r"2 requests \(1 ended with an error, as: expired\).*requests-002\.jsonl"):
        ask(queue, 5)
    put(queue, *(openai(line["custom_id"], "later") for line in lines(queue, 2)), name="second.jsonl")
    found = ask(queue, 5)
    assert [found[f"t{n}"].endings[0] for n in range(5)] == ["stop", "length", "context", "stop", "stop"]
    assert [found[f"t{n}"].samples[0] for n in range(5)] == ["done", "cut", "", "later", "later"]


def test_strangers_and_doubles_are_noted(queue: Path) -> None:
    with pytest.raises(AnswersAwaited):
        ask(queue, 1)
    (name,) = (line["custom_id"] for line in lines(queue))
    put(queue, openai(name, "first"), openai(name, "second"), openai("r0", "whose?"))
    with pytest.warns(ApigapWarning) as told:
        assert ask(queue, 1)["t0"].samples == ("first",)
    assert ["twice" in str(one.message) for one in told] == [True, False]
    assert "r0" in str(told[1].message)


@pytest.mark.parametrize("line", ["{", "[]", '{"answer": "x"}', '{"id": "r1"}', "3"])
def test_a_line_that_is_no_answer_is_told_with_its_place(queue: Path, line: str) -> None:
    queue.mkdir(parents=True)
    (queue / "mine.jsonl").write_text(f"\n{line}\n")
    with pytest.raises(CorruptRecord, match=r"mine\.jsonl, line 2 is no answer"):
        ask(queue)


def test_samples_at_a_temperature_and_equal_prompts(queue: Path) -> None:
    with pytest.raises(AnswersAwaited):
        ask(queue, 2, samples=2, temperature=0.5)
    assert len({(line["custom_id"], line["body"]["seed"]) for line in lines(queue)}) == 4
    same = [GenerationRequest(key=key, prompt="the same") for key in ("a", "b")]
    with pytest.raises(AnswersAwaited, match="1 requests"):
        Generator(f"batch/{queue}").generate(same, lambda *_: None)


def test_a_begun_answer_a_system_message_and_a_model_of_fixed_temperature(queue: Path) -> None:
    told = (
        Message(role="system", content="s"),
        Message(role="user", content="u"),
        Message(role="assistant", content="x = "),
    )
    request = GenerationRequest(key="a", prompt=told)
    folder = queue.with_name("gpt-5")
    with pytest.raises(AnswersAwaited):
        Generator(f"batch/{folder}").answer(request)
    (line,) = lines(folder)
    assert "temperature" not in line["body"]
    params = json.loads((folder / "requests-001.anthropic.json").read_text())["requests"][0]["params"]
    assert (params["system"], [turn["role"] for turn in params["messages"]]) == ("s", ["user", "assistant"])
    put(folder, openai(line["custom_id"], "1"))
    assert Generator(f"batch/{folder}").answer(request)[0].text == "x = 1"


class Form(BaseModel):
    name: str


def test_an_author_goes_on_round_by_round(queue: Path, tmp_path: Path) -> None:
    def rounds() -> str:
        with Transcripts(f"batch/{queue}", Decoding(), tmp_path / "calls.jsonl") as calls:
            (first,) = calls.ask([GenerationRequest(key="one", prompt="write")], Form)
            (second,) = calls.ask([GenerationRequest(key="two", prompt=f"better than {first.answer}")], Form)
            return second.answer

    for number, text in ((1, "good"), (2, "best")):
        with pytest.raises(AnswersAwaited):
            rounds()
        (line,) = lines(queue, number)
        assert line["body"]["response_format"]["json_schema"]["name"] == "Form"
        put(queue, openai(line["custom_id"], text), name=f"output-{number}.jsonl")
    assert rounds() == "best"


def test_a_person_with_a_chat_window_is_the_model(queue: Path, tmp_path: Path) -> None:
    with pytest.raises(AnswersAwaited):
        ask(queue, 2)
    sheet = tmp_path / "sheet.txt"
    run = CliRunner().invoke
    assert "2 prompts" in run(application(VERBS), ["prompts", "export", str(queue), "--out", str(sheet)]).stdout
    names = [line["custom_id"] for line in lines(queue)]
    filled = sheet.read_text().replace(
        f"answer to {names[0]} below =====\n", f"answer to {names[0]} below =====\nyes\n"
    )
    sheet.write_text(filled)
    assert f"answers in {queue}: 1;" in run(application(VERBS), ["prompts", "import", str(queue), str(sheet)]).stdout
    with pytest.raises(AnswersAwaited, match="1 requests"):
        ask(queue, 2)
    (tmp_path / "rest.jsonl").write_text(json.dumps({"id": names[1], "answer": "no"}))
    run(application(VERBS), ["prompts", "import", str(queue), str(tmp_path / "rest.jsonl")])
    assert [found.samples for found in ask(queue, 2).values()] == [("yes",), ("no",)]
    empty = run(application(VERBS), ["prompts", "import", str(queue), str(tmp_path / "none.txt")])
    assert isinstance(empty.exception, UsageError)


def test_a_sheet_shows_the_tools_and_how_to_call_them(queue: Path, tmp_path: Path) -> None:
    """Who follows the example, and puts code into it, hands that code in."""
    earlier = ToolCall(id="1", name="look", arguments={"page": 3})
    turns = (
        Message(role="user", content="Write it."),
        Message(role="assistant", content="", calls=(earlier,)),
        Message(role="tool", content="a page", call_id="1"),
    )
    submit = tool_of_text("submit", "Hand in the lines.", "code", "The lines.")
    sheet = tmp_path / "sheet.txt"
    with pytest.raises(AnswersAwaited):
        ask(queue, 1, prompt=turns, tools=(submit,))
    CliRunner().invoke(application(VERBS), ["prompts", "export", str(queue), "--out", str(sheet)])
    text = sheet.read_text()
    assert 'calls look {"page": 3}' in text and "a page" in text
    assert "- submit: Hand in the lines." in text and '"description": "The lines."' in text
    shown = next(line for line in text.splitlines() if line.startswith("To call a tool")).partition("as: ")[2]
    sheet.write_text(text.replace("below =====\n", f"below =====\n{shown.replace('...', 'x = 1')}\n"))
    CliRunner().invoke(application(VERBS), ["prompts", "import", str(queue), str(sheet)])
    (given,) = ask(queue, 1, prompt=turns, tools=(submit,)).values()
    assert extract_code(given.samples[0]).code == "x = 1"


def test_what_is_no_answer_is_not_imported(queue: Path, tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_text('{"a": 1}\n')
    command = ["prompts", "import", str(queue), str(tmp_path / "odd.jsonl")]
    assert "holds no requests" in str(CliRunner().invoke(application(VERBS), command).exception)
    with pytest.raises(AnswersAwaited):
        ask(queue, 1)
    assert "answer 1 is none (it has no custom_id)" in str(CliRunner().invoke(application(VERBS), command).exception)
    assert not list(queue.glob("answers-*"))


def test_sheets_of_one_name_add_up_and_only_what_waits_is_exported(queue: Path, tmp_path: Path) -> None:
    def prompts(*words: str) -> str:
        done = CliRunner().invoke(application(VERBS), ["prompts", *words])
        assert done.exception is None, done.exception
        return done.stdout

    def export(*options: str) -> str:
        return prompts("export", str(queue), "--out", str(tmp_path / "sheet.txt"), *options)

    answers, waiting = tmp_path / "answers.jsonl", list[str]()
    for number, asked in enumerate((2, 3), 1):
        with pytest.raises(AnswersAwaited):
            ask(queue, asked)
        waiting = [line["custom_id"] for line in lines(queue, number)]
        assert f"{len(waiting)} prompts" in export()
        answers.write_text("".join(json.dumps({"id": name, "answer": f"to {name}"}) + "\n" for name in waiting))
        prompts("import", str(queue), str(answers))
    assert len(ask(queue, 3)) == 3
    (tmp_path / "sheet.txt").unlink()
    assert export().startswith(f"nothing waits in {queue}") and not (tmp_path / "sheet.txt").exists()
    assert json.loads(export("--json")) == {"prompts": 0, "waiting": 0, "file": None}
    assert "3 prompts" in export("--all")
    assert "to " + waiting[0] in (tmp_path / "sheet.txt").read_text()
    before = ask(queue, 3)
    prompts("import", str(queue), str(tmp_path / "sheet.txt"))  # a sheet with answers in it gives them back
    (queue.parent / "answers.jsonl").unlink()
    assert ask(queue, 3) == before


def test_a_folder_without_requests_has_no_sheet(queue: Path, tmp_path: Path) -> None:
    command = ["prompts", "export", str(queue), "--out", str(tmp_path / "sheet.txt")]
    failure = CliRunner().invoke(application(VERBS), command).exception
    assert isinstance(failure, UsageError) and f"--model batch/{queue}" in str(failure)


def test_what_a_folder_cannot_do_is_refused(tmp_path: Path) -> None:
    assert not scores_options("batch/x") and describe("batch/x")["backend"] == {"engine": "batch"}
    (tmp_path / "file").touch()
    for name in ("batch/", f"batch/{tmp_path}/file"):
        with pytest.raises(UsageError):
            Generator(name)


def test_models_are_loaded_in_one_place_alone() -> None:
    """So every role goes through every door: no caller has a way to a provider of its own."""
    import apigap

    root = Path(apigap.__file__).parent
    found = [path for path in root.rglob("*.py") if "import get_model" in path.read_text("utf-8")]
    assert [path.relative_to(root).as_posix() for path in found] == ["models/failures.py"]
