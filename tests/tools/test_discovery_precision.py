"""Tell whether a candidate holds, from what two versions answer when they are asked for it."""

import functools
import inspect
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.discovery.lookup_script import fact_of
from tools.discovery.precision import Checked, Precision, draw, why_not_added, why_not_modified

from apigap.records.candidate import Candidate, Change


def fact(name: str = "lib.f", **known: Any) -> dict[str, Any]:
    blank = {"found": True, "kind": "function", "parameters": None, "returns": None, "doc": None, "fields": []}
    return {"name": name, **blank, "accepts": {}, "elsewhere": None, "reason": None, **known}


def rows(text: str) -> list[dict[str, Any]]:
    """`a b=1 *c` as parameters; `*` makes keyword-only."""
    found: list[dict[str, Any]] = []
    for part in text.split():
        name, _, default = part.lstrip("*").partition("=")
        kind = "keyword_only" if part.startswith("*") else "positional_or_keyword"
        found.append({"name": name, "kind": kind, "required": not default, "default": default or None})
    return found


ABSENT = fact(found=False, reason="AttributeError: no f")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (ABSENT, fact(), None),
        (None, fact(), None),
        (fact(), fact(), "there in the old version"),
        (ABSENT, ABSENT, "no f"),
        ({**ABSENT, "elsewhere": "lib.old.f"}, fact(), "the old version has it as lib.old.f"),
        (ABSENT, fact(kind="module"), "it is a module"),
        (ABSENT, fact(kind="data"), "it is a data"),
        (ABSENT, fact(kind="field"), None),
    ],
)
def test_added(old: dict[str, Any] | None, new: dict[str, Any], reason: str | None) -> None:
    found = why_not_added(old, new)
    assert found is None if reason is None else reason in (found or "")


@pytest.mark.parametrize(
    ("what", "parameter", "before", "old", "new", "holds"),
    [
        ("parameter added", "b", None, "a", "a b", True),
        ("parameter added", "b", None, "a b", "a b", False),
        ("parameter added", "b", None, "a", "a", False),
        ("parameter removed", "b", None, "a b", "a", True),
        ("parameter removed", "b", None, "a", "a", False),
        ("parameter renamed", "b", "a", "a", "b", True),
        ("parameter renamed", "b", "a", "b", "b", False),
        ("default changed", "a", None, "a=1", "a=2", True),
        ("default changed", "a", None, "a=1", "a=1", False),
        ("became optional", "a", None, "a", "a=1", True),
        ("became optional", "a", None, "a=1", "a", False),
        ("became required", "a", None, "a=1", "a", True),
        ("became keyword-only", "a", None, "a", "*a", True),
        ("became keyword-only", "a", None, "*a", "*a", False),
        ("parameters reordered", "a", None, "a b", "b a", True),
        ("parameters reordered", "a", None, "a b", "a b", False),
    ],
)
def test_modified(what: Any, parameter: str, before: str | None, old: str, new: str, holds: bool) -> None:
    change = Change(what=what, parameter=parameter, old=before)
    reason = why_not_modified([change], fact(parameters=rows(old)), fact(parameters=rows(new)))
    assert (reason is None) is holds


def test_what_only_a_call_or_a_field_tells() -> None:
    change = [Change(what="parameter added", parameter="b")]
    assert why_not_modified(change, fact(accepts={"b": False}), fact(accepts={"b": True})) is None
    assert why_not_modified(change, fact(accepts={"b": False}), fact(accepts={"b": None})) is not None
    assert why_not_modified(change, fact(), fact(fields=["b"])) is None
    assert why_not_modified([], fact(), fact()) == "no change is listed"
    assert "old version" in (why_not_modified(change, ABSENT, fact()) or "")


def candidate(library: str, number: int, change: Any = "added") -> Candidate:
    return Candidate(
        api_name=f"{library}.f{number}", kind="function", library=library, old_version="1", new_version="2",
        change=change, signature=None, import_module=library,
    )  # fmt: skip


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 30)), st.integers(0, 60), st.integers(0, 5))
def test_the_draw_is_fair_and_can_be_repeated(sizes: dict[str, int], number: int, seed: int) -> None:
    pool = [candidate(library, place) for library, size in sizes.items() for place in range(size)]
    drawn = draw([*pool, candidate("a", 99, "moved")], number, seed)
    assert drawn == draw(reversed(pool), number, seed)
    assert len(drawn) == len({one.api_name for one in drawn}) == min(number, len(pool))
    counts = Counter(one.library for one in drawn)
    fewest = min((counts[library] for library, size in sizes.items() if counts[library] < size), default=number)
    assert all(count <= fewest + 1 for count in counts.values())


def test_the_share_and_its_weights() -> None:
    rows = (Checked(candidate("a", 1), "run", None), Checked(candidate("b", 1), "run", "it is not there"))
    found = Precision(rows, {"a": 3, "b": 1})
    assert (found.share.estimate, found.weighted) == (0.5, 0.75)


@pytest.mark.parametrize(
    ("name", "kind", "parameters"),
    [
        ("json.dumps", "function", ["obj", "skipkeys"]),
        ("json.JSONEncoder", "class", ["skipkeys", "ensure_ascii"]),
        ("json.JSONEncoder.encode", "method", ["o"]),
        ("fractions.Fraction.from_float", "method", ["f"]),
        ("fractions.Fraction.numerator", "property", None),
        ("http.HTTPStatus.OK", "enum_member", None),
        ("xml.dom.minidom.parse", "function", ["file", "parser"]),
        ("json.decoder", "module", None),
    ],
)
def test_facts_of_real_names(name: str, kind: str, parameters: list[str] | None) -> None:
    found = fact_of(name, [], None)
    assert (found["found"], found["kind"]) == (True, kind)
    if parameters is not None:
        assert [row["name"] for row in found["parameters"]][: len(parameters)] == parameters


def kinds(function: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr("json.planted", function, raising=False)
    return [row["kind"] for row in fact_of("json.planted", [], None)["parameters"]]


def test_a_wrapper_that_only_warns_still_takes_places(monkeypatch: pytest.MonkeyPatch) -> None:
    def inner(a: int, b: int) -> None: ...

    @functools.wraps(inner)
    def wrapper(*places: int, **names: int) -> None: ...

    later = inspect.Parameter("b", inspect.Parameter.KEYWORD_ONLY)
    shown = inspect.signature(inner)
    vars(wrapper)["__signature__"] = shown.replace(parameters=[shown.parameters["a"], later])
    assert kinds(wrapper, monkeypatch) == ["positional_or_keyword", "positional_or_keyword"]


def test_two_underscores_make_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    class Holder:
        @staticmethod
        def old(__a: int, b: int) -> None: ...

    assert kinds(Holder.old, monkeypatch) == ["positional_only", "positional_or_keyword"]


def test_boost_tells_its_forms_when_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object, **__: object) -> None:
        raise TypeError(
            "Python argument types in\n    rings()\ndid not match C++ signature:\n"
            "    rings(RDKit::ROMol mol, bool bonds=False)\n    rings(RDKit::ROMol mol)"
        )

    vars(refusing)["__signature__"] = "none that can be read"
    monkeypatch.setattr("json.planted", refusing, raising=False)
    found = fact_of("json.planted", ["bonds", "rings_", "no"], None)
    assert (found["parameters"], found["overloads"]) == (None, 2)
    assert found["accepts"] == {"bonds": True, "rings_": False, "no": False}


def test_facts_of_what_is_not_there() -> None:
    doc = fact_of("json.dumps", [], None)["doc"]
    assert not fact_of("json.nothing", [], None)["found"]
    assert fact_of("json.encoder.dumps", [], doc)["elsewhere"] == "json.dumps"
    tells, does_not_tell = {"base": True, "other": False}, {"key": None, "other": None}
    for name, accepted in (("builtins.int", tells), ("builtins.min", does_not_tell)):
        found = fact_of(name, list(accepted), None)
        assert (found["parameters"], found["accepts"]) == (None, accepted)
