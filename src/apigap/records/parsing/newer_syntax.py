"""Texts in the syntax of a newer Python than the one that runs apigap, read for what they have in common with it.

What such a text means is for its own Python to say. Here it is enough to see that it is code, and which names and calls
are in it.
"""

import ast
import re

from apigap.records.parsing.older_fstrings import older_fstrings
from apigap.records.parsing.syntax import parse

_ALIAS = re.compile(r"(?m)^([ \t]*)type ([^\W\d]\w*)(?:\[[^\]\n]*\])?[ \t]*=(?!=)")
_TYPE_PARAMETERS = re.compile(r"(?m)^([ \t]*(?:async +)?(?:def|class) +\w+)\[[^\n]*?\](?=[ \t]*[(:])")


def parse_leniently(code: str) -> ast.Module:
    """The tree of `code`; where it does not parse, that of the same text without what Python 3.12 has brought.

    Then aliases (`type X = int`) are assignments, the type parameters of functions and classes (`def f[T](x)`) are
    missing, and f-strings have three quotes, with other characters where expressions in them hold a backslash or `#`.

    Raises: as `parse`, for what parses in neither form; lines are those of `code`.
    """
    try:
        return parse(code)
    except SyntaxError:
        older = older_fstrings(_TYPE_PARAMETERS.sub(r"\1", _ALIAS.sub(r"\1\2 =", code)))
        if older == code:
            raise
    return parse(older)
