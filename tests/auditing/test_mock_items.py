"""Answers of nobody to items: right on old APIs, and on new ones where documentation is shown."""

import pytest

from apigap.auditing.mock_items import item_replies
from apigap.benchmarks.items.asking import code_request, request_of
from apigap.benchmarks.items.readings import read
from apigap.benchmarks.items.verdict import verdict
from apigap.models.extraction import extract_code
from apigap.models.generate import MOCK_MODEL, Generator
from apigap.models.request import Decoding, GenerationRequest
from apigap.records.configuration import load_settings
from apigap.records.questions.ladder import LadderItem
from tests.benchmarks.items.made import CALL, CHOICE, EFFECT, EXISTS, INVENTED, OPTIONS, PARAMETERS, VALUE, item
from tests.records.test_task import make_task

SETTINGS = load_settings().generation

OLD = item(
    rung="signature", form="choice", group="control", api_name="lib.old", options=OPTIONS, right=1,
    change="unchanged", question="Which parameters does `lib.old` of the Python library lib have?",
)  # fmt: skip
WRITTEN = item(
    rung="signature", form="parameters", group="control", api_name="lib.old", change="unchanged",
    truth=("rows", "margins"), begin="```python\ndef old(", question="Write the signature of `lib.old`.",
)  # fmt: skip
OLD_CALL = item(
    rung="call", form="code", group="control", api_name="lib.old", change="unchanged", question="Use `lib.old`.",
    task=make_task(api_name="lib.old", description="Use `lib.old`.", masked_region="y = lib.old(3)\n"),
)  # fmt: skip
REPLY = item_replies([CHOICE, EXISTS, INVENTED, OLD, WRITTEN, PARAMETERS, EFFECT, VALUE, CALL, OLD_CALL], SETTINGS)


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
        (EFFECT, None, 0.0),
        (VALUE, None, 0.0),
        (VALUE, "Parameters: rows", 1.0),
        (EFFECT, "Parameters: rows", 1.0),
    ],
)
def test_who_knows_what(asked: LadderItem, knowledge: str | None, score: float) -> None:
    request = request_of(asked, knowledge, "letters")
    assert isinstance(request, GenerationRequest)
    with Generator(MOCK_MODEL, Decoding(), cache=False, reply=REPLY) as generator:
        answer = generator.answer(request)[0].text
    assert verdict(asked, read(answer, asked)).score == score


@pytest.mark.parametrize(
    ("asked", "knowledge", "knows"),
    [(OLD_CALL, "", True), (CALL, "", False), (CALL, "Parameters: rows", True), (OLD_CALL, "Parameters: rows", True)],
)
def test_who_can_write_a_call(asked: LadderItem, knowledge: str, knows: bool) -> None:
    assert asked.task is not None
    request = code_request(asked, asked.task, knowledge, "letters", SETTINGS, None)
    with Generator(MOCK_MODEL, Decoding(), cache=False, reply=REPLY) as generator:
        answer = generator.answer(request)[0].text
    wanted = asked.task.masked_region.strip() if knows else "pass"
    assert extract_code(answer, asked.task.context_code).code.strip() == wanted


def test_other_prompts_get_no_answer() -> None:
    assert REPLY("Write a haiku.") == "I cannot say."
