"""Comparison of the arguments that the candidate gave the target with the reference's."""

from collections.abc import Sequence
from typing import Any, cast

from apigap.diagnosis.events import Events
from apigap.diagnosis.finding import Finding, one_line
from apigap.diagnosis.keyword_arguments import keyword_difference
from apigap.diagnosis.sketch import Sketch
from apigap.diagnosis.structure import form_kind, is_table, structural_difference
from apigap.diagnosis.target import Target
from apigap.records.run import CallRecord
from apigap.sandbox.verdict.comparison import UNSTABLE, differences
from apigap.sandbox.verdict.containers import fully_opened
from apigap.sandbox.verdict.summary import summary

_CODE = ("function", "method", "cut", "unstable", "cycle", "module")
_NOTHING = ("self", "cls")


def diagnose_arguments(
    events: Events, reference_calls: Sequence[CallRecord], target: Target, text: Sketch, reference: Sketch
) -> Finding | None:
    """The finding where bound arguments differ from the reference's, or None.

    A call that did not return is compared alone, since it is the one that ended the program. With `reference_calls`,
    what was bound is compared. Where nothing was bound (a function in C) or there are none, what the reference
    solution passes by keyword is looked for in the answer's text.
    """
    done = [events.failing_call] if events.failing_call else [call for call in events.calls if call.completed]
    wanted = _candidate_calls(reference_calls)
    if any(call.arguments for call in wanted):
        return _bound_difference(done, wanted, bool(events.failing_call), target, reference)
    return keyword_difference(events.calls, text.calls_of(target.leaf), reference.calls_of(target.leaf), target)


def data_of_another_type(
    call: CallRecord | None, reference_calls: Sequence[CallRecord], target: Target, reference: Sketch
) -> str | None:
    """The argument of `call` that is data of another type than in every call of the reference, in words."""
    wanted = _candidate_calls(reference_calls)
    if call is None or not wanted:
        return None
    found = [_other_type(_differing(other, call), _data_names(other, reference, target)) for other in wanted]
    return found[0] if all(found) else None


def _candidate_calls(reference_calls: Sequence[CallRecord]) -> list[CallRecord]:
    """The calls that the reference made itself; the library may make others of the same function."""
    return [call for call in reference_calls if call.completed and call.caller == "candidate"]


def _bound_difference(
    done: Sequence[CallRecord], wanted: Sequence[CallRecord], failed: bool, target: Target, reference: Sketch
) -> Finding | None:
    """The difference between every call of the answer and one of the reference's, which has no like.

    A call that failed need not be the first of several: it is set apart only when it is like none of them. An answer's
    call that is like one of the reference's is not compared with the others, where there is a further one.
    """
    like = [any(_are_alike(call, own) for call in wanted) for own in done]
    strange = [own for own, known in zip(done, like, strict=True) if not known]
    unmatched = [call for call in wanted if not any(_are_alike(call, own) for own in done)]
    if not unmatched or (failed and not strange):
        return None
    pairs = [(call, own) for call in unmatched for own in strange or done if _comparable(call, own)]
    if not pairs:
        return None
    call, own = min(pairs, key=lambda pair: len(_differing(*pair)))
    differing = _differing(call, own)
    if not failed:
        others = {name: pair for name, pair in differing.items() if not _is_another_sequence(*pair)}
        if not others:
            return _of_other_data(differing, target)
        differing = others
    return _finding_of(differing, _data_names(call, reference, target), target)


def _comparable(wanted: CallRecord, call: CallRecord) -> bool:
    """Check that both went through the same function: a class may be made in several ways, a sister may be called."""
    return wanted.target == call.target and wanted.arguments.keys() == call.arguments.keys()


def _are_alike(wanted: CallRecord, call: CallRecord) -> bool:
    return _comparable(wanted, call) and not _differing(wanted, call)


def _differing(wanted: CallRecord, call: CallRecord) -> dict[str, tuple[Any, Any]]:
    pairs = {
        name: (value, call.arguments.get(name))
        for name, value in sorted(wanted.arguments.items())
        if name not in _NOTHING
    }
    return {name: pair for name, pair in pairs.items() if not _alike(*pair)}


def _alike(wanted: Any, actual: Any) -> bool:
    """Check that two forms may be of one value; code and what was cut off are like any other, but not like nothing."""
    if wanted is None or actual is None:
        return wanted is actual
    if _is_code(wanted) or _is_code(actual):
        return True
    if _is_partial(wanted) or _is_partial(actual):
        return form_kind(wanted) == form_kind(actual) and structural_difference(wanted, actual) is None
    return not differences(_without_code(wanted), actual)


def _is_partial(form: Any) -> bool:
    """True when some of the value is not in the form: large objects change with all that is done to them."""
    if isinstance(form, dict):
        mapping = cast("dict[str, Any]", form)
        return "cut" in mapping or "cycle" in mapping or any(map(_is_partial, mapping.values()))
    return isinstance(form, list) and any(map(_is_partial, cast("list[Any]", form)))


def _is_code(form: Any) -> bool:
    return isinstance(form, dict) and any(key in form for key in _CODE)


def _without_code(form: Any) -> Any:
    """The form with code replaced by what equals anything."""
    if _is_code(form):
        return UNSTABLE
    if isinstance(form, dict):
        return {key: _without_code(value) for key, value in cast("dict[str, Any]", form).items()}
    if isinstance(form, list):
        return [_without_code(value) for value in cast("list[Any]", form)]
    return form


def _data_names(call: CallRecord, reference: Sketch, target: Target) -> frozenset[str]:
    """The parameters that the reference's call fills by position: what the API works on, not how."""
    keywords = {name for own in reference.calls_of(target.leaf) for name in own.keywords}
    passed = call.arguments if call.explicit is None else call.explicit
    return frozenset(set(passed) - keywords)


def _other_type(differing: dict[str, tuple[Any, Any]], data: frozenset[str]) -> str | None:
    for name, (wanted, given) in differing.items():
        kinds = form_kind(wanted), form_kind(given)
        if name in data and None not in (wanted, given) and kinds[0] != kinds[1]:
            return f"{name} as {kinds[1]}, not {kinds[0]}"
    return None


def _is_another_sequence(wanted: Any, given: Any) -> bool:
    """Check for a list in the place of an array, and the like: a call that took it made no difference of it."""
    kinds = {form_kind(wanted), form_kind(given)}
    return len(kinds) == 2 and kinds <= {"list", "tuple", "array"}


def _of_other_data(differing: dict[str, tuple[Any, Any]], target: Target) -> Finding | None:
    """The finding on a call that took another sequence than the reference's; None where the items are the same."""
    for name, (wanted, given) in differing.items():
        if differences(fully_opened(wanted), fully_opened(given)):
            return Finding("WrongLogic", one_line(f"{target.path} got other data as {name}: {summary(given, 80)}"))
    return None


def _is_rest(wanted: Any, given: Any) -> bool:
    """Check for what is left for `*rest`, where one of the calls leaves nothing."""
    return {form_kind(wanted), form_kind(given)} <= {"tuple", "list"} and (_is_nothing(wanted) or _is_nothing(given))


def _is_nothing(form: Any) -> bool:
    return form == [] or form == {"tuple": []}


def _finding_of(differing: dict[str, tuple[Any, Any]], data: frozenset[str], target: Target) -> Finding:
    options = {name: pair for name, pair in differing.items() if name not in data and not _is_rest(*pair)}
    if other := None if options else _other_type(differing, data):
        return Finding("WrongShapeDtype", f"{target.path} got {other}")
    plain = {name: pair for name, pair in differing.items() if not is_table(pair[0]) and not is_table(pair[1])}
    name, (wanted, given) = next(iter((options or plain or differing).items()))
    structure = structural_difference(wanted, given)
    if structure and is_table(wanted):
        return Finding("WrongShapeDtype", f"{target.path} got {name} with {structure}")
    return Finding(
        "WrongParam",
        one_line(f"{target.path} got {name} = {summary(given, 80)}, where the reference gives {summary(wanted, 80)}"),
    )
