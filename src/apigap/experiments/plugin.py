"""The parts of apigap for Inspect (entry point `inspect_ai`): its two providers, and the benchmarks as tasks.

Every registered benchmark is a task by its name, with `_` for `-`: also those that other packages bring.
"""

import warnings
from collections.abc import Callable, Sequence

from inspect_ai import Task

from apigap.adaptation.plugin import transformers
from apigap.benchmarks.apibank.inspect.live import apibank_live
from apigap.benchmarks.base import benchmark_names, find_benchmark
from apigap.benchmarks.toolllm.inspect.steps import toolllm_steps
from apigap.evaluation.inspect_tasks import inspect_task
from apigap.experiments.inspect_agent import agent
from apigap.models.plugin import gguf
from apigap.records.errors import ApigapWarning, InfrastructureError


def tasks_of(names: Sequence[str]) -> dict[str, Callable[..., Task]]:
    """The tasks of these benchmarks; one that cannot be loaded is left out with a warning that names its package."""
    found: dict[str, Callable[..., Task]] = {}
    for name in names:
        try:
            found[name.replace("-", "_")] = inspect_task(name, find_benchmark)
        except InfrastructureError as error:
            warnings.warn(f"there is no task apigap/{name}: {error}", ApigapWarning, stacklevel=2)
    return found


globals().update(tasks_of(benchmark_names()))

__all__ = ["agent", "apibank_live", "gguf", "toolllm_steps", "transformers"]
