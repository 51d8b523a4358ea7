"""Answers of any bytes, from a model's response to a stored result: always a verdict, never a crash."""

import shutil
import tracemalloc
from pathlib import Path

import pytest

from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.benchmarks.task_environment import Home
from apigap.evaluation.item import Item
from apigap.models.extraction import extract_code
from apigap.records.result import Result
from apigap.records.run import Program
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.limits import MAX_CODE, MAX_PARSED, MIB
from apigap.sandbox.verdict.judge import Verdict, judge_trials
from apigap.sandbox.verdict.trials import Trial

from ..interpreters import make_environment
from .tasks import CONTEXT, SOLUTION, make_task, numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

TASK = numbers_task()
LONG = "x" * (MAX_CODE - 200)
PROSE = "I am sorry, but I do not know this interface. "

# name -> (answer, the outcome of it as code, the outcome of it as a response). Of a response without a fence the lines
# that are code are taken, so a short line that cannot be read is left out as prose is.
BYTES: dict[str, tuple[str, str, str]] = {
    "as it should be": (SOLUTION, "pass", "pass"),
    "NUL": (SOLUTION + "\0", "fail", "pass"),
    "NUL in a string": (f"x = '\0'\n{SOLUTION}", "fail", "pass"),
    "a lone surrogate": (f"x = '\ud800'\n{SOLUTION}", "fail", "pass"),
    "a lone surrogate in prose": (f"\udcff {PROSE}", "fail", "fail"),
    "an escaped surrogate": (f"x = '\\ud800'\n{SOLUTION}", "pass", "pass"),
    "ten megabytes of text": (PROSE * 220_000, "fail", "fail"),
    "ten megabytes beyond the plane": ("\U0001f600" * 2_500_000, "fail", "fail"),
    "line ends of DOS": (SOLUTION.replace("\n", "\r\n"), "pass", "pass"),
    "line ends of old": (SOLUTION.replace("\n", "\r"), "pass", "pass"),
    "line ends of all kinds": (f"x = 1\r\ny = 2\r{SOLUTION}", "pass", "pass"),
    "form feeds": (f"\x0cx = 1\n\x0c\n{SOLUTION}", "pass", "pass"),
    "a line separator": (f"x = 1\u2028{SOLUTION}", "fail", "fail"),
    "a line separator in a string": (f"x = 'a\u2028b\x0c\x85c'\n{SOLUTION}", "pass", "pass"),
    "tabs": ("if True:\n\t" + SOLUTION.replace("\n", "\n\t").rstrip("\t"), "pass", "pass"),
    "a byte order mark": ("\ufeff" + SOLUTION, "pass", "pass"),
    "a declared encoding": (f"# -*- coding: no-such -*-\n{SOLUTION}", "pass", "pass"),
    "control characters": (f"{SOLUTION}\x1a\x1b\x04", "fail", "pass"),
    "future import first": (f"from __future__ import annotations\n{SOLUTION}", "pass", "pass"),
    "future import in the middle": (f"x = 1\nfrom __future__ import annotations\n{SOLUTION}", "fail", "fail"),
    "an unknown future": (f"from __future__ import braces\n{SOLUTION}", "fail", "fail"),
    "a whole module": (CONTEXT.format(numbers="['7']") + SOLUTION, "fail", "fail"),
    "a whole module with the numbers left out": (f"import pydantic\n\n{SOLUTION}", "pass", "pass"),
    "a wrapper": (
        "def solution():\n    global result\n    adapter = pydantic.TypeAdapter(list[int])\n"
        "    result = adapter.validate_python(numbers)\n", "fail", "pass",
    ),
    "no code at all": (PROSE, "fail", "fail"),
    "nothing": ("", "fail", "fail"),
    "a closed fence": (f"Like this:\n```python\n{SOLUTION}```\n", "fail", "pass"),
    "a fence that stays open": (f"Like this:\n```python\n{SOLUTION}", "fail", "pass"),
    "200 nested brackets": (f"x = {'[' * 199}{']' * 199}\n{SOLUTION}", "pass", "pass"),
    "40,000 nested brackets": (f"x = {'[' * 40_000}{']' * 40_000}\n{SOLUTION}", "fail", "pass"),
    "100,000 nested brackets": (f"x = {'[' * 100_000}{']' * 100_000}\n{SOLUTION}", "fail", "fail"),
    "a long line": (f"x = '{LONG}'\n{SOLUTION}", "pass", "pass"),
    "a line of a megabyte": (f"x = '{LONG * 2}'\n{SOLUTION}", "fail", "fail"),
    "a deep sum": (f"x = {'1+' * 40_000}1\n{SOLUTION}", "fail", "pass"),
    "a deeper sum": (f"x = {'1+' * 100_000}1\n{SOLUTION}", "fail", "fail"),
    "deep attributes": (f"x = pydantic{'.a' * 200_000}\n{SOLUTION}", "fail", "fail"),
    "deep signs": (f"x = {'-' * (MAX_PARSED + 9)}1\n{SOLUTION}", "fail", "fail"),
    "deep blocks": (
        "".join(" " * n + "if True:\n" for n in range(120)) + " " * 120 + "x = 1\n" + SOLUTION, "fail", "fail",
    ),
    "a number of too many digits": (f"x = {'9' * 9000}\n{SOLUTION}", "fail", "pass"),
    "a number of too many digits, unseen": (f"x = 0x{'f' * 90_000}\n{SOLUTION}", "pass", "pass"),
    "a module that is not there": (f"import no_such_module\n{SOLUTION}", "fail", "fail"),
}  # fmt: skip


@pytest.fixture(scope="module")
def verdicts(engine: Engine, environment: Environment) -> dict[str, Verdict]:
    trials = [Trial(TASK, code) for code, _, _ in BYTES.values()]
    return dict(zip(BYTES, judge_trials(engine, environment, trials, preload=["pydantic"]), strict=True))


@pytest.fixture(scope="module")
def results(engine: Engine, environment: Environment) -> dict[str, Result]:
    home = Home(environment, ("pydantic",))
    judge = NovelApiJudge(engine, {(TASK.library, TASK.version): home})
    items = [Item(TASK, 0, extract_code(response, TASK.context_code)) for response, _, _ in BYTES.values()]
    return dict(zip(BYTES, judge.score_all(items), strict=True))


@pytest.mark.parametrize("name", BYTES)
def test_any_code_gets_a_verdict(verdicts: dict[str, Verdict], name: str) -> None:
    assert verdicts[name].outcome == BYTES[name][1], verdicts[name].detail
    assert verdicts[name].detail["reason"]


@pytest.mark.parametrize("name", BYTES)
def test_any_response_gets_a_result_that_can_be_stored(results: dict[str, Result], name: str) -> None:
    result = results[name]
    assert result.outcome == BYTES[name][2], result.detail
    assert (result.label is None) == (result.outcome == "pass")
    line = result.to_line()
    assert Result.from_line(line).to_line() == line
    assert len(line) < 50_000


def test_what_is_too_long_for_the_host_is_compiled_in_the_sandbox_alone(
    engine: Engine, environment: Environment
) -> None:
    """As a syntax tree a text takes a hundred times its size: the host must not be where that is made."""
    tracemalloc.start()
    (verdict,) = judge_trials(
        engine, environment, [Trial(TASK, f"{'a=1;' * 60_000}\n{SOLUTION}")], preload=["pydantic"]
    )
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert verdict.outcome == "pass", verdict.detail
    assert peak < 20 * MIB


def test_a_target_that_is_not_there_is_the_tasks_fault(engine: Engine, environment: Environment) -> None:
    task = make_task({"basic": ("import pydantic\n", {"x": 1})}, "no_such_module.f", "x = 1")
    (verdict,) = judge_trials(engine, environment, [Trial(task, "x = 1")], preload=["pydantic"])
    assert verdict.outcome == "infra"
    assert "no_such_module" in verdict.detail["reason"]


@pytest.fixture
def small(tmp_path: Path) -> Environment:
    """An environment of two modules that a test may destroy."""
    made = make_environment(tmp_path / "venv", "two", "1")
    (made.site_packages / "early.py").write_text("value = 1\n")
    (made.site_packages / "late").mkdir()
    (made.site_packages / "late" / "__init__.py").write_text("value = 2\n")
    return made


@pytest.mark.parametrize("cold", [False, True], ids=["warm", "cold"])
def test_an_environment_that_goes_away_is_never_a_fail(small: Environment, cold: bool) -> None:
    program = Program(context="import early", completion="import late\nx = early.value + late.value", observe=("x",))
    with Engine(workers=1, cold=cold) as engine:
        (before,) = engine.run(small, [program], preload=["early"])
        assert before.observations == {"x": 3}
        shutil.rmtree(small.site_packages / "late")
        (after,) = engine.run(small, [program], preload=["early"])
        shutil.rmtree(small.root)
        (gone,) = engine.run(small, [program], preload=["early"])
    for record in (after, gone):
        assert record.status == "infra", record
        assert str(small.root) in (record.reason or "")
    assert "removed while it was in use" in (after.reason or "")
