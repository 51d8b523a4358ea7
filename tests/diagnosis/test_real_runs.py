"""Real answers to real tasks, run in the sandbox, judged and diagnosed."""

from collections.abc import Iterator

import pytest

from apigap.diagnosis import Diagnosis, diagnose
from apigap.packages.environments import EnvironmentStore
from apigap.records.run import Program
from apigap.records.task import Harness, Observation, Scenario, Spy, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.limits import Limits
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


def make_task(engine: Engine, environment: Environment, target: str, context: str, solution: str) -> Task:
    """A task whose expected values are those of its own reference."""
    program = Program(context=context, completion=solution, observe=("result",))
    (run,) = engine.run(environment, [program], preload=("pydantic",))
    assert run.status == "completed", run
    observation = Observation(expression="result", expected=run.observations["result"])
    return Task(
        api_name=target,
        library="pydantic",
        version="2.13.3",
        old_version=None,
        domain="swe",
        change="added",
        difficulty="easy",
        description="Solve it.",
        context_code=context,
        masked_region=solution,
        reference_solution=solution,
        harness=Harness(
            layers=("comparative",),
            scenarios=(Scenario(name="basic", context_code=context, observations=(observation,)),),
            spy=Spy(target=target),
        ),
        author="written",
    )


FAIL_FAST = (
    "pydantic.FailFast",
    "from typing import Annotated\nfrom pydantic import TypeAdapter, ValidationError\nvalues = [1, 'x', 'y']\n",
    "from pydantic import FailFast\ntry:\n    TypeAdapter(Annotated[list[int], FailFast()]).validate_python(values)\n"
    "except ValidationError as error:\n    result = error.error_count()\n",
)
DUMP = (
    "pydantic.BaseModel.model_dump",
    "import datetime\nfrom pydantic import BaseModel\n"
    "class Item(BaseModel):\n    when: datetime.date\nitem = Item(when='2024-01-01')\n",
    "result = item.model_dump(mode='json')\n",
)
STRINGS = (
    "pydantic.TypeAdapter.validate_strings",
    "from pydantic import TypeAdapter\nadapter = TypeAdapter(dict[str, int])\n",
    "result = adapter.validate_strings({'a': '1'})\n",
)

IMPORT = "from pydantic import FailFast"
COUNT = f"{IMPORT}\nresult = 2 if FailFast() else 0\n"
CASES = [
    (FAIL_FAST, "", "WrongSyntax"),
    (FAIL_FAST, "# nothing", "WrongSyntax"),
    (FAIL_FAST, "result = (", "WrongSyntax"),
    (FAIL_FAST, "def solve():\n    pass", "WrongSyntax"),
    (FAIL_FAST, "return 1", "WrongSyntax"),
    (FAIL_FAST, "from pydantic.types_extra import FailFast\n" + COUNT, "WrongImport"),
    (FAIL_FAST, "from pydantic_core import FailFast\n", "WrongImport"),
    (FAIL_FAST, "import pydantic\nresult = pydantic.fields.FailFast()", "WrongImport"),
    (FAIL_FAST, "result = FailFast()", "WrongImport"),
    (FAIL_FAST, "result = pydantic.FailFast()", "WrongImport"),
    (FAIL_FAST, "from pydantic import StopEarly\nresult = StopEarly()", "WrongAPISelection"),
    (FAIL_FAST, "import pydantic\nresult = pydantic.StopEarly()", "WrongAPISelection"),
    (FAIL_FAST, "result = TypeAdapter(list[int], fail_fast=True)", "WrongAPISelection"),
    (FAIL_FAST, "try:\n    TypeAdapter(int).validate_python('x')\nexcept:\n    result = 1", "WrongAPISelection"),
    (FAIL_FAST, "class FailFast:\n    pass\nFailFast()\nresult = 1", "WrongAPISelection"),
    (FAIL_FAST, "result = 1", "WrongAPISelection"),
    (FAIL_FAST, "import sys\nsys.exit(0)", "WrongAPISelection"),
    (FAIL_FAST, f"{IMPORT}\nresult = FailFast(first=True)", "WrongParam"),
    (FAIL_FAST, f"{IMPORT}\nresult = FailFast(True, 1)", "WrongParam"),
    (FAIL_FAST, f"{IMPORT}\ntry:\n    FailFast(first=1)\nexcept TypeError:\n    result = 1", "WrongAPISelection"),
    (FAIL_FAST, COUNT, "WrongLogic"),
    (FAIL_FAST, COUNT + "result = None", "WrongLogic"),
    (FAIL_FAST, COUNT + "result = str(result)", "WrongShapeDtype"),
    (FAIL_FAST, COUNT + "raise SystemExit", "WrongLogic"),
    (FAIL_FAST, COUNT + "import os\nos._exit(0)", "WrongLogic"),
    (FAIL_FAST, COUNT + "result.missing", "WrongLogic"),
    (FAIL_FAST, COUNT + "reslt + 1", "WrongLogic"),
    (FAIL_FAST, f"{IMPORT}\noutput = FailFast()", "WrongLogic"),
    (FAIL_FAST, COUNT + "while True: pass", "WrongLogic"),
    (FAIL_FAST, COUNT + "def f(): return f()\nf()", "WrongLogic"),
    (DUMP, "result = item.dump()", "WrongAPISelection"),
    (DUMP, "result = item.dict()", "WrongAPISelection"),
    (DUMP, "result = item.model_dump(format='json')", "WrongParam"),
    (DUMP, "result = item.model_dump()", "WrongParam"),
    (DUMP, "result = item.model_dump(mode='python')", "WrongParam"),
    (DUMP, "result = list(item.model_dump(mode='json'))", "WrongShapeDtype"),
    (DUMP, "result = item.model_dump(mode='json')\nresult['when'] = '2025-01-01'", "WrongLogic"),
    (DUMP, "result = item.model_dump(include=7)", "WrongParam"),
    (STRINGS, "result = adapter.validate_strings(['1'])", "WrongShapeDtype"),
    (STRINGS, "result = adapter.validate_strings()", "WrongParam"),
    (STRINGS, "result = adapter.validate_string({'a': '1'})", "WrongAPISelection"),
]  # fmt: skip


@pytest.fixture(scope="module")
def diagnoses() -> Iterator[list[tuple[str, Diagnosis]]]:
    environment = EnvironmentStore().get("pydantic", "2.13.3")
    with Engine(workers=2, limits=Limits(cpu_seconds=2, wall_seconds=6)) as engine:
        tasks = {name: make_task(engine, environment, *name) for name in (FAIL_FAST, DUMP, STRINGS)}
        trials = [Trial(tasks[name], code) for name, code, _ in CASES]
        verdicts = judge_trials(engine, environment, trials, preload=("pydantic",))
        yield [
            (verdict.outcome, diagnose(trial.task, trial.code, verdict))
            for trial, verdict in zip(trials, verdicts, strict=True)
        ]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_label(number: int, diagnoses: list[tuple[str, Diagnosis]]) -> None:
    _, code, label = CASES[number]
    outcome, diagnosis = diagnoses[number]
    assert (outcome, diagnosis.label) == ("fail", label), f"{code}\n{diagnosis}"
