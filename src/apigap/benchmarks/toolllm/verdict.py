"""The verdict on a choice of APIs, and the class of what is wrong with it."""

import json

from apigap.benchmarks.taxonomy import SelectionError, label_of_selection
from apigap.benchmarks.toolllm.answers import STRUCTURED
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.selection import Selection, score
from apigap.records.result import Judged, Result
from apigap.records.sources import CodeIdentity

EVALUATOR = CodeIdentity(
    (__name__,),
    {
        "apigap.records.errors": "kinds of errors and their exit codes",
        "apigap.records.sources": "this identity itself",
        "apigap.records.store": "files on disk",
    },
)


def verdict(query: Query, selection: Selection, sample: int = 0) -> Result:
    """The result: `score` is recall, `passed` says that the choice is resolved."""
    found = score(selection, query)
    error = None if found.resolved else error_of(selection, query)
    return Result(
        task_id=query.task_id,
        sample=sample,
        outcome="pass" if found.resolved else "fail",
        passed=found.resolved,
        score=found.recall,
        label=label_of_selection(error) if error else None,
        detail={**vars(selection), **vars(found), "error": error, "set": query.set_name, "trivial": query.is_trivial},
        evaluator=EVALUATOR.digest,
        seconds=0.0,
        judged=Judged.of(json.dumps(selection.chosen, ensure_ascii=False)),
        about=query.tools,
        part=query.set_name,
    )


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


def _half_named(selection: Selection, query: Query) -> frozenset[str]:
    """The functions that the ambiguous names of an answer may mean."""
    meant = (query.spellings.meant(name, older=selection.mode == "tree").functions for name in selection.ambiguous)
    return frozenset[str]().union(*meant)
