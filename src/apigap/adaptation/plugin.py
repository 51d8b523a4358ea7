"""The Inspect provider `transformers`, as in `transformers/data/sft/starter/.../grace.s`."""

from inspect_ai.model import ModelAPI, modelapi


@modelapi(name="transformers")
def transformers() -> type[ModelAPI]:
    """Models in this process on PyTorch: bases as they are, and what `apigap adapt` made of them."""
    from apigap.adaptation.inspect_provider import TransformersAPI

    return TransformersAPI
