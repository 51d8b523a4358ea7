"""Deprecations that a source writes down: which of its objects and parameters they speak of, and which of none."""

# Sentences and sources as libraries write them.
# ruff: noqa: E501

from pathlib import Path

import pytest

from apigap.discovery.retired.deprecation_classes import BUILT_IN, deprecation_classes
from apigap.discovery.retired.notices import Source, notices_in, read_notices
from apigap.discovery.retired.on_request import modules_by_hand, names_on_request
from apigap.records.parsing.syntax import parse

OWN = "class RemovedInLib9(DeprecationWarning): ...\nclass Later(RemovedInLib9): ...\n"

TABLE = [
    # warnings that every call gives
    ("def f():\n    warnings.warn('f is deprecated, use g', DeprecationWarning)", [("f", None)]),
    ("def f():\n    'Doc.'\n    warnings.warn(f'{f} is deprecated', category=FutureWarning)\n    return 1", [("f", None)]),
    ("def f():\n    warnings.warn('will be removed', Later, stacklevel=2)", [("f", None)]),
    ("def f():\n    warnings.warn(Later('will be removed'))", [("f", None)]),
    ("def f():\n    text = 'f is ' + 'deprecated'\n    warn(text, PendingDeprecationWarning)", [("f", None)]),
    ("def f():\n    warn_about_use('f is deprecated', Later, skip_frames=1)", [("f", None)]),
    ("def f(x=None):\n    if x is not None:\n        warn_about_use('x is deprecated', Later)", [("f", "x")]),
    ("def f():\n    warn_about_use('f is deprecated', UserWarning)", []),
    ("def f():\n    issue_deprecation_warning('`f` is deprecated', version='1')", [("f", None)]),
    ("class C:\n    def __init__(self):\n        warnings.warn('C is deprecated', DeprecationWarning)", [("C", None)]),
    ("class C:\n    def m(self):\n        warnings.warn('m is deprecated', DeprecationWarning)", [("C.m", None)]),
    # of a parameter
    ("def f(x=None):\n    if x is not None:\n        warnings.warn('x is deprecated', DeprecationWarning)", [("f", "x")]),
    ("def f(x=no):\n    if x is not no:\n        warnings.warn('`x` is deprecated', FutureWarning)", [("f", "x")]),
    ("def f(**kwargs):\n    if 'x' in kwargs:\n        warnings.warn('x is deprecated', DeprecationWarning)", [("f", "x")]),
    ("def f(x=False):\n    if x:\n        warnings.warn('x is deprecated', DeprecationWarning)", [("f", "x")]),
    ("def f(x=()):\n    if x:\n        warnings.warn('x is deprecated', DeprecationWarning)", [("f", "x")]),
    ("def f(x=(1,)):\n    if x:\n        warnings.warn('x is deprecated', DeprecationWarning)", []),
    ("def f(*, x=None):\n    if x:\n        warnings.warn('x is deprecated', DeprecationWarning)", [("f", "x")]),
    ("def f(a=None, b=None):\n    if a is not None or b is not None:\n        warnings.warn('a and b are deprecated', Later)",
     [("f", "a"), ("f", "b")]),
    ("def f(x=True):\n    if x:\n        warnings.warn('x is deprecated', DeprecationWarning)", []),
    ("def f(x):\n    if x:\n        warnings.warn('x is deprecated', DeprecationWarning)", []),
    ("def f(x=None):\n    if x is not None or g():\n        warnings.warn('x is deprecated', DeprecationWarning)", []),
    # after a check that raises, and on a parameter after an early return
    ("def f(x):\n    if not x:\n        raise ValueError\n    warnings.warn('f is deprecated', DeprecationWarning)", [("f", None)]),
    ("def f(x=None):\n    if g():\n        return\n    if x:\n        warnings.warn('x is deprecated', Later)", [("f", "x")]),
    ("def f():\n    raise TypeError\n    warnings.warn('f is deprecated', DeprecationWarning)", []),
    ("def f(x=None):\n    if kwargs.get('x') is not None:\n        warnings.warn('x is deprecated', Later)", [("f", "x")]),
    # handed on to a private function of the file
    ("def f(x=None):\n    return _g(x=x)\ndef _g(x=None):\n    if x:\n        warnings.warn('x is deprecated', Later)",
     [("f", "x"), ("_g", "x")]),
    ("def f(y=None):\n    return _g(x=y)\ndef _g(x=None):\n    if x:\n        warnings.warn('x is deprecated', Later)",
     [("_g", "x")]),
    ("def f(a, **kwargs):\n    if kwargs:\n        a = _g(**kwargs)\n    return a\n"
     "def _g(**kwargs):\n    if 'x' in kwargs:\n        warnings.warn('x is deprecated', Later)", [("f", "x"), ("_g", "x")]),
    ("def f(a, **kwds):\n    return _g(kwds | {'a': a})\n"
     "def _g(kwds):\n    if kwds.get('x') is not None:\n        warnings.warn('x is deprecated', Later)",
     [("f", "x"), ("_g", "x")]),
    ("class C:\n    def m(self):\n        'Doc.'\n        return self._m(1)\n"
     "    @deprecated('m() is deprecated')\n    def _m(self, a): ...", [("C.m", None), ("C._m", None)]),
    ("class C:\n    def m(self):\n        a = self._m(1)\n        return a\n"
     "    @deprecated('m() is deprecated')\n    def _m(self, a): ...", [("C._m", None)]),
    # the module itself
    ("import warnings\nwarnings.warn('this module is deprecated', DeprecationWarning)", [("", None)]),
    ("if X:\n    warnings.warn('this module is deprecated', DeprecationWarning)", []),
    # of a value, of what is to come, of another thing: nothing
    ("def f(x):\n    if isinstance(x, str):\n        warnings.warn('x is deprecated', DeprecationWarning)", []),
    ("def f(x):\n    if x > 1:\n        warnings.warn('x is deprecated', DeprecationWarning)", []),
    ("def f(x=None):\n    if x is not None:\n        warnings.warn('y is deprecated', DeprecationWarning)", []),
    ("def f():\n    if g():\n        return\n    warnings.warn('f is deprecated', DeprecationWarning)", []),
    ("def f():\n    warnings.warn('the default of x will change', FutureWarning)", []),
    ("def f():\n    warnings.warn('f is deprecated')", []),
    ("def f():\n    warnings.warn('slow', RuntimeWarning)", []),
    # decorators
    ("@deprecated\ndef f(): ...", [("f", None)]),
    ("@typing_extensions.deprecated('use g')\nclass C: ...", [("C", None)]),
    ("@util.deprecated('1.4', 'use :meth:`.g`')\ndef f(): ...", [("f", None)]),
    ("@deprecate_renamed_parameter('old', 'new', version='1')\ndef f(new): ...", [("f", "old")]),
    ("@deprecate_kwarg(old_arg_name='a', new_arg_name='b')\ndef f(b): ...", [("f", "a")]),
    ("@util.deprecated_params(a=('2.0', 'the a is deprecated'), b=('2.0', 'b'))\ndef f(a, b): ...",
     [("f", "a"), ("f", "b")]),
    ("class C:\n    @util.deprecated_params(a=('2.0', 'the a is deprecated'))\n    def __init__(self, a): ...", [("C", "a")]),
    ("class C:\n    @util.deprecated('1.4', 'use inspect()')\n    def __init__(self): ...", []),
    ("@copy_docstring_and_deprecators(Axes.bar)\ndef f(): ...", []),
    ("@deprecated(_messages.F)\ndef f(): ...", [("f", None)]),
    ("@deprecated(MESSAGES['f'])\ndef f(): ...", [("f", None)]),
    ("@deprecated('1.4')\ndef f(): ...", [("f", None)]),
    ("@deprecate_nonkeyword_arguments(version='3')\ndef f(a): ...", []),
    ("@property\ndef f(self): ...", []),
    ("if X:\n    @deprecated('no')\n    def f(): ...", [("f", None)]),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), TABLE)
def test_what_a_source_says_is_deprecated(code: str, expected: list[tuple[str, str | None]]) -> None:
    own, tree = parse(OWN), parse(code)
    classes = deprecation_classes([own, tree])
    told = notices_in(Source("lib.mod", "lib/mod.py", tree), classes)
    assert [(one.home.removeprefix("lib.mod:"), one.parameter) for one in told] == expected


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("lib/mail/__init__.py", "from .texts import OLD"),
        ("lib/mail/send.py", "from lib.mail.texts import OLD"),
        ("lib/mail/send.py", "from .texts import GONE as OLD"),
        ("lib/deep/send.py", "from ..mail.texts import OLD"),
    ],
)
def test_the_text_of_a_warning_may_come_from_another_module(where: str, line: str, tmp_path: Path) -> None:
    body = "def f(x=None):\n    if x:\n        warnings.warn(OLD, DeprecationWarning)\n"
    for path, text in (
        ("lib/mail/texts.py", "OLD = 'x is ' + 'deprecated'\nGONE = 'x is obsolete'"),
        (where, f"{line}\n{body}"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    module = where.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
    assert [one.parameter for one in read_notices(tmp_path, ["lib"]).of(module, "f")] == ["x"]


def test_a_decorator_without_arguments_may_take_a_keyword_by_itself(tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text(
        "def deprecate_streaming():\n    def decorate(function):\n        def wrapper(*args, **kwargs):\n"
        "            if 'streaming' in kwargs:\n                issue_deprecation_warning('`streaming` is deprecated')\n"
        "            return function(*args, **kwargs)\n        return wrapper\n    return decorate\n"
        "@deprecate_streaming()\ndef collect(): ...\n"
    )
    assert [one.parameter for one in read_notices(tmp_path, ["lib"]).of("lib", "collect")] == ["streaming"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if old in kwargs:\n            warn_user(f'{old} is deprecated', DeprecationWarning)", []),
        ("warnings.warn('it is deprecated', DeprecationWarning)", [None]),
    ],
)
def test_a_decorator_that_asks_for_a_keyword_says_nothing_of_the_whole(
    body: str, expected: list[str | None], tmp_path: Path
) -> None:
    (tmp_path / "lib.py").write_text(
        f"def deprecate_dims(function, old='dims'):\n    def wrapper(*args, **kwargs):\n        {body}\n"
        "        return function(*args, **kwargs)\n    return wrapper\n@deprecate_dims\ndef dot(): ...\n"
    )
    assert [one.parameter for one in read_notices(tmp_path, ["lib"]).of("lib", "dot")] == expected


def test_a_decorator_that_is_told_the_keywords_speaks_of_them(tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text(
        "def deprecated_params(**specs):\n    def decorate(function):\n        def wrapper(*args, **kwargs):\n"
        "            for m in specs:\n                if m in kwargs:\n                    warn_user(specs[m])\n"
        "            if specs.keys() & kwargs.keys():\n                warn_user('old')\n"
        "            return function(*args, **kwargs)\n        return wrapper\n    return decorate\n"
        "@deprecated_params(a=('2.0', 'a is deprecated'))\ndef f(a): ...\n"
    )
    assert [one.parameter for one in read_notices(tmp_path, ["lib"]).of("lib", "f")] == ["a"]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("def __getattr__(name):\n    if name == 'a':\n        return 1", ["a"]),
        ("def __getattr__(name):\n    if name != 'a':\n        raise AttributeError\n    return 1", ["a"]),
        ("def __getattr__(name):\n    if name in ('a', 'b'):\n        return 1", ["a", "b"]),
        ("if X:\n    pass\nelse:\n    OLD = {'a': 1}\n    def __getattr__(attr):\n        return OLD[attr]", ["a"]),
        ("OLD = {'a': 1}\ndef __getattr__(name):\n    return OLD.get(name)", ["a"]),
        ("def __getattr__(name):\n    match name:\n        case 'a' | 'b':\n            return 1", ["a", "b"]),
        ("__all__ = ['a']\ndef __getattr__(name):\n    if name in __all__:\n        return 1", []),
        ("def __getattr__(name):\n    if name == '_a' or other == 'b':\n        return 1", []),
        ("def f(name):\n    if name == 'a':\n        return 1", []),
    ],
)
def test_names_that_a_module_gives_on_request(code: str, names: list[str]) -> None:
    assert list(names_on_request("lib.m", parse(code))) == [f"lib.m.{name}" for name in names]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("sys.modules[f'{__name__}.tool'] = sys.modules[f'{__name__}.base']", ["lib.tools.tool"]),
        ("sys.modules[__name__ + '.tool'] = base", ["lib.tools.tool"]),
        ("sys.modules['lib.old'] = new", ["lib.old"]),
        ("sys.modules[name] = new", []),
        ("other['lib.old'] = new", []),
    ],
)
def test_modules_that_are_put_in_place_by_hand(code: str, names: list[str]) -> None:
    assert list(modules_by_hand("lib.tools", parse(code))) == names


def test_classes_made_of_deprecations_are_found_in_any_order() -> None:
    trees = [parse("class B(A): ...\nclass Other(Exception): ..."), parse("class A(lib.FutureWarning): ...")]
    assert deprecation_classes(trees) == {*BUILT_IN, "A", "B"}


def test_a_decorator_tells_what_takes_the_place() -> None:
    tree = parse("@deprecate_renamed_parameter('old', 'new', version='1')\ndef f(new): ...")
    (told,) = notices_in(Source("m", "m.py", tree), BUILT_IN)
    assert (told.parameter, told.successor, told.where) == ("old", "new", "m.py:1")
    tree = parse("@deprecated_20('Row.keys', alternative='Use the mapping of the row.')\ndef keys(self): ...")
    (told,) = notices_in(Source("m", "m.py", tree), BUILT_IN)
    assert (told.text, told.successor) == ("Use the mapping of the row.", None)


def test_text_that_goes_deep_ends_no_reading(tmp_path: Path) -> None:
    """A long sum is a deep tree: the file is read, and what it says elsewhere is told."""
    many = " + ".join(["1"] * 1500)
    text = f"""
import sys, warnings
sys.modules[{" + ".join(["'a'"] * 900)}] = 1
def f():
    x = {many}
    return _g({" | ".join(["a"] * 900)})
def _g(a):
    x = {many}
    warnings.warn("g is deprecated", DeprecationWarning)
@deprecated("use f")
def h(): ...
"""
    (tmp_path / "lib.py").write_text(text)
    assert [told.text for told in read_notices(tmp_path, ["lib"]).of("lib", "h")] == ["use f"]


def test_both_constructors_of_a_class_take_keywords(tmp_path: Path) -> None:
    text = "class C:\n    def __new__(cls, **kw):\n        kw.pop('former')\n    def __init__(self, **kw): ...\n"
    (tmp_path / "lib.py").write_text(text)
    assert read_notices(tmp_path, ["lib"]).writes("lib", "C", "former")
