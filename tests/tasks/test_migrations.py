"""Migrations without a model: habits are cut, and their replacement gives the same in three scenarios."""

from collections.abc import Iterator

import pytest

from apigap.knowledge.stale.habit_usages import HabitUsages, Pair
from apigap.knowledge.usages.usage import Step, Usage
from apigap.packages.environments import EnvironmentStore
from apigap.records.configuration import load_settings
from apigap.records.retired import Retirement
from apigap.sandbox.engine import Engine
from apigap.tasks.hand_written import WrittenTask, problem_of_scenarios, problem_of_text
from apigap.tasks.migrations.drafting import MigrationAuthor
from apigap.tasks.migrations.habits import habits, has_new_form, is_called, target_of
from tests.knowledge.stale.test_real_releases import gone, usage

LIMITS = load_settings().tasks


TRAPEZOID = gone("numpy.trapz", "numpy.trapezoid", "removed", "function")
IN_NUMPY = ("import numpy as np",)
POWER = [Step(code="np.trapz([3, 5, 9])", expression="np.trapz([3, 5, 9])")]
JOIN = gone("polars.DataFrame.join", "coalesce", "renamed", "parameter", parameter="join_nulls")
CUTS = [
    ("a value that is shown", TRAPEZOID, usage(*POWER, prelude=IN_NUMPY),
     "import numpy as np\nvalue = [3, 5, 9]", "result = np.trapz(value)", "result = np.trapezoid(value)"),
    ("a name that is imported", TRAPEZOID, usage("area = trapz([3, 5, 9])", prelude=("from numpy import trapz",)),
     "value = [3, 5, 9]", "from numpy import trapz\narea = trapz(value)",
     "from numpy import trapezoid as trapz\narea = trapz(value)"),
    ("a parameter", JOIN, usage("rows = [3, 5, 9]", "both = left(rows).join(right(rows), join_nulls=True)"),
     "rows = [3, 5, 9]\nvalue = right(rows)", "both = left(rows).join(value, join_nulls=True)",
     "both = left(rows).join(value, coalesce=True)"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("retirement", "used", "context", "before", "solution"), [row[1:] for row in CUTS], ids=[row[0] for row in CUTS]
)
def test_a_habit_is_cut_and_replaced(
    retirement: Retirement, used: Usage, context: str, before: str, solution: str
) -> None:
    dropped: list[str] = []
    found = [*habits(retirement, [used], LIMITS, dropped)]
    assert [(one.attempt.draft.context, one.before, one.solution) for one in found] == [(context, before, solution)]


REFUSED = [
    ("a word of a test", usage("area = np.trapz([3, 5], 'test')", prelude=IN_NUMPY), "a word of a test suite"),
    ("another thing of that name", usage("x = [3, 5, 9]", "y = own.trapz(x)"), "nothing in its lines is replaced"),
]


@pytest.mark.parametrize(("used", "reason"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_why_a_usage_gives_none(used: Usage, reason: str) -> None:
    dropped: list[str] = []
    assert [*habits(TRAPEZOID, [used], LIMITS, dropped)] == []
    assert reason in dropped[0]


@pytest.mark.parametrize(
    ("retirement", "called", "known", "target"),
    [
        (TRAPEZOID, True, True, "numpy.trapezoid"),
        (JOIN, True, True, "polars.DataFrame.join"),
        (gone("numpy.Inf", "numpy.inf", "removed", "data"), False, True, "numpy.inf"),
        (gone("numpy.who", None, "removed", "function"), True, False, "numpy.who"),
        (gone("pandas.concat", None, "default changed", "function", parameter="sort", old_default="True"), True, True,
         "pandas.concat"),
    ],
)  # fmt: skip
def test_what_can_become_one(retirement: Retirement, called: bool, known: bool, target: str) -> None:
    assert (is_called(retirement), has_new_form(retirement), target_of(retirement)) == (called, known, target)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as made:
        yield made


@pytest.fixture(scope="module")
def pair() -> Pair:
    store = EnvironmentStore()
    return Pair(store.get("pydantic", "2.5.2"), store.get("pydantic", "2.13.3"), ("pydantic",))


PRICES = ("from pydantic import BaseModel", "class Price(BaseModel):\n    city: str\n    euros: int = 3")


def written(engine: Engine, pair: Pair, retirement: Retirement, *pool: Usage) -> tuple[WrittenTask | None, list[str]]:
    author = MigrationAuthor(engine, pair, HabitUsages(engine, pair, pool), LIMITS)
    (drafted,) = author.write([retirement])
    return drafted.task, [*drafted.dropped]


@pytest.mark.network
@pytest.mark.sandbox
def test_a_migration_of_two_real_releases(engine: Engine, pair: Pair) -> None:
    used = usage("schema = Price.model_json_schema()", prelude=PRICES)
    default = gone(
        "pydantic.BaseModel.model_json_schema", None, "default changed", "classmethod", parameter="by_alias",
        old_default="True", new_default="False",
    )  # fmt: skip
    task, dropped = written(engine, pair, default, used)
    assert task is not None, dropped
    assert "by_alias=True" in task.solution
    assert "by_alias" not in str(task.before)
    assert len(task.contexts) > 2
    assert problem_of_text(task) is None
    assert problem_of_scenarios(task) is None
    assert "pydantic 2.13.3" in task.description


@pytest.mark.network
@pytest.mark.sandbox
def test_a_replacement_that_gives_something_else_is_no_migration(engine: Engine, pair: Pair) -> None:
    wrong = gone("pydantic.BaseModel.model_copy", "pydantic.BaseModel.model_dump", "renamed", "method")
    used = usage("price = Price(city='Oslo', euros=12)", "data = price.model_copy()", prelude=PRICES)
    task, dropped = written(engine, pair, wrong, used)
    assert task is None
    assert any("something else with the replacement" in reason for reason in dropped), dropped
