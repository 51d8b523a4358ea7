"""The sandbox's report of one program run: structured events, never a verdict."""

from typing import Any, Literal

from apigap.records.base import Record

Phase = Literal["start", "context", "compile", "completion", "observe", "report"]
"""The steps of a run in their order. Nothing of the answer has been looked at before `compile`."""
Owner = Literal["candidate", "library", "context", "harness"]
Ablation = Literal["raise", "nothing", "alter", "alter data", "alter one", "alter part", "alter first", "alter deeper"]
Status = Literal["completed", "raised", "exited", "limit", "tampered", "infra"]


class Program(Record):
    """One program for the sandbox.

    `context` runs first, then `completion`, then each expression of `observe` is evaluated in the same module.
    With `target` (a qualified name) and `record` the calls of the target are watched, and those of the APIs `also`,
    which count as well: whatever is done to the target is done to them. With `ablate` the target is switched off after
    the context: it raises, does nothing and returns None, or does its work and gives an altered value (with
    `alter data` the objects in it stay the same, with `alter one` all but one number or text of plain data or an array,
    with `alter part` it is without its first items, with `alter first` every result but the first stays so, and
    with `alter deeper` also what lies deeper and what its functions give); `salt` chooses which other value. `keep`
    names what of the context is put back before anything is observed. With `strict` the warnings that the context has
    made errors stay errors, whatever the completion makes of them.
    `seed` seeds `random` and, where loaded, numpy's global generator.
    """

    context: str
    completion: str
    observe: tuple[str, ...] = ()
    target: str | None = None
    also: tuple[str, ...] = ()
    record: bool = False
    ablate: Ablation | None = None
    salt: int = 0
    keep: tuple[str, ...] = ()
    strict: bool = False
    seed: int = 0


class FrameRecord(Record):
    """One frame of a traceback, outermost first."""

    owner: Owner
    module: str | None
    function: str
    line: int


class ExceptionRecord(Record):
    """An exception as data: `type` is its bare name, `module` where its class lives, `bases` the bare base names.

    `name` is the missing name of NameError, AttributeError, ImportError and KeyError, `owner_type` the type
    whose attribute was missing (for a module: its name). `own_words`: an OSError that Python code raised by a statement
    of its own, with no error of the system behind it.
    """

    type: str
    module: str
    bases: tuple[str, ...]
    message: str
    name: str | None = None
    owner_type: str | None = None
    own_words: bool = False
    frames: tuple[FrameRecord, ...] = ()


class CallRecord(Record):
    """One call of the target. `caller` says whose frame made it; `completed` that it returned normally.

    `explicit` lists the parameter names that the caller passed (best effort; null where it cannot be known),
    `arguments` maps bound parameter names to fingerprints. `raised` is the exception's bare name, and
    `rejected` is true where the signature itself refused the call (TypeError while binding).
    """

    target: str
    caller: Owner
    completed: bool
    explicit: tuple[str, ...] | None = None
    arguments: dict[str, Any] = {}
    raised: str | None = None
    rejected: bool = False


class RunRecord(Record):
    """The report of a run. `status` is `completed` only when every phase ended; `limit` names the limit that was hit.

    `seconds` is the time from request to end; of it the program and its children used `cpu_seconds` of a processor and
    were idle for `idle_seconds`, in which they neither ran nor had to wait for a processor.
    """

    status: Status
    phase: Phase
    exception: ExceptionRecord | None = None
    observations: dict[str, Any] = {}
    errors: dict[str, ExceptionRecord] = {}
    calls: tuple[CallRecord, ...] = ()
    limit: Literal["cpu", "wall", "memory", "output"] | None = None
    reason: str | None = None
    stdout: str = ""
    stderr: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    idle_seconds: float = 0.0

    @property
    def observed(self) -> dict[str, Any]:
        """The result of each observed expression: its fingerprint, or `{"raises": type}` where it raised."""
        return {**self.observations, **{name: {"raises": error.type} for name, error in self.errors.items()}}
