"""First code in the sandbox: loads the worker with builtins of its own, then serves or runs one script.

Every module of the worker gets a private copy of the builtins, so a program that replaces `builtins.len` changes
nothing here; and the modules are taken out of `sys.modules`, so a program cannot find them by name.
"""

from __future__ import annotations

import builtins
import ctypes
import importlib.util
import os
import sys
import weakref
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
            folder = HERE
        elif name.startswith(PACKAGE + "."):
            folder = os.path.join(HERE, *name.split(".")[1:])
        else:
            return None
        is_package = os.path.isdir(folder)
        file, folders = (os.path.join(folder, "__init__.py"), [folder]) if is_package else (folder + ".py", None)
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


def hide_classes() -> None:
    """Take the worker's classes out of what `__subclasses__` lists: nothing else leads to them from outside.

    A class lists its subclasses by weak references; those to ours are made to point at None. The process must end by
    `os._exit`: an interpreter that takes itself apart would look for them.
    """
    for cls in _classes_of_ours():
        reference = weakref.ref(cls)
        place = ctypes.c_void_p.from_address(id(reference) + _REFERENT)
        if place.value != id(cls):
            sys.exit(f"Python {sys.version.split()[0]} lays out weak references in a way that is not known here")
        place.value = id(None)


def _classes_of_ours() -> list[type]:
    found: list[type] = []
    left: list[type] = [object]
    while left:
        for cls in type.__subclasses__(left.pop()):
            if cls is not type and cls not in found:
                found.append(cls)
                left.append(cls)
    return [cls for cls in found if str(cls.__module__).partition(".")[0] == PACKAGE or cls in (Loader, Finder)]


_REFERENT = 16  # bytes into a weak reference, in CPython 3.9 to 3.13; looked at before it is believed


if __name__ == "__main__":
    sys.path[:] = [entry for entry in sys.path if entry != HERE]
    role = load(sys.argv[1])
    if sys.argv[1] == "zygote":
        hide_classes()
    role.main(sys.argv[2:])
