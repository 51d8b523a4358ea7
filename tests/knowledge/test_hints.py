"""What values a parameter takes, as the running library's own annotations say it."""

import sys
import types

import pytest

from apigap.knowledge.shapes_script.classes import Classes
from apigap.knowledge.shapes_script.hints import Hints

NOW = """
from typing import Literal, NotRequired, Required, TypedDict
class Row(TypedDict, total=False):
    kind: Required[Literal['row']]
    size: int
    inner: 'Row'
def show(row: Row): pass
"""
KIND, SIZE = ["lit", "'row'"], ["lit", "3"]


@pytest.mark.parametrize("head", ["", "from __future__ import annotations"], ids=["values", "texts"])
def test_a_dictionary_has_the_keys_that_it_must_have_and_then_a_few_more(head: str) -> None:
    made = types.ModuleType("rows_of_hints")
    sys.modules[made.__name__] = made
    exec(compile(f"{head}\n{NOW}", "rows", "exec", dont_inherit=True), vars(made))
    [row] = Hints(made.show, Classes((made.__name__,))).parameters(made.show, bound=False)
    assert row["wants"] == [["typed", {"kind": KIND}], ["typed", {"kind": KIND, "size": SIZE}]]
