"""Whatever a model gives an API: an answer or a refusal, and a verdict; never a crash, never without end."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from apigap.benchmarks.apibank.calls import call
from apigap.benchmarks.apibank.dialogues import Level, Task, Turn, load_bank
from apigap.benchmarks.apibank.errors import Refused
from apigap.benchmarks.apibank.interfaces import load_interfaces
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.outside import ByName
from apigap.benchmarks.apibank.registry import Api, Pool, Registry
from apigap.benchmarks.apibank.scoring.corrected import Read
from apigap.benchmarks.apibank.scoring.corrected_scorer import judge_corrected, make
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import Databases, System
from apigap.records.errors import CorruptRecord

BANK = load_bank(Path("own"))
DATABASES = Databases(BANK.data / "init_database")
INTERFACES = load_interfaces(BANK.data)
POOLS = {registry.pool: registry for registry in (DIALOGUE, PLANNING)}
EVERY_API = pytest.mark.parametrize(("pool", "name"), [(pool, name) for pool in POOLS for name in POOLS[pool].apis])
LEVELS: tuple[Level, ...] = ("level-1", "level-2", "level-3")

KNOWN = [
    "t0k3nmiriam", "miriam", "kestrel-42", "2023-04-11 14:00:00", "2023-06-12", "02-14", "40110275", "K310", "WXLT",
    "porch lamp", "watering", "barn", "swelling", "Larch Hut", "((1+2)", ")(", "1/0", "-1", "²", "9" * 5000, "", " ",
    "https://example.org/pears.jpg", "[{'name': 'a', 'value': 1}]", "Forgot Password", "True",
]  # fmt: skip
"""What the own data knows, so that calls get past the first check, and what is made to hurt."""
LEAVES = (
    st.sampled_from(KNOWN) | st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=5)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "value", "description", "x"]), inner)
    ),
    max_leaves=6,
)  # fmt: skip


def arguments(api: Api) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of any type for some or all parameters, and sometimes for one that there is not."""
    known = {given.name: VALUES for given in api.inputs}
    return st.fixed_dictionaries(known) | st.fixed_dictionaries({}, optional={**known, "nonsense": VALUES})


def system(registry: Registry) -> System:
    return System(DATABASES, ByName(PLANNING, INTERFACES["level-3"].get))


@EVERY_API
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_api_answers_or_refuses(pool: Pool, name: str, data: st.DataObject) -> None:
    registry = POOLS[pool]
    api, on = registry.apis[name], system(registry)
    for _ in range(3):  # on what the calls before have left behind
        try:
            result = call(registry, on, api.name, data.draw(arguments(api)))
        except Refused as error:
            assert error.message
        else:
            assert {"input", "output", "exception"} <= result.keys()
            assert result["exception"] is None or result["output"] is None


@EVERY_API
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_call_gets_a_verdict(pool: Pool, name: str, data: st.DataObject) -> None:
    registry = POOLS[pool]
    api = registry.apis[name]
    ours, theirs = (data.draw(arguments(api)) for _ in range(2))
    answer = f"[{api.name}({', '.join(f'{name}={value!r}' for name, value in ours.items())})]"
    truth = Turn(role="API", api_name=api.name, param_dict=theirs)
    on = system(registry)
    before = on.snapshot()
    try:
        judged = judge_corrected(answer, truth, registry, on)
    except CorruptRecord:  # the recorded call is none
        with pytest.raises(Refused):
            make(registry, on, Read(api.name, theirs))
        return
    assert judged.right or judged.category
    assert repr(on.snapshot()) == repr(before)


CALLS: list[Task] = [task for level in LEVELS for task in BANK.tasks(level) if task.is_call]
RELEASED, CORRECTED = ApiBankJudge(BANK), ApiBankJudge(BANK, "corrected")


@settings(max_examples=40, deadline=None)
@given(task=st.sampled_from(CALLS), data=st.data())
@example(task=CALLS[-1], data=None)
def test_every_answer_gets_a_verdict_in_both_modes(task: Task, data: st.DataObject | None) -> None:
    registry = PLANNING if task.task_id.startswith("level-3") else DIALOGUE
    api = data.draw(st.sampled_from(list(registry.apis.values()))) if data else registry.apis["Calculator"]
    asked = data.draw(arguments(api)) if data else {"formula": "(" * 9000}
    answer = f"[{api.name}({', '.join(f'{name}={value!r}' for name, value in asked.items())})]"
    for adapter in (RELEASED, CORRECTED):
        result = adapter.score(task, answer)
        assert result.passed or result.label


@pytest.mark.parametrize(
    "formula", ["(" * 5000 + ")" * 5000, "1+" * 4999 + "1", "1*" * 4999 + "1", "9" * 9998 + "+1", "()" * 4999 + "+1"]
)
def test_the_calculator_ends(formula: str) -> None:
    assert call(DIALOGUE, system(DIALOGUE), "Calculator", {"formula": formula})["api_name"] == "Calculator"


@pytest.mark.parametrize("text", ["²", "9" * 5000])
def test_a_number_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        call(PLANNING, system(PLANNING), "UserPosts", {"user_id": text})
    (step,) = [step for step in BANK.steps if step.api == "UserPosts"]
    result = RELEASED.score(step, f"[UserPosts(user_id='{text}')]")
    assert (result.passed, result.detail["category"]) == (False, "CRASH")
