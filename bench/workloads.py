"""The tasks that are timed: one per library, small, so that what is measured is the engine and not the library."""

from dataclasses import dataclass

from apigap.records.errors import InfrastructureError
from apigap.records.run import Program
from apigap.records.task import Harness, Observation, Scenario, Spy, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment


@dataclass(frozen=True)
class Workload:
    """A task on one library: `context` has the place `{data}` for each of `inputs`, `answer` makes `result` of it.

    `heavy` libraries are several hundred megabytes to install and are only timed on request.
    """

    name: str
    library: str
    version: str
    preload: tuple[str, ...]
    target: str
    context: str
    inputs: tuple[str, str]
    answer: str
    heavy: bool = False

    def contexts(self) -> tuple[str, ...]:
        """The context of each scenario."""
        return tuple(self.context.format(data=data) for data in self.inputs)

    def task(self, engine: Engine, environment: Environment) -> Task:
        """The task; what it expects is what the answer gives here.

        Raises:
            InfrastructureError: when the answer does not run.
        """
        programs = [
            Program(context=context, completion=self.answer, observe=("result",)) for context in self.contexts()
        ]
        records = engine.run(environment, programs, preload=self.preload)
        for record in records:
            if record.status != "completed":
                raise InfrastructureError(f"the task on {self.name} does not run here: {record.reason or record}")
        scenarios = tuple(
            Scenario(
                name=name, context_code=program.context, observations=(Observation(expression=text, expected=form),)
            )
            for name, program, record in zip(("basic", "others"), programs, records, strict=True)
            for text, form in record.observations.items()
        )
        return Task(
            api_name=self.target,
            library=self.library,
            version=self.version,
            old_version=None,
            domain="benchmark",
            change="added",
            difficulty="easy",
            description=f"Make result from data with {self.library}.",
            context_code=programs[0].context,
            masked_region=self.answer,
            reference_solution=programs[0].context + self.answer,
            harness=Harness(layers=("structural", "comparative"), scenarios=scenarios, spy=Spy(target=self.target)),
            author="bench",
        )


WORKLOADS = (
    # An environment needs some library; iniconfig is one of three small files, and the task does not import it.
    Workload(
        name="stdlib", library="iniconfig", version="2.1.0", preload=("json",), target="json.dumps",
        context="import json\n\ndata = {data}\n", inputs=('{"b": 1, "a": [2]}', '{"d": None, "c": "x"}'),
        answer="result = json.dumps(data, sort_keys=True)\n",
    ),
    Workload(
        name="pydantic", library="pydantic", version="2.13.3", preload=("pydantic", "pydantic.TypeAdapter"),
        target="pydantic.TypeAdapter.validate_python",
        context="import pydantic\n\ndata = {data}\n", inputs=('["1", "2"]', '["30", "40", "50"]'),
        answer="result = pydantic.TypeAdapter(list[int]).validate_python(data)\n",
    ),
    Workload(
        name="numpy", library="numpy", version="2.4.4", preload=("numpy",), target="numpy.unstack",
        context="import numpy as np\n\ndata = np.array({data})\n", inputs=("[[1, 2], [3, 4]]", "[[5.5, 6.5]]"),
        answer="result = np.unstack(data, axis=1)\n",
    ),
    Workload(
        name="pandas", library="pandas", version="3.0.2", preload=("pandas",), target="pandas.DataFrame.melt",
        context="import pandas as pd\n\ndata = pd.DataFrame({data})\n",
        inputs=('{"id": [1, 2], "a": [3, 4], "b": [5, 6]}', '{"id": [7], "a": [8.5], "b": [9.5]}'),
        answer='result = data.melt(id_vars="id")\n',
    ),
    Workload(
        name="scipy", library="scipy", version="1.17.1", preload=("scipy", "scipy.stats"), target="scipy.stats.zscore",
        context="import scipy.stats\n\ndata = {data}\n", inputs=("[1.0, 2.0, 4.0]", "[3.0, 3.5, 9.0, 1.0]"),
        answer="result = scipy.stats.zscore(data)\n",
    ),
    Workload(
        name="torch", library="torch", version="2.13.0", preload=("torch",), target="torch.nn.functional.softmax",
        context="import torch\n\ndata = torch.tensor({data})\n", inputs=("[[1.0, 2.0]]", "[[0.5, 0.5, 3.0]]"),
        answer="result = torch.nn.functional.softmax(data, dim=1).tolist()\n", heavy=True,
    ),
    Workload(
        name="transformers", library="transformers", version="5.2.0",
        preload=("transformers", "transformers.GenerationConfig"), target="transformers.GenerationConfig.to_diff_dict",
        context="import transformers\n\ndata = {data}\n", inputs=('{"num_beams": 3}', '{"max_new_tokens": 9}'),
        answer="result = transformers.GenerationConfig(**data).to_diff_dict()\n", heavy=True,
    ),
)  # fmt: skip
