"""Laws of signatures and of the difference between them."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from apigap.discovery.changes import changes_between
from apigap.discovery.surface import Entry, render_signature, says_deprecated
from apigap.records.candidate import Parameter

ORDER = ["positional_only", "positional_or_keyword", "var_positional", "keyword_only", "var_keyword"]


@st.composite
def signatures(draw: st.DrawFn) -> tuple[Parameter, ...]:
    names = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6))
    kinds = sorted((draw(st.sampled_from(ORDER)) for _ in names), key=ORDER.index)
    parameters: list[Parameter] = []
    defaults_begun = False
    for name, kind in zip(names, kinds, strict=True):
        if kind.startswith("var_"):
            if kind in [parameter.kind for parameter in parameters]:
                continue
            parameters.append(Parameter(name=name, kind=kind, required=False))  # pyright: ignore[reportArgumentType]
            continue
        default = draw(st.sampled_from([None, "1", "'x'", "None"]))
        if kind != "keyword_only":
            default = default or ("0" if defaults_begun else None)
            defaults_begun = default is not None
        parameters.append(Parameter(name=name, kind=kind, default=default, required=default is None))  # pyright: ignore[reportArgumentType]
    return tuple(parameters)


def entry(parameters: tuple[Parameter, ...]) -> Entry:
    return Entry(
        name="lib.f", kind="function", paths=("lib.f",), parameters=parameters, facts={"parameters": "runtime"}
    )


@given(signatures())
def test_a_rendered_signature_is_python(parameters: tuple[Parameter, ...]) -> None:
    function = ast.parse(f"def f{render_signature(parameters, 'int')}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    spec = function.args
    assert [a.arg for a in spec.posonlyargs] == names(parameters, "positional_only")
    assert [a.arg for a in spec.args] == names(parameters, "positional_or_keyword")
    assert [a.arg for a in spec.kwonlyargs] == names(parameters, "keyword_only")
    assert ([spec.vararg.arg] if spec.vararg else []) == names(parameters, "var_positional")
    assert ([spec.kwarg.arg] if spec.kwarg else []) == names(parameters, "var_keyword")


@given(signatures())
def test_nothing_differs_from_itself(parameters: tuple[Parameter, ...]) -> None:
    assert changes_between(entry(parameters), entry(parameters)) == ()


@given(signatures(), signatures())
def test_what_is_added_one_way_is_removed_the_other(old: tuple[Parameter, ...], new: tuple[Parameter, ...]) -> None:
    there = [change for change in changes_between(entry(old), entry(new)) if change.what == "parameter added"]
    back = [change for change in changes_between(entry(new), entry(old)) if change.what == "parameter removed"]
    assert sorted(change.parameter for change in there) == sorted(change.parameter for change in back)


def test_readers_are_not_compared_with_each_other() -> None:
    stub = entry((Parameter(name="a"),)).model_copy(update={"facts": {"parameters": "griffe"}})
    assert changes_between(stub, entry(())) == ()


def test_words_that_deprecate() -> None:
    for text in ("Deprecated since 2.0", "This is now deprecated.", "A.\n\n.. deprecated:: 3", "DEPRECATED: no"):
        assert says_deprecated(text), text
    for text in (
        "Make a thing; use it instead of other things.",
        "A.\n\nArgs:\n    x: Is deprecated.",
        "Raise on deprecated input.\n",
        None,
    ):
        assert not says_deprecated(text), text


def names(parameters: tuple[Parameter, ...], kind: str) -> list[str]:
    return [parameter.name for parameter in parameters if parameter.kind == kind]
