"""Signatures as compiled code tells them in its docstrings, word for word, and what is made of two versions of them."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.discovery.changes import changes_between
from apigap.discovery.surface import Entry, render_signature
from apigap.discovery.walk.docstring_signatures import DocstringSignatures
from apigap.records.candidate import Parameter

SMILES = """
MolFromSmiles( (AtomPairsParameters)SMILES, (SmilesParserParams)params) -> Mol :
    Construct a molecule from a SMILES string.

    C++ signature :
        RDKit::ROMol* MolFromSmiles(boost::python::api::object,RDKit::v1::SmilesParserParams)

MolFromSmiles( (AtomPairsParameters)SMILES [, (bool)sanitize=True [, (dict)replacements={}]]) -> Mol :
    Construct a molecule from a SMILES string.

    C++ signature :
        RDKit::ROMol* MolFromSmiles(boost::python::api::object [,bool=True [,boost::python::dict={}]])"""

PYBIND = """frombuffer(*args, **kwargs)
Overloaded function.

1. frombuffer(buffer: object, count: int = -1) -> lib.Array

Make it.

2. frombuffer(self: lib.Array, *, offset: float = 0.5) -> lib.Array
"""

TOLD = [
    ("MolFromSmiles", "function", SMILES, [
        "(SMILES: AtomPairsParameters, params: SmilesParserParams)",
        "(SMILES: AtomPairsParameters, sanitize: bool = True, replacements: dict = {})",
    ]),
    ("GetIdx", "method", "\nGetIdx( (Atom)self) -> int :\n    The index.\n\n    C++ signature :\n        i", ["()"]),
    ("f", "function", "\nf([  (str)name='a, b)' [, (object)where=None]]) -> None :\n    F.",
        ["(name: str = 'a, b)', where: object = None)"]),
    ("SetProp", "method", "\nSetProp( (Mol)arg1, (str)arg2, (int)value) -> None :\n    S.",
        ["(arg2: str, /, value: int)"]),
    ("f", "function", "\nf( (P)params=<lib.P object at 0x7f40e6fa68f0>) -> None :\n    F.",
        ["(params: P = <lib.P object>)"]),
    ("frombuffer", "function", PYBIND, [
        "(buffer: object, count: int = -1)", "(self: lib.Array, *, offset: float = 0.5)",
    ]),
    ("shape", "method", "shape(self: lib.Array, axis: int = 0) -> tuple[int, ...]\n\nIts shape.", ["(axis: int = 0)"]),
    ("normal", "method", "\n        normal(loc=0.0, scale=1.0, size=None)\n\n        Draw.", [
        "(loc=0.0, scale=1.0, size=None)",
    ]),
    ("all", "method", "a.all(axis=None, out=None, *, keepdims=<no value>)\n\nTrue if all.", [
        "(axis=None, out=None, *, keepdims=<default>)",
    ]),
    ("add", "function", "add(x1, x2, /, out=None, *, where=True[, signature, extobj])\n\nAdd.", [
        "(x1, x2, /, out=None, *, where=True, signature = ..., extobj = ...)",
    ]),
    ("array", "function", "array(object, dtype=None, *, copy=True,\n          like=None)\n\n    Create.", [
        "(object, dtype=None, *, copy=True, like=None)",
    ]),
    ("floor", "method", "Timestamp.floor(self, freq, ambiguous='raise')\n\nRound.", ["(freq, ambiguous='raise')"]),
    ("arange", "function", "arange([start,] stop[, step,], dtype=None, *, like=None)\n\nReturn.", []),
    ("concatenate", "function", "concatenate((a1, a2, ...), axis=0)\n\nJoin.", []),
    ("f", "function", "f(x) is what this computes.", []),
    ("f", "function", "Compute f(x).", []),
    ("f", "function", "g(x)\n\nOther.", []),
    ("f", "function", "f(x", []),
    ("f", "function", "", []),
]  # fmt: skip


@pytest.mark.parametrize(("leaf", "kind", "text", "forms"), TOLD)
def test_what_a_docstring_tells(leaf: str, kind: str, text: str, forms: list[str]) -> None:
    told = DocstringSignatures(SimpleNamespace(__name__=leaf, __doc__=text), kind)
    shown = [tuple(Parameter.model_validate(p) for p in form) for form in told.forms]
    assert [render_signature(form, None) for form in shown] == forms


def test_names_are_told_also_where_no_signature_is() -> None:
    text = "arange([start,] stop[, step,], dtype=None, *, device='cpu', like=None)\n\nReturn."
    told = DocstringSignatures(SimpleNamespace(__name__="arange", __doc__=text), "function")
    assert told.names == ["start", "stop", "step", "dtype", "device", "like"]


def test_a_class_is_told_by_its_constructor() -> None:
    init = SimpleNamespace(
        __doc__="__init__( (object)self, (str)name [, (int)size=3]) -> None :\n\n    C++ signature :"
    )
    told = DocstringSignatures(SimpleNamespace(__name__="Box", __doc__="A box.", __init__=init), "class")
    assert [[p["name"] for p in form] for form in told.forms] == [["name", "size"]]


@given(st.text(alphabet="f()[]<>=:,.*'\"\\ \nab1->", max_size=80), st.sampled_from(["function", "method", "class"]))
def test_no_text_is_too_strange(text: str, kind: str) -> None:
    for form in DocstringSignatures(SimpleNamespace(__name__="f", __doc__="f(" + text), kind).forms:
        render_signature(tuple(Parameter.model_validate(p) for p in form), None)


def entry(*forms: str, names: str = "", source: str = "docstring") -> Entry:
    """A function with these forms, each `a, b=1`, and these names in its docstring."""
    parsed = [tuple(_parameter(text) for text in form.split(", ") if text) for form in forms]
    return Entry(
        name="lib.f", kind="function", paths=("lib.f",), parameters=max(parsed, key=len),
        overloads=tuple(parsed) if len(parsed) > 1 else (), documented_names=tuple(names.split()),
        facts={"parameters": source},  # pyright: ignore[reportArgumentType]
    )  # fmt: skip


def _parameter(text: str) -> Parameter:
    name, equals, default = text.partition("=")
    kind = "keyword_only" if name.startswith("*") else "positional_only" if "arg" in name else "positional_or_keyword"
    return Parameter(name=name.strip("*"), kind=kind, default=default or None, required=not equals)


CHANGES = [
    ("the same forms in another order", entry("a", "a, b"), entry("a, b", "a"), []),
    ("a form more", entry("a, b=1"), entry("a, b=1", "params, where"), ["overload added f (params, where)"]),
    ("a form less", entry("a", "b, c"), entry("b, c"), []),
    ("a form with a parameter more", entry("a", "b, c"), entry("a", "b, c, d=1"), ["parameter added d d=1"]),
    ("a form whose parameter has another name", entry("", "old"), entry("", "new"), ["parameter renamed new new"]),
    ("Boost's nameless parameters got names", entry("arg1, arg2"), entry("mol, idx"), []),
    ("and one more came", entry("arg1"), entry("mol, idx=0"), ["parameter added idx idx=0"]),
    ("a signature that was only told before", entry("a", names="a"), entry("a, *b=1", names="a b", source="runtime"),
        ["parameter added b b=1"]),
    ("one that is not told now", entry("a", names="a"), entry("a, *b=1", source="runtime"), []),
    ("one that was told before", entry("a", names="a b"), entry("a, *b=1", names="a b", source="runtime"), []),
    ("another way to write what is no keyword", entry("a", names="a"), entry("b", names="b", source="runtime"), []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "found"), CHANGES, ids=[row[0] for row in CHANGES])
def test_changes_of_what_is_told(name: str, old: Entry, new: Entry, found: list[str]) -> None:
    assert [f"{c.what} {c.parameter} {c.new}" for c in changes_between(old, new)] == found
