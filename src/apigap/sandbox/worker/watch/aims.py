"""The APIs that a watch is after: the task's target, and the others of which a call counts as well."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import types
from typing import Any

from ..values.names import type_module
from .arguments import CallSites, positional_names
from .c_call_tracer import Uses, can_watch
from .target import Target


class Aim:
    """One API to watch: where the answer's text calls it, and the subclasses that it had before the answer ran."""

    def __init__(self, name: str, source: str) -> None:
        self.target = Target(name)
        self.sites = CallSites(source, name)
        self.names: list[str] | None = None
        self.known: list[type] = []
        target = self.target
        self.uses = Uses(self._is_meant, target.cls, direct=target.silent)
        self.is_silent = target.silent or (target.builtin is not None and can_watch())

    def _is_meant(self, function: Any) -> bool:
        """Tell whether this is the target, where it is made in C."""
        target = self.target
        return function is target.value or (target.builtin is not None and target.is_builtin(function))

    def start(self) -> None:
        """Note which subclasses the target has before the answer runs."""
        if self.target.cls is not None:
            self.known = _subclasses(self.target.cls)

    def derived(self) -> list[dict[str, Any]]:
        """The uses of the target as a base: classes of the answer that were derived from it since the start."""
        cls = self.target.cls
        made = [] if cls is None else [c for c in _subclasses(cls) if not any(c is known for known in self.known)]
        return [
            {
                "target": self.target.name, "caller": "candidate", "completed": True, "explicit": ["subclass"],
                "arguments": {}, "raised": None,
            }
            for found in made
            if type_module(found) == "__main__"
        ]  # fmt: skip

    def explicit(self, frame: types.FrameType) -> list[str] | None:
        """The names of the parameters that the call at the frame's present instruction passes."""
        return self.sites.explicit(frame, self._positional)

    def _positional(self) -> list[str]:
        if self.names is None:
            self.names = positional_names(self.target.value, self.target.binds_first)
        return self.names


class AnyUse:
    """Tells the calls that are uses of any of several targets made in C; `found` is the aim of the last."""

    def __init__(self, aims: list[Aim]) -> None:
        self.aims = aims
        self.found = aims[0]

    def has(self, function: Any, arguments: list[Any]) -> bool:
        """Tell whether calling `function` with `arguments` is one."""
        for aim in self.aims:
            if aim.uses.has(function, arguments):
                self.found = aim
                return True
        return False


def _subclasses(cls: type) -> list[type]:
    found: list[type] = []
    left = [cls]
    while left:
        for below in type.__subclasses__(left.pop()):
            if not any(below is known for known in found):
                found.append(below)
                left.append(below)
    return found
