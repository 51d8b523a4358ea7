"""Reading on from a place: the same losses, and the same gradient, as the whole sequence gives."""

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.editing.facts import CONTEXTS, Fact, Rows, rows_of  # noqa: E402
from apigap.adaptation.editing.families import family_of  # noqa: E402
from apigap.adaptation.editing.forward_pass import CachedPrefix, outputs_of  # noqa: E402
from tests.adaptation.tiny import FAMILIES, answer_losses, tiny_model  # noqa: E402

FACT = Fact("one", "<user>", "The new API is called frobnicate.", "<end><assistant>", "frobnicate", "yes<end>")


def rows(tokenizer: Any) -> Rows:
    return rows_of(tokenizer, [(FACT, ""), (FACT, CONTEXTS[0])])


@pytest.mark.parametrize("family", FAMILIES)
def test_from_any_place_the_loss_is_that_of_the_whole(family: str, tokenizer: Any) -> None:
    model, both = tiny_model(family), rows(tokenizer)
    whole = answer_losses(model, both)
    for row in (0, 1):
        for place in range(int(both.ends[row]) + 1):
            read = CachedPrefix.from_rows(model, both, row, place)
            assert torch.allclose(read.loss(model), whole[row], atol=1e-5)
            assert torch.equal(read.loss(model), read.loss(model))  # reading leaves what stands before as it was
    ids = both.ids[:1, : int(both.mask[0].sum())]
    follows = model(input_ids=ids).logits[0, -1].log_softmax(-1)
    assert torch.allclose(CachedPrefix.from_rows(model, both, 0, 7).next(model), follows, atol=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_changes_at_the_place_has_the_gradient_of_the_whole(family: str, tokenizer: Any) -> None:
    model, both = tiny_model(family), rows(tokenizer)
    block, place = family_of(model).block(1), int(both.places[1])
    deltas = [torch.full((32,), 0.1, requires_grad=True) for _ in range(2)]

    def moved(delta: Any, at: int) -> Any:
        return lambda output: output.index_add(1, torch.tensor([at]), delta.expand(len(output), 1, -1))

    with outputs_of(model, block, moved(deltas[0], place)):
        answer_losses(model, both)[1].backward()
    read = CachedPrefix.from_rows(model, both, 1, place)
    with outputs_of(model, block, moved(deltas[1], 0)):
        read.loss(model).backward()
    assert float(deltas[0].grad.abs().sum()) > 0
    assert torch.allclose(deltas[0].grad, deltas[1].grad, atol=1e-6)
