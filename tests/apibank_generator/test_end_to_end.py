"""The whole generator without a model: sixty dialogues of three abilities, and the right reason for all others."""

from collections import Counter
from typing import Any

from apigap.apibank_generator.records import ABILITIES, AGENTS, Dialogue, Rejection, Tool
from apigap.apibank_generator.run import Folder
from apigap.records.store import load_records
from tests.apibank_generator.script import all_rows

Run = tuple[Folder, dict[str, Any]]


def dialogues_of(run: Run) -> list[Dialogue]:
    return load_records(run[0].dialogues, Dialogue)


def test_sixty_dialogues_of_three_abilities(run: Run) -> None:
    accepted = [dialogue for dialogue in dialogues_of(run) if dialogue.verdict.accepted]
    assert Counter(dialogue.ability for dialogue in accepted) == dict.fromkeys(ABILITIES, 20)
    assert run[1]["why"] is None
    assert len({dialogue.id for dialogue in dialogues_of(run)}) == len(dialogues_of(run))


def test_each_planted_fault_is_found_with_its_reason(run: Run) -> None:
    planted = Counter(row["fault"] for row in all_rows() if "fault" in row)
    found = Counter(dialogue.verdict.reason for dialogue in dialogues_of(run) if not dialogue.verdict.accepted)
    assert planted <= found
    assert set(found) == set(planted)
    others = Counter(rejection.reason for rejection in load_records(run[0].rejections, Rejection))
    wanted = {"domain_repeated": 2, "domain_name": 1, "empty_list": 1, "unreadable": 2}
    assert others == {**wanted, "api_name": 1, "api_of_evaluation": 1, "value_type": 1}


def test_every_record_says_which_prompt_and_call_it_is_from(run: Run) -> None:
    keys = {line.split('"key":"')[1][:16] for line in run[0].transcripts.read_text().splitlines()}
    for dialogue in dialogues_of(run):
        parts = [dialogue.provenance, dialogue.verdict.provenance, dialogue.query and dialogue.query.provenance]
        told = [part for part in parts if part is not None]
        assert told or dialogue.verdict.reason == "query_repeated"
        for part in told:
            assert part.transcript in keys
            assert part.prompt == f"{part.agent}.txt"
            assert part.version >= 1 and len(part.prompt_hash) == 16


def test_tokens_are_counted_per_agent_and_accepted_dialogue(run: Run) -> None:
    account = run[1]["account"]
    assert set(account["agents"]) == set(AGENTS)
    assert account["calls"] == len(run[0].transcripts.read_text().splitlines())
    assert account["tokens_per_accepted"] == round(account["tokens"] / 60)
    shares = run[1]["acceptance"]
    assert shares["tester"]["taken"] == 60
    assert shares["tester"]["made"] == shares["dialogue"]["taken"]
    assert shares["dialogue"]["made"] == shares["query"]["taken"]


def test_a_search_gives_the_interface_of_what_is_called_next(run: Run) -> None:
    tools = {tool.name for tool in load_records(run[0].tools, Tool)}
    plans = [dialogue for dialogue in dialogues_of(run) if dialogue.ability != "call" and dialogue.verdict.accepted]
    for dialogue in plans:
        found = [step.result["name"] for step in dialogue.steps if step.is_search]
        assert found == [step.api for step in dialogue.calls]
        assert set(found) <= tools
