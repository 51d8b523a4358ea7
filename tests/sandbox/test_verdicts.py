"""Verdicts are kept by all that decides them, marked when they are taken from memory, and never when they are infra."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.cache import VerdictCache, judge_once
from apigap.sandbox.verdict.judge import Verdict
from apigap.sandbox.verdict.trials import Trial

from .tasks import SOLUTION, numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

CODES = (SOLUTION, "result = 1", "import nothing_here")


def judged(cache: VerdictCache, engine: Engine, environment: Environment, codes: Sequence[str]) -> list[Verdict]:
    found: dict[int, Verdict] = {}
    trials = [Trial(numbers_task(), code) for code in codes]
    judge_once(cache, engine, environment, trials, preload=["pydantic"], on_result=found.__setitem__)
    return [found[place] for place in range(len(codes))]


def test_the_second_time_is_free_and_says_so(engine: Engine, environment: Environment, tmp_path: Path) -> None:
    cache = VerdictCache(engine, tmp_path)
    first = judged(cache, engine, environment, CODES)
    second = judged(cache, engine, environment, (*CODES, "result = 2"))
    assert ["cached" in verdict.detail for verdict in first + second] == [False] * 3 + [True] * 3 + [False]
    for one, other in zip(first, second, strict=False):
        assert replace(other, detail={k: v for k, v in other.detail.items() if k != "cached"}) == one


def test_a_verdict_is_of_one_environment_and_one_set_of_limits(
    engine: Engine, environment: Environment, tmp_path: Path
) -> None:
    cache, trial = VerdictCache(engine, tmp_path), Trial(numbers_task(), SOLUTION)
    other = environment.model_copy(update={"lock": "another"})
    with Engine(workers=1) as slack:
        keys = [
            cache.key(environment, None, trial),
            cache.key(other, None, trial),
            cache.key(environment, None, Trial(numbers_task(), SOLUTION + "\n")),
            VerdictCache(slack, tmp_path).key(environment, None, trial),
        ]
    assert len(set(keys)) == len(keys)


def test_what_infrastructure_prevented_is_not_kept(engine: Engine, environment: Environment, tmp_path: Path) -> None:
    cache = VerdictCache(engine, tmp_path)
    broken = environment.model_copy(update={"root": tmp_path / "gone", "python": tmp_path / "gone/bin/python"})
    (verdict,) = judged(cache, engine, broken, [SOLUTION])
    assert verdict.outcome == "infra"
    assert cache.find(cache.key(broken, None, Trial(numbers_task(), SOLUTION))) is None


DECIDED_ELSEWHERE = {
    "a limit of processor time": "while True: pass",
    "a limit of time": "import time\ntime.sleep(3600)",
    "want of memory": "x = bytearray(10 ** 10)",
    "a kill": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "a forged report": "import os\nfor n in range(3, 300):\n    try: os.write(n, b'x' * 99)\n    except OSError: pass",
}


@pytest.mark.parametrize("name", DECIDED_ELSEWHERE)
def test_what_a_limit_or_a_neighbour_may_have_decided_is_not_kept(
    engine: Engine, environment: Environment, tmp_path: Path, name: str
) -> None:
    cache, code = VerdictCache(engine, tmp_path), DECIDED_ELSEWHERE[name]
    (verdict,) = judged(cache, engine, environment, [code])
    assert verdict.outcome == "fail"
    assert cache.find(cache.key(environment, None, Trial(numbers_task(), code))) is None


def test_a_damaged_file_is_as_good_as_none(engine: Engine, environment: Environment, tmp_path: Path) -> None:
    cache = VerdictCache(engine, tmp_path)
    judged(cache, engine, environment, CODES[:1])
    (file,) = tmp_path.rglob("*.json")
    file.write_text(file.read_text()[:50])
    (verdict,) = judged(cache, engine, environment, CODES[:1])
    assert (verdict.outcome, "cached" in verdict.detail) == ("pass", False)
