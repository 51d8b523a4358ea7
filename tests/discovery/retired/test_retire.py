"""What is said to be taken away, from small releases: one row per case that a real library gave."""

from pathlib import Path

import pytest

from apigap.discovery.diff import classify
from apigap.discovery.evidence.changelog import Note
from apigap.discovery.retired.asked import Answer
from apigap.discovery.retired.lost_names import Shown, lost_names
from apigap.discovery.retired.notices import read_notices
from apigap.discovery.retired.parameter_changes import names_the_release
from apigap.discovery.retired.release import Release
from apigap.discovery.retired.retire import Retirements
from apigap.discovery.surface import Entry, Surface
from apigap.records.candidate import Change, Evidence, Parameter
from apigap.records.retired import Retirement

OPEN = (Evidence(kind="__all__", where="lib"),)


def api(name: str, *parameters: str, kind: str = "function", home: str = "", paths: tuple[str, ...] = ()) -> Entry:
    """`x` is a parameter that must be given, `x=1` one that need not, `**x` takes all."""
    return Entry.model_validate(
        {
            "name": name, "kind": kind, "paths": (name, *paths), "evidence": OPEN, "defined_in": "lib",
            "qualname": home or name.removeprefix("lib."), "sources": ("runtime",), "docstring": "Do it.",
            "parameters": [_parameter(text) for text in parameters],
        }
    )  # fmt: skip


def _parameter(text: str) -> Parameter:
    if text.startswith("**"):
        return Parameter(name=text[2:], kind="var_keyword", required=False)
    name, equals, default = text.partition("=")
    return Parameter(name=name, default=default or None, required=not equals)


def retired(
    tmp_path: Path, old: list[Entry], new: list[Entry], *, source: str = "", was: str = "",
    answers: dict[str, Answer] | None = None, earlier: dict[str, Answer] | None = None, notes: tuple[str, ...] = (),
) -> list[Retirement]:  # fmt: skip
    sides: list[Release] = []
    for version, entries, text in (("1", old, was), ("2", new, source)):
        root = tmp_path / version
        root.mkdir()
        (root / "lib.py").write_text(text)
        surface = Surface(library="lib", version=version, tops=("lib",), modules=("lib",), entries=tuple(entries))
        sides.append(Release(surface, read_notices(root, ["lib"])))
    before, after = sides
    findings = classify(before.surface, after.surface)
    lines = [Note("2", (), text, "CHANGES:1", whole=text) for text in notes]
    finder = Retirements(
        before, after, findings, lambda entry: lines, Shown(lambda path: True, lambda path: False), "lib"
    )
    return list(finder.found(answers, earlier))


def short(found: list[Retirement]) -> list[tuple[str, str, str | None]]:
    return [
        (one.kind, f"{one.old_name}({one.parameter})" if one.parameter else one.old_name, one.replacement)
        for one in found
    ]


KEPT = api("lib.kept")
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


@pytest.mark.parametrize(
    ("was", "now", "names"),
    [
        ("pass", "def __getattr__(self, name): ...", []),
        ("pass", "pass", ["lib.C.p"]),
        ("def __getattr__(self, name): ...", "def __getattr__(self, name): ...", ["lib.C.p"]),
        ("@deprecated('p goes')\n    def p(self): ...", "def __getattr__(self, name): ...", ["lib.C.p"]),
    ],
)
def test_a_property_of_a_class_that_looks_attributes_up(tmp_path: Path, was: str, now: str, names: list[str]) -> None:
    cls = api("lib.C", kind="class")
    old = api("lib.C.p", kind="property").model_copy(update={"owner": "lib.C"})
    found = retired(tmp_path, [cls, old], [cls], was=f"class C:\n    {was}\n", source=f"class C:\n    {now}\n")
    assert [one.old_name for one in found] == names


@pytest.mark.parametrize(
    ("source", "names"),
    [("", ["lib.C.m"]), ("def start(patch):\n    patch.setattr(C, 'm', done, raising=False)\n", [])],
)
def test_a_member_that_the_code_of_another_puts_on_a_class(tmp_path: Path, source: str, names: list[str]) -> None:
    cls = api("lib.C", kind="class")
    old = api("lib.C.m", kind="method").model_copy(update={"owner": "lib.C"})
    assert [one.old_name for one in retired(tmp_path, [cls, old], [cls], source=source)] == names


def test_a_module_that_warns_when_it_is_imported(tmp_path: Path) -> None:
    source = "warnings.warn('The lib module is deprecated, use other', DeprecationWarning)"
    found = retired(tmp_path, [KEPT], [KEPT], source=source)
    assert [(one.kind, one.old_name, one.api_kind) for one in found] == [("deprecated", "lib", "module")]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("deprecated(Cipher, __name__, 'lib.Cipher has moved and will be removed', LibWarning, name='Cipher')", []),
        ("deprecated('Cipher', 'lib.Cipher is deprecated')", []),
        ("config.deprecate_option('mode.x', 'mode.x is deprecated')", []),
        ("deprecate_module('it will be removed')", ["lib"]),
        ("deprecated(__name__, 'lib is deprecated')", ["lib"]),
    ],
)
def test_a_helper_that_speaks_of_a_part_deprecates_no_module(tmp_path: Path, source: str, names: list[str]) -> None:
    assert [one.old_name for one in retired(tmp_path, [KEPT], [KEPT], source=source)] == names


@pytest.mark.parametrize("was", ["", "def f(a, **rest): rest.get('old')\n"])
def test_a_keyword_that_came_and_is_deprecated_at_once_is_not_lost(tmp_path: Path, was: str) -> None:
    now = "def f(a, old=None):\n    if old is not None:\n        warnings.warn('old is deprecated', FutureWarning)\n"
    found = retired(tmp_path, [api("lib.f", "a", "**rest")], [api("lib.f", "a", "old=None")], was=was, source=now)
    assert [one.parameter for one in found] == (["old"] if was else [])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Use ``y`` instead.", ["x"]),
        ("Setting x to True is deprecated.", []),
        ("Units 'H' and 'T' are deprecated.", []),
        ("Passing x is deprecated.", ["x"]),
    ],
)
def test_words_on_a_value_deprecate_no_parameter(tmp_path: Path, text: str, names: list[str]) -> None:
    docstring = f"Do it.\n\nParameters\n----------\nx : int\n    Number.\n\n    .. deprecated:: 2\n        {text}\n"
    entry = api("lib.f", "x=1").model_copy(update={"docstring": docstring})
    assert [one.parameter for one in retired(tmp_path, [api("lib.f", "x=1")], [entry])] == names


@pytest.mark.parametrize(
    ("was", "source", "names"),
    [
        ("def any(self): ...", "@deprecated('any is deprecated')\n        def any(self): ...", ["lib.C.Inner.any"]),
        ("def other(self): ...", "@deprecated('any is deprecated')\n        def any(self): ...", []),
        ("def _any(self): ...", "@deprecated('any is deprecated')\n        def _any(self): ...", []),
    ],
)
def test_members_of_a_class_within_a_class(tmp_path: Path, was: str, source: str, names: list[str]) -> None:
    text = "class C:\n    class Inner:\n        {}\n"
    cls = [api("lib.C", kind="class")]
    found = retired(tmp_path, cls, cls, was=text.format(was), source=text.format(source))
    assert [one.old_name for one in found] == names


POPPED = "def f(on, **rest):\n    if 'old' in rest:\n        warnings.warn('old is deprecated, use on', Later)\n"
OWN = "class Later(DeprecationWarning): ...\n"


@pytest.mark.parametrize(
    ("now", "new", "expected"),
    [
        ("def f(on): ...", api("lib.f", "on"), [("removed", "lib.f(old)", "on")]),
        ("def f(on, **rest): g(**rest)", api("lib.f", "on", "**rest"), [("removed", "lib.f(old)", "on")]),
        ("def f(on, **rest): rest.pop('old')", api("lib.f", "on", "**rest"), []),
        (OWN + POPPED, api("lib.f", "on", "**rest"), [("deprecated", "lib.f(old)", "on")]),
    ],
    ids=["no keywords now", "no word of it now", "still in the code", "still warned of"],
)
def test_a_keyword_that_was_taken_out_of_all(
    tmp_path: Path, now: str, new: Entry, expected: list[tuple[str, str, str | None]]
) -> None:
    assert short(retired(tmp_path, [api("lib.f", "on", "**rest")], [new], was=OWN + POPPED, source=now)) == expected


def test_a_module_whose_name_is_that_of_a_function_is_not_said_to_be_gone(tmp_path: Path) -> None:
    old, new = [api("lib.tool", "x", "y=1")], [api("lib.tool", "x")]
    was = "sys.modules[f'{__name__}.tool'] = base\n"
    answers, before = (
        {"lib.tool": Answer("gone", "ModuleNotFoundError: no")},
        {"lib.tool": Answer("there", "", "module")},
    )
    found = retired(tmp_path, old, new, was=was, answers=answers, earlier=before)
    assert [(one.kind, one.api_kind, one.parameter) for one in found] == [("removed", "parameter", "y")]


@pytest.mark.parametrize(
    ("was", "now", "kinds"),
    [
        ("if x in ('zstd', 'lz4'): ...", "if x in ('zstd', 'lz4'): ...", ["default changed"]),
        ("if x in ('zstd', 'lz4'): ...", "if x == 'lz4': ...", []),
        ("if x == 'zstd': ...", "if x in ('zstd', 'lz4'): ...", []),
    ],
)
def test_a_default_is_another_word_where_both_releases_know_both(
    tmp_path: Path, was: str, now: str, kinds: list[str]
) -> None:
    old, new = ([api("lib.f", f"x='{word}'")] for word in ("zstd", "lz4"))
    found = retired(tmp_path, old, new, was=f"def f(x):\n    {was}", source=f"def f(x):\n    {now}")
    assert [one.kind for one in found] == kinds


def test_a_word_that_followed_a_warning_needs_no_word_before(tmp_path: Path) -> None:
    old, new = ([api("lib.f", f"x={word}")] for word in ("'warn'", "'lz4'"))
    was, now = "if x in ('warn', 'lz4'): ...", "if x == 'lz4': ..."
    found = retired(tmp_path, old, new, was=f"def f(x):\n    {was}", source=f"def f(x):\n    {now}")
    assert [one.kind for one in found] == ["default changed"]


def test_a_module_that_the_text_of_a_release_has_is_not_gone(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    for name in ("__init__", "tried"):
        (tmp_path / "lib" / f"{name}.py").write_text("")
    old, new = (
        Surface(library="lib", version=version, tops=("lib",), modules=("lib", *modules), entries=())
        for version, modules in (("1", ("lib.tried", "lib.other")), ("2", ()))
    )
    sides = [Release(surface, read_notices(tmp_path, ["lib"])) for surface in (old, new)]
    shown = Shown(lambda path: True, lambda path: False)
    found = Retirements(sides[0], sides[1], [], lambda entry: [], shown, "lib").found(None)
    assert [one.old_name for one in found] == ["lib.other"]


@pytest.mark.parametrize(
    ("source", "sources", "names"),
    [
        ("@with_owner\ndef f(x): ...", ("griffe",), []),
        ("@with_owner\ndef f(x): ...", ("runtime", "griffe"), ["y"]),
        ("@staticmethod\ndef f(x): ...", ("griffe",), ["y"]),
    ],
)
def test_what_a_decorator_takes_is_not_told_by_the_text(
    tmp_path: Path, source: str, sources: tuple[str, ...], names: list[str]
) -> None:
    old, new = ([api("lib.f", *given).model_copy(update={"sources": sources})] for given in (("x", "y=1"), ("x",)))
    assert [one.parameter for one in retired(tmp_path, old, new, source=source)] == names


@pytest.mark.parametrize(("base", "names"), [(api("lib.B", "old=1", kind="class"), []), (KEPT, ["old"])])
def test_a_keyword_that_a_base_takes_still_is_not_lost(tmp_path: Path, base: Entry, names: list[str]) -> None:
    was = "class C:\n    def __init__(self, old=None):\n        if old is not None:\n"
    was += "            warnings.warn('old is deprecated', FutureWarning)\n"
    old, new = (
        [base, api("lib.C", given, kind="class").model_copy(update={"bases": ("lib.B",)})]
        for given in ("old=None", "**rest")
    )
    assert [one.parameter for one in retired(tmp_path, old, new, was=was)] == names


@pytest.mark.parametrize(("new", "same"), [("'lib/15.0.1'", True), ("'lib/15.0.2'", False), ("'other/15.0.1'", False)])
def test_a_default_that_has_the_release_in_it(new: str, same: bool) -> None:
    change = Change(what="default changed", parameter="x", old="'lib/10.4'", new=new)
    assert names_the_release(change, "10.4", "15.0.1") == same


@pytest.mark.parametrize(("name", "modules"), [("lib.other", ["lib.tool"]), ("lib.tool", [])])
def test_a_lost_module_whose_name_a_function_has(name: str, modules: list[str]) -> None:
    old = Surface(library="lib", version="1", tops=("lib",), modules=("lib", "lib.tool"), entries=())
    new = old.model_copy(update={"modules": ("lib",), "entries": (api(name),)})
    assert [lost.path for lost in lost_names(old, new, [], Shown(lambda path: True, lambda path: False))] == modules


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (".. deprecated:: 2\n   ``f`` is deprecated, use kept.", ["lib.f"]),
        (".. deprecated:: 2\n   ``array`` is deprecated. Use another.", ["lib.f"]),
        (".. deprecated:: 2\n   The ``%n`` directive is deprecated; use ``%N`` instead.", []),
        (".. deprecated:: 2\n   ``x`` is deprecated.", []),
        (".. deprecated:: 2\n   Returning a tuple from a callable is deprecated.", []),
        (".. deprecated:: 2\n   The following features are deprecated.", []),
        (".. deprecated:: 2\n   The ``COOSYS`` element was deprecated in 1.2.", []),
        (".. deprecated:: 2\n   The ``C:S`` element was deprecated in 1.2.", []),
        (".. deprecated:: 2\n   Calling this function is deprecated.", ["lib.f"]),
        (".. deprecated:: 2 *x*", []),
        (".. deprecated:: 2 *gone*", []),
        (".. deprecated:: 2 *f*", ["lib.f"]),
    ],
)
def test_words_on_a_part_deprecate_no_whole(tmp_path: Path, text: str, names: list[str]) -> None:
    entry = api("lib.f", "x").model_copy(update={"docstring": f"Do it.\n\n{text}", "deprecated": True})
    assert [one.old_name for one in retired(tmp_path, [api("lib.f", "x")], [entry]) if not one.parameter] == names


def test_a_class_of_warnings_is_not_deprecated_by_its_first_words(tmp_path: Path) -> None:
    cls = api("lib.LibWarning", kind="class").model_copy(
        update={"docstring": "Deprecation warning for lib.", "deprecated": True}
    )
    source = "class LibWarning(DeprecationWarning): ..."
    assert retired(tmp_path, [api("lib.LibWarning", kind="class")], [cls], source=source) == []
