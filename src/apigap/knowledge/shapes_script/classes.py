"""The classes of a library: their public paths, and those derived from them."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import importlib
import inspect
import sys
from typing import Any


class Classes:
    """Classes of the top-level `modules`. `asked` are to be described, by path; on `receivers` APIs are called."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._modules = modules
        self.asked: dict[str, type] = {}
        self._by_name: dict[str, Any] | None = None
        self.receivers: set[type] = set()

    def owns(self, cls: Any) -> bool:
        """Check for a class of the library that can be imported by its name."""
        return inspect.isclass(cls) and cls.__module__.split(".")[0] in self._modules and path_of(cls) is not None

    def ask(self, cls: type) -> str:
        """The path of `cls`, which will be described."""
        path = str(path_of(cls))
        self.asked.setdefault(path, cls)
        return path

    def receive(self, cls: type) -> str:
        """The path of `cls`, on whose objects an API is called."""
        self.receivers.add(cls)
        return self.ask(cls)

    def named(self, name: str) -> Any:
        """Classes that loaded modules of the library define under `name`; None where there is nothing."""
        if self._by_name is None:
            self._by_name = {}
            for module_name in sorted(sys.modules):
                if module_name.split(".")[0] in self._modules:
                    for key, value in list(vars(sys.modules[module_name]).items()):
                        if not inspect.ismodule(value) or module_name in self._modules:
                            self._by_name.setdefault(key, value)
        return self._by_name.get(name, sys.modules.get(name))

    def concrete(self, cls: type) -> list[type]:
        """`cls` and the classes derived from it whose objects can be made, `cls` first, then by path."""
        found, left = [cls], [cls]
        while left:
            for below in type.__subclasses__(left.pop()):
                if below not in found:
                    found.append(below)
                    left.append(below)
        able = [one for one in found if self.owns(one) and not inspect.isabstract(one) and not _of_tests(one)]
        return sorted(able, key=lambda one: (one is not cls, one.__mro__.index(cls), str(path_of(one))))


def _of_tests(cls: type) -> bool:
    return any(part in ("tests", "test") or part.startswith("test_") for part in cls.__module__.split("."))


def path_of(cls: type) -> str | None:
    """`module:name` of the shortest module from which `cls` can be imported; None for classes within functions."""
    parts = cls.__module__.split(".")
    for length in range(1, len(parts) + 1):
        name = ".".join(parts[:length])
        if _held(name, cls.__qualname__) is cls:
            return f"{name}:{cls.__qualname__}"
    return None


def _held(module: str, name: str) -> Any:
    try:
        value: Any = sys.modules.get(module) or importlib.import_module(module)
        for part in name.split("."):
            value = getattr(value, part, None)
    except Exception:  # noqa: BLE001  (whatever a library raises)
        return None
    return value
