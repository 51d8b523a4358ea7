"""Parts of retrieval that are installed only where they are wanted."""

import importlib
from types import ModuleType

from apigap.records.errors import InfrastructureError


def imported(module: str, extra: str) -> ModuleType:
    """The module, imported now.

    Raises:
        InfrastructureError: when it is not installed; the message names the extra that has it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InfrastructureError(
            f"this kind of retrieval needs {module}, which cannot be imported ({error}); "
            f"run: pip install 'apigap[{extra}]'"
        ) from error
