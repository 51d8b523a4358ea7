"""Kept answers of solvers: each gets the verdict that is kept with it, or is told as a problem."""

import pytest
from pydantic import ValidationError

from apigap.gates.kept_answers import KeptAnswer, counted, replay
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from tests.sandbox.tasks import SOLUTION, numbers_task

RIGHT = "result = pydantic.TypeAdapter(list[int]).validate_python(numbers)"
HOME_MADE = "result = [int(number) for number in numbers]"


def kept(code: str, outcome: str, task_id: str = "", why: str | None = None) -> KeptAnswer:
    fields = {
        "day": "2026-11-26",
        "condition": "full",
        "prompt": "0" * 16,
        "code": code,
        "outcome": outcome,
        "why": why,
    }
    return KeptAnswer.model_validate(
        {"task_id": task_id or numbers_task().task_id, "solver": "blind solver 1", **fields}
    )


def test_who_refuses_an_answer_says_why() -> None:
    with pytest.raises(ValidationError, match="nobody says why"):
        kept(HOME_MADE, "fail")
    assert kept(HOME_MADE, "fail", why="it does not use the library").why


@pytest.mark.network
@pytest.mark.sandbox
def test_answers_are_judged_again(engine: Engine, environment: Environment) -> None:
    answers = [
        kept(RIGHT, "pass"),
        kept(HOME_MADE, "fail", why="it does not use the library"),
        kept(HOME_MADE, "pass"),
        kept(SOLUTION, "pass", task_id="0123456789abcdef"),
    ]
    found = replay([numbers_task()], answers, engine, environment, ["pydantic"])
    assert [one.outcome for one in found] == ["pass", "fail", "fail"]
    assert [bool(one.problem) for one in found] == [False, False, True]
    assert "answer of blind solver 1: fail and not pass (the values are right" in (found[2].problem or "")
    assert counted(found) == {"blind solver 1, full": {"fail": 2, "pass": 1}}
