"""What the text says was added, and what discovery made of it."""

import pytest
from tools.discovery.recall import Recall, ask, in_series

from apigap.discovery.diff import classify
from apigap.discovery.evidence.directives import directives_in
from apigap.discovery.evidence.version_notes import Sighting
from apigap.discovery.surface import Entry, Surface
from apigap.records.candidate import Evidence, Parameter

PUBLIC = (Evidence(kind="__all__", where="lib"),)


def entry(name: str, *parameters: str, kind: str = "function", **more: object) -> Entry:
    known = {"paths": (name,), "evidence": PUBLIC, "facts": {"parameters": "runtime"}}
    given = tuple(Parameter(name=parameter) for parameter in parameters)
    return Entry.model_validate({"name": name, "kind": kind, "parameters": given, **known, **more})


OLD = Surface(library="lib", version="1", tops=("lib",), entries=(entry("lib.f", "a"), entry("lib.same", "a")))
NEW = Surface(
    library="lib",
    version="2",
    tops=("lib",),
    variables=("lib.DATA",),
    failures={"lib.broken": "ImportError"},
    entries=(
        entry("lib.f", "a", "b"),
        entry("lib.same", "a"),
        entry("lib.new", defined_in="lib._core", qualname="new"),
        entry("lib.helper", evidence=()),
        entry("lib.late", deprecated=True),
        entry("lib.C", kind="class"),
        entry("lib.C.m", kind="method", defined_in="lib._core", qualname="C.m"),
    ),
)


def sighting(name: str, text: str = ".. versionadded:: 1.5") -> Sighting:
    return Sighting((name,), directives_in(text)[0], "lib/a.py:1")


@pytest.mark.parametrize(
    ("name", "text", "outcome"),
    [
        ("lib.new", ".. versionadded:: 1.5", "found"),
        ("lib._core.new", ".. versionadded:: 1.5", "found"),
        ("lib._core._deep.new", ".. versionadded:: 1.5", "found"),
        ("lib._core.C.m", ".. versionadded:: 1.5", "found"),
        ("lib.f", ":param b: new\n  .. versionadded:: 1.5", "found"),
        ("lib.f", ":param a: old\n  .. versionadded:: 1.5", "taken for unchanged"),
        ("lib.f", ":param z: hidden\n  .. versionadded:: 1.5", "not in the signature"),
        ("lib.same", ".. versionadded:: 1.5", "taken for unchanged"),
        ("lib.helper", ".. versionadded:: 1.5", "without evidence"),
        ("lib.late", ".. versionadded:: 1.5", "deprecated since"),
        ("lib.DATA", ".. versionadded:: 1.5", "variable"),
        ("lib._core.hidden", ".. versionadded:: 1.5", "private"),
        ("lib.broken.f", ".. versionadded:: 1.5", "unreadable module"),
        ("lib.nowhere", ".. versionadded:: 1.5", "not seen"),
    ],
)
def test_outcomes(name: str, text: str, outcome: str) -> None:
    asked = list(ask("lib", [sighting(name, text)] * 2, classify(OLD, NEW), OLD, NEW))
    assert [row.outcome for row in asked] == [outcome]


def test_only_additions_of_the_new_series_are_asked_for() -> None:
    texts = [".. versionadded:: 1.5", ".. versionadded:: 1.0", ".. versionchanged:: 1.5", "a\n  .. versionadded:: 1.5"]
    assert in_series([sighting("lib.f", text) for text in texts], "1", "2") == [sighting("lib.f", texts[0])]


def test_what_is_no_new_api_does_not_count() -> None:
    names = ["lib.new", "lib.helper", "lib.DATA", "lib._core.hidden"]
    found = Recall(tuple(ask("lib", [sighting(name) for name in names], classify(OLD, NEW), OLD, NEW)))
    assert (found.share.estimate, found.share.effective_n) == (0.5, 2)
