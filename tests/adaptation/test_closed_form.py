"""The updates against the same least-squares problems solved another way."""

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.editing.closed_form import alphaedit_update, memit_update, null_space_projector  # noqa: E402
from apigap.records.errors import UsageError  # noqa: E402

INPUTS, OUTPUTS, FACTS = 12, 7, 4


def draw(seed: int, *shape: int) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_memit_is_the_least_squares_solution() -> None:
    """argmin of |D K0|^2 + |D K1 - R|^2, as one stacked least-squares problem."""
    known, keys, residuals = draw(1, INPUTS, 50), draw(2, INPUTS, FACTS), draw(3, OUTPUTS, FACTS)
    stacked = torch.cat([known, keys], 1).T
    wanted = torch.cat([torch.zeros(OUTPUTS, 50, dtype=torch.float64), residuals], 1).T
    solution = torch.linalg.lstsq(stacked, wanted).solution.T
    found = memit_update(keys, residuals, known @ known.T).dense()
    assert torch.allclose(found, solution, atol=1e-5)


def test_memit_with_a_light_covariance_meets_every_residual() -> None:
    keys, residuals = draw(4, INPUTS, FACTS), draw(5, OUTPUTS, FACTS)
    found = memit_update(keys, residuals, 1e-9 * torch.eye(INPUTS)).dense()
    assert torch.allclose(found @ keys, residuals, atol=1e-5)


def preserved() -> Any:
    """Keys that fill half of the space."""
    return draw(6, INPUTS, 6) @ draw(7, 6, 40)


def test_alphaedit_leaves_preserved_keys_alone_and_is_the_best_that_does() -> None:
    known, keys, residuals = preserved(), draw(8, INPUTS, FACTS), draw(9, OUTPUTS, FACTS)
    projector = null_space_projector(known @ known.T, 1e-6)
    assert int(torch.linalg.matrix_rank(projector)) == INPUTS - 6
    earlier = torch.zeros(INPUTS, INPUTS)
    found = alphaedit_update(keys, residuals, projector, earlier, ridge=0.5).dense()
    assert (found @ known).abs().max() < 1e-5
    # the same in coordinates of the null space: argmin of |D U U^T K1 - R|^2 + 0.5 |D|^2
    basis = torch.linalg.svd(known).U[:, 6:]
    inner = basis.T @ keys
    stacked = torch.cat([inner, 0.5**0.5 * torch.eye(INPUTS - 6, dtype=torch.float64)], 1).T
    wanted = torch.cat([residuals, torch.zeros(OUTPUTS, INPUTS - 6, dtype=torch.float64)], 1).T
    assert torch.allclose(found, torch.linalg.lstsq(stacked, wanted).solution.T @ basis.T, atol=1e-5)


def test_alphaedit_spares_what_was_edited_before() -> None:
    """With a tiny ridge and room for both, the second update does nothing to the first one's keys."""
    known, first, second = preserved(), draw(10, INPUTS, 2), draw(11, INPUTS, 2)
    projector = null_space_projector(known @ known.T, 1e-6)
    residuals = draw(12, OUTPUTS, 2)
    alone = alphaedit_update(second, residuals, projector, torch.zeros(INPUTS, INPUTS), ridge=1e-6).dense()
    carried = alphaedit_update(second, residuals, projector, 1e6 * first @ first.T, ridge=1e-6).dense()
    assert (alone @ first).abs().max() > 1e-2
    assert (carried @ first).abs().max() < 1e-5
    assert torch.allclose(carried @ second, residuals, atol=1e-3)


def test_a_full_space_has_no_room() -> None:
    with pytest.raises(UsageError, match="raise it with --set threshold"):
        null_space_projector(torch.eye(3), 0.5)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_values_that_are_no_numbers_are_refused(bad: float) -> None:
    residuals = draw(13, OUTPUTS, FACTS)
    residuals[0, 0] = bad
    with pytest.raises(UsageError, match="precision=float32"):
        memit_update(draw(14, INPUTS, FACTS), residuals, torch.eye(INPUTS))
