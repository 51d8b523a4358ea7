"""The files that training tools read: each in its own form, each with the same dialogues in it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from apigap.apibank_generator.formats.conversations import in_order, share_gpt
from apigap.apibank_generator.formats.conversations import trl as as_trl
from apigap.apibank_generator.formats.files import convert, training_files
from apigap.apibank_generator.formats.released import rows_of
from apigap.apibank_generator.records import ABILITIES, SEARCH, Dialogue, Tool
from apigap.apibank_generator.run import Folder
from apigap.benchmarks.apibank.dialogues import OWN, load_steps
from apigap.benchmarks.apibank.interfaces import load_interfaces
from apigap.benchmarks.apibank.prompts import Prompter
from apigap.benchmarks.apibank.scoring.released import find_call
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.store import load_records
from tests.benchmarks.apibank.conftest import published as published

Run = tuple[Folder, dict[str, Any]]


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def accepted(run: Run) -> list[Dialogue]:
    return [one for one in load_records(run[0].dialogues, Dialogue) if one.verdict.accepted]


def released(run: Run, name: str) -> list[dict[str, str]]:
    return json.loads((run[0].formats / "released" / name).read_text("utf-8"))


def test_the_released_form_has_a_row_per_call_and_reply(run: Run) -> None:
    dialogues = accepted(run)
    steps = dict.fromkeys(("call", "retrieve+call", "plan+retrieve+call"), 0)
    replies = dict(steps)
    for one in dialogues:
        steps[one.ability] += len(one.steps)
        replies[one.ability] += len(one.exchanges)
    for level, ability in zip(("lv1", "lv2", "lv3"), steps, strict=True):
        assert len(released(run, f"{level}-api-train.json")) == steps[ability]
        assert len(released(run, f"{level}-response-train.json")) == replies[ability]


def test_the_evaluator_reads_every_call_of_the_released_form(run: Run) -> None:
    calls = [row for level in ("lv1", "lv2", "lv3") for row in released(run, f"{level}-api-train.json")]
    wanted = [step for one in accepted(run) for step in one.steps]
    found = [find_call(row["output"]) for row in calls]
    assert sorted(one.name for one in found if one) == sorted(step.api for step in wanted)


def test_who_has_to_search_is_told_of_the_search_alone(run: Run) -> None:
    for level in ("lv2", "lv3"):
        for row in released(run, f"{level}-api-train.json"):
            described = row["instruction"].partition("API descriptions:")[2] + row["input"].partition("User:")[0]
            (told,) = [line for line in described.splitlines() if line]
            assert SEARCH in told


def test_a_plan_is_asked_for_as_the_evaluation_asks(run: Run) -> None:
    system, asked = Prompter(load_interfaces(OWN)).messages(load_steps(OWN)[0])
    plans = [one for one in lines(run[0].formats / "inspect.jsonl") if one["metadata"]["ability"] == ABILITIES[2]]
    first = next(one for one in plans if one["metadata"]["kind"] == "call")
    assert first["input"][0]["content"] == system.content
    assert re.sub("User: .*", "", first["input"][1]["content"]) == re.sub("User: .*", "", asked.content)


def test_trl_conversations(run: Run) -> None:
    rows = lines(run[0].formats / "trl.jsonl")
    assert len(rows) == 60
    for row, one in zip(rows, accepted(run), strict=True):
        called = [m["tool_calls"][0]["function"] for m in row["messages"] if m.get("tool_calls")]
        assert [(c["name"], c["arguments"]) for c in called] == [(s.api, s.arguments) for s in one.steps]
        assert {c["name"] for c in called} <= {tool["function"]["name"] for tool in row["tools"]}
        assert [m["content"] for m in row["messages"] if m["role"] == "user"] == [e.user for e in one.exchanges]
        assert row["messages"][-1] == {"role": "assistant", "content": one.exchanges[-1].reply}


def test_arguments_stand_in_the_order_of_their_declaration(run: Run) -> None:
    tools = {tool.name: tool for tool in load_records(run[0].tools, Tool)}
    for row in lines(run[0].formats / "trl.jsonl"):
        for message in row["messages"]:
            for called in message.get("tool_calls", ()):
                given = called["function"]
                if given["name"] != SEARCH:
                    declared = [value.name for value in tools[given["name"]].inputs]
                    assert list(given["arguments"]) == [name for name in declared if name in given["arguments"]]
            if message["role"] == "tool" and message["name"] == SEARCH:
                found = json.loads(message["content"])
                assert list(found) == ["name", "description", "input_parameters", "output_parameters"]


def test_share_gpt_conversations(run: Run) -> None:
    turns = {"human": "user", "function_call": "assistant", "observation": "tool", "gpt": "assistant"}
    for row, trl in zip(lines(run[0].formats / "sharegpt.jsonl"), lines(run[0].formats / "trl.jsonl"), strict=True):
        assert [turns[turn["from"]] for turn in row["conversations"]] == [m["role"] for m in trl["messages"]]
        assert [tool["name"] for tool in json.loads(row["tools"])] == [t["function"]["name"] for t in trl["tools"]]


def test_inspect_reads_its_dataset(run: Run) -> None:
    dataset = pytest.importorskip("inspect_ai.dataset")
    samples = list(dataset.json_dataset(str(run[0].formats / "inspect.jsonl")))
    assert len(samples) == run[1]["rows"]["inspect.jsonl"] == run[1]["rows"]["prompts.jsonl"]
    assert len({sample.id for sample in samples}) == len(samples)
    assert {sample.metadata["kind"] for sample in samples} == {"call", "reply"}
    assert [message.role for message in samples[0].input] == ["system", "user"]


def test_a_completion_is_the_answer_alone(run: Run) -> None:
    for row in lines(run[0].formats / "prompts.jsonl"):
        (answer,) = row["completion"]
        assert answer["role"] == "assistant"
        is_call = answer["content"].startswith("API-Request: [")
        assert row["prompt"][1]["content"].endswith("Generate API Request:\n" if is_call else "Generate AI Response:\n")
        assert answer["content"] not in row["prompt"][1]["content"].splitlines()[-2:]
        assert not answer["content"].startswith("AI:")


def test_the_card_counts_in_the_papers_terms(run: Run) -> None:
    card = (run[0].path / "card.md").read_text("utf-8")
    dialogues = accepted(run)
    turns, calls = sum(len(one.exchanges) for one in dialogues), sum(len(one.calls) for one in dialogues)
    for row in ("| domains | 10 | 1000 |", "| APIs called | 20 | 2138 |", "| dialogues | 60 | 1888 |",
                f"| turns of the user | {turns} | 5221 |", f"| API calls | {calls} | 4149 |",
                "| dialogues with several calls | 21 |"):  # fmt: skip
        assert row in card
    assert (run[0].path / "card.png").stat().st_size > 10_000


def test_the_released_training_files_become_prompts(published: Path, tmp_path: Path) -> None:
    files = training_files(published)
    assert [path.name for path in files] == ["lv3-api-train.json", "lv3-response-train.json"]
    assert convert(files, tmp_path / "train.jsonl") == 907 + 338
    rows = lines(tmp_path / "train.jsonl")
    system = {row["prompt"][0]["content"] for row in rows}
    assert len(system) == 2
    assert not any("{{time}}" in text for text in system)
    assert all(row["prompt"][1]["content"].startswith("User: ") for row in rows)
    assert sum(row["completion"][0]["content"].startswith("API-Request:") for row in rows) == 907
    assert not any(row["completion"][0]["content"].startswith("AI:") for row in rows)


@pytest.mark.parametrize(
    "text", ["[{}]", '{"instruction": ""}', "no", '[{"instruction": 1, "input": "", "output": ""}]']
)
def test_what_is_no_training_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x-train.json"
    path.write_text(text)
    with pytest.raises(CorruptRecord, match="is no training file"):
        convert([path], tmp_path / "out.jsonl")
    with pytest.raises(UsageError, match="nowhere does not exist"):
        training_files(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="empty has no training file"):
        training_files(tmp_path / "empty")


def test_a_call_that_failed_or_found_nothing_is_in_every_form(run: Run) -> None:
    tools = {tool.name: tool for tool in load_records(run[0].tools, Tool)}
    one = next(one for one in accepted(run) if one.ability == "call" and len(one.steps) == 1)
    step, output = one.steps[0], tools[one.steps[0].api].outputs[0]
    failed = {"exception": "The entry does not exist."}
    for result, shown in ((failed, "The entry does not exist."), ({output.name: None}, f"{{'{output.name}': None}}")):
        changed = one.exchanges[0].model_copy(update={"steps": (step.model_copy(update={"result": result}),)})
        told = in_order(one.model_copy(update={"exchanges": (changed,)}), tools)
        *_, (_, row) = rows_of(told, tools)
        assert f"->{shown}\n" in row["input"]
        assert json.loads(as_trl(told, tools)["messages"][2]["content"]) == result
        assert json.loads(share_gpt(told, tools)["conversations"][2]["value"]) == result
