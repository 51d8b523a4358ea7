"""Answers of nobody to items: right on old APIs, and on new ones where documentation is shown."""

import pytest

from apigap.auditing.mock_items import item_replies
from apigap.benchmarks.items.asking import request_of
from apigap.benchmarks.items.readings import read
from apigap.benchmarks.items.verdict import verdict
from apigap.models.generate import MOCK_MODEL, Generator
from apigap.models.request import Decoding, GenerationRequest
from apigap.records.questions.ladder import LadderItem
from tests.benchmarks.items.made import CHOICE, EXISTS, INVENTED, OPTIONS, PARAMETERS, item

OLD = item(
    rung="signature", form="choice", group="control", api_name="lib.old", options=OPTIONS, right=1,
    change="unchanged", question="Which parameters does `lib.old` of the Python library lib have?",
)  # fmt: skip
WRITTEN = item(
    rung="signature", form="parameters", group="control", api_name="lib.old", change="unchanged",
    truth=("rows", "margins"), begin="```python\ndef old(", question="Write the signature of `lib.old`.",
)  # fmt: skip
REPLY = item_replies([CHOICE, EXISTS, INVENTED, OLD, WRITTEN, PARAMETERS])


@pytest.mark.parametrize(
    ("asked", "knowledge", "score"),
    [
        (OLD, None, 1.0),
        (WRITTEN, None, 1.0),
        (CHOICE, None, 0.0),
        (CHOICE, "Parameters: rows", 1.0),
        (PARAMETERS, None, 0.0),
        (PARAMETERS, "Parameters: rows", 1.0),  # the answer is begun, and what is shown stands before it
        (EXISTS, None, 1.0),  # whoever knows nothing says yes,
        (INVENTED, None, 0.0),  # to an invented name as well
        (INVENTED, "Parameters: rows", 1.0),
    ],
)
def test_who_knows_what(asked: LadderItem, knowledge: str | None, score: float) -> None:
    request = request_of(asked, knowledge, "letters")
    assert isinstance(request, GenerationRequest)
    with Generator(MOCK_MODEL, Decoding(), cache=False, reply=REPLY) as generator:
        answer = generator.answer(request)[0].text
    assert verdict(asked, read(answer, asked)).score == score


def test_other_prompts_get_no_answer() -> None:
    assert REPLY("Write a haiku.") == "I cannot say."
