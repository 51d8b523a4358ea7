"""Reading and changing what flows through a module while a model runs."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

from apigap.adaptation.editing.families import module_of


@contextmanager
def inputs_of(model: nn.Module, name: str, take: Callable[[Tensor], None]) -> Generator[None]:
    """Call `take` with the input of a module, [rows, length, inputs], whenever it runs."""

    def hook(module: nn.Module, given: tuple[Any, ...]) -> None:
        take(given[0])

    handle = module_of(model, name).register_forward_pre_hook(hook)
    try:
        yield
    finally:
        handle.remove()


@contextmanager
def outputs_of(model: nn.Module, name: str, change: Callable[[Tensor], Tensor]) -> Generator[None]:
    """Put what `change` makes of a module's output in its place; some versions give it with others in a tuple."""

    def hook(module: nn.Module, given: tuple[Any, ...], output: Any) -> Any:
        return change(output) if isinstance(output, Tensor) else (change(output[0]), *output[1:])

    handle = module_of(model, name).register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()


class _Reached(Exception):
    """What was wanted of a model has been seen."""


@contextmanager
def no_further_than(model: nn.Module, name: str) -> Generator[None]:
    """Run the model once, to the end of a module; the body ends there. Hooks set before see the module's output."""

    def hook(module: nn.Module, given: tuple[Any, ...], output: Any) -> None:
        raise _Reached

    handle = module_of(model, name).register_forward_hook(hook)
    try:
        yield
    except _Reached:
        pass
    finally:
        handle.remove()
