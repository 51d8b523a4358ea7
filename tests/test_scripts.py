"""Every script of `tools` and `bench` is importable: a module that moved is not missed by those who run them late."""

import pkgutil
from importlib import import_module

import bench
import pytest

import tools

NAMES = [
    found.name
    for package in (tools, bench)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not found.name.endswith("__main__")
]


@pytest.mark.parametrize("name", NAMES)
def test_a_script_is_importable(name: str) -> None:
    import_module(name)
