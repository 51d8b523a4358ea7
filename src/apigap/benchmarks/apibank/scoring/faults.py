"""The faults of a wrong call by the names that all benchmarks of tools use; why, never whether."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from apigap.benchmarks.apibank.dialogues import Turn
from apigap.benchmarks.apibank.registry import Api, Input, Registry
from apigap.benchmarks.apibank.scoring.corrected import Read, begins_a_call
from apigap.benchmarks.apibank.scoring.corrected_scorer import RENAMED, SEARCHER, typed
from apigap.benchmarks.call_faults import CallFault, by_gravity

_MADE: Mapping[str, tuple[type, ...]] = {
    "int": (int,), "float": (int, float), "bool": (bool,), "list": (list,), "list(str)": (list,), "dict": (dict,),
}  # fmt: skip


def faults_of_answer(
    answer: str, calls: Sequence[Read], judged: Read | None, truth: Turn, registry: Registry, described: Collection[str]
) -> tuple[CallFault, ...]:
    """The faults of an answer that was judged wrong, the gravest first; none where only a published rule refuses it.

    `calls` are those that a sensible reader finds, `judged` the one that was judged (None: none could be read by the
    rules of the mode). `described` are the APIs that the prompt describes; with the searcher alone among them, what a
    search has found is to be called next.
    """
    if judged is None:
        tried = bool(calls) or begins_a_call(answer)
        return ("wrong format",) if tried else ("no call",)
    found: list[CallFault] = ["superfluous call"] * (len(calls) > 1)
    if judged.name == truth.api_name:
        found += _of_arguments(judged, truth, registry.apis[truth.api_name])
    else:
        found.append(_of_name(judged.name, truth.api_name, registry, described))
    return by_gravity(found)


def _of_name(called: str, wanted: str, registry: Registry, described: Collection[str]) -> CallFault:
    searches = SEARCHER in described
    if called not in registry.apis or not (searches or called in described):
        return "hallucinated API"
    if wanted == SEARCHER:
        return "search not asked"
    return "wrong choice after search" if searches else "wrong API"


def _of_arguments(asked: Read, truth: Turn, api: Api) -> list[CallFault]:
    renamed = RENAMED.get(api.name, {})
    given = {renamed.get(name, name): value for name, value in asked.arguments.items()}
    wanted = {renamed.get(name, name): value for name, value in truth.param_dict.items()}
    shared = {name: (value, wanted[name]) for name, value in given.items() if name in wanted}
    unlike = [name for name, (ours, theirs) in shared.items() if not _alike(ours, theirs)]
    mistyped = [name for name in unlike if (parameter := api.input(name)) and not _fits(api, parameter, given[name])]
    seen: dict[CallFault, bool] = {
        "missing argument": any(one.name not in given for one in api.inputs if one.required or one.name in wanted),
        "unknown argument": any(api.input(name) is None for name in given),
        "wrong type": bool(mistyped),
        "wrong value": len(unlike) > len(mistyped) or any(api.input(n) and n not in wanted for n in given),
    }
    found: list[CallFault] = [fault for fault, is_there in seen.items() if is_there]
    if not found and any(typed(api, name, ours) != typed(api, name, theirs) for name, (ours, theirs) in shared.items()):
        found = ["wrong value"]  # another spelling, which would be fine elsewhere, is what is left to blame
    return ["search asked wrongly"] if api.name == SEARCHER and found else found


def _fits(api: Api, parameter: Input, value: Any) -> bool:
    """True if a value has, or can be read in, the declared type."""
    made = _MADE.get(parameter.type)
    return made is None or isinstance(typed(api, parameter.name, value), made)


def _alike(ours: Any, theirs: Any) -> bool:
    """Equal as text: an answer in text has no types."""
    return " ".join(str(ours).split()).lower() == " ".join(str(theirs).split()).lower()
