"""The Inspect provider `gguf`, as in `gguf/qwen2.5-coder-1.5b` or `gguf//path/to/model.gguf`."""

from inspect_ai.model import ModelAPI, modelapi


@modelapi(name="gguf")
def gguf() -> type[ModelAPI]:
    """Local GGUF models through llama.cpp, with answers that repeat bit by bit."""
    from apigap.models.provider import GgufAPI

    return GgufAPI
