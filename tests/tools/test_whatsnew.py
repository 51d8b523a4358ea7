"""Entries of a project's own list that count as found; and the kept results are of the kept list."""

import pytest
from tools.discovery.announced import DRAWN, Entry, Register, drawn, same_object, targets
from tools.discovery.whatsnew import MEASURED, STUDY, Measured, pair_of

from apigap.discovery.discover import Discovery
from apigap.records.store import load_records

COMMON = {"library": "lib", "old_version": "1", "new_version": "2"}


def candidate(name: str, change: str, score: float, *changes: tuple[str, str], **more: object) -> dict[str, object]:
    importance = {"score": score, "family": name}
    told = [{"what": what, "parameter": parameter} for what, parameter in changes]
    return {
        **COMMON, "api_name": name, "kind": "function", "change": change, "signature": None, "import_module": "lib",
        "changes": told, "importance": importance, **more,
    }  # fmt: skip


def gone(kind: str, name: str, parameter: str | None = None, api_kind: str = "function") -> dict[str, object]:
    return {**COMMON, "kind": kind, "old_name": name, "api_kind": api_kind, "parameter": parameter}


DISCOVERY = Discovery.model_validate({
    **COMMON, "counts": {}, "failures": ["2: lib.bad: ImportError: no"], "pythons": {"1": "3.13.0", "2": "3.13.0"},
    "candidates": [
        candidate("lib.a.C.m", "added", 0.9, parameters=[{"name": "own"}]),
        candidate("lib.f", "modified", 0.8, ("parameter added", "x"), ("parameter removed", "y")),
        candidate("lib.g", "modified", 0.7, ("default changed", "x")),
        candidate("lib.here", "moved", 0.2, old_api_name="lib.there"),
    ],
    "retired": [
        gone("removed", "lib.old", None, "module"), gone("deprecated", "lib.h"), gone("deprecated", "lib.f", "z"),
        gone("renamed", "lib.k", "v", "parameter"),
    ],
})  # fmt: skip
TABLE = [
    ("new", "lib.C.m", 1), ("new", "lib.a.C.m", 1), ("new", "lib.m", None), ("new", "lib.b.C.m", None),
    ("new", "lib.none or lib.C.m", 1), ("signature", "lib.C.m(own)", 1), ("signature", "lib.C.m(other)", None),
    ("signature", "lib.f(x)", 2), ("signature", "lib.f(w)", None), ("removed", "lib.f(y)", 2),
    ("removed", "lib.f(x)", None), ("default", "lib.g(x)", 3), ("default", "lib.f(x)", None),
    ("moved", "lib.there", 4), ("removed", "lib.there", 4), ("removed", "lib.g", None), ("new", "lib.here", 4),
    ("removed", "lib.old", 0), ("removed", "lib.old.part", 0), ("removed", "lib.older", None),
    ("deprecated", "lib.h", 0), ("deprecated", "lib.h(x)", None), ("deprecated", "lib.f(z)", 0),
    ("deprecated", "lib.f", None), ("removed", "lib.k(v)", 0), ("deprecated", "lib.k(v)", None),
]  # fmt: skip


def entry(kind: str, *names: str, source: str = "NEWS:1") -> Entry:
    return Entry.model_validate({**COMMON, "kind": kind, "names": names, "entry": "words", "source": source})


@pytest.mark.parametrize(("kind", "name", "rank"), TABLE)
def test_what_counts_as_found(kind: str, name: str, rank: int | None) -> None:
    """A rank of 0 stands for what is found among what was taken away, which has none."""
    found = Register(DISCOVERY).outcome(entry(kind, name))
    assert (found.found, found.rank) == (rank is not None, rank or None)


def test_an_entry_is_found_with_all_its_names() -> None:
    row = Register(DISCOVERY).outcome(entry("signature", "lib.f(x)", "lib.g(x)", "lib.g(y)"))
    assert (row.found, row.seen, row.missing, row.rank) == (False, ("lib.f", "lib.g"), ("lib.g(y)",), 2)


def test_a_cause_goes_with_what_is_not_found() -> None:
    told = entry("new", "lib.f").model_copy(update={"cause": "unseen"})
    assert Register(DISCOVERY).outcome(told).cause == ""
    assert Register(DISCOVERY).outcome(told.model_copy(update={"names": ("lib.no",)})).cause == "unseen"


def test_paths_of_one_object() -> None:
    assert same_object("lib.C", "lib.a.b.C")
    assert not same_object("lib.a.C", "lib.b.C")
    assert targets("a.b(c) or d.e") == [("a.b", "c"), ("d.e", None)]
    with pytest.raises(ValueError, match="names no API"):
        targets("a b")


def test_a_draw_is_repeatable_and_in_the_order_of_the_list() -> None:
    many = [entry("new", f"lib.f{number}", source=f"NEWS:{number}") for number in range(3 * DRAWN)]
    chosen = drawn(many)
    assert len(chosen) == DRAWN
    assert chosen == drawn(many) == sorted(chosen, key=many.index)
    assert drawn(many[:5]) == many[:5]


def test_the_first_by_importance_that_a_list_names() -> None:
    pair = pair_of(DISCOVERY, Register(DISCOVERY), [entry("new", "lib.C.m"), entry("signature", "lib.f(w)")])
    assert (pair.first, pair.announced, pair.unread) == (4, 1, ("lib.bad",))
    assert pair.changes["modified"] == {"0.7 and more": 2}
    assert pair.retired == {"removed": 1, "deprecated": 2, "renamed": 1}


def test_what_is_kept_is_of_the_list_that_is_kept() -> None:
    entries = drawn(load_records(STUDY / "entries.jsonl", Entry))
    kept = Measured.model_validate_json(MEASURED.read_text())
    outcomes, pairs = kept.outcomes, kept.pairs
    assert [one.names for one in outcomes] == [one.names for one in entries]
    assert all(one.found or one.cause for one in outcomes)
    assert all(len(one.entry.split()) <= 12 for one in entries)
    assert [pair.library for pair in pairs] == list(dict.fromkeys(one.library for one in entries))
    assert all(pair.reading == "runtime" for pair in pairs)
