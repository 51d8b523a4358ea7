"""Run inside a library's environment: which names can be loaded before anything else has been set up."""

from __future__ import annotations

import contextlib
import importlib
import io


def main(names: list[str]) -> list[str]:
    """Those of `names` that lead somewhere, or to nothing, without anything but an import error on the way."""
    with contextlib.redirect_stdout(io.StringIO()):
        return [name for name in names if _loads(name)]


def _loads(name: str) -> bool:
    parts = name.split(".")
    depth = 1
    try:
        found: object = importlib.import_module(parts[0])
        while depth < len(parts):
            try:
                found = importlib.import_module(".".join(parts[: depth + 1]))
            except ImportError:
                break
            depth += 1
        for part in parts[depth:]:
            found = getattr(found, part, None)
    except Exception:  # noqa: BLE001  (whatever a library raises)
        return False
    return True
