"""Lines of changelogs that name an API, under the heading of their version."""

import pytest

from apigap.discovery.evidence.changelog import Notes, notes_in


@pytest.mark.parametrize(
    ("text", "where", "found"),
    [
        (
            "# Changelog\n\n## 0.28.1 (6th December)\n\n* Fix `a.b()` and `c`.\n",
            "CHANGELOG.md",
            [("0.28.1", "a.b", "c")],
        ),
        ("## [v2.13.3] - 2026\n* Add `lib.f` by @x\n", "HISTORY.md", [("2.13.3", "lib.f")]),
        ("Version 3.1.3\n-------------\n\n-   ``f`` is there.\n", "CHANGES.rst", [("3.1.3", "f")]),
        ("NumPy 2.4.0 Notes\n=================\n* New :func:`~numpy.x`\n", "doc/release.rst", [("2.4.0", "numpy.x")]),
        (
            ".. changelog::\n    :version: 2.0.49\n\n    .. change::\n        Added :meth:`_orm.Session.get`\n",
            "doc/changelog_20.rst",
            [("2.0.49", "Session.get")],
        ),
        ("Backwards\n=========\nIn 1.2 ``f`` was other.\n", "docs/releases/5.0.txt", [("5.0", "f")]),
        ("Python 3.12 support\n-------------------\n``f``\n", "doc/source/release/1.13.0-notes.rst", [("1.13.0", "f")]),
        ("No heading, ``f``\n", "CHANGES.rst", []),
        ("1.0\n---\nWords alone.\n", "CHANGES.rst", []),
    ],
)
def test_lines_and_their_versions(text: str, where: str, found: list[tuple[str, ...]]) -> None:
    assert [(note.version, *note.names) for note in notes_in(text, where)] == found


def test_notes_are_found_by_any_of_the_names() -> None:
    notes = Notes()
    for note in notes_in("1.0\n---\n``f`` and ``g``\n\n1.1\n---\n``g``\n", "CHANGES.rst"):
        notes.add(note)
    assert [note.version for note in notes.about(("lib.g", "g"))] == ["1.0", "1.1"]
    assert [note.where for note in notes.about(("f",))] == ["CHANGES.rst:3"]
    assert notes.about(("h",)) == []
