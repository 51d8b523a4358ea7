"""The verdict on the calls of an answer, and what is wrong with them."""

import json
from collections.abc import Mapping
from typing import Any

from apigap.benchmarks.call_faults import CallFault, by_gravity
from apigap.benchmarks.calls.bfcl.rules import BFCL
from apigap.benchmarks.calls.check import OWN, Call, Checked, Rules, check_calls
from apigap.benchmarks.calls.finding import Finding
from apigap.benchmarks.calls.names import Names
from apigap.benchmarks.calls.queries import Query, RuleSet
from apigap.benchmarks.calls.reading import Reading, judged_text
from apigap.benchmarks.taxonomy import label_of_fault
from apigap.evaluation.cut_answers import ENDINGS
from apigap.records.result import Judged, Outcome, Result
from apigap.records.sources import CodeIdentity

EVALUATOR = CodeIdentity(
    (__name__, "apigap.benchmarks.calls.reading"),
    {
        "apigap.records.errors": "kinds of errors and their exit codes",
        "apigap.records.sources": "this identity itself",
        "apigap.records.store": "files on disk",
    },
)
RULES: Mapping[RuleSet, Rules] = {"own": OWN, **BFCL}
_MOST = 20
_LONGEST = 200


def verdict(query: Query, reading: Reading, sample: int = 0, ended: str = "stop") -> Result:
    """The result; `score` is 1 for a pass, else the share of calls that are right, where any were expected.

    An answer that was `ended` before it was whole has no verdict where more of it could have changed that: where prose
    or too few calls are all that there is, or another call has begun.
    """
    names = Names(query.schemas)
    calls = [Call(names.meant(call.name), call.arguments) for call in reading.calls]
    broken = max(0, reading.broken - (ended in ENDINGS and bool(calls)))  # the last one was cut, not written wrongly
    found = _checked(query, reading, calls, broken)
    faults = by_gravity(finding.fault for finding in found.findings)
    cut = ended in ENDINGS and (not calls or faults == ("missed call",) or (not faults and reading.broken > 0))
    outcome: Outcome = "cut" if cut else "fail" if faults else "pass"
    return Result(
        task_id=query.task_id,
        sample=sample,
        outcome=outcome,
        passed=outcome == "pass",
        score=_score(query, reading, found, outcome),
        label=label_of_fault(faults[0]) if outcome == "fail" else None,
        detail={
            **_detail(query, reading, calls, found, faults),
            **({"ended": ended, "reason": ENDINGS[ended]} if cut else {}),
        },
        evaluator=EVALUATOR.digest,
        seconds=0.0,
        judged=Judged.of(json.dumps(judged_text(reading), ensure_ascii=False)),
        about=query.api_name,
        part=query.category,
    )


def _checked(query: Query, reading: Reading, calls: list[Call], unread: int) -> Checked:
    """Findings on an answer: first whether it can be read, then its calls."""
    broken = [Finding("wrong format", "", f"{unread} calls cannot be read")] if unread else []
    if query.expects == "nothing" and not calls:
        return Checked(tuple(broken) if reading.calls_nothing or broken else (_no_call("neither prose nor calls"),))
    if not calls:
        return Checked(tuple(broken) or (_no_call("nothing is called"),))
    if query.expects == "any call":
        strange = [call.name for call in calls if call.name not in query.schemas]
        found = [Finding("hallucinated API", "", f"{name} is not offered") for name in strange]
        return Checked((*broken, *(found if len(found) == len(calls) else ())))
    checked = check_calls(calls, query.schemas, query.expected_calls, query.order, RULES[query.rules])
    return checked._replace(findings=(*broken, *checked.findings))


def _no_call(told: str) -> Finding:
    return Finding("no call", "", told)


def _score(query: Query, reading: Reading, found: Checked, outcome: Outcome) -> float:
    """The share of right calls among those that were expected or made, whichever are more."""
    if outcome == "pass":
        return 1.0
    return found.right / max(len(query.expected), len(reading.calls) + reading.broken, 1)


def _detail(
    query: Query, reading: Reading, calls: list[Call], found: Checked, faults: tuple[CallFault, ...]
) -> dict[str, Any]:
    """The facts that a reader of results wants to know, each list bounded."""
    return {
        "expects": query.expects,
        "read_as": reading.kind,
        "read": reading.kind not in ("unreadable", "nothing"),
        "called_nothing": reading.calls_nothing,
        "expected_names": [call.name for call in query.expected[:_MOST]],
        "called_names": [call.name[:_LONGEST] for call in calls[:_MOST]],
        "fault": faults[0] if faults else None,
        "faults": list(faults),
        "findings": [[one.fault, one.place[:_LONGEST], one.told[:_LONGEST]] for one in found.findings[:_MOST]],
        "confused": [[pair[0], pair[1][:_LONGEST]] for pair in found.confused[:_MOST]],
    }
