"""Answers that change the name by which their warnings are told apart."""

import pytest

from apigap.sandbox.limits import MAX_PARSED
from apigap.sandbox.verdict.module_name import changes_its_name

CHANGES = [
    "__name__ = None",
    "del __name__",
    "global __name__\nfor __name__ in [None]: pass",
    "globals()['__name__'] = None",
    "exec(text, {'__name__': None})",
    "exec(text, dict(__name__=None))",
    "vars().pop('__name__')",
    "import __main__\nsetattr(__main__, '__name__', None)",
    "from lib import name as __name__",
    "with lib.open() as __name__: pass",
    f"x = f({'1 + ' * MAX_PARSED}1)\n__name__ = None",
]
LEAVES = [
    "x = 1",
    "if __name__ == '__main__':\n    x = 1",
    "f.__name__ = 'own'",
    "name = getattr(f, '__name__')",
    "print('__name__')",
    "this is no Python",
]


TABLE = [*((code, True) for code in CHANGES), *((code, False) for code in LEAVES)]


@pytest.mark.parametrize(("code", "changes"), TABLE, ids=range(len(TABLE)))
def test_a_changed_name(code: str, changes: bool) -> None:
    assert changes_its_name(code) is changes
