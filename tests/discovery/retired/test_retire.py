"""What is said to be taken away, from small releases: one row per case that a real library gave."""

from pathlib import Path

import pytest

from apigap.discovery.retired.asked import Answer
from apigap.discovery.surface import Entry
from apigap.records.candidate import Evidence
from tests.discovery.retired.small_releases import KEPT, api, retired, short

TABLE = [
    ("removed", [KEPT, api("lib.f")], [KEPT], [("removed", "lib.f", None)]),
    ("renamed: the same code", [api("lib.f", home="f0")], [api("lib.g", home="f0")], [("renamed", "lib.f", "lib.g")]),
    ("moved", [api("lib.a.f", home="f0")], [api("lib.b.f", home="f0")], [("moved", "lib.a.f", "lib.b.f")]),
    ("one of two names", [api("lib.f", paths=("lib.f_",))], [api("lib.f")], [("renamed", "lib.f_", "lib.f")]),
    ("a second name elsewhere", [api("lib.f", paths=("lib.f_",))], [api("lib.f", paths=("lib.m.f_",))],
     [("moved", "lib.f_", "lib.m.f_")]),
    ("parameter removed", [api("lib.f", "x", "y=1")], [api("lib.f", "x")], [("removed", "lib.f(y)", None)]),
    ("taken by **kwargs still", [api("lib.f", "x", "y=1")], [api("lib.f", "x", "**rest")], []),
    ("a place that must be filled", [api("lib.f", "old")], [api("lib.f", "new")], [("renamed", "lib.f(old)", "new")]),
    ("unlike names", [api("lib.f", "mix_stderr=True")], [api("lib.f", "catch_errors=True")],
     [("removed", "lib.f(mix_stderr)", None)]),
    ("default", [api("lib.f", "x=1")], [api("lib.f", "x=2")], [("default changed", "lib.f(x)", None)]),
    ("a default that says nothing", [api("lib.f", "x=None")], [api("lib.f", "x=2")], []),
    ("a default spelt out", [api("lib.f", "x='hann'")], [api("lib.f", "x='hann_periodic'")], []),
    ("a default that is equal", [api("lib.f", "x=0")], [api("lib.f", "x=False")], []),
    ("two defaults that are empty", [api("lib.f", "x=()", "y=0")], [api("lib.f", "x=[]", "y=''")], []),
    ("no number that is positive", [api("lib.f", "x=0")], [api("lib.f", "x=-1")], []),
    ("a list and a tuple", [api("lib.f", "x=(1, 2)")], [api("lib.f", "x=[1, 2]")], []),
    ("bytes and their text", [api("lib.f", "x=b'&'")], [api("lib.f", "x='&'")], []),
    ("a number as a text", [api("lib.f", "x=2")], [api("lib.f", "x='2'")], []),
    ("a default that the code chose", [api("lib.f", "x='auto'")], [api("lib.f", "x='sqrt'")], []),
    ("a default in another case", [api("lib.f", "x='1d'")], [api("lib.f", "x='1D'")], []),
    ("a default for a while", [api("lib.f", "x=4")], [api("lib.f", "x='warn'")], []),
    ("a default after a while", [api("lib.f", "x='warn'")], [api("lib.f", "x=4")],
     [("default changed", "lib.f(x)", None)]),
    ("a default spelt out inside", [api("lib.f", "x=('tukey', 0.25)")], [api("lib.f", "x=('tukey_periodic', 0.25)")],
     []),
    ("a default that is another inside", [api("lib.f", "x=('tukey', 0.25)")], [api("lib.f", "x=('tukey', 0.5)")],
     [("default changed", "lib.f(x)", None)]),
    ("a word that neither release knows", [api("lib.f", "x='ls'")], [api("lib.f", "x='squared'")], []),
    ("another version of a program", [api("lib.f", "x='4.17.0'")], [api("lib.f", "x='5.20.1'")], []),
    ("a file in another folder", [api("lib.f", "x='<folder>/a.dat'")], [api("lib.f", "x='<folder>/data/a.dat'")], []),
    ("one parameter that became two", [api("lib.f", "old")], [api("lib.f", "new", "more")],
     [("removed", "lib.f(old)", None)]),
    ("a member of an enumeration", [api("lib.f", "x=Kind.A")], [api("lib.f", "x=Kind.B")],
     [("default changed", "lib.f(x)", None)]),
    ("a mark for nothing given", [api("lib.f", "x=object")], [api("lib.f", "x=NotSet.token")], []),
    ("names that may be of one thing", [api("lib.f", "x=mean")], [api("lib.f", "x=np.mean")], []),
    ("a flag that became a word", [api("lib.f", "x=False")], [api("lib.f", "x='save'")], []),
    ("the class tells its members", [KEPT, api("lib.C", kind="class"), api("lib.C.m", kind="method")], [KEPT],
     [("removed", "lib.C", None)]),
    ("nothing", [api("lib.f", "x")], [api("lib.f", "x", "y=1")], []),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_what_two_surfaces_tell(
    tmp_path: Path, old: list[Entry], new: list[Entry], expected: list[tuple[str, str, str | None]]
) -> None:
    assert short(retired(tmp_path, old, new)) == expected


@pytest.mark.parametrize(("kind", "now"), [("documented", "lib.b.f"), ("used", None), ("docstring", None)])
def test_what_programs_alone_use_is_not_at_any_path(tmp_path: Path, kind: str, now: str | None) -> None:
    found_at = {"evidence": (Evidence.model_validate({"kind": kind, "where": "docs"}),), "import_module": "lib.b"}
    new = api("lib.b.f", home="f0").model_copy(update=found_at)
    (one,) = retired(tmp_path, [api("lib.a.f", home="f0")], [new])
    assert (one.kind, one.replacement) == ("moved" if now else "removed", now)


def test_the_release_itself_is_asked(tmp_path: Path) -> None:
    old = [*(api(f"lib.{name}") for name in "fghij"), KEPT]
    answers = {
        "lib.f": Answer("gone", "AttributeError: `lib.f` was removed. Use `lib.kept` instead."),
        "lib.g": Answer("warns", "DeprecationWarning: lib.g is deprecated"),
        "lib.h": Answer("there", ""),
        "lib.i": Answer("unread", "ModuleNotFoundError: No module named 'numpy'"),
        "lib.j": Answer("unread", "ImportError: lib.j was removed"),
    }
    found = retired(tmp_path, old, [KEPT], answers=answers)
    assert short(found) == [
        ("removed", "lib.f", "lib.kept"), ("deprecated", "lib.g", None), ("removed", "lib.j", None)
    ]  # fmt: skip
    assert found[0].advice.endswith("Use `lib.kept` instead.")
    assert {notice.kind for notice in found[0].evidence} == {"surface", "asked"}


def test_the_source_of_either_release_tells(tmp_path: Path) -> None:
    warning = "def {0}(x=None):\n    warnings.warn('{0} is deprecated, use kept instead', DeprecationWarning)\n"
    of_parameter = "def h(x=None):\n    if x is not None:\n        warnings.warn('x is deprecated', FutureWarning)\n"
    old = [api("lib.f"), api("lib.g"), api("lib.h", "x=None"), KEPT]
    new = [api("lib.g"), api("lib.h", "x=None"), KEPT]
    found = retired(tmp_path, old, new, was=warning.format("f"), source=warning.format("g") + of_parameter)
    assert short(found) == [
        ("removed", "lib.f", "lib.kept"), ("deprecated", "lib.g", "lib.kept"), ("deprecated", "lib.h(x)", None)
    ]  # fmt: skip
    assert [one.before for one in found] == [True, False, False]
    assert found[1].evidence[0].where == "lib.py:2"


def test_the_changelog_counts_where_it_says_that_something_went(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    text = "``some_name`` is removed, use ``kept`` instead"
    told = retired(tmp_path / "a", [api("lib.some_name"), KEPT], [KEPT], notes=(text,))
    assert short(told) == [("removed", "lib.some_name", "lib.kept")]
    (tmp_path / "b").mkdir()
    other = retired(tmp_path / "b", [api("lib.some_name"), KEPT], [KEPT], notes=("``some_name`` got ``kept``",))
    assert short(other) == [("removed", "lib.some_name", None)]
    assert all(notice.kind != "changelog" for notice in other[0].evidence)


def test_a_parameter_that_a_wrapper_takes_still_is_not_gone(tmp_path: Path) -> None:
    old, new = [api("lib.f", "x", "y=1")], [api("lib.f", "x")]
    (tmp_path / "a").mkdir()
    assert retired(tmp_path / "a", old, new, answers={"lib.f": Answer("there", "open")}) == []
    (tmp_path / "b").mkdir()
    source = "@deprecate_renamed_parameter('y', 'x', version='2')\ndef f(x): ..."
    assert short(retired(tmp_path / "b", old, new, source=source)) == [("deprecated", "lib.f(y)", "x")]


@pytest.mark.parametrize(
    ("now", "new", "expected"),
    [
        ("def f(on): ...", api("lib.f", "on"), [("renamed", "lib.f(columns)", "on")]),
        ("@removed_parameters('columns')\ndef f(on): ...", api("lib.f", "on"), [("renamed", "lib.f(columns)", "on")]),
        ("@deprecate_renamed_parameter('columns', 'on')\ndef f(on): ...", api("lib.f", "on"), []),
        ("def f(columns): ...", api("lib.f", "on", "columns=1"), []),
        ("def f(on, **rest): ...", api("lib.f", "on", "**rest"), []),
    ],
    ids=["gone", "another decorator raises", "still taken", "a parameter now", "any keyword is taken"],
)  # fmt: skip
def test_a_keyword_that_only_a_decorator_took(
    tmp_path: Path, now: str, new: Entry, expected: list[tuple[str, str, str | None]]
) -> None:
    was = "@deprecate_renamed_parameter('columns', 'on', version='1.0')\ndef f(on): ..."
    assert short(retired(tmp_path, [api("lib.f", "on")], [new], was=was, source=now)) == expected


def test_what_went_to_another_distribution_has_no_replacement_here(tmp_path: Path) -> None:
    old, new = [api("lib.f", home="f0"), KEPT], [api("lib.v1.f", home="f0"), KEPT]
    (tmp_path / "a").mkdir()
    says = {"lib.f": Answer("gone", "ImportError: `f` has been moved to the `lib-extras` package.")}
    assert short(retired(tmp_path / "a", old, new, answers=says)) == [("removed", "lib.f", None)]
    (tmp_path / "b").mkdir()
    silent = {"lib.f": Answer("gone", "AttributeError: module 'lib' has no attribute 'f'")}
    assert short(retired(tmp_path / "b", old, new, answers=silent)) == [("moved", "lib.f", "lib.v1.f")]


@pytest.mark.parametrize(
    ("decorator", "expected"),
    [
        ("_rename_parameter('moment', 'order')", []),
        ("_rename_parameter('moment', 'order', '1.9.0')", [("deprecated", "lib.f(moment)", "order")]),
        ("_rename_parameter('moment', 'order', dep_version='1.9.0')", [("deprecated", "lib.f(moment)", "order")]),
    ],
)
def test_another_name_that_is_taken_without_a_word_is_no_loss(
    tmp_path: Path, decorator: str, expected: list[tuple[str, str, str | None]]
) -> None:
    source = f"@{decorator}\ndef f(a, order=1): ..."
    old, new = [api("lib.f", "a", "moment=1")], [api("lib.f", "a", "order=1")]
    assert short(retired(tmp_path, old, new, source=source)) == expected


@pytest.mark.parametrize("version, warned", [("", False), (", '1.9.0'", True)])
def test_an_old_release_that_took_a_keyword_without_a_word_did_not_warn(
    tmp_path: Path, version: str, warned: bool
) -> None:
    was = f"@_rename_parameter('p0', 'prob'{version})\ndef f(a, prob=1): ..."
    same = [api("lib.f", "a", "prob=1"), KEPT]
    found = retired(tmp_path, same, same, was=was, source="def f(a, prob=1): ...")
    assert short(found) == [("renamed", "lib.f(p0)", "prob")]
    assert [one.before for one in found] == [warned]


GIVEN = "def __getattr__(name):\n    if name in ('a', 'b', 'c', 'd'):\n        return make(name)\n"


def test_names_that_a_module_gave_on_request_are_asked_of_both_releases(tmp_path: Path) -> None:
    there, gone, warns = Answer("there", "", "class"), Answer("gone", "AttributeError: no"), "DeprecationWarning: old"
    before = {"lib.a": there, "lib.b": there, "lib.c": gone, "lib.d": Answer("warns", warns, "function")}
    now = {"lib.a": gone, "lib.b": Answer("warns", warns), "lib.c": gone, "lib.d": Answer("warns", warns)}
    found = retired(tmp_path, [KEPT], [KEPT], was=GIVEN, source=GIVEN, answers=now, earlier=before)
    assert [(one.old_name, one.kind, one.api_kind, one.before) for one in found] == [
        ("lib.a", "removed", "class", False),
        ("lib.b", "deprecated", "class", False),
        ("lib.d", "deprecated", "function", True),
    ]


def test_a_name_that_is_given_on_request_is_not_gone_where_nobody_can_ask(tmp_path: Path) -> None:
    assert short(retired(tmp_path, [api("lib.a"), api("lib.e"), KEPT], [KEPT], source=GIVEN)) == [
        ("removed", "lib.e", None)
    ]
