# ruff: noqa: E501  (each program is kept on as few lines as it takes to read it)
"""No wrong answer passes, whatever it does; each ends as the table says, and the next program is not touched."""

import pytest

from apigap.execution.engine import Engine
from apigap.execution.environments import Environment
from apigap.execution.judge import Trial, judge_trials
from apigap.records.run import Program

from .attacks import ATTACKS, Attack
from .tasks import SOLUTION, numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_fails_and_leaves_the_next_program_alone(
    engine: Engine, environment: Environment, attack: Attack
) -> None:
    task = numbers_task()
    verdict, after = judge_trials(
        engine, environment, [Trial(task, attack.code), Trial(task, SOLUTION)], preload=["pydantic"]
    )
    assert verdict.outcome == "fail", verdict.detail
    assert verdict.runs[0].status in attack.statuses, verdict.detail
    if attack.limit:
        assert verdict.runs[0].limit == attack.limit
    assert after.outcome == "pass", after.detail


def test_an_early_exit_is_never_called_a_limit(engine: Engine, environment: Environment) -> None:
    programs = [Program(context="", completion=a.code) for a in ATTACKS if a.statuses == ("exited",)]
    assert {record.limit for record in engine.run(environment, programs)} == {None}


def test_a_daemon_does_not_live_into_the_next_program(environment: Environment) -> None:
    daemon = (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        while True:\n            open('/tmp/mark', 'w').close(); time.sleep(0.01)\n    os._exit(0)\ntime.sleep(0.3)\n"
    )
    look = "import os, time\ntime.sleep(0.2)\nseen = os.listdir('/tmp')\npids = [p for p in os.listdir('/proc') if p.isdigit()]\n"
    with Engine(workers=1) as engine:
        first = Program(context="", completion=daemon, observe=("__import__('os').path.exists('/tmp/mark')",))
        second = Program(
            context="", completion=look, observe=("[name for name in seen if 'program' not in name]", "len(pids)")
        )
        one, two = engine.run(environment, [first, second])
    assert list(one.observations.values()) == [True]
    assert list(two.observations.values()) == [[], 3], "the first process, the zygote and the program itself"
