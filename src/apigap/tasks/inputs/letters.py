"""Runs of letters that a test walks over (`'ABCD'`), as lists of words: items of daily work in the place of letters."""

import ast

from apigap.knowledge.usages.usage import Step, Usage
from apigap.records.parsing.syntax import expression_tree, parse
from apigap.tasks.inputs.fitting import is_placeholder

_WORDS = ("fig", "lime", "pear", "plum", "apple", "grape", "lemon", "melon", "peach", "cherry")
_LEAST = 2


def with_items(usage: Usage) -> Usage | None:
    """`usage` with a list of words for every run of letters that is given to a call or to a name; None without any.

    The same letter is the same word throughout. Whether the usage then still runs, only a run can tell.
    """
    words = _Words()
    inputs = tuple((name, words.of_expression(value)) for name, value in usage.inputs)
    steps = tuple(
        Step(
            code=words.of_code(step.code) if step.code else step.code,
            expression=step.expression and words.of_expression(step.expression),
        )
        for step in usage.steps
    )
    if not words.given:
        return None
    return usage.replaced(inputs=inputs, steps=steps, variants=(), source=f"{usage.source} on items")


class _Words(ast.NodeTransformer):
    """Puts lists in the place of runs of letters; `given` are the words that the letters have so far."""

    def __init__(self) -> None:
        self.given: dict[str, str] = {}

    def of_code(self, code: str) -> str:
        """The code with lists of words."""
        return ast.unparse(self.visit(parse(code)))

    def of_expression(self, text: str) -> str:
        """The expression with lists of words."""
        return ast.unparse(self._items(expression_tree(text)))

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """A call, with lists among what it is given by position; a method of a text keeps its own."""
        if not (isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant)):
            node.args = [self._items(argument) for argument in node.args]
        self.generic_visit(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        """An assignment, with a list for a run of letters."""
        node.value = self._items(node.value)
        return node

    def _items(self, node: ast.expr) -> ast.expr:
        letters = self._letters(node)
        if letters is None:
            return self.visit(node)
        for letter in letters:
            if letter not in self.given:
                self.given[letter] = _WORDS[len(self.given)]
        return ast.List([ast.Constant(self.given[letter]) for letter in letters], ast.Load())

    def _letters(self, node: ast.expr) -> str | None:
        """The letters of a text that stands for any other, while there are words for them."""
        text = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(text, str) or len(text) < _LEAST or not text.isalpha() or not is_placeholder(text):
            return None
        return text if len({*self.given, *text}) <= len(_WORDS) else None
