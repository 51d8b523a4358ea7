"""Where texts are cut: laws over any text, and a table over code and prose."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.retrieval.cuts import cut

MODULE = '''import os

LIMIT = 3


# how much is left
@cache
def left(used):
    return LIMIT - used


class Gate:
    """A gate."""

    open = False

    def swing(self, times):
        for turn in range(times):
            self.open = not self.open
        return self.open

    # nobody calls it
    @property
    def shut(self):
        return not self.open
'''


def pieces(text: str, most: int, code: bool = True) -> list[str]:
    return [text[start:end] for start, end in cut(text, lambda start, end: end - start <= most, code=code)]


CODE = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(MODULE.splitlines(keepends=True)), max_size=30).map("".join),
    st.just(MODULE),
)


@given(CODE, st.integers(1, 120), st.booleans())
def test_nothing_is_lost_doubled_or_too_long(text: str, most: int, code: bool) -> None:
    spans = cut(text, lambda start, end: end - start <= most, code=code)
    ends = [0, *(offset for span in spans for offset in span), len(text)]
    assert ends == sorted(ends)
    assert all(0 < end - start <= most for start, end in spans)
    between = "".join(text[end:start] for end, start in zip(ends[::2], ends[1::2], strict=True))
    assert between.strip() == ""


@given(st.integers(1, 400))
def test_what_fits_alone_is_never_cut(most: int) -> None:
    whole = [ast.get_source_segment(MODULE, node) or "" for node in ast.walk(ast.parse(MODULE)) if _defines(node)]
    found = pieces(MODULE, most)
    for definition in whole:
        inside = [part for part in found if definition in part]
        # a definition is longer with its decorator, the comment above it, and the blank lines around it
        assert inside or len(definition) + len("    # nobody calls it\n    @property\n    \n\n\n") > most


def _defines(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.ClassDef))


def test_a_class_is_cut_between_its_methods_with_their_decorators_and_comments() -> None:
    assert pieces(MODULE, 150) == [
        "import os\n\nLIMIT = 3\n\n\n# how much is left\n@cache\ndef left(used):\n    return LIMIT - used",
        'class Gate:\n    """A gate."""\n\n    open = False',
        "    def swing(self, times):\n        for turn in range(times):\n            self.open = not self.open\n"
        "        return self.open",
        "    # nobody calls it\n    @property\n    def shut(self):\n        return not self.open",
    ]


@pytest.mark.parametrize(
    ("code", "most", "expected"),
    [
        ("a = 1\nb = 2\n", 20, ["a = 1\nb = 2"]),
        ("a = 1\nb = 2\n", 8, ["a = 1", "b = 2"]),
        ("def f():\n    return 1\n# ... shortened\n  x", 30, ["def f():\n    return 1", "# ... shortened\n  x"]),
        ("x = '''\n# no\n'''\ny = 1", 18, ["x = '''\n# no\n'''", "y = 1"]),
        ("a\x0c = 1\r\nb = 2\rc = 3", 9, ["a\x0c = 1", "b = 2", "c = 3"]),
        ("a" * 10, 4, ["aaaa", "aaaa", "aa"]),
        ("", 4, []),
        (" \n \n", 1, []),
    ],
)  # fmt: skip
def test_code(code: str, most: int, expected: list[str]) -> None:
    assert pieces(code, most) == expected


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("One.\n\nTwo is here. Three.", 17, ["One.", "Two is here.", "Three."]),
        ("One.\n\nTwo is here. Three.", 19, ["One.", "Two is here. Three."]),
        ("Parameters:\n- a: int. Old.\n- b", 18, ["Parameters:", "- a: int. Old.\n- b"]),
        ("no full stop in it", 9, ["no full", "stop in", "it"]),
    ],
)
def test_prose(text: str, most: int, expected: list[str]) -> None:
    assert pieces(text, most, code=False) == expected
