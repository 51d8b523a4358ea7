"""Forward passes of a model: hooks that read or change a module's data, and a cache of a prompt's beginning.

Attention looks back only, so a change at one token leaves all before it as it was: that part is read once.
"""

# PyTorch types its tensors' methods only in part.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import copy
import inspect
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from apigap.adaptation.editing.facts import Rows
from apigap.adaptation.editing.families import module_of


def inputs_of(model: nn.Module, name: str, take: Callable[[Tensor], None]) -> RemovableHandle:
    """Call `take` with the input of a module, [rows, length, inputs], whenever it runs while the handle is open."""

    def hook(module: nn.Module, inputs: tuple[Any, ...]) -> None:
        take(inputs[0])

    return module_of(model, name).register_forward_pre_hook(hook)


def outputs_of(model: nn.Module, name: str, change: Callable[[Tensor], Tensor]) -> RemovableHandle:
    """Replace a module's output by what `change` makes of it; some versions give it with others in a tuple."""

    def hook(module: nn.Module, inputs: tuple[Any, ...], output: Any) -> Any:
        return change(output) if isinstance(output, Tensor) else (change(output[0]), *output[1:])

    return module_of(model, name).register_forward_hook(hook)


class _Reached(Exception):
    """The module whose output was wanted has run."""


@contextmanager
def no_further_than(model: nn.Module, name: str) -> Generator[None]:
    """Run the model once, to the end of a module; the body ends there. Hooks set before see the module's output."""

    def hook(module: nn.Module, inputs: tuple[Any, ...], output: Any) -> None:
        raise _Reached

    with suppress(_Reached), module_of(model, name).register_forward_hook(hook):
        yield


@dataclass(frozen=True)
class CachedPrefix:
    """`suffix` [1, length] are the tokens from the place on, the last `answer` of them the answer's.

    `before` holds keys and values of what stands before, as transformers caches them; None where nothing does.
    """

    suffix: Tensor
    answer: int
    before: Any | None

    @classmethod
    def from_rows(cls, model: nn.Module, rows: Rows, row: int, place: int) -> "CachedPrefix":
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
        return -logs.gather(-1, self.suffix[0, -self.answer :, None]).mean()

    def next(self, model: nn.Module) -> Tensor:
        """Log-probabilities of what follows the last token, [vocabulary]."""
        return self._last(model, 1)[0]

    def _last(self, model: nn.Module, count: int) -> Tensor:
        """Log-probabilities after each of the last `count` tokens, [count, vocabulary]."""
        known = inspect.signature(model.forward).parameters
        most = {"logits_to_keep": count} if "logits_to_keep" in known else {}  # the head is a fifth of a small model
        cache = copy.deepcopy(self.before)  # reading on appends to it
        output: Any = model(input_ids=self.suffix, past_key_values=cache, use_cache=cache is not None, **most)
        return output.logits[0, -count:].float().log_softmax(-1)
