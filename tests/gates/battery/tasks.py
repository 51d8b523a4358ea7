"""Tasks written by hand over several libraries; what they expect is what their references give in the engine."""

from collections.abc import Sequence
from dataclasses import dataclass

from apigap.records.run import Program
from apigap.records.task import Harness, Observation, Scenario, Spy, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.comparison import merge_stable


@dataclass(frozen=True)
class Written:
    """A task before its reference has run: `inputs` are the values of `value` in its scenarios."""

    name: str
    target: str
    context: str
    solution: str
    observe: tuple[str, ...]
    inputs: tuple[str, ...]


WRITTEN = [
    Written(
        "a pydantic model's method",
        "pydantic.BaseModel.model_dump",
        "import datetime\nfrom pydantic import BaseModel\n\n\nclass Item(BaseModel):\n    name: str\n"
        "    when: datetime.date\n\n\nitem = Item(name=value, when='2024-01-01')\n",
        "result = item.model_dump(mode='json', exclude={'nothing'})\n",
        ("result",),
        ("'a'", "'bc'", "''"),
    ),
    Written(
        "a pydantic field",
        "pydantic.Field",
        "from pydantic import BaseModel, ValidationError\n",
        "from pydantic import Field\n\n\nclass Order(BaseModel):\n"
        "    count: int = Field(default=value, gt=1, alias='n')\n\n\n"
        "order = Order()\nschema = Order.model_json_schema()\n",
        ("order.count", "schema", "Order(n=value + 2).count"),
        ("3", "5"),
    ),
    Written(
        "pure Python: packaging",
        "packaging.specifiers.SpecifierSet.filter",
        "from packaging.specifiers import SpecifierSet\n\nversions = ['1.0', '1.5', '2.0', '2.1a1', value]\n",
        "wanted = SpecifierSet('>=1.5')\nresult = list(wanted.filter(versions, prereleases=True))\n",
        ("result",),
        ("'3.0'", "'0.9'", "'1.5.1'"),
    ),
    Written(
        "a numpy function",
        "numpy.pad",
        "import numpy as np\n\ndata = np.arange(value, dtype='float32').reshape(2, -1)\n",
        "result = np.pad(data, ((0, 0), (1, 2)), mode='constant', constant_values=7)\n",
        ("result", "result.sum()"),
        ("6", "8", "2"),
    ),
    Written(
        "a method of a pandas frame",
        "pandas.DataFrame.melt",
        "import pandas as pd\n\nframe = pd.DataFrame({'id': ['x', 'y'], 'a': [1, 2], 'b': [value, 4]})\n",
        "result = frame.melt(id_vars='id', var_name='column', value_name='amount')\n",
        ("result",),
        ("3", "30"),
    ),
    Written(
        "an asynchronous method",
        "httpx.AsyncClient.get",
        "import asyncio\nimport httpx\n\n\ndef answer(request):\n"
        "    return httpx.Response(200, json={'path': request.url.path})\n\n\n"
        "transport = httpx.MockTransport(answer)\n",
        "async def fetch():\n    async with httpx.AsyncClient(transport=transport) as client:\n"
        "        response = await client.get('http://here' + value, headers={'a': 'b'})\n"
        "        return response.json()\n\n\n"
        "result = asyncio.run(fetch())\n",
        ("result",),
        ("'/one'", "'/two'", "'/'"),
    ),
    Written(
        "a class",
        "httpx.QueryParams",
        "import httpx\n\npairs = {'a': value, 'b': 'c'}\n",
        "query = httpx.QueryParams(pairs)\ntext = str(query)\n",
        ("text", "query['a']", "query.multi_items()"),
        ("'1'", "'2 3'", "''"),
    ),
    Written(
        "a property",
        "httpx.URL.raw_path",
        "import httpx\n\nurl = httpx.URL('https://example.org/a').copy_with(query=value)\n",
        "result = url.raw_path\n",
        ("result",),
        ("b'x=1'", "b'y=2'"),
    ),
    Written(
        "a class method",
        "pandas.DataFrame.from_dict",
        "import pandas as pd\n\ncolumns = {'a': [1, value], 'b': [3, 4]}\n",
        "result = pd.DataFrame.from_dict(columns, orient='index')\n",
        ("result", "list(result.index)"),
        ("2", "20"),
    ),
]


def make_tasks(engine: Engine, environment: Environment, preload: Sequence[str]) -> dict[str, Task]:
    """The tasks by name, their expectations from two runs of each reference."""
    made = {written.name: _make(written, engine, environment, preload) for written in WRITTEN}
    return {**made, **{f"{name}, in any container": opened(task) for name, task in made.items()}}


def opened(task: Task) -> Task:
    """The task, with the container of every observation left open."""
    scenarios = tuple(
        scenario.model_copy(
            update={"observations": tuple(o.model_copy(update={"containers": "any"}) for o in scenario.observations)}
        )
        for scenario in task.harness.scenarios
    )
    harness = task.harness.model_copy(update={"scenarios": scenarios})
    return Task.model_validate({**task.model_dump(exclude={"task_id", "harness"}), "harness": harness})


def _make(written: Written, engine: Engine, environment: Environment, preload: Sequence[str]) -> Task:
    contexts = [f"value = {value}\n{written.context}" for value in written.inputs]
    scenarios: list[Scenario] = []
    for number, context in enumerate(contexts):
        programs = [
            Program(context=context, completion=written.solution, observe=written.observe, seed=seed) for seed in (0, 1)
        ]
        runs = engine.run(environment, programs, preload=preload)
        assert all(run.status == "completed" and not run.errors for run in runs), runs
        observations = tuple(
            Observation(expression=text, expected=merge_stable([run.observations[text] for run in runs]))
            for text in written.observe
        )
        scenarios.append(
            Scenario(name=f"held out {number}" if number else "basic", context_code=context, observations=observations)
        )
    library = written.target.partition(".")[0]
    return Task(
        api_name=written.target,
        library=library,
        version=next(line.partition("==")[2] for line in environment.packages if line.startswith(f"{library}==")),
        old_version=None,
        domain="tests",
        change="added",
        difficulty="easy",
        description=f"Use {written.name}.",
        context_code=contexts[0],
        masked_region=written.solution,
        reference_solution=contexts[0] + written.solution,
        harness=Harness(
            layers=("structural", "comparative"), scenarios=tuple(scenarios), spy=Spy(target=written.target)
        ),
        author="written",
    )
