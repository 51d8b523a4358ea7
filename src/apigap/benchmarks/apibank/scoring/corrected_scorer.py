"""The corrected mode: what the released evaluator would say without its known faults.

The recorded call is made anew, in the state that the dialogue has reached, with values in their types; the answer's
call is made in the same state; then both results are compared. docs/apibank.md lists every difference.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from apigap.benchmarks.apibank.calls import call
from apigap.benchmarks.apibank.dialogues import Turn
from apigap.benchmarks.apibank.errors import MISSING_ARGUMENT, Refused
from apigap.benchmarks.apibank.registry import Api, Envelope, Registry
from apigap.benchmarks.apibank.scoring.corrected import Read, literal, read_calls
from apigap.benchmarks.apibank.scoring.released_scorer import NO_CALL, Judged
from apigap.benchmarks.apibank.scoring.rules import Compare, Drawn, Fields, deletion, overlap, topic
from apigap.benchmarks.apibank.world import System
from apigap.records.errors import CorruptRecord
from apigap.records.parsing.json_shapes import is_list, is_object

SEARCHER = "ToolSearcher"
RENAMED = {"TimedSwitch": {"device_id": "name"}, "CancelTimedSwitch": {"device_id": "name"}}
"""Parameters that had another name when the dialogues were recorded."""
_WORDS: dict[str, Compare] = {"meeting_topic": overlap(), "content": overlap(lower=True)}
"""Free texts, which are compared by their words, as the published rules do."""


def judge_corrected(
    answer: str, truth: Turn, registry: Registry, system: System, read: Callable[[str], list[Read]] = read_calls
) -> Judged:
    """The first call of `answer` against the recorded one, both in the state of `system`, which stays as it was.

    Raises:
        CorruptRecord: when the recorded call itself does not fit the interface of its API.
    """
    calls = read(answer)
    if not calls:
        return Judged(False, NO_CALL)
    judged = judge_read(calls[0], truth, registry, system)
    return replace(judged, detail={**judged.detail, "further_calls": len(calls) - 1}) if len(calls) > 1 else judged


def judge_read(asked: Read, truth: Turn, registry: Registry, system: System) -> Judged:
    """One call that has been read; see `judge_corrected`."""
    seen: dict[str, Any] = {"parsed_name": asked.name, "parsed_params": asked.arguments}
    if asked.name != truth.api_name:
        return Judged(False, "API_NAME_MISMATCH", seen)
    api = registry.apis[asked.name]
    before = system.snapshot()
    wanted = _recorded(registry, system, truth)
    reached = system.state(api.database)
    system.restore(before)
    try:
        result = make(registry, system, asked)
    except Refused as error:
        return Judged(False, _refusal(error), {**seen, "message": error.message})
    finally:
        other = system.state(api.database)
        system.restore(before)
    return compared(api, result, wanted, reached == other, seen)


def _recorded(registry: Registry, system: System, truth: Turn) -> Envelope:
    """The recorded call made anew; of a search what was recorded, since the one at work may find something else."""
    if truth.api_name == SEARCHER:
        return {"input": dict(truth.param_dict), "output": None, "exception": None, **truth.result}
    try:
        return make(registry, system, Read(truth.api_name, dict(truth.param_dict)))
    except Refused as error:
        raise CorruptRecord(
            f"the recorded call of {truth.api_name} with {dict(truth.param_dict)!r:.200} cannot be made "
            f"({error.message}); repair the data"
        ) from None


def make(registry: Registry, system: System, asked: Read) -> Envelope:
    """Make a call with its arguments in their declared types.

    Raises:
        Refused: as `call` does.
    """
    api = registry.apis.get(asked.name)
    renamed = RENAMED.get(asked.name, {})
    arguments = {renamed.get(name, name): value for name, value in asked.arguments.items()}
    return call(registry, system, asked.name, {n: typed(api, n, v) for n, v in arguments.items()} if api else {})


def typed(api: Api, name: str, value: Any) -> Any:
    """A value as its parameter's type, where it can be read as such; else as it is."""
    parameter = api.input(name)
    if parameter is None:
        return value
    if parameter.type.startswith(("list", "dict")):
        return literal(value) if isinstance(value, str) else value
    if parameter.type in ("int", "float") and isinstance(value, str):
        try:
            return (int if parameter.type == "int" else float)(value)
        except ValueError:
            return value
    if parameter.type == "bool" and isinstance(value, str):
        return value.strip().lower() == "true"
    return str(value) if parameter.type == "str" and not isinstance(value, str) else value


def _refusal(error: Refused) -> str:
    if error.kind == MISSING_ARGUMENT:
        return "MISS_INPUT_ARGUMENT"
    return "INVALID_INPUT_PARAMETER"


def compared(api: Api, result: Envelope, wanted: Envelope, same_state: bool, seen: dict[str, Any]) -> Judged:
    """The verdict on a result, given the wanted one, and whether both calls left the same state behind."""
    told = {**seen, "exception": result["exception"]} if result["exception"] else seen
    if result["exception"] != wanted["exception"]:
        return Judged(False, "HAS_EXCEPTION" if result["exception"] else "OUTPUT_MISMATCH", told)
    drawn = isinstance(api.rule, Drawn)
    if api.name == SEARCHER:
        return Judged(*_verdict(_tool(result["output"]) == _tool(wanted["output"]), "OUTPUT_MISMATCH"), told)
    if not drawn and result["output"] != wanted["output"]:
        return Judged(False, "OUTPUT_MISMATCH", told)
    return Judged(*_verdict(_same_inputs(api, result, wanted, same_state and not drawn), "INPUT_MISMATCH"), told)


def _verdict(right: bool, otherwise: str) -> tuple[bool, str | None]:
    return right, None if right else otherwise


def _same_inputs(api: Api, result: Envelope, wanted: Envelope, same_effect: bool) -> bool:
    """True if all inputs are equal, each by its published comparison where there is one.

    Those that no published rule looks at need not be where the call had the very same effect.
    """
    published = _published(api)
    ours: dict[str, Any] = result["input"] or {}
    theirs: dict[str, Any] = wanted["input"] or {}
    if ours.keys() != theirs.keys():
        return same_effect
    named = {name: compare for name in ours if (compare := published.get(name)) is not None}
    others = {name: _WORDS.get(name, _alike) for name in ours if name not in named}
    return all(_agree(compare, ours[name], theirs[name]) for name, compare in named.items()) and (
        same_effect or all(_agree(compare, ours[name], theirs[name]) for name, compare in others.items())
    )


def _agree(compare: Compare, ours: Any, theirs: Any) -> bool:
    """Compare; values that the comparison cannot read, since they are of another type, as they are."""
    try:
        return compare(ours, theirs)
    except Exception:  # noqa: BLE001  (they fail in many ways on what they were not made for)
        return bool(ours == theirs)


def _published(api: Api) -> Mapping[str, Compare]:
    """The comparisons of the API's rule; the rule of deletions means the time, which meetings call their start."""
    rule = api.rule.rest if isinstance(api.rule, Drawn) else api.rule
    if isinstance(rule, Fields):
        return rule.inputs
    if rule is deletion:
        return {"time": _alike, "start_time": _alike}
    if rule is topic:
        return {"meeting_topic": overlap(), "start_time": _alike, "end_time": _alike}
    return {}


def _alike(ours: Any, theirs: Any) -> bool:
    first, second = (value.strip() if isinstance(value, str) else value for value in (ours, theirs))
    return bool(first == second)


def _tool(output: Any) -> Any:
    """The name of the API that a search found; where a token is needed, it stands last."""
    found = output[-1] if is_list(output) and output else output
    return found.get("name") if is_object(found) else None


def play(turns: Iterable[Turn], registry: Registry, system: System) -> None:
    """Make recorded calls in their order; what was drawn by chance gets its recorded value."""
    for turn in turns:
        if turn.role == "API" and turn.api_name in registry.apis:
            try:
                result = make(registry, system, Read(turn.api_name, dict(turn.param_dict)))
            except Refused:  # a recorded call that today's interface does not take changes nothing
                continue
            impose(turn, result, system)


def impose(turn: Turn, result: Envelope, system: System) -> bool:
    """Give what `result` drew by chance the value that `turn` recorded; whether there was anything to give."""
    recorded = turn.result.get("output")
    if result["output"] is None or recorded is None:
        return False
    if turn.api_name == "AppointmentRegistration":
        rows = system.database("Appointments")
        rows[recorded] = rows.pop(result["output"])
        return True
    if turn.api_name == "RegisterUser":
        system.database("Account")[result["input"]["username"]]["token"] = recorded["token"]
        return True
    return False
