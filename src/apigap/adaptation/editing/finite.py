"""Checks that weights and losses are finite: a search or a tuning that diverged ends with an error."""

from collections.abc import Iterable, Mapping
from math import isfinite

import torch
from torch import Tensor

from apigap.records.errors import UsageError

_REMEDY = "use a smaller learning_rate, or --set precision=float32 where that is not set"


def require_finite(name: str, tensors: Iterable[Tensor]) -> None:
    """Raises UsageError when `name`, these tensors, has NaN or an infinite value."""
    if not all(bool(torch.isfinite(tensor).all()) for tensor in tensors):
        raise UsageError(f"{name} has values that are no numbers (NaN or infinite); {_REMEDY}")


def require_finite_weights(weights: Mapping[str, Tensor]) -> None:
    """The same of weights by name; the message has the first name."""
    for name, weight in weights.items():
        require_finite(f"the weight of {name}", [weight])


def require_finite_loss(name: str, loss: float, step: int) -> None:
    """Raises UsageError when the loss on `name` at `step` is NaN or infinite."""
    if not isfinite(loss):
        raise UsageError(f"{name}: the loss came to {loss} at step {step}; {_REMEDY}")
