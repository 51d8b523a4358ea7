"""One environment with several libraries, and tasks over them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.gates.battery import Aims
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.limits import MIB, Limits

from ...interpreters import make_environment
from .tasks import make_tasks

PACKAGES = ("httpx==0.28.1", "numpy==2.4.6", "packaging==25.0", "pandas==2.3.3", "pydantic==2.13.3")
PRELOAD = ("pydantic", "pydantic.BaseModel", "numpy", "pandas", "httpx", "packaging.specifiers")
TIGHT = Limits(
    cpu_seconds=1, wall_seconds=3.0, memory=700 * MIB, temporary=64 * MIB, preload_seconds=60.0, silence_seconds=2.0
)


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    root = tmp_path_factory.mktemp("battery") / "libraries"
    return make_environment(root, "several", "1", PACKAGES)


@pytest.fixture(scope="session")
def tight() -> Iterator[Engine]:
    """One worker: what runs next runs where the one before it ran."""
    with Engine(workers=1, limits=TIGHT) as made:
        yield made


@pytest.fixture(scope="session")
def tasks(tight: Engine, libraries: Environment) -> dict[str, Task]:
    return make_tasks(tight, libraries, PRELOAD)


@pytest.fixture(scope="session")
def aims(libraries: Environment, tmp_path_factory: pytest.TempPathFactory) -> Aims:
    secret = tmp_path_factory.mktemp("secret") / "tasks.jsonl"
    secret.write_text("the reference solution")
    return Aims(
        home=Path.home(), temporary=secret.parent, environment=libraries.root, secrets=(secret,),
        seconds=TIGHT.wall_seconds,
    )  # fmt: skip
