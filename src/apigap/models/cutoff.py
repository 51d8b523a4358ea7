"""The training cutoff of a model: given, or known from its description."""

from datetime import date

from apigap.models.backbones import find_backbone
from apigap.models.registry import find_model, model_names
from apigap.records.errors import UsageError


def cutoff_of(model: str | None, explicit: date | None = None) -> date:
    """The training cutoff that was `explicit`, or the one in the description of a local model or a backbone.

    Raises:
        UsageError: when it is not known.
    """
    name = (model or "").removeprefix("gguf/")
    backbone = find_backbone(name)
    is_local = name in model_names() or name.endswith(".gguf")
    found = explicit or (find_model(name).cutoff if is_local else backbone.cutoff if backbone else None)
    if found is None:
        raise UsageError(
            f"the training cutoff of {model or 'the model'} is not known, so the old version cannot be chosen; "
            "give the cutoff with --cutoff YYYY-MM-DD, or the old version with --old (of `apigap audit`: --from)"
        )
    return found
