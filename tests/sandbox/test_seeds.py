"""Global generators that an import seeds anew each time: a program finds them in the state that its seed gives."""

import random
import sys
from types import SimpleNamespace

import pytest

from apigap.sandbox.worker.child import seed_generators


@pytest.mark.parametrize("seed", [0, 7])
def test_a_generator_like_that_of_torch_is_seeded(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random()
    found = SimpleNamespace(default_generator=SimpleNamespace(manual_seed=generator.seed))
    monkeypatch.setitem(sys.modules, "torch", found)  # pyright: ignore[reportArgumentType]
    seed_generators(seed)
    assert generator.random() == random.Random(seed).random()


def test_a_module_of_that_name_without_a_generator_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())  # pyright: ignore[reportArgumentType]
    seed_generators(0)
