# ruff: noqa: E501  (each program is kept on as few lines as it takes to read it)
"""Dependence on the target: switching it off changes the values of honest answers, and only those."""

import pytest

from apigap.records.base import canonical_json
from apigap.records.run import Ablation, Program
from apigap.records.task import Spy, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.evidence import Former
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial

from .tasks import make_task, numbers_task
from .test_honest import HONEST

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

FALLBACK = "try:\n    result = pydantic.TypeAdapter(list[int]).validate_python(numbers)\nexcept Exception:\n    result = [int(n) for n in numbers]"
FOR_SHOW = "pydantic.TypeAdapter(int).validate_python(1)\nresult = [int(n) for n in numbers]"

SHOWN_ALONE = "if numbers == ['1', '2', '3']:\n    result = pydantic.TypeAdapter(list[int]).validate_python(numbers)\nelse:\n    result = [int(n) for n in numbers]"
SOME_ALONE = SHOWN_ALONE.replace("== ['1', '2', '3']", "!= []")
CHECKED = HONEST["plain"] + "\nassert result == [int(n) for n in numbers]"
RAISES = HONEST["plain"] + "\nif sum(result) != sum(map(int, numbers)):\n    raise ValueError(result)"
SHOW_AND_CHECK = (
    "if pydantic.TypeAdapter(int).validate_python('1') != 1:\n    raise SystemError\nresult = [int(n) for n in numbers]"
)
CHECK_ALL = (
    "result = [int(n) for n in numbers]\nassert pydantic.TypeAdapter(list[int]).validate_python(numbers) == result"
)
USED_FOR_SHOW = (
    "x = pydantic.TypeAdapter(list[int]).validate_python(numbers)\nsorted(x)[0] + 1\nresult = [int(n) for n in numbers]"
)


@pytest.mark.parametrize(
    ("code", "outcome", "word"),
    [
        (FALLBACK, "fail", "when it raises"),
        (FOR_SHOW, "suspect", "do not depend on what it gives"),
        (USED_FOR_SHOW, "suspect", "do not depend on what it gives"),
        (CHECKED, "pass", ""),
        (RAISES, "pass", ""),
        (SHOW_AND_CHECK, "suspect", "when it raises"),
        (CHECK_ALL, "suspect", "when it raises"),
        (SHOWN_ALONE, "suspect", "with the inputs that are not shown"),
        (SOME_ALONE, "pass", ""),
        (HONEST["plain"], "pass", ""),
    ],
    ids=[
        "fallback",
        "for show",
        "computes with it for show",
        "asserts",
        "raises",
        "for show, stops",
        "compares with it alone",
        "for the shown inputs",
        "where needed",
        "honest",
    ],
)
def test_what_the_values_depend_on(
    engine: Engine, environment: Environment, code: str, outcome: str, word: str
) -> None:
    (verdict,) = judge_trials(engine, environment, [Trial(numbers_task(), code)], preload=["pydantic"])
    assert verdict.outcome == outcome, verdict.detail
    assert word in verdict.detail["reason"]
    if outcome == "pass":
        checks = {"answer": "without the checks of its own results"} if code in (CHECKED, RAISES) else {}
        assert verdict.detail["dependence"] == {**checks, "raise": "other values", "alter": "other values"}


def test_a_check_that_is_the_work_is_no_check_of_its_own(engine: Engine, environment: Environment) -> None:
    solution = "if spied.plain(1) != 6:\n    raise ValueError(numbers)\nresult = len(numbers)"
    context = "import spied\nnumbers = [4, 5, 6]"
    task = make_task({"basic": (context, {"result": 3})}, "spied.plain", solution)
    (verdict,) = judge_trials(engine, environment, [Trial(task, f"{solution}\n# as asked")], preload=["spied"])
    assert "answer" not in verdict.detail["dependence"], verdict.detail


# (target, code that calls it and leaves `x`): `x` must change, or its making raise, in both ways of switching off.
KINDS = [
    ("spied.plain", "x = spied.plain(1)"),
    ("spied.plain", "from spied import plain as p\nx = p(1)"),
    ("spied.plain", "x = spied.partial()"),
    ("spied.decorated", "x = spied.decorated(1)"),
    ("spied.awaited", "import asyncio\nx = asyncio.run(spied.awaited(1))"),
    ("spied.managed", "with spied.managed(1) as x: pass"),
    ("spied.generated", "x = list(spied.generated(1))"),
    ("spied.Base", "x = spied.Base(1).a"),
    ("spied.Tuple", "x = spied.Tuple(1).x"),
    ("spied.Colour", "x = spied.Colour(1).name"),
    ("spied.Data", "x = spied.Data(1, y=2)"),
    ("spied.Base.method", "x = spied.Base(1).method(2)"),
    ("spied.Child.method", "x = spied.Child(1).method(2)"),
    ("spied.Base.made", "x = spied.Base.made(1).a"),
    ("spied.Base.static", "x = spied.Base.static(1)"),
    ("spied.Base.prop", "x = spied.instance.prop"),
    ("spied.instance", "x = spied.instance(1)"),
    ("math.sqrt", "import math\nx = math.sqrt(4)"),
    ("math.sqrt", "from math import sqrt\nx = sqrt(4)"),
    ("datetime.timedelta", "import datetime\nx = datetime.timedelta(2).days"),
    ("numpy.add", "import numpy\nx = numpy.add(1, 2).item()"),
    ("datetime.date.isoformat", "import datetime\nx = datetime.date(2026, 1, 2).isoformat()"),
    ("datetime.date.fromordinal", "import datetime\nx = datetime.date.fromordinal(9).day"),
    ("datetime.date.fromordinal", "import datetime\nx = datetime.datetime.fromordinal(9).day"),
    ("str.maketrans", "x = str.maketrans({'a': 'b'})[97]"),
    ("numpy.ndarray.tolist", "import numpy\nx = numpy.array([1, 2]).tolist()"),
    ("numpy.ndarray.reshape", "import numpy\nx = numpy.array([1, 2]).reshape(2, 1)[1]"),
]


@pytest.mark.parametrize(("target", "code"), KINDS)
def test_every_kind_of_target_can_be_switched_off(
    engine: Engine, environment: Environment, target: str, code: str
) -> None:
    ways: list[Ablation | None] = [None, "raise", "nothing", "alter"]
    programs = [
        Program(context="import spied", completion=code, observe=("x",), target=target, ablate=way) for way in ways
    ]
    plain, raising, idle, altered = engine.run(environment, programs, preload=["spied"])
    assert plain.status == "completed", plain
    # named tuples and enum members are made by their class alone: there is nothing of theirs to alter
    for switched in (raising, idle) if target in ("spied.Tuple", "spied.Colour") else (raising, idle, altered):
        assert switched.status in ("completed", "raised"), switched
        assert switched.observations.get("x") != plain.observations["x"], switched
    if raising.exception is not None:
        assert raising.exception.type in ("SwitchedOff", "AttributeError", "TypeError")


@pytest.mark.parametrize("target", [row[0] for row in KINDS if row[0].startswith("spied.")])
def test_switching_off_reaches_no_further_than_the_program(
    engine: Engine, environment: Environment, target: str
) -> None:
    switched = Program(context="import spied", completion="pass", target=target, ablate="raise")
    after = Program(context="import spied", completion="x = spied.Base(spied.plain(1)).method(2)", observe=("x",))
    first, second = engine.run(environment, [switched, after], preload=["spied"])
    assert (first.status, second.status) == ("completed", "completed"), (first, second)


def test_all_targets_are_switched_off_at_once(engine: Engine, environment: Environment) -> None:
    code = "import math\nx = [f(4) for f in (spied.plain, math.sqrt, math.floor)]"
    ways: list[Ablation | None] = [None, "nothing", "alter"]
    programs = [
        Program(
            context="import spied", completion=code, observe=("x[0]", "x[1]", "x[2]"), target="spied.plain",
            also=("math.sqrt",), ablate=way,
        )
        for way in ways
    ]  # fmt: skip
    plain, idle, altered = (run.observations for run in engine.run(environment, programs, preload=["spied"]))
    for number in (0, 1):
        assert len({canonical_json(run[f"x[{number}]"]) for run in (plain, idle, altered)}) == 3
    assert plain["x[2]"] == idle["x[2]"] == altered["x[2]"]


@pytest.mark.parametrize("target", ["numpy.ndarray.tolist", "numpy.ndarray.reshape"])
def test_what_reads_values_is_not_switched_off(engine: Engine, environment: Environment, target: str) -> None:
    ways: list[Ablation | None] = [None, "raise", "nothing", "alter"]
    programs = [
        Program(context="import numpy", completion="x = numpy.eye(2)", observe=("x",), target=target, ablate=way)
        for way in ways
    ]
    plain, *switched = engine.run(environment, programs, preload=["numpy"])
    assert "values" in plain.observations["x"]["array"]
    assert [run.observations for run in switched] == [plain.observations] * 3


def test_a_sibling_of_an_inherited_method_is_left_alone(engine: Engine, environment: Environment) -> None:
    code = "x = spied.Base(1).method(2)"
    program = Program(
        context="import spied", completion=code, observe=("x",), target="spied.Child.method", ablate="raise"
    )
    plain = Program(context="import spied", completion=code, observe=("x",))
    switched, ordinary = engine.run(environment, [program, plain])
    assert switched.observations == ordinary.observations


def test_a_task_whose_reference_does_not_depend_on_the_target_is_no_evidence(
    engine: Engine, environment: Environment
) -> None:
    task = make_task({"basic": ("import spied", {"x": 1})}, "spied.plain", "spied.plain(1)\nx = 1")
    (verdict,) = judge_trials(engine, environment, [Trial(task, "x = 1\nspied.plain(2)")], preload=["spied"])
    assert verdict.outcome == "pass", verdict.detail
    assert verdict.detail["dependence"]["nothing"].startswith("no evidence")


def test_the_same_values_before_the_target_existed_are_suspect(engine: Engine, environment: Environment) -> None:
    task = numbers_task()
    code = "if hasattr(pydantic, 'no_such_thing'):\n    pass\n" + HONEST["plain"]
    former = Former(environment, ())  # here the target exists: what a fallback would give in a version without it
    (verdict,) = judge_trials(engine, environment, [Trial(task, code)], preload=["pydantic"], former=former)
    assert (verdict.outcome, verdict.detail["dependence"]["former version"]) == ("suspect", "same values")


GROUPS = "import spied\ngroup = spied.Group(spied.world, [1, 2, 3, 4, 6])"
PARTS = "parts = [spied.Group(spied.world, [n]).even() for n in group.members]\nmade = parts[0]\nfor part in parts[1:]:\n    made = made + part"
OWN_GROUP = "made = spied.Group(spied.world, [2, 4, 6])"


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("made = group.even() + spied.Group(spied.world, [])", "pass"),
        (PARTS, "pass"),
        (f"assert group.even().world is spied.world\n{OWN_GROUP}", "suspect"),
        (f"assert group.even().members == [2, 4, 6]\n{OWN_GROUP}", "suspect"),
        (f"assert (group.even() + spied.Group(spied.world, [])).members\n{OWN_GROUP}", "suspect"),
    ],
    ids=["joined", "joined of parts", "looks at the world", "looks at the members", "joined, for show"],
)
def test_what_stops_because_of_another_world_follows_the_data(
    engine: Engine, environment: Environment, code: str, outcome: str
) -> None:
    task = make_task({"basic": (GROUPS, {"made.members": [2, 4, 6]})}, "spied.Group.even", "made = group.even()")
    (verdict,) = judge_trials(engine, environment, [Trial(task, code)], preload=["spied"])
    assert verdict.outcome == outcome, verdict.detail


@pytest.mark.parametrize(("code", "outcome"), [("x = spied.adder(2)(1)", "pass"), ("spied.adder(2)\nx = 3", "suspect")])
def test_a_function_that_the_target_gives_is_altered(
    engine: Engine, environment: Environment, code: str, outcome: str
) -> None:
    task = make_task({"basic": ("import spied", {"x": 3})}, "spied.adder", "x = spied.adder(1)(2)")
    (verdict,) = judge_trials(engine, environment, [Trial(task, code)], preload=["spied"])
    assert verdict.outcome == outcome, verdict.detail


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("x = spied.reach(6, step=2)", "pass"),
        ("x = spied.reach(step=2, a=6)", "pass"),
        ("x = spied.reach(6, 1)[::2]", "pass"),
        ("assert spied.reach(6, 2) is not None\nx = range(0, 6, 2)", "suspect"),
    ],
)
def test_a_value_in_which_nothing_can_be_altered_is_that_of_other_arguments(
    engine: Engine, environment: Environment, code: str, outcome: str
) -> None:
    expected: dict[str, object] = {"x": {"range": [0, 6, 2]}}
    task = make_task({"basic": ("import spied", expected)}, "spied.reach", "x = spied.reach(6, 2)")
    (verdict,) = judge_trials(engine, environment, [Trial(task, code)], preload=["spied"])
    assert verdict.outcome == outcome, verdict.detail


BOTH = "pydantic.TypeAdapter(list[int]).validate_python(numbers)"
DUMPED = (
    "result = pydantic.TypeAdapter(list[int]).dump_python(pydantic.TypeAdapter(list[int]).validate_python(numbers))\n"
)


@pytest.mark.parametrize(
    ("code", "outcome", "api", "word"),
    [
        (DUMPED, "pass", None, "holds"),
        (f"adapter = pydantic.TypeAdapter(list[int])\nresult = adapter.dump_python({BOTH})", "pass", None, "holds"),
        (f"result = {BOTH}", "fail", "pydantic.TypeAdapter.dump_python", "never completed"),
        (f"{DUMPED}result = {BOTH}", "suspect", "pydantic.TypeAdapter.dump_python", "do not depend"),
        (
            "result = pydantic.TypeAdapter(list[int]).dump_python([int(n) for n in numbers])",
            "fail",
            None,
            "validate_python",
        ),
    ],
    ids=["the reference", "otherwise", "one left out", "one for show", "the other left out"],
)
def test_an_answer_needs_each_of_the_apis_of_a_task_that_composes(
    engine: Engine, environment: Environment, code: str, outcome: str, api: str | None, word: str
) -> None:
    alone = numbers_task()
    spy = Spy(target=alone.api_name, needed=("pydantic.TypeAdapter.dump_python",))
    fields = {"task_id": "", "masked_region": DUMPED, "harness": alone.harness.model_copy(update={"spy": spy})}
    task = Task.model_validate({**alone.model_dump(), **fields})
    (verdict,) = judge_trials(engine, environment, [Trial(task, code)], preload=["pydantic"])
    assert (verdict.outcome, verdict.detail.get("api")) == (outcome, api), verdict.detail
    assert word in verdict.detail["reason"]
    if outcome == "pass":
        assert list(verdict.detail["needed"]) == ["pydantic.TypeAdapter.dump_python"]


SCHEMA = "schema = pydantic.TypeAdapter(list[Reading]).json_schema()\n"
LOOKED_UP = [
    ("as the reference", SCHEMA + "names = sorted(schema['$defs']['Reading']['properties'])", "pass"),
    (
        "by the reference in it",
        SCHEMA + "names = sorted(schema['$defs'][schema['items']['$ref'].rpartition('/')[2]]['properties'])",
        "pass",
    ),
    (
        "for show, and it looks whether it is itself",
        SCHEMA
        + "mine = "
        + repr(
            {
                "$defs": {
                    "Reading": {
                        "properties": {"volts": {"title": "Volts", "type": "number"}},
                        "required": ["volts"],
                        "title": "Reading",
                        "type": "object",
                    }
                },
                "items": {"$ref": "#/$defs/Reading"},
                "type": "array",
            }
        )
        + "\nassert schema == mine\nschema, names = mine, ['volts']",
        "suspect",
    ),
]


@pytest.mark.parametrize(("code", "outcome"), [row[1:] for row in LOOKED_UP], ids=[row[0] for row in LOOKED_UP])
def test_an_answer_may_look_something_up_by_what_it_was_given(
    engine: Engine, environment: Environment, code: str, outcome: str
) -> None:
    context = "import pydantic\nclass Reading(pydantic.BaseModel):\n    volts: float\n"
    other = context.replace("volts", "amperes")
    program = Program(context=context, completion=LOOKED_UP[0][1], observe=("schema", "names"))
    runs = engine.run(environment, [program, program.model_copy(update={"context": other})], preload=["pydantic"])
    scenarios = {
        name: (text, run.observations)
        for name, text, run in zip(("basic", "other"), (context, other), runs, strict=True)
    }
    if "mine" in code:
        scenarios.pop("other")
    task = make_task(scenarios, "pydantic.TypeAdapter.json_schema", LOOKED_UP[0][1])
    (verdict,) = judge_trials(engine, environment, [Trial(task, code)], preload=["pydantic"])
    assert verdict.outcome == outcome, verdict.detail


VALIDATE = "adapter = pydantic.TypeAdapter(list[int])\n"
OFTENER = [
    ("a second use that stands no other result", "result = adapter.validate_python(numbers)\nassert adapter.validate_python(['1']) == [1]", "pass"),
    ("its own result, once it has looked", "assert adapter.validate_python(['1']) == [1]\nresult = [int(n) for n in numbers]", "suspect"),
    ("its own result, once it has looked at both", "mine = [int(n) for n in numbers]\nassert adapter.validate_python(numbers) == mine\nassert adapter.validate_python(['1']) == [1]\nresult = mine", "suspect"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "outcome"), [row[1:] for row in OFTENER], ids=[row[0] for row in OFTENER])
def test_an_answer_may_use_the_target_oftener_than_the_reference(
    engine: Engine, environment: Environment, code: str, outcome: str
) -> None:
    task = numbers_task()
    (verdict,) = judge_trials(engine, environment, [Trial(task, VALIDATE + code)], preload=["pydantic"])
    assert verdict.outcome == outcome, verdict.detail
