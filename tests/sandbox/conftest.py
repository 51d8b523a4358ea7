"""A real environment for the engine to run in, made once per session."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.limits import MIB, Limits

from ..interpreters import make_environment

TIGHT = Limits(
    cpu_seconds=1, wall_seconds=3.0, memory=300 * MIB, temporary=64 * MIB, preload_seconds=30.0, silence_seconds=2.0
)


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    root = tmp_path_factory.mktemp("environment") / "pydantic"
    made = make_environment(root, "pydantic", "2.13.3", ("pydantic==2.13.3", "numpy"))
    (made.site_packages / "spied.py").write_text((Path(__file__).parent / "spied_library.py").read_text())
    for name in ("native_thread.py", "python_thread.py"):
        (made.site_packages / name).write_text((Path(__file__).parent / name).read_text())
    shadowed = made.site_packages / "shadowed"
    shadowed.mkdir()
    (shadowed / "__init__.py").write_text("from .thing import thing\n")
    (shadowed / "thing.py").write_text("def thing(a):\n    return a\n")
    return made


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    with Engine(workers=2, limits=TIGHT) as made:
        yield made
