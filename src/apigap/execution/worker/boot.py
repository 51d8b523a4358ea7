"""First code in the sandbox: loads the worker with builtins of its own, then serves or runs one script.

Every module of the worker gets a private copy of the builtins, so a program that replaces `builtins.len` changes
nothing here; and the modules are taken out of `sys.modules`, so a program cannot find them by name.
"""

from __future__ import annotations

import builtins
import importlib.util
import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Any

PACKAGE = "_apigap_worker"
HERE = os.path.dirname(os.path.abspath(__file__))
_private = dict(vars(builtins))


class Loader(SourceFileLoader):
    """Loads a module of the worker into a namespace with private builtins."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        module.__dict__["__builtins__"] = _private
        super().exec_module(module)


class Finder:
    """Finds the modules of the worker, and nothing else."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The specification of a worker module, or None."""
        if name == PACKAGE:
            file, folders = os.path.join(HERE, "__init__.py"), [HERE]
        elif name.startswith(PACKAGE + "."):
            file, folders = os.path.join(HERE, name.rpartition(".")[2] + ".py"), None
        else:
            return None
        return importlib.util.spec_from_file_location(
            name, file, loader=Loader(name, file), submodule_search_locations=folders
        )


def load(name: str) -> Any:
    """Import one worker module and all that it needs, and leave no trace in `sys.modules`."""
    sys.meta_path.insert(0, Finder)  # pyright: ignore[reportArgumentType]
    try:
        module = importlib.import_module(f"{PACKAGE}.{name}")
    finally:
        sys.meta_path.remove(Finder)  # pyright: ignore[reportArgumentType]
        for known in [key for key in sys.modules if key.partition(".")[0] == PACKAGE]:
            del sys.modules[known]
    return module


if __name__ == "__main__":
    sys.path[:] = [entry for entry in sys.path if entry != HERE]
    load(sys.argv[1]).main(sys.argv[2:])
