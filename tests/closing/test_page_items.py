"""Single questions about what was closed: which are asked, and what is shown before them."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from apigap.closing.asker import rates_of
from apigap.closing.page_items import ItemAsker
from apigap.closing.pieces import page_of
from apigap.closing.summing_up import MeasuredWay, way_row
from apigap.evaluation.answers import OnAnswer
from apigap.models.request import Answer, GenerationRequest
from apigap.records.configuration import load_settings
from apigap.records.knowledge import Exemplar
from apigap.records.progress import Unseen
from apigap.records.store import write_records
from apigap.reporting.closing_model import ClosingReport
from apigap.reporting.render import render_closing
from tests.benchmarks.items.made import CALL, CHOICE, EFFECT, EXISTS, INVENTED, VALUE
from tests.knowledge.test_conditions import bundle

PIVOT = bundle(api_name="lib.pivot")


class Reader(AbstractContextManager["Reader"]):
    """A model that knows the value where a page is shown."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def generate(self, requests: Sequence[GenerationRequest], on_answer: OnAnswer) -> None:
        for request in requests:
            text = "\n".join(message.content for message in request.messages())
            self.prompts.append(text)
            right = VALUE.truth[0] if "What is" in text and "# lib.pivot" in text else "I cannot say."
            on_answer(request.key, 0, Answer(text=right, stop_reason="stop", input_tokens=len(text), output_tokens=1))

    def __exit__(self, *_: object) -> None:
        """Nothing is held."""


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    path = tmp_path / "items.jsonl"
    control = VALUE.model_copy(update={"group": "control", "task_id": ""})
    write_records(path, [EXISTS, INVENTED, CHOICE, VALUE, type(VALUE).model_validate(control.model_dump())])
    return [path]


def test_items_that_a_page_does_not_answer_are_asked_with_and_without_it(files: list[Path], tmp_path: Path) -> None:
    model: Any = Reader()
    asker = ItemAsker("mockllm/model", files, {"lib.pivot": PIVOT}, tmp_path / "items", load_settings())
    assert asker.items == [VALUE]
    make: Any = lambda name, decoding: model  # noqa: E731
    engine: Any = None  # no code is among them
    without = asker.results("baseline", {}, engine, Unseen(), make)
    page = {"lib.pivot": page_of(PIVOT, ["signature"])}
    with_it = asker.results("smallest", page, engine, Unseen(), make)
    assert (rates_of(without)[VALUE.task_id], rates_of(with_it)[VALUE.task_id]) == (0.0, 1.0)
    assert [("Parameters:" in prompt) for prompt in model.prompts] == [False, True]
    asker.results("smallest", page, engine, Unseen(), make)
    assert len(model.prompts) == 2
    row = way_row(
        MeasuredWay("smallest", "page", asker.folder("smallest"), "mockllm/model", with_it), [VALUE], rates_of(without)
    )
    assert (str(row.passed), row.gain, str(row.closed)) == ("1 of 1", 1.0, "1 of 1")
    report = ClosingReport(title="t", model="m", seed=0, ways=(), texts=(), known=0, items=(row,))
    assert "Single questions about the same APIs" in render_closing(report)


def test_an_item_that_an_example_answers_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    write_records(path, [EFFECT, VALUE, CALL])
    example = Exemplar(code="y = lib.pivot(2)", status="executed", source="docs")
    shown = PIVOT.model_copy(update={"exemplars": (example,)})
    for known, asked in ((PIVOT, [EFFECT, VALUE, CALL]), (shown, [CALL])):
        asker = ItemAsker("mockllm/model", [path], {"lib.pivot": known}, tmp_path, load_settings())
        assert {item.task_id for item in asker.items} == {item.task_id for item in asked}
    assert ItemAsker("mockllm/model", [path], {"lib.other": PIVOT}, tmp_path, load_settings()).items == []
