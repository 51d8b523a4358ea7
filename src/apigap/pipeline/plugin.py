"""What apigap brings to Inspect (entry point `inspect_ai`): its two providers, and the benchmarks as tasks."""

from apigap.adaptation.plugin import transformers
from apigap.models.plugin import gguf
from apigap.pipeline.inspect_apibank import apibank
from apigap.pipeline.inspect_apibank_live import apibank_live
from apigap.pipeline.inspect_task import novelapi
from apigap.pipeline.inspect_toolllm import toolllm
from apigap.pipeline.inspect_toolllm_steps import toolllm_steps

__all__ = ["apibank", "apibank_live", "gguf", "novelapi", "toolllm", "toolllm_steps", "transformers"]
