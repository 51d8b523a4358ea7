"""Notes of a library on its versions, as second evidence on candidates."""

import pytest
from tools.discovery.second_evidence import second_evidence

from apigap.discovery.evidence.changelog import notes_in
from apigap.discovery.evidence.documents import Documents
from apigap.discovery.evidence.mentions import Mentions
from apigap.discovery.evidence.version_notes import sightings_on_page
from apigap.discovery.surface import Entry
from apigap.records.candidate import Candidate, Change, ChangeKind

CHANGELOG = """
2.0
---
New ``numpy.some_function`` and ``np.other``, and ``Klass.method``.

1.0
---
``numpy.some_function`` was thought of.
"""


def candidate(name: str, change: ChangeKind = "added", changes: tuple[Change, ...] = ()) -> Candidate:
    return Candidate(
        api_name=name, kind="function", library="numpy", old_version="1.0", new_version="2.0", change=change,
        signature=None, changes=changes, import_module="numpy",
    )  # fmt: skip


def mentioned(
    entry: Entry, page: str = "", change: ChangeKind = "added", changes: tuple[Change, ...] = ()
) -> Candidate:
    documents = Documents()
    documents.sightings += sightings_on_page(page, ("numpy",), "doc/a.rst")
    for note in notes_in(CHANGELOG, "CHANGES.rst"):
        documents.notes.add(note)
    same = [entry, Entry(name="numpy.b.common", kind="function", paths=("numpy.b.common",))]
    return next(Mentions(same, documents, "1.0", "2.0").add_to([candidate(entry.name, change, changes)]))


def entry(name: str, docstring: str | None = None, paths: tuple[str, ...] = ()) -> Entry:
    return Entry(name=name, kind="function", paths=(name, *paths), docstring=docstring)


@pytest.mark.parametrize(
    ("name", "docstring", "page", "verdict"),
    [
        ("numpy.a.f", "Do f.\n\n.. versionadded:: 1.5", "", "agrees"),
        ("numpy.a.f", "Do f.\n\n.. versionadded:: 0.5", "", "contradicts"),
        ("numpy.a.f", "Do f.\n\n.. versionchanged:: 0.5", "", "contradicts"),
        ("numpy.a.f", "Do f.\n\n.. deprecated:: 0.5", "", "silent"),
        ("numpy.a.f", "Do f.\n\n.. versionadded:: 3.0", "", "silent"),
        ("numpy.a.f", "Do f.", "", "silent"),
        ("numpy.a.f", None, ".. function:: numpy.a.f(x)\n\n   .. versionadded:: 1.5", "agrees"),
        ("numpy.some_function", None, "", "agrees"),
        ("numpy.a.Klass.method", None, "", "agrees"),
        ("numpy.other", None, "", "agrees"),
        ("numpy.a.common", None, "", "silent"),
    ],
)
def test_added(name: str, docstring: str | None, page: str, verdict: str) -> None:
    assert second_evidence(mentioned(entry(name, docstring), page)) == verdict


@pytest.mark.parametrize(
    ("docstring", "verdict"),
    [
        ("Do f.\n\n:param a: one\n  .. versionadded:: 1.5", "agrees"),
        ("Do f.\n\n:param a: one\n  .. versionadded:: 0.5", "contradicts"),
        ("Do f.\n\n:param b: one\n  .. versionadded:: 1.5", "silent"),
        ("Do f.\n\n.. versionchanged:: 1.5\n   Faster.", "agrees"),
        ("Do f.\n\n.. versionadded:: 0.5", "silent"),
    ],
)
def test_modified_by_an_added_parameter(docstring: str, verdict: str) -> None:
    change = Change(what="parameter added", parameter="a", new="a")
    assert second_evidence(mentioned(entry("numpy.a.f", docstring), "", "modified", (change,))) == verdict


def test_what_is_kept_of_a_changelog() -> None:
    found = mentioned(entry("numpy.lib.some_function", paths=("numpy.some_function",))).mentions
    assert [(mention.kind, mention.version, mention.where) for mention in found] == [
        ("changelog", "2.0", "CHANGES.rst:4")
    ]
