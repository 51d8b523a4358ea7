"""What is asked: the conversation as the published prompts write it, the APIs in a fixed order, and their schemas."""

import json
from pathlib import Path

import pytest

from apigap.benchmarks.apibank.dialogues import Bank, Level, Task, load_bank
from apigap.benchmarks.apibank.interfaces import interface, load_interfaces, own_interfaces, schema
from apigap.benchmarks.apibank.prompts import Prompter
from apigap.benchmarks.apibank.registry import Registry
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.records.errors import CorruptRecord

OWN = load_bank(Path("own"))
LEVELS: tuple[Level, ...] = ("level-1", "level-2", "level-3")
POOLS = pytest.mark.parametrize("registry", [DIALOGUE, PLANNING], ids=["dialogue", "planning"])


def tasks(bank: Bank) -> dict[str, Task]:
    return {task.task_id: task for level in LEVELS for task in bank.tasks(level)}


def test_every_conversation_is_written_as_published(published: Path, bank: Bank) -> None:
    prompter, known = Prompter(load_interfaces(published)), tasks(bank)
    count = 0
    for level in ("level-1-api", "level-1-response", "level-2-api", "level-2-response"):
        for row in json.loads((published / "test-data" / f"{level}.json").read_text("utf-8")):
            instruction, asked = prompter.messages(known[f"{row['file']}#{row['id']}"])
            assert asked.content == row["input"]
            assert sorted(described(instruction.content)) == sorted(described(row["instruction"]))
            count += 1
    for name in ("level-3-batch-inf", "level-3-batch-inf-response"):
        for row in json.loads((published / "test-data" / f"{name}.json").read_text("utf-8")):
            number = "response" if name.endswith("response") else row["api_id"]
            instruction, asked = prompter.messages(known[f"level-3-{row['sample_id']}#{number}"])
            told, _, conversation = row["input"].partition("\n")
            assert asked.content.rstrip() == conversation.rstrip()
            assert described(instruction.content) == [told]
            count += 1
    assert count == 399 + 375 + 135 + 103 + 245 + 50


def described(instruction: str) -> list[str]:
    return [line for line in instruction.splitlines() if line.startswith('{"')]


def test_a_prompt_from_end_to_end() -> None:
    prompter = Prompter(load_interfaces(OWN.data))
    known = tasks(OWN)
    instruction, asked = prompter.messages(known["balance-of-an-account.jsonl#2"])
    names = [json.loads(line)["name"] for line in described(instruction.content)]
    assert names == ["GetUserToken", "QueryBalance"]  # the registry's order
    assert "[ApiName(key1='value1', key2='value2', ...)]" in instruction.content
    assert asked.content.endswith(
        "API-Request: [GetUserToken(username='miriam', password='kestrel-42')]->{'token': 't0k3nmiriam'}\n"
        "AI: Thank you, miriam. One moment while I ask your bank.\nGenerate API Request:\n"
    )
    assert "The password is incorrect." in prompter.messages(known["wrong-password.jsonl#1"])[1].content


@pytest.mark.parametrize("task", tasks(OWN).values(), ids=tasks(OWN))
def test_no_prompt_holds_its_own_answer(task: Task) -> None:
    from apigap.benchmarks.apibank.judge import ApiBankJudge

    gold = ApiBankJudge(OWN).gold(task)
    for protocol in ("text", "native"):
        prompter = Prompter(load_interfaces(OWN.data), protocol)
        assert gold not in "\n".join(message.content for message in prompter.messages(task))


def test_native_prompts_describe_functions_and_ask_for_json() -> None:
    prompter = Prompter(load_interfaces(OWN.data), "native")
    instruction, asked = prompter.messages(tasks(OWN)["balance-of-an-account.jsonl#2"])
    told = [json.loads(line) for line in described(instruction.content)]
    assert [one["function"]["name"] for one in told] == ["GetUserToken", "QueryBalance"]
    assert "<tool_call>" in instruction.content
    call = '{"name": "GetUserToken", "arguments": {"username": "miriam", "password": "kestrel-42"}}'
    assert f'<tool_call>{call}</tool_call>->{{"token": "t0k3nmiriam"}}' in asked.content
    assert "API-Request" not in instruction.content + asked.content


@POOLS
def test_every_api_has_words_for_all_that_it_takes_and_gives(registry: Registry) -> None:
    for api in registry.apis.values():
        told = interface(api)
        assert list(told["input_parameters"]) == [given.name for given in api.inputs]
        assert all(parameter["description"] for parameter in told["input_parameters"].values())
        assert told["description"]


@POOLS
def test_every_schema_says_what_the_registry_says(registry: Registry) -> None:
    for api in registry.apis.values():
        made = schema(api)
        parameters = made["parameters"]
        assert parameters["required"] == [given.name for given in api.inputs if given.required]
        assert set(parameters["properties"]) == {given.name for given in api.inputs}
        assert all("type" in one and one["description"] for one in parameters["properties"].values())
        assert json.loads(json.dumps(made)) == made


def test_a_schema_takes_the_words_of_its_data() -> None:
    api = DIALOGUE.apis["AddMeeting"]
    told = {"name": "AddMeeting", "description": "Books.", "input_parameters": {"token": {"description": "Who."}}}
    made = schema(api, told)
    assert made["description"] == "Books."
    assert made["parameters"]["properties"]["token"] == {"type": "string", "description": "Who."}
    assert made["parameters"]["properties"]["attendees"] == {
        "type": "array", "items": {"type": "string"}, "description": "Who comes, a list of names.",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["{", "[]", '{"level-1-2": {}}', '{"level-1-2": {"A": 1}, "level-3": {}}'])
def test_a_broken_file_of_interfaces_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "api_specs.json").write_text(text)
    with pytest.raises(CorruptRecord, match=r"api_specs\.json"):
        load_interfaces(tmp_path)


def test_our_own_interfaces_are_those_of_the_package_data() -> None:
    assert load_interfaces(OWN.data) == own_interfaces()
