"""Sentences of real libraries, and the API that each of them names as the replacement."""

# Sentences and sources as libraries write them.
# ruff: noqa: E501

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.discovery.retired.advice import Successors, other_distribution, parameter_named_in, words_named_instead
from apigap.discovery.surface import Entry, Surface

NAMES = {
    "numpy.any": "function", "numpy.inf": "data", "numpy.ndarray": "class", "numpy.ndarray.tobytes": "method",
    "numpy.lib.npyio.DataSource": "class", "pydantic.BaseModel": "class", "pydantic.BaseModel.model_dump": "method",
    "click.Command": "class", "pandas.Series": "class", "pandas.Series.transpose": "method",
    "pandas.DataFrame": "class", "pandas.DataFrame.shift": "method", "pandas.Series.shift": "method",
    "pandas.DataFrame.melt": "method",
    "sqlalchemy.sql.Select": "class", "sqlalchemy.sql.Select.where": "method", "networkx.random_lobster_graph": "function",
    "sqlalchemy.orm.Query": "class", "sqlalchemy.orm.Query.scalar_subquery": "method",
}  # fmt: skip
SURFACE = Surface(
    library="all", version="2", tops=("numpy", "pydantic", "click", "pandas", "sqlalchemy", "networkx"),
    variables=tuple(name for name, kind in NAMES.items() if kind == "data"),
    entries=tuple(Entry(name=name, kind=kind, paths=(name,)) for name, kind in NAMES.items() if kind != "data"),  # type: ignore[arg-type]
)  # fmt: skip

TABLE = [
    ("numpy.sometrue", "`np.sometrue` was removed in the NumPy 2.0 release. Use `np.any` instead.", "numpy.any"),
    ("pandas.swapaxes", "Use pd.Series(obj).transpose() instead.", "pandas.Series.transpose"),
    ("numpy.PINF", "`np.PINF` was removed in the NumPy 2.0 release. Use `np.inf` instead.", "numpy.inf"),
    ("numpy.DataSource", "was removed. It's still available as `np.lib.npyio.DataSource`.", "numpy.lib.npyio.DataSource"),
    ("numpy.ndarray.tostring", "tostring() is deprecated. Use tobytes() instead.", "numpy.ndarray.tobytes"),
    ("pydantic.BaseModel.dict", "The `dict` method is deprecated; use `model_dump` instead.", "pydantic.BaseModel.model_dump"),
    ("click.BaseCommand", "'BaseCommand' is deprecated and will be removed in Click 9.0. Use 'Command' instead.", "click.Command"),
    ("pandas.Series.swapaxes", "Please use '{type(self).__name__}.transpose' instead.", "pandas.Series.transpose"),
    ("sqlalchemy.sql.Select.append_whereclause", "Use the generative method :meth:`_expression.Select.where`.", "sqlalchemy.sql.Select.where"),
    ("sqlalchemy.orm.Query.as_scalar", "Please refer to :meth:`_query.Query.scalar_subquery`.", "sqlalchemy.orm.Query.scalar_subquery"),
    ("networkx.random_lobster", "`random_lobster` is deprecated, use `random_lobster_graph` instead.", "networkx.random_lobster_graph"),
    ("pydantic.BaseModel.parse_raw", "if your data is JSON use `dump`, otherwise load the data then use `model_dump` instead.", "pydantic.BaseModel.model_dump"),
    ("sqlalchemy.orm.Query.get", "for one column use `scalar_subquery`, otherwise use `Select` instead.", "sqlalchemy.orm.Query.scalar_subquery"),
    ("numpy.some", "some is deprecated, use any event handlers instead.", None),
    ("numpy.some", "some is deprecated, use `any` event handlers instead.", "numpy.any"),
    ("numpy.some", "some is deprecated, use any function instead.", "numpy.any"),
    ("numpy.chararray", "Use an any with a string dtype instead.", None),
    ("pydantic.BaseSettings", "`BaseSettings` has been moved to the `pydantic-settings` package.", None),
    ("pandas.Series.slice_shift", "You can use DataFrame/Series.shift instead.", "pandas.Series.shift"),
    ("pandas.Series.tshift", "Series/DataFrame.tshift is deprecated. Use Series/DataFrame.shift instead.", "pandas.Series.shift"),
    ("pandas.Series.look", "Use DataFrame.shift/Series.shift instead", "pandas.Series.shift"),
    ("pandas.Series.look", "Series.look is deprecated, use DataFrame.melt instead", "pandas.DataFrame.melt"),
    ("numpy.every", "every has been deprecated in favor of any policies.", None),
    ("numpy.every", "every has been deprecated in favor of any.", "numpy.any"),
    ("numpy.every", "Use any(values) instead.", None),
    ("pandas.Series.odd", "Use ``obj.shift == 1`` instead.", None),
    # another library's, no name, its own name, nothing
    ("numpy.source", "Use `inspect.getsource` instead.", None),
    ("numpy.NINF", "Use `-np.inf` instead.", None),
    ("networkx.info", "info is deprecated and will be removed in version 3.0.", None),
    ("click.Command", "Use `Command` instead.", None),
]  # fmt: skip


@pytest.mark.parametrize(("old_name", "text", "expected"), TABLE)
def test_the_replacement_that_a_sentence_names(old_name: str, text: str, expected: str | None) -> None:
    assert Successors(SURFACE).named_in(text, old_name) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The 'delim_whitespace' keyword is deprecated. Use ``sep='\\s+'`` instead", "sep"),
        ("`skip_defaults` is deprecated and replaced by `exclude_unset`", "exclude_unset"),
        ("`x` is deprecated. Use another function instead.", None),
    ],
)
def test_the_parameter_that_a_sentence_names(text: str, expected: str | None) -> None:
    assert parameter_named_in(text, "x", frozenset({"sep", "exclude_unset", "x"})) == expected


@given(st.text(max_size=200))
def test_any_text_names_something_or_nothing(text: str) -> None:
    assert all(word and not word.endswith(".") for word in words_named_instead(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`BaseSettings` has been moved to the `pydantic-settings` package.", "pydantic-settings"),
        ("`Color` has been moved into the pydantic_extra_types package", "pydantic_extra_types"),
        ("It has moved to the `pydantic.v1` package.", None),
        ("`x` was moved to `pydantic.types`.", None),
    ],
)
def test_another_distribution(text: str, expected: str | None) -> None:
    assert other_distribution(text, SURFACE.tops) == expected
