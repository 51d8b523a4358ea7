"""What is not said to be taken away: words on a part, members that others lend, defaults that mean the same."""

from pathlib import Path

import pytest

from apigap.discovery.retired.asked import Answer
from apigap.discovery.retired.lost_names import Shown, lost_names
from apigap.discovery.retired.notices import read_notices
from apigap.discovery.retired.parameter_changes import names_the_release
from apigap.discovery.retired.release import Release
from apigap.discovery.retired.retire import Retirements
from apigap.discovery.surface import Entry, Surface
from apigap.records.candidate import Change
from tests.discovery.retired.small_releases import KEPT, api, retired, short


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


def test_a_module_whose_name_a_function_has_is_gone_and_its_name_lives(tmp_path: Path) -> None:
    old, new = [api("lib.tool", "x", "y=1")], [api("lib.tool", "x")]
    was = "sys.modules[f'{__name__}.tool'] = base\n"
    answers, before = (
        {"lib.tool": Answer("gone", "ModuleNotFoundError: no")},
        {"lib.tool": Answer("there", "", "module")},
    )
    found = retired(tmp_path, old, new, was=was, answers=answers, earlier=before)
    assert [(one.kind, one.api_kind, one.parameter, one.name_lives) for one in found] == [
        ("removed", "module", None, True), ("removed", "parameter", "y", False)
    ]  # fmt: skip


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


@pytest.mark.parametrize("name", ["lib.other", "lib.tool"])
def test_a_module_is_lost_whatever_has_its_name_now(name: str) -> None:
    old = Surface(library="lib", version="1", tops=("lib",), modules=("lib", "lib.tool"), entries=())
    new = old.model_copy(update={"modules": ("lib",), "entries": (api(name),)})
    assert [lost.path for lost in lost_names(old, new, [], Shown(lambda path: True, lambda path: False))] == [
        "lib.tool"
    ]


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


@pytest.mark.parametrize(("told_by", "names"), [("docstring", []), ("runtime", ["old"])])
def test_names_in_the_docstring_of_compiled_code_are_not_sure(tmp_path: Path, told_by: str, names: list[str]) -> None:
    facts = {"facts": {"parameters": told_by}}
    old, new = ([api("lib.f", name).model_copy(update=facts)] for name in ("old", "new"))
    assert [one.parameter for one in retired(tmp_path, old, new)] == names
