"""Rules for calls of the target that it refused: by its signature, by the type or structure of what it got."""

import re
from collections.abc import Sequence

from apigap.diagnosis.arguments import data_of_another_type
from apigap.diagnosis.events import Events, in_callback, innermost_owner, inside_target, is_a
from apigap.diagnosis.finding import Finding, exception_text
from apigap.diagnosis.sketch import Sketch
from apigap.diagnosis.target import Target
from apigap.records.run import CallRecord, ExceptionRecord

_CALLEE = r"(?P<callee>[\w.<>]+)"
_REFUSED = tuple(
    re.compile(pattern)
    for pattern in (
        _CALLEE + r"\(\) got (?:an unexpected keyword|multiple values|some positional-only|some keyword-only)",
        _CALLEE + r"\(\) missing (?:\d+ )?(?:a )?required",
        _CALLEE + r"\(\) takes (?:no|at most|at least|exactly|from|\d+)\b",
        _CALLEE + r"\(\) received an invalid combination of arguments",
        _CALLEE + r"\(\): incompatible (?:function|constructor) arguments",
        _CALLEE + r" expected (?:at least |at most |exactly )?\d+ (?:positional )?arguments?, got",
        r"is an invalid keyword argument for " + _CALLEE,
        r"^(?P<callee>)(?:missing a required|got an unexpected keyword|too many positional|multiple values for) ?\w*",
    )
)
_CONSTRUCTORS = ("__init__", "__new__", "__call__")
_STRUCTURE = re.compile(
    r"\b(?:shapes?|dtypes?|ndim|dimensions?|dimensional(?:ity)?|[0-9]-?d\b|rank|broadcast\w*|axis|axes|"
    r"schema|columns?|size mismatch|(?:same|equal|different|mismatched) (?:lengths?|sizes?|number of)|"
    r"length mismatch|lengths? must|inhomogeneous|not aligned|cannot cast|object arrays?|contiguous)\b",
    re.IGNORECASE,
)
_DEMANDED = re.compile(
    r"\b(\w+)\W{0,3} (?:argument|parameter|keyword) (?:is required|is missing|must be (?:given|specified))"
)
_HIDDEN = {"self", "cls", "args", "kwargs"}


def diagnose_rejection(
    events: Events, target: Target, text: Sketch, reference_calls: Sequence[CallRecord], reference: Sketch
) -> Finding | None:
    """The finding where the target refused a call of the candidate, or None.

    Whether it was data or an option that has a type which the target refuses is seen from the reference's calls.
    """
    if events.exception is not None:
        wrong_data = data_of_another_type(events.failing_call, reference_calls, target, reference)
        given = frozenset(name for call in reference.calls_of(target.leaf) for name in call.keywords)
        return _raised(events.exception, events, target, text, given, wrong_data)
    call = events.failing_call
    if events.reached != "attempted" or call is None:
        return None
    if call.rejected or call.raised == "TypeError":
        return Finding("WrongParam", f"{target.path} refuses the arguments ({call.raised}); the error was swallowed")
    return None


def _raised(
    exception: ExceptionRecord,
    events: Events,
    target: Target,
    text: Sketch,
    reference_gives: frozenset[str],
    wrong_data: str | None,
) -> Finding | None:
    if is_a(exception, "TypeError") and _own_callee(exception, text):
        return None
    call = events.failing_call
    if (call is not None and call.rejected) or _signature_refused(exception, target, text):
        return Finding("WrongParam", f"the signature of {target.path} refuses the call: {exception_text(exception)}")
    if not _from_target(exception, call, target):
        return None
    if not is_a(exception, "TypeError", "ValueError"):
        return None
    missing = _demanded_parameter(exception.message, call)
    if missing in reference_gives:
        return Finding("WrongParam", f"{target.path} demands its parameter {missing}: {exception_text(exception)}")
    if wrong_data and is_a(exception, "TypeError"):
        return Finding("WrongShapeDtype", f"{target.path} got {wrong_data}: {exception_text(exception)}")
    return _refused_inside(exception, call, target)


def _refused_inside(exception: ExceptionRecord, call: CallRecord | None, target: Target) -> Finding | None:
    parameter = _named_parameter(exception.message, call)
    validation = is_a(exception, "ValidationError")
    if _STRUCTURE.search(exception.message) or (validation and parameter is None):
        return Finding(
            "WrongShapeDtype", f"{target.path} refuses the structure of its input: {exception_text(exception)}"
        )
    if parameter is not None:
        return Finding("WrongParam", f"{target.path} refuses its parameter {parameter}: {exception_text(exception)}")
    if is_a(exception, "TypeError"):
        return Finding("WrongParam", f"{target.path} refuses the type of an argument: {exception_text(exception)}")
    return None


def _from_target(exception: ExceptionRecord, call: CallRecord | None, target: Target) -> bool:
    if in_callback(exception):
        return False
    if call is not None:
        return call.raised in (exception.type, None) or call.raised in exception.bases
    return inside_target(exception, target) and innermost_owner(exception) == "library"


def _signature_refused(exception: ExceptionRecord, target: Target, text: Sketch) -> bool:
    if not is_a(exception, "TypeError") or not text.calls_of(target.leaf):
        return False
    callee = _callee(exception)
    if callee is None:
        return False
    parts = callee.split(".")
    if target.leaf in parts:
        return True
    # A constructor inherited from a base class is refused under the name of that base.
    return parts[-1] in _CONSTRUCTORS and not any(text.calls_of(part) for part in parts[:-1])


def of_own_code(exception: ExceptionRecord | None, text: Sketch) -> bool:
    """Check that a function of the answer itself failed or was called wrongly, whatever it had been handed to."""
    return exception is not None and (
        in_callback(exception) or (is_a(exception, "TypeError") and _own_callee(exception, text))
    )


def _own_callee(exception: ExceptionRecord, text: Sketch) -> bool:
    """Check that a function of the answer itself was called wrongly (by the library, or by itself)."""
    parts = (_callee(exception) or "").split(".")
    return "<lambda>" in parts or "<locals>" in parts or any(part in text.defined for part in parts)


def _callee(exception: ExceptionRecord) -> str | None:
    found = next((match for pattern in _REFUSED if (match := pattern.search(exception.message))), None)
    return found["callee"] if found else None


def _demanded_parameter(message: str, call: CallRecord | None) -> str | None:
    """The parameter that the message says must be passed, where the candidate did not."""
    found = _DEMANDED.search(message)
    passed = call.explicit if call is not None and call.explicit is not None else ()
    return found[1] if found and found[1] not in passed else None


def _named_parameter(message: str, call: CallRecord | None) -> str | None:
    """The parameter that the message blames, among those that the candidate passed."""
    names = set(call.explicit if call.explicit is not None else call.arguments) - _HIDDEN if call else set[str]()
    for name in sorted(names):
        quoted = re.escape(name)
        blame = (
            rf"(?:argument|parameter|option)s?\W{{1,3}}{quoted}\b|[`'\"]{quoted}[`'\"]"
            rf"|\b{quoted}\s*(?:=|must|should|has to|cannot|can't|is not|are not|needs)|(?m:^{quoted}$)"
        )
        if re.search(blame, message):
            return name
    return None
