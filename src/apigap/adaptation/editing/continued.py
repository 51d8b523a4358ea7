"""A sequence that is read many times from one place on: what stands before is read once.

Attention looks back only, so what changes at a place, or after it, leaves everything before it as it was.
"""

# PyTorch types its tensors' methods only in part.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import copy
import inspect
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from apigap.adaptation.editing.facts import Rows


@dataclass(frozen=True)
class Continued:
    """`rest` [1, length] are the tokens from the place on, the last `answer` of them the answer's.

    `before` holds keys and values of what stands before, as transformers caches them; None where nothing does.
    """

    rest: Tensor
    answer: int
    before: Any | None

    @classmethod
    def of(cls, model: nn.Module, rows: Rows, row: int, place: int) -> "Continued":
        """The sequence `row` from `place` on; what the model makes of the tokens before is kept."""
        ids = rows.ids[row : row + 1, : int(rows.mask[row].sum())]
        before = None
        if place:
            with torch.no_grad():
                before = model(input_ids=ids[:, :place], use_cache=True).past_key_values
        return cls(ids[:, place:], int(rows.answers[row].sum()), before)

    def loss(self, model: nn.Module) -> Tensor:
        """The mean negative log-likelihood of the answer; the place must not be beyond the prompt's last token."""
        logs = self._last(model, self.answer + 1)[:-1]
        return -logs.gather(-1, self.rest[0, -self.answer :, None]).mean()

    def next(self, model: nn.Module) -> Tensor:
        """Log-probabilities of what follows the last token, [vocabulary]."""
        return self._last(model, 1)[0]

    def _last(self, model: nn.Module, count: int) -> Tensor:
        """Log-probabilities after each of the last `count` tokens, [count, vocabulary]."""
        known = inspect.signature(model.forward).parameters
        most = {"logits_to_keep": count} if "logits_to_keep" in known else {}  # the head is a fifth of a small model
        cache = copy.deepcopy(self.before)  # reading on appends to it
        output: Any = model(input_ids=self.rest, past_key_values=cache, use_cache=cache is not None, **most)
        return output.logits[0, -count:].float().log_softmax(-1)
