"""The verdict on a choice of APIs, and the class of what is wrong with it."""

import json
from typing import Literal

from apigap.benchmarks.call_faults import CallFault, faults_of_sets
from apigap.benchmarks.taxonomy import SelectionError, label_of_selection
from apigap.benchmarks.toolllm.answers import STRUCTURED
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.selection import Selection, as_released, score
from apigap.records.result import Judged, Result
from apigap.records.sources import CodeIdentity

SelectionMode = Literal["corrected", "released"]
MOST_NAMES = 100
MOST_CHARACTERS = 200
EVALUATOR = CodeIdentity(
    (__name__,),
    {
        "apigap.records.errors": "kinds of errors and their exit codes",
        "apigap.records.sources": "this identity itself",
        "apigap.records.store": "files on disk",
    },
)


def verdict(query: Query, selection: Selection, sample: int = 0, mode: SelectionMode = "corrected") -> Result:
    """The result: `score` is recall, `passed` says that the choice is resolved.

    In mode `corrected` free text chooses nothing, whatever it names: what it would have scored stands under `in_text`.
    In mode `released` it chooses what it names; it is resolved in neither.
    """
    counted = as_released(selection) if mode == "released" else selection
    found = score(counted, query)
    error = None if found.resolved else error_of(counted, query)
    faults = () if error is None else faults_of(error, counted, query)
    detail = {**vars(selection), **vars(found), **_names(counted, query), "error": error, "scoring": mode}
    told = vars(score(as_released(selection), query)) if selection.mode == "text" else None
    return Result(
        task_id=query.task_id,
        sample=sample,
        outcome="pass" if found.resolved else "fail",
        passed=found.resolved,
        score=found.recall,
        label=label_of_selection(error) if error else None,
        detail={
            **detail, "in_text": told, "confused": _confused(counted, query), "fault": faults[0] if faults else None,
            "faults": faults, "set": query.set_name, "trivial": query.is_trivial,
        },
        evaluator=EVALUATOR.digest,
        seconds=0.0,
        judged=Judged.of(json.dumps(counted.chosen, ensure_ascii=False)),
        about=query.tools,
        part=query.set_name,
    )  # fmt: skip


def _names(counted: Selection, query: Query) -> dict[str, list[str]]:
    """The names behind the counts, at most `MOST_NAMES` of each."""
    chosen = frozenset(counted.chosen)
    named = {
        "expected_names": sorted(query.expected),
        "chosen": counted.chosen,
        "missed": sorted(query.expected - chosen),
        "superfluous": [name for name in counted.chosen if name in query.offered and name not in query.expected],
        "invented": counted.invented,
    }
    return {key: [name[:MOST_CHARACTERS] for name in names[:MOST_NAMES]] for key, names in named.items()}


def _confused(counted: Selection, query: Query) -> list[tuple[str, str]]:
    """The API that was chosen in the place of the one that was missed, where just one stands for one."""
    missed, other = query.expected - set(counted.chosen), set(counted.chosen) - query.expected
    one = len(missed) == len(other) == 1
    return [(min(missed)[:MOST_CHARACTERS], min(other)[:MOST_CHARACTERS])] if one else []


def error_of(selection: Selection, query: Query) -> SelectionError | None:
    """The fault of a choice, the gravest fault first; None where it is resolved."""
    if selection.mode not in STRUCTURED:
        return "no choice" if selection.mode == "none" else "only mentioned"
    chosen = frozenset(selection.chosen)
    missed, superfluous = query.expected - chosen, chosen - query.expected
    if missed and superfluous == frozenset(selection.ambiguous) and missed <= _half_named(selection, query):
        return "without its tool"
    if selection.invented:
        return "invented"
    return "missed" if missed else "superfluous" if superfluous else None


def faults_of(error: SelectionError, selection: Selection, query: Query) -> tuple[CallFault, ...]:
    """All faults of a choice by the names that every benchmark of tools uses, the gravest first."""
    if error in ("no choice", "only mentioned"):
        return ("no call",) if error == "no choice" else ("wrong format",)
    if not selection.chosen:
        return ("no call",)
    return faults_of_sets(query.expected, selection.chosen, invented=selection.invented, unplaced=selection.ambiguous)


def _half_named(selection: Selection, query: Query) -> frozenset[str]:
    """The functions that the ambiguous names of an answer may mean."""
    meant = (query.spellings.meant(name, older=selection.mode == "tree").functions for name in selection.ambiguous)
    return frozenset[str]().union(*meant)
