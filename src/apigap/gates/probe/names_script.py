"""Look-up of the dotted names that a library has. Runs in its environment, in the sandbox; standard library only."""

import importlib
import warnings
from typing import Any


def main(argument: Any) -> Any:
    """Those of `argument["names"]` that can be reached by imports and attributes."""
    warnings.simplefilter("ignore")
    return [name for name in argument["names"] if _exists(name.split("."))]


def _exists(parts: list[str]) -> bool:
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except Exception:  # noqa: BLE001, S112  a library may raise anything; then it is no module
            continue
        try:
            for part in parts[length:]:
                found = getattr(found, part)
        except Exception:  # noqa: BLE001  an attribute that raises when it is asked for is none
            return False
        return True
    return False
