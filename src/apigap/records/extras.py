"""Parts that are installed only where they are wanted: an error names the command that installs them here."""

import importlib
import json
import shlex
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

from apigap.records.errors import InfrastructureError


def is_installed(module: str) -> bool:
    """True where `module` can be imported, also one of a package that is not there."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@contextmanager
def from_extra(extra: str, purpose: str) -> Generator[None]:
    """A block of imports that `extra` installs and `purpose` needs.

    Raises:
        InfrastructureError: when one of them cannot be imported.
    """
    try:
        yield
    except ImportError as error:
        raise InfrastructureError(
            f"{purpose} needs {error.name or 'a library'}, which cannot be imported ({error}); "
            f"run: {install_command(extra)}"
        ) from error


def imported(module: str, extra: str, purpose: str) -> ModuleType:
    """The module, imported now; see `from_extra`."""
    with from_extra(extra, purpose):
        return importlib.import_module(module)


def install_command(extra: str) -> str:
    """The command that adds an extra to this installation."""
    return command_for(extra, _origin(), Path(sys.prefix), Path.cwd())


def command_for(extra: str, origin: Mapping[str, Any] | None, prefix: Path, cwd: Path) -> str:
    """The command that adds an extra to the environment `prefix`, as it is typed in `cwd`.

    `origin` is what was noted of the source at its installation (PEP 610; None: nothing). The name alone would have pip
    ask the public index, where this project is not (docs/release.md), and whose `apigap` could be anybody's. A checkout
    with an environment of its own gets its locked versions, or its Makefile's way to a build of torch.
    """
    if origin is None:
        return f"pip install 'apigap[{extra}] @ file:///WHEEL_OR_CHECKOUT', with the path of what was installed"
    if "dir_info" not in origin:
        return f"pip install 'apigap[{extra}] @ {origin['url']}'"
    folder = Path(unquote(urlsplit(str(origin["url"])).path))
    if not (folder / "uv.lock").is_file() or prefix.resolve() != (folder / ".venv").resolve():
        editable = "--editable " if origin["dir_info"].get("editable") else ""
        return f"pip install {editable}{shlex.quote(f'{folder}[{extra}]')}"
    is_here = cwd.resolve() == folder.resolve()
    if extra == "adapt":
        return "make install-adapt" if is_here else f"make -C {shlex.quote(str(folder))} install-adapt"
    words = [".venv/bin/uv", "sync"] if is_here else [f"{folder}/.venv/bin/uv", "sync", "--project", str(folder)]
    return shlex.join([*words, "--locked", "--inexact", "--extra", extra])


@cache
def _origin() -> Mapping[str, Any] | None:
    """What was noted of the source at the installation; None where nothing was."""
    from importlib.metadata import PackageNotFoundError, distribution  # whoever lacks nothing does not wait for it

    try:
        noted = distribution("apigap").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    return json.loads(noted) if noted else None
