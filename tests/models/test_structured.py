"""Reading a JSON answer: what models write around it, and what hostile text gives."""

import json
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from apigap.models.schemas.structured import UnreadableAnswer, read_answer


class Wanted(BaseModel):
    name: str
    lines: Annotated[list[str], Field(min_length=1)]


GOOD = {"name": "n", "lines": ["a", "b"]}
TEXT = json.dumps(GOOD)
READ = [
    ("alone", TEXT),
    ("in a block", f"Here it is:\n```json\n{TEXT}\n```\nDone."),
    ("in a block that stays open", f"```json\n{TEXT}"),
    ("between prose", f"Sure! {TEXT} I hope that helps {{smile}}."),
    ("after another object", f'{{"thought": "hm"}}\n{TEXT}'),
    ("with more than was asked for", json.dumps({**GOOD, "note": 1})),
    ("after a brace that opens nothing", "{ " + TEXT),
]


@pytest.mark.parametrize("text", [row[1] for row in READ], ids=[row[0] for row in READ])
def test_the_object_is_found(text: str) -> None:
    assert read_answer(text, Wanted) == Wanted(**GOOD)


def test_line_breaks_in_a_text_are_taken_as_they_are() -> None:
    assert read_answer('{"name": "a\nb", "lines": ["c"]}', Wanted).name == "a\nb"


UNREADABLE = [
    ("", "no opening brace"),
    ("no", "no opening brace"),
    ('{"name": "n", "lines": [', "no JSON object"),
    ("{'name': 'n'}", "double quotes"),
    ('{"name": "n"}', "lines: Field required"),
    ('{"name": "n", "lines": []}', "at least 1"),
    ('{"name": 3, "lines": ["a", null]}', "name: Input should be a valid string; lines.1"),
    ("[1, 2]", "no opening brace"),
    ("{" * 5000, "no JSON object"),
    ('{"a":' * 20_000, "no JSON object"),
    ('{"name": "' + "n" * 200_000 + '"}', "more than 100000"),
]


@pytest.mark.parametrize(("text", "says"), UNREADABLE)
def test_what_cannot_be_read_says_why(text: str, says: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        read_answer(text, Wanted)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 500


@given(st.text() | st.text(alphabet='{}[]":,`\\\n 1ae\ud800'))
def test_any_text_gives_an_object_or_a_reason(text: str) -> None:
    try:
        assert read_answer(text, Wanted).lines
    except UnreadableAnswer as error:
        assert str(error)
