"""Questions to Python syntax trees."""

import ast
import sysconfig
from pathlib import Path

import pytest

from apigap.records.parsing.syntax_trees import statements_within

_LIBRARY = Path(sysconfig.get_path("stdlib"))
_KINDS = (ast.mod, ast.stmt, ast.ExceptHandler, ast.match_case)
_EVERY_KIND = """
match x:
    case 1:
        class A:
            def f(self): pass
    case _:
        try:
            def g(): pass
        except* ValueError:
            def h(): pass
        else:
            async def i():
                async for _ in x:
                    def j(): pass
                else:
                    def k(): pass
        finally:
            with x:
                while lambda: 0:
                    def l(): pass
"""


@pytest.mark.parametrize(
    "text",
    [_EVERY_KIND, *(path.read_text("utf-8") for path in sorted(_LIBRARY.glob("a*.py")))],
    ids=["every kind", *(path.name for path in sorted(_LIBRARY.glob("a*.py")))],
)
def test_all_statements_are_given_in_the_order_of_walk(text: str) -> None:
    tree = ast.parse(text)
    assert list(statements_within(tree)) == [node for node in ast.walk(tree) if isinstance(node, _KINDS)]
