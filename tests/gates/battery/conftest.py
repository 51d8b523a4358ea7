"""One environment with several libraries, and tasks over them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import uv

from apigap.gates.battery import Aims
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.limits import MIB, Limits

from .tasks import make_tasks

PACKAGES = ("httpx==0.28.1", "numpy==2.4.6", "packaging==25.0", "pandas==2.3.3", "pydantic==2.13.3")
PRELOAD = ("pydantic", "pydantic.BaseModel", "numpy", "pandas", "httpx", "packaging.specifiers")
TIGHT = Limits(
    cpu_seconds=1, wall_seconds=3.0, memory=700 * MIB, temporary=64 * MIB, preload_seconds=60.0, silence_seconds=2.0
)


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    root = tmp_path_factory.mktemp("battery") / "libraries"
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    binary = uv.find_uv_bin()
    subprocess.run([binary, "venv", "-q", "--python", str(base), str(root)], check=True)
    install = [binary, "pip", "install", "-q", "--compile-bytecode", "--python", str(root / "bin/python")]
    subprocess.run([*install, *PACKAGES], check=True)
    return Environment(
        library="several", version="1", root=root, python=root / "bin/python", base_prefix=Path(sys.base_prefix),
        site_packages=next((root / "lib").glob("python3.*/site-packages")), packages=PACKAGES, lock="battery",
    )  # fmt: skip


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
