"""Prices of models: a table of list prices with its date, and those that a user names."""

import functools
import re
from collections.abc import Sequence
from datetime import date
from importlib import resources
from typing import NamedTuple

from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.yaml_settings.config_files import read_config

_DATED = re.compile(r"[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest|preview)$")


class Price(NamedTuple):
    """Dollars per million tokens, and where that is from."""

    input: float
    output: float
    source: str

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """The dollars for so many tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


FREE = Price(0.0, 0.0, "it runs here, or is made up")
"""The price of what nobody is paid for."""


class _Table(Record):
    """The table in `configs/prices.yaml`."""

    date: date
    source: str
    prices: dict[str, tuple[float, float]]


def price_of(model: str, given: Sequence[str] = ()) -> Price | None:
    """The price of `model`: one that is `given` as IN/OUT or MODEL=IN/OUT, else that of the table; None if unknown.

    Raises:
        UsageError: for a given price that is none.
    """
    plain = plain_name(model)
    own = [_given(text) for text in given]
    for name in (model, plain, ""):
        for called, price in own:
            if called == name:
                return price
    table = _table()
    found = table.prices.get(plain)
    return Price(*found, f"list price of {table.date}") if found else None


def plain_name(model: str) -> str:
    """The name without provider and date."""
    return _DATED.sub("", model.rpartition("/")[2].lower())


def _given(text: str) -> tuple[str, Price]:
    name, _, figures = text.rpartition("=")
    try:
        first, second = (float(figure) for figure in figures.split("/"))
    except ValueError:
        raise UsageError(
            f"--price {text!r} is no price: write IN/OUT in dollars per million tokens, as 2.5/10, or MODEL=IN/OUT"
        ) from None
    return name, Price(first, second, "--price")


@functools.cache
def _table() -> _Table:
    return read_config(resources.files("apigap.configs") / "prices.yaml", _Table, "a table of prices")
