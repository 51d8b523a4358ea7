"""Parts that are installed only where they are wanted: an error names the extra that has them."""

import importlib
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType

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
            f"run: pip install 'apigap[{extra}]'"
        ) from error


def imported(module: str, extra: str, purpose: str) -> ModuleType:
    """The module, imported now; see `from_extra`."""
    with from_extra(extra, purpose):
        return importlib.import_module(module)
