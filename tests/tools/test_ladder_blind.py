"""Questions on paper: what gives another away is in another part, and answers find their items again."""

import json
from pathlib import Path

from tools.ladder.blind import chosen, part_of, read, write

from apigap.benchmarks.items.benchmark import Items, ItemsOptions
from apigap.records.configuration import load_settings
from apigap.records.questions.ladder import LadderItem
from apigap.records.store import write_records
from tests.benchmarks.items.made import CALL, CHOICE, EFFECT, EXISTS, INVENTED, PARAMETERS, item


def twin_of(one: LadderItem) -> LadderItem:
    return LadderItem.model_validate({**one.model_dump(exclude={"task_id"}), "group": "twin", "twin": "lib.turn"})


TWIN = twin_of(PARAMETERS)
OLD = item(
    rung="signature", form="parameters", group="control", api_name="lib.old", subject="lib.old", truth=("a",),
    begin="```python\ndef old(", question="Write the signature of `lib.old`.",
)  # fmt: skip
ALL = [EXISTS, INVENTED, CHOICE, PARAMETERS, TWIN, EFFECT, CALL, OLD]


def test_no_part_gives_another_away() -> None:
    assert {part_of(EXISTS), part_of(INVENTED)} == {"exists-1", "exists-2"}
    assert len({part_of(one) for one in (EXISTS, INVENTED, CHOICE, PARAMETERS, EFFECT, CALL)}) == 6
    assert part_of(twin_of(CHOICE)) == "choice-twins"


def test_only_pairs_in_one_order_are_printed() -> None:
    second = CHOICE.model_copy(update={"order": 2})
    alone = CHOICE.model_copy(update={"pair": "lib.alone"})
    assert chosen([*ALL, second, alone], 5) == ALL
    assert chosen(ALL, 0) == []


def test_answers_come_back_to_all_items_that_ask_the_same(tmp_path: Path) -> None:
    write_records(tmp_path / "lib.jsonl", ALL)
    benchmark = Items(ItemsOptions.of(items=(tmp_path / "lib.jsonl",), way="letters"), load_settings())
    out, answers = tmp_path / "out", tmp_path / "answers"
    out.mkdir()
    answers.mkdir()
    keys = write(ALL, benchmark, out)
    assert sorted(len(key.task_ids) for key in keys) == [1] * (len(ALL) - 2) + [2]  # the twin asks the same
    for key in keys:
        assert f"## {key.id}\n" in (out / f"{key.part}.md").read_text()
    said = {"parameters": "def pivot(rows, margins):", "choice": "C"}
    for part, answer in said.items():
        lines = [json.dumps({"id": key.id, "answer": answer}) for key in keys if key.part == part]
        (answers / f"{part}.jsonl").write_text("\n".join(lines))
    found = {one.task_id: one.samples[0] for one in read(keys, answers)}
    assert found[CHOICE.task_id] == "C"
    assert found[PARAMETERS.task_id] == found[TWIN.task_id] == said["parameters"]
    assert EXISTS.task_id not in found
