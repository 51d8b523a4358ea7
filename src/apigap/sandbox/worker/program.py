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
from .context_restoring import Kept
from .frames import Owners
from .strict_warnings import keep_errors
from .values.fingerprint import fingerprint
from .values.lazy import unrolled
from .watch.ablation import switch_off
from .watch.introspection_guard import guard_introspection
from .watch.spy import Spy
from .watch.standard_library import StandardLibrary
from .watch.target import Target, Unresolved

_FUTURE: int = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_builtins = dict(vars(builtins))
_compile, _eval, _exec = compile, eval, exec
_modules = sys.modules
_memory_text = "the program ran out of memory"


class Run:
    """The run of one request in `folder`; `say` is told of each phase before it begins, `note` of any prying.

    `standard` is the standard library as it was when the worker was ready.
    """

    def __init__(
        self,
        request: dict[str, Any],
        folder: str,
        say: Callable[[str], None],
        note: Callable[[str], None],
        standard: StandardLibrary,
    ) -> None:
        self.request = request
        self.say = say
        self.note = note
        self.standard = standard
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
        context, expressions = self._task_code()
        space = self.module.__dict__
        self._enter("context")
        space["__file__"] = self.context_path
        _exec(context, space)
        kept = Kept(space, self.request["keep"], context)
        shared = set(space)
        if self.request["strict"]:
            keep_errors(self.owners)
        self._prepare_target()
        self._enter("compile")
        completion = self._compiled("completion", self.completion_path, context.co_flags & _FUTURE)
        self._enter("completion")
        space["__file__"] = self.completion_path
        guard_introspection(self.owners, self.note, self._hooks, self.standard.before_answer(self.request["context"]))
        gc.freeze()  # what is frozen is not listed by the collector: neither is the machinery
        if self.spy:
            self.spy.start()
            self.watching = True
        _exec(completion, space)
        self._enter("observe")
        for text, code in expressions:
            kept.restore()
            self._observe(text, code, shared)
        return self._report({"status": "completed", "phase": "report"}, None)

    def _task_code(self) -> tuple[types.CodeType, list[tuple[str, types.CodeType]]]:
        """The task's own code, compiled before anything of the answer is looked at: its trouble is not the answer's."""
        context = self._compiled("context", self.context_path, 0)
        flags = context.co_flags & _FUTURE
        return context, [
            (text, _compile(text.strip(), "<observe>", "eval", flags, dont_inherit=True))
            for text in self.request["observe"]
        ]

    def _compiled(self, part: str, path: str, flags: int) -> types.CodeType:
        return _compile(self.request[part], path, "exec", flags, dont_inherit=True)

    def _prepare_target(self) -> None:
        """Switch the targets off, or make the watch over them.

        Raises:
            Unresolved: where that cannot be done, which says nothing of the answer: none of it has run yet.
        """
        names = [self.request["target"], *self.request["also"]]
        if self.request["ablate"]:
            for target in [Target(name) for name in names]:
                switch_off(target, self.request["ablate"], self.request["salt"])
        if self.request["record"] and self.request["target"]:
            self.spy = Spy(names, self.owners, self.request["completion"], self.note)

    def _hooks(self) -> list[Any]:
        """The watch's own hooks."""
        return [None] if self.spy is None else [None, self.spy.hook, getattr(self.spy.silent, "hook", None)]

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
            reason = f"the target {self.request['target']} cannot be watched or switched off: {error}"
            end = {"status": "infra", "phase": self.phase, "reason": reason}
        else:
            end = {"status": "raised", "phase": self.phase}
        return self._report({**end, "exception": self.owners.exception(error)}, error)

    def _report(self, end: dict[str, Any], error: BaseException | None) -> dict[str, Any]:
        """Add what was seen; a spy that was taken off makes the run `tampered`."""
        if self.spy:
            problem = self.spy.stop(self.watching, error)
            end["calls"] = self.spy.calls
            if problem and end["status"] == "completed":
                end = {**end, "status": "tampered", "phase": self.phase, "reason": problem}
        return {**end, "observations": self.observations, "errors": self.errors}


def _code(error: SystemExit) -> str:
    code = error.code
    return str(code)[:100] if code is None or type(code) in (int, str) else type(code).__name__
