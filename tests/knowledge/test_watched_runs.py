"""Usages of an API that only waits: the first few are run, and no more."""

from collections.abc import Sequence
from typing import Any, cast

import pytest

from apigap.knowledge.usages.usage import Step, Usage
from apigap.knowledge.usages.watched_runs import WatchedRuns
from apigap.packages.environments import Environment
from apigap.records.run import Program, RunRecord
from apigap.sandbox.engine import Engine
from tests.tasks.test_cut import candidate

WAITS = ["serve(1)", "serve(2)", "serve(3)"]
ENDS = ["call(1)", "call(2)"]
ENDS_TOO = ["call(3)", "call(4)", "call(5)"]
CASES = [
    ("all are run where they end", "tests", [[*ENDS, *ENDS_TOO]], [*ENDS, *ENDS_TOO]),
    ("three that wait are enough", "tests", [[*WAITS, *ENDS]], WAITS),
    ("one of the first three that ends is enough to go on", "tests", [[*WAITS[:2], *ENDS]], [*WAITS[:2], *ENDS]),
    ("the next ones as well are not run", "tests", [WAITS, ENDS], WAITS),
    ("one that is there three times is one", "tests", [[*WAITS[:1] * 3, *ENDS]], [*WAITS[:1], *ENDS]),
    ("two that wait are no rule", "tests", [WAITS[:2], ENDS], [*WAITS[:2], *ENDS]),
    ("what comes after those that ended is run", "tests", [[*ENDS, "call(3)", *WAITS], ["call(4)"]],
     [*ENDS, "call(3)", *WAITS, "call(4)"]),
]  # fmt: skip


class Waiting:
    """An engine whose programs wait where they serve."""

    def __init__(self) -> None:
        self.run_: list[str] = []

    def run(self, environment: Environment, programs: Sequence[Program], *, preload: Sequence[str]) -> list[RunRecord]:
        """A record for each program."""
        self.run_ += [program.completion for program in programs]
        return [_record(program.completion) for program in programs]


def _record(code: str) -> RunRecord:
    if "serve" in code:
        return RunRecord(status="limit", limit="wall", phase="completion")
    return RunRecord(status="completed", phase="report")


def _usages(codes: Sequence[str], origin: Any) -> list[Usage]:
    return [Usage(prelude=(), steps=(Step(code=code),), source="here", origin=origin) for code in codes]


@pytest.mark.parametrize(("origin", "asked", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_what_is_run(origin: str, asked: list[list[str]], expected: list[str]) -> None:
    engine = Waiting()
    runs = WatchedRuns(cast("Engine", engine), cast("Environment", None), ())
    api = candidate(api_name="lib.a")
    for codes in asked:
        found = runs.run([(api, usage) for usage in _usages(codes, origin)])
        for code in codes:
            assert (found["lib.a", code].status == "completed") == ("call" in code and code in engine.run_)
    assert engine.run_ == expected


def test_built_usages_and_other_apis_are_run_all_the_same() -> None:
    engine = Waiting()
    runs = WatchedRuns(cast("Engine", engine), cast("Environment", None), ())
    one, other = candidate(api_name="lib.a"), candidate(api_name="lib.b")
    pairs = [(one, usage) for usage in _usages([*WAITS, "call(1)"], "tests")]
    pairs += [(one, usage) for usage in _usages(["call(2)"], "built")]
    pairs += [(other, usage) for usage in _usages(["call(3)"], "tests")]
    found = runs.run(pairs)
    assert engine.run_ == [*WAITS, "call(2)", "call(3)"]
    assert found["lib.a", "call(1)"].reason == "not run: the first 3 usages of its kind wait until they are ended"
