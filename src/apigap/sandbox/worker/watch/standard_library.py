"""The parts of the standard library that look at frames for others, as they were before the answer began."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import builtins
import collections
import functools
import importlib
import itertools
import linecache
import logging
import sys
import traceback
import typing

from ..values.names import type_namespace

_MODULES = (builtins, collections, functools, importlib, itertools, linecache, logging, traceback, typing)
_VARY = {
    "_", "__warningregistry__", "__abstractmethods__", "raiseExceptions", "lastResort", "cache", "logRecordFactory",
    "_collect_parameters", "_collect_type_vars", "_collect_type_parameters", "_check_generic",
}  # fmt: skip
"""Names that honest code changes, the last line for typing_extensions; none of them is given a frame."""
_getframe = sys._getframe  # pyright: ignore[reportPrivateUsage]
_system, _loaded = vars(sys), sys.modules  # a module of another class would run the answer's code when asked


class StandardLibrary:
    """The modules behind functions that look at frames and give none away, unless a helper of theirs was replaced.

    To remember them touches thousands of objects, and a forked child pays for each page of them: it is done once,
    before the fork, and again only where something that ran since may have changed them.
    """

    def __init__(self) -> None:
        frozen = (sys.modules["importlib._bootstrap"], sys.modules["importlib._bootstrap_external"])
        self.modules = len(_loaded)
        self.known = [(space, dict(space)) for space in map(vars, (*_MODULES, *frozen))]
        for space, _ in list(self.known):
            classes = [
                value for value in space.values() if type(value) is type and value.__module__ == space["__name__"]
            ]
            self.known += [(type_namespace(cls), dict(type_namespace(cls))) for cls in classes]

    def before_answer(self, context: str) -> StandardLibrary:
        """The state when the task's own `context` has run: this one, where that neither imported nor named any."""
        same = len(_loaded) == self.modules and not any(module.__name__ in context for module in _MODULES)
        return self if same else StandardLibrary()

    def is_whole(self) -> bool:
        """Tell whether nothing in them has been replaced."""
        return _system["_getframe"] is _getframe and all(
            now.get(name) is value for now, before in self.known for name, value in before.items() if name not in _VARY
        )
