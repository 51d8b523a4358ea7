"""The decision table of the six failure classes; the first row that applies decides (docs/diagnosis.md).

| what was seen | label |
| --- | --- |
| the code does not parse, is empty, a stub, or nothing but what was given | WrongSyntax |
| ImportError, NameError or a module's AttributeError about the target, its module or its leaf | WrongImport |
| the same about another name, before the target completed | WrongAPISelection |
| the target's signature refused the candidate's call | WrongParam |
| the target raised TypeError/ValueError about shape, dtype, rank or schema | WrongShapeDtype |
| the target raised TypeError, or blamed a parameter that was passed | WrongParam |
| a limit was hit | WrongLogic |
| the candidate never completed a call of the target | WrongAPISelection |
| the target is a coroutine function that was called and never awaited | WrongLogic |
| the program left early or interfered | WrongLogic |
| all values right, and the same when the target raises: it fell back to something else | WrongAPISelection |
| the answer reads none of the given data that the reference reads | WrongLogic |
| the target's arguments differ from the reference's | WrongParam (tables, data of another type: WrongShapeDtype) |
| the program raised, in the target or later | WrongLogic |
| all ran, observations differ in type, dtype, rank or fields, and not in some scenarios alone | WrongShapeDtype |
| all ran, values or sizes differ | WrongLogic |
"""

from collections.abc import Sequence
from typing import Any

from apigap.diagnosis.arguments import diagnose_arguments
from apigap.diagnosis.events import Events, VerdictLike, gather, is_a, not_awaited
from apigap.diagnosis.finding import Diagnosis, Finding, exception_text, one_line
from apigap.diagnosis.missing import diagnose_missing
from apigap.diagnosis.rejection import diagnose_rejection, of_own_code
from apigap.diagnosis.sketch import Sketch, sketch
from apigap.diagnosis.structure import form_kind, is_empty, record_keys, result_difference, structural_difference
from apigap.diagnosis.target import Target
from apigap.records.run import CallRecord
from apigap.records.task import Observation, Task
from apigap.sandbox.verdict.containers import fully_opened

_LIMIT_ERRORS = ("MemoryError", "RecursionError")
_COMPILED = ("completion", "observe", "report")
_LIMIT_WORDS = {"cpu": "CPU time", "wall": "wall-clock time", "memory": "memory", "output": "output"}


def diagnose(task: Task, code: str, verdict: VerdictLike, reference_calls: Sequence[CallRecord] = ()) -> Diagnosis:
    """Classify the failure of `code` on `task`; deterministic, from events first, from the text where they are silent.

    `reference_calls` are the calls of the target in a recorded run of the reference solution (the same scenario
    as the verdict's recorded run); with them, arguments are compared as bound instead of as written.
    """
    if verdict.outcome != "fail":
        return Diagnosis(None, f"the outcome is {verdict.outcome}, not a fail")
    failed = verdict.detail.get("api", task.api_name)  # of several APIs, the one that the answer fails for
    reference_calls = reference_calls if failed == task.api_name else ()
    task = task.facet(failed)
    text = sketch(code, was_compiled=any(run.phase in _COMPILED for run in verdict.runs))
    target, reference = Target(task.api_name), sketch(task.reference_solution)
    context, wanted = sketch(task.context_code), sketch(task.masked_region)
    events = gather(verdict, target, text)
    finding = (
        _syntax(events, text, context)
        or diagnose_missing(events, target, text, reference)
        or diagnose_rejection(events, target, text, reference_calls, reference)
        or _without_target(events, target, text)
        or _target_unneeded(verdict, target)
        or _other_data(text, wanted, context)
        or _different_arguments(events, reference_calls, target, text, reference)
        or _failed_later(events, target)
        or _values(task, verdict, events)
    )
    return Diagnosis(finding.label, finding.reason, _evidence(events, target))


def _syntax(events: Events, text: Sketch, context: Sketch) -> Finding | None:
    if text.error:
        return Finding("WrongSyntax", one_line(f"the code does not parse: {text.error}"))
    if text.empty:
        return Finding("WrongSyntax", "the code is empty or a stub: nothing in it runs")
    if events.exception and events.phase == "compile" and is_a(events.exception, "SyntaxError"):
        return Finding("WrongSyntax", f"the code does not compile: {exception_text(events.exception)}")
    if events.exception is None and text.names and text.statements <= context.statements:
        return Finding("WrongSyntax", "it has nothing of its own: it imports, or repeats the given code, and ends")
    return None


def _without_target(events: Events, target: Target, text: Sketch) -> Finding | None:
    """The program was stopped, left, or did without the target."""
    exception = events.exception
    if events.limit:
        words = _LIMIT_WORDS.get(events.limit, events.limit)
        return Finding("WrongLogic", f"the program used up its {words}")
    if exception and is_a(exception, *_LIMIT_ERRORS):
        return Finding("WrongLogic", f"the program ran away: {exception_text(exception)}")
    if events.reached == "never" and (proof := not_awaited(events, target, text)):
        return Finding("WrongLogic", f"{target.path} is called and never awaited: {proof}")
    ended_badly = exception is not None or events.exited or events.tampered is not None
    if events.reached == "never" or (events.reached == "attempted" and not ended_badly):
        return Finding("WrongAPISelection", _reason_never_called(events, target, text))
    if events.tampered:
        return Finding("WrongLogic", one_line(f"the program interfered with the judge: {events.tampered}"))
    if events.exited:
        return Finding("WrongLogic", "the program left early (an exit, not a limit), before its result was observed")
    return None


def _other_data(text: Sketch, wanted: Sketch, context: Sketch) -> Finding | None:
    """The answer calls the target, on none of the data that the task gives: on its own, or on the documentation's."""
    data, own = wanted.given & context.bound, text.bound - wanted.bound
    if not data or data & text.given or not own or text.statements & context.statements:
        return None
    told = ", ".join(sorted(data)[:3])
    return Finding("WrongLogic", one_line(f"it works on data of its own: it reads nothing of what is given ({told})"))


def _different_arguments(
    events: Events, reference_calls: Sequence[CallRecord], target: Target, text: Sketch, reference: Sketch
) -> Finding | None:
    if of_own_code(events.exception, text):
        return None
    found = diagnose_arguments(events, reference_calls, target, text, reference)
    if found and found.label == "WrongShapeDtype" and _never_made(events):
        return None  # the target took what it was given, and what was asked for is not there
    return found


def _failed_later(events: Events, target: Target) -> Finding | None:
    """The call was as the reference's, and an exception ended the program."""
    exception = events.exception
    if exception and events.reached == "attempted":
        return Finding("WrongLogic", f"{target.path} was called and did not return: {exception_text(exception)}")
    if exception:
        return Finding("WrongLogic", f"{target.path} was called, then the program failed: {exception_text(exception)}")
    return None


def _target_unneeded(verdict: VerdictLike, target: Target) -> Finding | None:
    """The values were right, but they do not come from the target."""
    if dict(verdict.detail.get("dependence") or {}).get("raise") != "same values":
        return None
    return Finding("WrongAPISelection", f"{target.path} is called, but when it raises the answer has another way")


def _reason_never_called(events: Events, target: Target, text: Sketch) -> str:
    if target.leaf in text.defined:
        return f"defines its own {target.leaf} instead of calling {target.path}"
    if events.reached == "attempted":
        call = events.failing_call
        return f"{target.path} raised {call.raised if call else 'an error'}, which was swallowed; it never completed"
    if events.exception:
        return f"stops before any call of {target.path}: {exception_text(events.exception)}"
    if events.exited:
        return f"leaves early (an exit, not a limit) before any call of {target.path}"
    if events.foreign:
        return f"{target.path} was only called by the {events.foreign[0].caller}, never by the answer"
    if target.leaf in text.names:
        return f"names {target.leaf}, but no call of {target.path} was seen"
    used = sorted({call.callee for call in text.calls if call.callee})[:3]
    return one_line(f"never calls {target.path}" + (f"; calls {', '.join(used)}" if used else "; calls nothing"))


def _values(task: Task, verdict: VerdictLike, events: Events) -> Finding:
    if found := _never_made(events) or _observed(task, verdict):
        return found
    for expression, error in events.observe_errors.items():
        if is_a(error, "AttributeError", "TypeError", "KeyError", "IndexError") and "NoneType" not in error.message:
            return Finding(
                "WrongShapeDtype", one_line(f"{expression} cannot be read off the result: {exception_text(error)}")
            )
        return Finding("WrongLogic", one_line(f"{expression} fails on the result: {exception_text(error)}"))
    return Finding("WrongLogic", f"{task.api_name} was called, but the results differ from the reference's")


def _never_made(events: Events) -> Finding | None:
    """A result whose name nothing was bound to."""
    for expression, error in events.observe_errors.items():
        if is_a(error, "NameError"):
            return Finding("WrongLogic", one_line(f"{expression} was never made: {exception_text(error)}"))
    return None


def _observed(task: Task, verdict: VerdictLike) -> Finding | None:
    """The first observation of another structure, else the first of another size, which is a symptom.

    What has the right structure in one scenario and another one elsewhere is a symptom, too: a condition chose another
    branch there.
    """
    wanted = [observation.expected for scenario in task.harness.scenarios for observation in scenario.observations]
    records = record_keys(wanted, task.description)
    symptoms: list[str] = []
    differing: dict[str, str] = {}
    right: set[str] = set()
    for scenario, run in zip(task.harness.scenarios, verdict.runs, strict=False):
        for observation in scenario.observations:
            if observation.expression not in run.observations:
                continue
            where = f"{observation.expression} (scenario {scenario.name})"
            expected, observed = _as_open(observation, run.observations[observation.expression])
            if found := result_difference(expected, observed, records):
                differing.setdefault(observation.expression, f"{where} is {found}")
            elif found := structural_difference(expected, observed):
                symptoms.append(f"{where} is {found}")
            elif not is_empty(expected):
                right.add(observation.expression)
    for expression, told in differing.items():
        if expression not in right:
            return Finding("WrongShapeDtype", one_line(told))
    if found := [*differing.values(), *symptoms]:
        return Finding("WrongLogic", one_line(f"{task.api_name} was called, but {found[0]}"))
    return None


def _as_open(observation: Observation, observed: Any) -> tuple[Any, Any]:
    """The expected and the observed form, without the containers that the task leaves open."""
    expected, free = observation.expected, observation.containers
    if free is None or (free == "any inside" and form_kind(expected) != form_kind(observed)):
        return expected, observed
    return fully_opened(expected), fully_opened(observed)


def _evidence(events: Events, target: Target) -> tuple[str, ...]:
    facts = [f"{target.path} {events.reached} by the answer ({len(events.calls)} calls recorded)"]
    if events.exception:
        frames = " > ".join(f"{frame.owner}:{frame.function}" for frame in events.exception.frames[-4:])
        facts.append(one_line(f"{events.phase}: {exception_text(events.exception)} [{frames}]"))
    facts += [f"limit: {events.limit}"] if events.limit else []
    facts += ["early exit"] if events.exited else []
    return tuple(facts)
