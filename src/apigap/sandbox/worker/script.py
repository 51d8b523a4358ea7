"""Runs one of our own standard-library scripts in a fresh interpreter of the environment.

The script is a file with a function `main(argument)`, or a package that has one; argument and result are JSON values.
They travel over the control socket, so that what the script or a library prints changes nothing.

Arguments: the control socket's descriptor or path, the script's path, then one JSON object: what to give up first.
"""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import sys
from types import ModuleType

from .confine import confine
from .connect import open_control
from .protocol import DONE, HEADER, MAX_SCRIPT, READY, frame, loads


def main(arguments: list[str]) -> None:
    """Give up rights, call the script's `main`, send the result, and end without waiting for threads."""
    control = open_control(arguments[0])
    control.sendall(frame(READY, confine(json.loads(arguments[2]))))
    _, length = HEADER.unpack(_read(control, HEADER.size))
    argument = loads(_read(control, length))
    sys.argv[:] = [arguments[1]]
    result = _load(arguments[1]).main(argument)
    body = json.dumps(result, allow_nan=False).encode("ascii")
    if len(body) > MAX_SCRIPT:
        raise SystemExit(f"the result has {len(body)} bytes, the limit is {MAX_SCRIPT}")
    control.sendall(HEADER.pack(DONE, len(body)) + body)
    control.close()
    os._exit(0)


def _load(path: str) -> ModuleType:
    """The module, or the package, at `path`; nothing is put on the path along which libraries are imported."""
    folders = [path] if os.path.isdir(path) else None
    file = os.path.join(path, "__init__.py") if folders else path
    spec = importlib.util.spec_from_file_location("apigap_script", file, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _read(control: socket.socket, length: int) -> bytes:
    data = bytearray()
    while len(data) < length:
        part = control.recv(min(1 << 20, length - len(data)))
        if not part:
            raise SystemExit("the host hung up")
        data += part
    return bytes(data)
