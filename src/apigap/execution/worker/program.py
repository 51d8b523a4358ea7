"""One program: context, completion and observations, run as the real module `__main__`."""

from __future__ import annotations
import __future__

import builtins
import gc
import linecache
import os
import sys
import types
from collections.abc import Callable
from typing import Any

from . import kernel
from .ablation import switch_off
from .fingerprint import fingerprint
from .frames import Owners
from .lazy import unrolled
from .prying import watch_for_prying
from .spy import Spy
from .target import Target, Unresolved

_FUTURE: int = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_builtins = dict(vars(builtins))
_compile, _eval, _exec = compile, eval, exec
_modules = sys.modules
_memory_text = "the program ran out of memory"


class Run:
    """The run of one request in `folder`; `say` is told of each phase before it begins, `note` of any prying."""

    def __init__(
        self, request: dict[str, Any], folder: str, say: Callable[[str], None], note: Callable[[str], None]
    ) -> None:
        self.request = request
        self.say = say
        self.note = note
        self.phase = "start"
        self.context_path = os.path.join(folder, "context.py")
        self.completion_path = os.path.join(folder, "completion.py")
        self.owners = Owners(self.context_path, self.completion_path)
        self.stdout, self.stderr = sys.stdout, sys.stderr
        self.observations: dict[str, Any] = {}
        self.errors: dict[str, Any] = {}
        self.spy: Spy | None = None
        self.watching = False
        self.module = self._make_module(folder)

    def _make_module(self, folder: str) -> types.ModuleType:
        for path, text in ((self.context_path, "context"), (self.completion_path, "completion")):
            kernel.write_file(path, self.request[text].encode("utf-8", "surrogatepass"))
        module = types.ModuleType("__main__")
        module.__dict__.update(__builtins__=builtins, __file__=self.completion_path)
        _modules["__main__"] = module
        sys.argv[:] = [self.completion_path]
        sys.path.insert(0, folder)
        linecache.clearcache()
        return module

    def execute(self) -> dict[str, Any]:
        """Run all phases; gives the fields of a `RunRecord`."""
        try:
            return self._phases()
        except BaseException as error:
            return self._ended(error)

    def _phases(self) -> dict[str, Any]:
        self._enter("compile")
        context = _compile(self.request["context"], self.context_path, "exec", dont_inherit=True)
        flags = context.co_flags & _FUTURE
        completion: types.CodeType = _compile(
            self.request["completion"], self.completion_path, "exec", flags, dont_inherit=True
        )
        expressions: list[tuple[str, types.CodeType]] = [
            (text, _compile(text.strip(), "<observe>", "eval", flags, dont_inherit=True))
            for text in self.request["observe"]
        ]
        if self.request["record"] and self.request["target"]:
            self.spy = Spy(self.request["target"], self.owners, self.request["completion"])
        space = self.module.__dict__
        self._enter("context")
        space["__file__"] = self.context_path
        _exec(context, space)
        shared = set(space)
        if self.request.get("ablate"):
            switch_off(Target(self.request["target"]), self.request["ablate"])
        self._enter("completion")
        space["__file__"] = self.completion_path
        if self.spy:
            watch_for_prying(self.owners, self.note)
            gc.freeze()  # what is frozen is not listed by the collector: neither is the spy
            self.spy.start()
            self.watching = True
        _exec(completion, space)
        self._enter("observe")
        for text, code in expressions:
            self._observe(text, code, shared)
        return self._report({"status": "completed", "phase": "report"}, None)

    def _enter(self, phase: str) -> None:
        self.phase = phase
        self.say(phase)

    def _observe(self, text: str, code: types.CodeType, shared: set[str]) -> None:
        """Evaluate one expression; a builtin's name means the builtin unless the context itself has taken it."""
        own = {name: value for name, value in self.module.__dict__.items() if name in shared or name not in _builtins}
        own["__builtins__"] = _builtins
        try:
            value = unrolled(_eval(code, own))
            if self.spy:
                self.spy.pause()
            self.observations[text] = fingerprint(value)
        except (SystemExit, KeyboardInterrupt, GeneratorExit, MemoryError):
            raise
        except BaseException as error:
            self.errors[text] = self.owners.exception(error)
        finally:
            if self.spy:
                self.spy.resume()

    def _ended(self, error: BaseException) -> dict[str, Any]:
        if isinstance(error, SystemExit):
            end = {"status": "exited", "phase": self.phase, "reason": f"SystemExit({_code(error)})"}
        elif type(error) is MemoryError:
            end = {"status": "limit", "phase": self.phase, "limit": "memory", "reason": _memory_text}
        elif isinstance(error, Unresolved):
            end = {"status": "infra", "phase": self.phase, "reason": f"the target cannot be switched off: {error}"}
        else:
            end = {"status": "raised", "phase": self.phase}
        return self._report({**end, "exception": self.owners.exception(error)}, error)

    def _report(self, end: dict[str, Any], error: BaseException | None) -> dict[str, Any]:
        """Add what was seen; a spy that was taken off makes the run `tampered`."""
        if self.spy:
            problem = self.spy.stop(self.watching, error)
            end["calls"] = self.spy.calls
            if problem and end["status"] == "completed":
                end = {**end, "status": "tampered", "reason": problem}
            elif self.spy.unresolved:
                end = {**end, "status": "infra", "reason": self.spy.unresolved}
        return {**end, "observations": self.observations, "errors": self.errors}


def _code(error: SystemExit) -> str:
    code = error.code
    return str(code)[:100] if code is None or type(code) in (int, str) else type(code).__name__
