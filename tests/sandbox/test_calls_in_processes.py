"""Calls in another process, which no watch sees: they count only where the values follow what the target gives."""

import pytest

from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial

from .tasks import numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

HELPER = "import multiprocessing\ndef one(given):\n    return pydantic.TypeAdapter(list[int]).validate_python(given)\n"
POOL = "with multiprocessing.get_context('fork').Pool(1) as pool:\n    (found,) = pool.map(one, [numbers])\n"
OWN = "result = [int(n) for n in numbers]\n"

ANSWERS = {
    "a pool": (f"{HELPER}{POOL}result = found", "pass"),
    "an executor": (
        f"{HELPER}from concurrent.futures import ProcessPoolExecutor\n"
        "with ProcessPoolExecutor(1, multiprocessing.get_context('fork')) as pool:\n"
        "    result = pool.submit(one, numbers).result()",
        "pass",
    ),
    "its own values after a pool": (f"{HELPER}{POOL}{OWN}", "fail"),
    "its own values, checked by a pool": (f"{HELPER}{POOL}{OWN}if found != result: result = found[::-1]", "fail"),
    "its own values": (OWN, "fail"),
    "a copy of the target's code": (
        "import types\nraw = pydantic.TypeAdapter.validate_python\nraw = getattr(raw, '__wrapped__', raw)\n"
        "own = types.FunctionType(raw.__code__.replace(co_name='own'), raw.__globals__, 'own', raw.__defaults__)\n"
        "own.__kwdefaults__ = raw.__kwdefaults__\nresult = own(pydantic.TypeAdapter(list[int]), numbers)",
        "fail",
    ),
    "another API": ("class M(pydantic.BaseModel):\n    n: list[int]\nresult = M(n=numbers).n", "fail"),
}


def test_values_that_follow_the_target_show_a_call_that_nobody_saw(engine: Engine, environment: Environment) -> None:
    task = numbers_task()
    trials = [Trial(task, code) for code, _ in ANSWERS.values()]
    verdicts = judge_trials(engine, environment, trials, preload=["pydantic"])
    found = {name: (v.outcome, v.detail["reason"]) for name, v in zip(ANSWERS, verdicts, strict=True)}
    assert {name: outcome for name, (outcome, _) in found.items()} == {n: o for n, (_, o) in ANSWERS.items()}, found
