"""Answers to judge in the tests of clusters, and verdicts in a form that leaves out how long they took."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from apigap.cluster.engines import engine_of
from apigap.packages.workshop import environment_store
from apigap.records.base import canonical_json
from apigap.records.configuration import Settings, load_settings
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.travelling import VerdictRecord
from apigap.sandbox.verdict.trials import Trial
from apigap.sandbox.verdict.verdict import Verdict
from tests.sandbox.tasks import SOLUTION, numbers_task

PRELOAD = ("pydantic", "pydantic.TypeAdapter")
KINDS = {
    "right": SOLUTION,
    "the target is not called": "result = [int(number) for number in numbers]\n",
    "wrong": "result = 1\n",
    "raises": "import nothing_here\n",
    "no code": "this is no code",
    "empty": "",
    "no text of a file": "result = '\ud800'\n",
    "leaves": "import sys\nsys.exit(0)\n",
}
"""Answers to the task on numbers that get different verdicts, none of which depends on the time they take."""


def codes(count: int) -> list[str]:
    """So many answers, no two alike."""
    kinds = list(KINDS.values())
    return [f"{kinds[number % len(kinds)]}\n# {number}" for number in range(count)]


def settings_of(address: str | None, *more: str) -> Settings:
    """The settings of a run here (without an address), or in a cluster."""
    where = ["execution.engine=ray", f"execution.address={address}"] if address else []
    return load_settings((), [*where, *more])


def slow_codes(count: int) -> list[str]:
    """The same, each of whose programs waits a moment before it does anything."""
    return [f"import time\ntime.sleep(0.1)\n{code}" for code in codes(count)]


def judged(settings: Settings, answers: Sequence[str], at: Mapping[int, Callable[[], object]] = {}) -> list[Verdict]:
    """The verdicts on answers to the task on numbers, each told once; something happens `at` the n-th that is told."""
    told: list[int] = []

    def tell(number: int, verdict: Verdict) -> None:
        del verdict
        told.append(number)
        if len(told) in at:
            at[len(told)]()

    with engine_of(settings.execution, packages=settings.packages) as engine:
        environment = environment_store(engine).get("pydantic", "2.13.3")
        trials = [Trial(numbers_task(), code) for code in answers]
        verdicts = judge_trials(engine, environment, trials, preload=PRELOAD, on_result=tell)
    assert sorted(told) == list(range(len(answers)))
    return verdicts


def plain(verdict: Verdict) -> str:
    """A verdict as one line, durations left out."""
    return canonical_json(_timeless(json.loads(VerdictRecord.of(verdict).to_line())))


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(part) for key, part in value.items() if not key.endswith("seconds")}
    return [_timeless(part) for part in value] if isinstance(value, list) else value
