"""Syntax of Python 3.12 is left out where a text cannot be read otherwise; everything else stays an error."""

import ast
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.parsing.newer_syntax import parse_leniently
from apigap.records.parsing.older_fstrings import older_fstrings

NEWER = {
    "type X = int": "X = int",
    "type X[T] = list[T]": "X = list[T]",
    "def f[T](a: T) -> T: return a": "def f(a: T) -> T: return a",
    "class A[T: (int, str), *Ts]:\n    async def f[**P](self): pass": "class A:\n    async def f(self): pass",
    "class A[T](dict[str, T]): pass": "class A(dict[str, T]): pass",
    'x = f"{data["a"]}"\ny = 1': "x = f'{data[\"a\"]}'\ny = 1",
    "x = f'{f('a')!r:>{w['n']}}' f\"{b}\"": 'x = f\'{f("a")!r:>{w["n"]}}\' f"{b}"',
    'f"{{}} {"#".join(rows)} {f"{x}"} # {d["k"]}"': 'f\'{{}} {"_".join(rows)} {f"{x}"} # {d["k"]}\'',
    'f"{"\\n".join(rows)}"  # "it\'s"': "f'{\"__\".join(rows)}'",
    'rf"\\d{n["a"]}"': "rf'\\d{n[\"a\"]}'",
}


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python has that syntax itself")
@pytest.mark.parametrize("text", NEWER)
def test_what_is_new_is_left_out(text: str) -> None:
    assert ast.dump(parse_leniently(text)) == ast.dump(ast.parse(NEWER[text]))


@pytest.mark.parametrize("text", ["type = 1", "type (x) == 2", "a = [1]\ndef f(a: list[int]): pass", "x['def f[T]()']"])
def test_what_parses_is_read_as_it_is(text: str) -> None:
    assert ast.dump(parse_leniently(text)) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    "text",
    ["type X", "type X == int", "def f[T]", "type X = int\nx =", "The type of x = 1 is", 'f"{d["a"]"', "f'{", 'f"{x!r'],
)
def test_errors_stay(text: str) -> None:
    with pytest.raises(SyntaxError):
        parse_leniently(text)


@given(st.text(alphabet="fr'\"{}:!\\#n\n x=([", max_size=60))
def test_any_text_keeps_its_lines(text: str) -> None:
    assert older_fstrings(text).count("\n") == text.count("\n")


@given(st.text(alphabet="f'\"{}x:!# ", max_size=40))
def test_what_this_python_takes_means_the_same_in_its_older_form(text: str) -> None:
    """Names and calls are kept: the same tree, but for quotes."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    older = ast.parse(older_fstrings(text))
    assert [node.id for node in ast.walk(older) if isinstance(node, ast.Name)] == names
