"""The least-squares solutions behind MEMIT and AlphaEdit, as pure functions on matrices.

Shapes: n facts, `keys` [inputs, n], `residuals` [outputs, n], everything over keys [inputs, inputs]. All is computed in
double precision. An update is given by its factors, `left` [outputs, n] and `right` [n, inputs], since n is small.
"""

# PyTorch types its tensors' methods only in part.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from typing import NamedTuple

import torch
from torch import Tensor

from apigap.adaptation.editing.finite import require_finite
from apigap.records.errors import UsageError


class LowRank(NamedTuple):
    """The matrix `left` @ `right`."""

    left: Tensor
    right: Tensor

    def dense(self) -> Tensor:
        """The product."""
        return self.left @ self.right


def memit_update(keys: Tensor, residuals: Tensor, covariance: Tensor) -> LowRank:
    """Delta = R K1^T (C0 + K1 K1^T)^-1: Meng et al. 2022 (arXiv:2210.07229), equation 14.

    `covariance` is C0 = lambda E[k k^T] of equation 15, its weight included.
    """
    known, found = _checked(keys, residuals)
    metric = covariance.double() + known @ known.T
    return LowRank(found, torch.linalg.solve(metric, known).T)


def alphaedit_update(
    keys: Tensor, residuals: Tensor, projector: Tensor, earlier: Tensor, ridge: float = 1.0
) -> LowRank:
    """Delta = R K1^T P (Kp Kp^T P + K1 K1^T P + I)^-1: Fang et al. 2024 (arXiv:2410.02355), equation 14.

    It minimises equation 12 of that paper, section 3.3.

    `projector` is P, `earlier` is Kp Kp^T of the facts that were edited before; `ridge` stands before the identity.
    """
    known, found = _checked(keys, residuals)
    outside = projector.double()
    identity = torch.eye(len(outside), dtype=torch.float64)
    metric = outside @ (earlier.double() + known @ known.T) + ridge * identity
    return LowRank(found, torch.linalg.solve(metric, outside @ known).T)


def null_space_projector(covariance: Tensor, threshold: float) -> Tensor:
    """P = U U^T over the eigenvectors of K0 K0^T whose eigenvalue is below `threshold`: Fang et al. 2024, section 3.2.

    `covariance` is the mean of k k^T over tokens, as the threshold means it.

    Raises:
        UsageError: when there is no such eigenvector.
    """
    values, vectors = torch.linalg.eigh(covariance.double())
    null = vectors[:, values < threshold]
    if not null.shape[1]:
        raise UsageError(
            f"no direction is free to write to: the covariance's smallest eigenvalue is {float(values[0]):.2g}, the "
            f"threshold {threshold:.2g}; raise it with --set threshold=X"
        )
    return null @ null.T


def _checked(keys: Tensor, residuals: Tensor) -> tuple[Tensor, Tensor]:
    known, found = keys.double(), residuals.double()
    require_finite("an edit", (known, found))
    return known, found
