"""Evidence from the changelog: which of its lines make an API public that nothing else marks."""

import pytest

from apigap.discovery.evidence.announced import with_announced
from apigap.discovery.evidence.changelog import Note
from apigap.discovery.evidence.documents import Documents
from apigap.discovery.surface import Entry, Surface


@pytest.mark.parametrize(
    ("line", "names", "old", "new"),
    [
        ("``lib.m.get_it()`` is deprecated", ("lib.m.get_it",), True, True),
        ("``m.get_it()`` is removed", ("m.get_it",), True, True),
        ("Added ``m.get_it()``", ("m.get_it",), False, True),
        ("``get_it()`` is deprecated", ("get_it",), False, False),
        ("``m.get_it()`` is faster", ("m.get_it",), False, False),
    ],
)
def test_a_dotted_name_that_came_or_went(line: str, names: tuple[str, ...], old: bool, new: bool) -> None:
    documents = Documents()
    documents.notes.add(Note("2.0", names, line, "CHANGES:1", whole=line))
    entry = Entry(name="lib.m.get_it", kind="function", paths=("lib.m.get_it",))
    before, after = (Surface(library="lib", version=version, entries=(entry,)) for version in ("1.0", "2.0"))
    for surface, expected in zip(with_announced(before, after, documents), (old, new), strict=True):
        (found,) = surface.entries
        assert [evidence.where for evidence in found.evidence] == ["CHANGES:1"] * expected
