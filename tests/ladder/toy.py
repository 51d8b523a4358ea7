"""A library of a few lines, installed in an environment of its own, and usages of it, which items are made from."""

from pathlib import Path

from apigap.knowledge.usages.verify import ApiUsages, VerifiedUsage
from apigap.records.candidate import Candidate, Parameter
from apigap.sandbox.environment import Environment
from tests.interpreters import make_environment
from tests.knowledge.blocks import usage_of_block
from tests.ladder.made import api, parameter

CODE = '''
"""Sums of lists."""

class Tally:
    """A list that is counted."""

    def __init__(self, words):
        self.words = list(words)

    def most(self, count=1, reverse=False):
        """The words that are there most often."""
        found = sorted(set(self.words), key=lambda word: (-self.words.count(word), word))
        return (found[::-1] if reverse else found)[:count]

def scaled(values, factor=2, offset=0):
    """Each value times the factor, with the offset added."""
    return [value * factor + offset for value in values]

def mood(value):
    """Nothing that depends on its argument."""
    return None
'''
SCALED = api("abacus.scaled", parameter("values"), parameter("factor", "2"), parameter("offset", "0"))
MOST = api(
    "abacus.Tally.most", Parameter(name="self"), parameter("count", "1"), parameter("reverse", "False"), kind="method"
)
MOOD = api("abacus.mood", parameter("value"))
UNUSED = api("abacus.unused", parameter("value"))


def of_abacus(one: Candidate) -> Candidate:
    return one.model_copy(update={"library": "abacus", "import_module": "abacus"})


APIS = [of_abacus(one) for one in (SCALED, MOST, MOOD, UNUSED)]
CODES = {
    "abacus.scaled": [
        "from abacus import scaled\nvalues = [3, 5, 8]\nresult = scaled(values, factor=3, offset=1)\nprint(result)"
    ],
    "abacus.Tally.most": [
        "from abacus import Tally\ntally = Tally(['b', 'a', 'c', 'a', 'c', 'c'])\nresult = tally.most(2)\nprint(result)"
    ],
    "abacus.mood": ["from abacus import mood\nresult = mood(3)\nprint(result)"],
}


def usages_of(one: Candidate) -> ApiUsages:
    found = [usage_of_block(code) for code in CODES.get(one.api_name, [])]
    verified = [VerifiedUsage(usage=usage, exercises=(), needs_new=True) for usage in found if usage]
    return ApiUsages(
        api_name=one.api_name, usages=tuple(verified), tried=len(found), reason=None if found else "no usage names it"
    )


def install(root: Path) -> Environment:
    """An environment that has the library alone."""
    made = make_environment(root, "abacus", "2")
    (made.site_packages / "abacus.py").write_text(CODE)
    return made
