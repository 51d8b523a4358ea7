"""What nobody sees is written out, the same on Python's pages as on the review's."""

import re
from importlib.resources import files

import pytest

from apigap.models.invisible_characters import UNSEEN
from apigap.reporting.text import visible

WRITTEN = [
    ("\x1b[31mred", "\\x1b[31mred"),
    ("soft\u00adhyphen", "soft\\xadhyphen"),
    ("turned\u202eback", "turned\\u202eback"),
    ("mark\u061c", "mark\\u061c"),
    ("line\u2028end", "line\\u2028end"),
    ("half \ud83d", "half \\ud83d"),
    ("tag\U000e0041", "tag\\U000e0041"),
    ("tab\tand\nline", "tab\tand\nline"),
    ("Škofja Loka 東京 ❤\ufe0f 🚢", "Škofja Loka 東京 ❤\ufe0f 🚢"),
]


@pytest.mark.parametrize(("text", "wanted"), WRITTEN)
def test_what_nobody_sees_is_written_out(text: str, wanted: str) -> None:
    assert visible(text) == wanted


def test_the_review_hides_the_same_characters() -> None:
    page = (files("apigap.apibank_generator.review_page") / "static" / "page.js").read_text("utf-8")
    found = re.search(r"const HIDDEN = new RegExp\((.*?), \"gu\"\);", page, re.DOTALL)
    assert found is not None
    pattern = "".join(re.findall(r'"(.*?)"', found[1]))
    told = re.sub(r"\\\\u\{?([0-9a-f]{4,5})\}?", lambda code: chr(int(code[1], 16)), pattern)
    assert told == UNSEEN.pattern
