"""Reasons of rejected tries, counted by kind."""

from apigap.tasks.author.rejections import rejected_tries


def test_tries_are_counted_by_kind_and_others_passed_over() -> None:
    assert rejected_tries(
        [
            "easy, try 1: its reference passes in the old version too",
            "hard, try 2: its reference passes in the old version too",
            "easy, try 1: it kills 14 of 16 mutants, less than 90%; it also passes with: default written (seed=None)",
            "easy, try 3: no other inputs could be found for it: `kind = dict[str, int]` assigns to none of the inputs",
            "easy, try 1: its reference does not run in scenario basic: raised in context: ModuleNotFoundError: pandas",
            "1 usages run, and none of them calls it",
        ]
    ) == {
        "its reference passes in the old version too": 2,
        "a line assigns to none of the inputs": 1,
        "it kills N of N mutants": 1,
        "its reference does not run": 1,
    }
