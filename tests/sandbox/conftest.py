"""A real environment for the engine to run in, made once per session."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import uv

from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.limits import MIB, Limits

TIGHT = Limits(
    cpu_seconds=1, wall_seconds=3.0, memory=300 * MIB, temporary=64 * MIB, preload_seconds=30.0, silence_seconds=2.0
)


def environment_at(root: Path) -> Environment:
    """The environment that uv has made at `root`."""
    site = next((root / "lib").glob("python3.*/site-packages"))
    return Environment(
        library="pydantic",
        version="2.13.3",
        root=root,
        python=root / "bin/python",
        base_prefix=Path(sys.base_prefix),
        site_packages=site,
        packages=("numpy", "pydantic==2.13.3"),
        lock="tests",
    )


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    root = tmp_path_factory.mktemp("environment") / "pydantic"
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    binary = uv.find_uv_bin()
    subprocess.run([binary, "venv", "-q", "--python", str(base), str(root)], check=True)
    install = [binary, "pip", "install", "-q", "--compile-bytecode", "--python", str(root / "bin/python")]
    subprocess.run([*install, "pydantic==2.13.3", "numpy"], check=True)
    made = environment_at(root)
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
