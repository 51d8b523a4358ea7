"""The parts of apigap for Inspect (entry point `inspect_ai`): its two providers, and the benchmarks as tasks.

Every registered benchmark is a task by its name, with `_` for `-`: also those that other packages bring.
"""

from apigap.adaptation.plugin import transformers
from apigap.benchmarks.apibank.inspect.live import apibank_live
from apigap.benchmarks.base import benchmark_names, find_benchmark
from apigap.benchmarks.toolllm.inspect.steps import toolllm_steps
from apigap.evaluation.inspect_tasks import inspect_task
from apigap.models.plugin import gguf

globals().update({name.replace("-", "_"): inspect_task(name, find_benchmark) for name in benchmark_names()})

__all__ = ["apibank_live", "gguf", "toolllm_steps", "transformers"]
