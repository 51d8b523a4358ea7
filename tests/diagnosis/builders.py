"""Run records as the sandbox reports them, in few words."""

from dataclasses import dataclass, field
from typing import Any

from apigap.records.result import Outcome
from apigap.records.run import CallRecord, ExceptionRecord, FrameRecord, Owner, RunRecord
from apigap.records.task import Harness, Observation, Scenario, Spy, Task


@dataclass(frozen=True)
class Verdict:
    runs: tuple[RunRecord, ...]
    recorded: RunRecord | None
    outcome: Outcome = "fail"
    score: float = 0.0
    detail: dict[str, Any] = field(default_factory=dict)


def task(api_name: str, reference: str, observations: dict[str, Any] | None = None) -> Task:
    observed = tuple(Observation(expression=e, expected=v) for e, v in (observations or {"result": [1, 2]}).items())
    return Task(
        api_name=api_name,
        library=api_name.partition(".")[0],
        version="2.13.3",
        old_version="2.9.2",
        domain="swe",
        change="added",
        difficulty="easy",
        description="Stop at the first error.",
        context_code="values = [1, 2]",
        masked_region=reference,
        reference_solution=reference,
        harness=Harness(
            layers=("comparative",),
            scenarios=(Scenario(name="basic", context_code="values = [1, 2]", observations=observed),),
            spy=Spy(target=api_name),
        ),
        author="written",
    )


MROS = {
    "ModuleNotFoundError": ("ImportError", "Exception"),
    "UnboundLocalError": ("NameError", "Exception"),
    "RecursionError": ("RuntimeError", "Exception"),
    "ValidationError": ("ValueError", "Exception"),
    "AxisError": ("ValueError", "IndexError", "Exception"),
    "UFuncTypeError": ("TypeError", "Exception"),
    "PydanticImportError": ("PydanticErrorMixin", "ImportError", "Exception"),
    "IndentationError": ("SyntaxError", "Exception"),
}


def error(kind: str, message: str = "", *frames: str, **fields: Any) -> ExceptionRecord:
    """An exception; frames as "owner:function", the candidate's module level where none is given."""
    places = [frame.split(":") for frame in frames] or [["candidate", "<module>"]]
    owned: list[tuple[Owner, str]] = [(owner, function) for owner, function in places]  # type: ignore[misc]
    return ExceptionRecord(
        type=kind,
        module="builtins",
        bases=(kind, *MROS.get(kind, ("Exception",)), "BaseException", "object"),
        message=message,
        frames=tuple(FrameRecord(owner=o, module="m", function=f, line=3) for o, f in owned),
        **fields,
    )


def call(completed: bool = True, **fields: Any) -> CallRecord:
    return CallRecord(**{"target": "t", "caller": "candidate", "completed": completed, **fields})


def raised(exception: ExceptionRecord, *calls: CallRecord, phase: Any = "completion") -> Verdict:
    run = RunRecord(status="raised", phase=phase, exception=exception)
    return Verdict(runs=(run,), recorded=run.model_copy(update={"calls": calls}))


def ended(status: Any, *calls: CallRecord, limit: Any = None, reason: str | None = None) -> Verdict:
    run = RunRecord(status=status, phase="completion", limit=limit, reason=reason)
    return Verdict(runs=(run,), recorded=run.model_copy(update={"calls": calls}))


def observed(values: dict[str, Any], *calls: CallRecord, errors: dict[str, ExceptionRecord] | None = None) -> Verdict:
    run = RunRecord(status="completed", phase="report", observations=values, errors=errors or {})
    return Verdict(runs=(run,), recorded=run.model_copy(update={"calls": calls}))
