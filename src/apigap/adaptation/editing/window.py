"""How many tokens a prompt and its answer may have together: by the settings, and by the model itself."""

from dataclasses import dataclass
from typing import Any

from torch import nn

from apigap.records.errors import UsageError


@dataclass(frozen=True)
class Window:
    """At most `most` tokens (0: any number), by the setting of that name, or by the model where `setting` is empty."""

    most: int = 0
    setting: str = ""

    def holds(self, tokens: int) -> bool:
        """Whether so many tokens fit."""
        return not self.most or tokens <= self.most

    def require(self, what: str, tokens: int) -> None:
        """Raises UsageError when prompt and answer of `what` do not fit; the message tells what bounds them."""
        if self.holds(tokens):
            return
        bound, remedy = f"the model's own window {self.most}", "choose a model with a longer window"
        if self.setting:
            bound, remedy = f"{self.setting} is {self.most}", f"raise it with --set {self.setting}=N"
        raise UsageError(f"{what}: prompt and answer have {tokens} tokens, {bound}; {remedy}, or leave the task out")


ANY = Window()
"""No limit."""


def window_of(model: nn.Module) -> int:
    """How many tokens the model can read at a time; 0 where it does not say."""
    config: Any = model.config
    return max(0, int(getattr(config, "max_position_embeddings", 0) or 0))


def window_for(model: nn.Module, most: int = 0, setting: str = "max_length") -> Window:
    """What the model can read, and of that no more than `most` (0: all), which is the setting `setting`."""
    own = window_of(model)
    return Window(most, setting) if most and (not own or most < own) else Window(own)
