"""The parts of apigap for Inspect (entry point `inspect_ai`): its two providers, and the benchmarks as tasks."""

from apigap.adaptation.plugin import transformers
from apigap.benchmarks.apibank.inspect.live import apibank_live
from apigap.benchmarks.apibank.inspect.single import apibank
from apigap.benchmarks.toolllm.inspect.single import toolllm
from apigap.benchmarks.toolllm.inspect.steps import toolllm_steps
from apigap.experiments.inspect_task import novelapi
from apigap.models.plugin import gguf

__all__ = ["apibank", "apibank_live", "gguf", "novelapi", "toolllm", "toolllm_steps", "transformers"]
