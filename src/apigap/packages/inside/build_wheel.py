"""Builds a wheel from a source distribution by the hooks of PEP 517, inside the sandbox: the code is a stranger's."""

from __future__ import annotations

import base64
import importlib
import os
import resource
import shutil
import stat
import sys
from typing import Any

_SOURCE = "/tmp/source"  # noqa: S108
_OUT = "/tmp/out"  # noqa: S108


def main(argument: dict[str, Any]) -> Any:
    """Further requirements of the build, with the hook `requires`; else the wheel's name and its content in base64."""
    os.dup2(2, 1)  # of what a build prints, the end is told when it fails
    for kind, value in argument["rlimits"].items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (value, value))
    shutil.copytree(argument["source"], _SOURCE, symlinks=True)
    os.makedirs(_OUT)
    os.chdir(_SOURCE)
    sys.path[:0] = [os.path.join(_SOURCE, folder) for folder in argument["backend_path"]]
    backend = _backend(argument["backend"])
    if argument["hook"] == "requires":
        hook = getattr(backend, "get_requires_for_build_wheel", None)
        return [str(requirement) for requirement in hook(None)] if hook else []
    name = str(backend.build_wheel(_OUT, None, None))
    return {"name": name, "content": _content(os.path.join(_OUT, name), argument["largest"])}


def _backend(name: str) -> Any:
    module, _, attributes = name.partition(":")
    found: Any = importlib.import_module(module)
    for attribute in filter(None, attributes.split(".")):
        found = getattr(found, attribute)
    return found


def _content(path: str, largest: int) -> str:
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
            raise SystemExit(f"{path} is no file of at most {largest} bytes")
        return base64.b64encode(file.read()).decode("ascii")
