"""The interpreter that sandboxed tests run on: the suite's own, or the minor version in APIGAP_TEST_PYTHON."""

import os
import subprocess
from pathlib import Path

import uv

from apigap.packages.environments import environment_in
from apigap.packages.interpreters import Interpreter, named, running
from apigap.sandbox.environment import Environment


def interpreter_under_test() -> Interpreter:
    """The interpreter whose minor version APIGAP_TEST_PYTHON names; without it that of the suite."""
    minor = os.environ.get("APIGAP_TEST_PYTHON")
    return named(minor) if minor else running()


def make_environment(
    root: Path, library: str, version: str, packages: tuple[str, ...] = (), interpreter: Interpreter | None = None
) -> Environment:
    """A fresh environment at `root` with `packages`, of the interpreter under test or of another one."""
    python = interpreter or interpreter_under_test()
    binary = uv.find_uv_bin()
    subprocess.run([binary, "venv", "-q", "--python", str(python.executable), str(root)], check=True)
    if packages:
        install = [binary, "pip", "install", "-q", "--compile-bytecode", "--python", str(root / "bin/python")]
        subprocess.run([*install, *packages], check=True)
    return environment_in(root, library, version, python)
