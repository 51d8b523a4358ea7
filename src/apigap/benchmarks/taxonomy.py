"""One taxonomy of failures for tool calls: what API-Bank and ToolLLM call an error, in the six classes.

docs/taxonomy.md has the table with its reasons. A verdict never depends on it: it says why, not whether.
"""

from collections.abc import Mapping
from typing import Literal

from apigap.benchmarks.call_faults import CallFault
from apigap.records.result import FailureLabel

_BY_CATEGORY: Mapping[str, FailureLabel] = {
    "NO_API_CALL": "WrongSyntax",
    "API_NAME_MISMATCH": "WrongAPISelection",
    "INVALID_TOOL_NAME": "WrongAPISelection",
    "INVALID_INPUT_PARAMETER": "WrongParam",
    "MISS_INPUT_ARGUMENT": "WrongParam",
    "ASSERTION_ERROR": "WrongParam",
    "TYPE_ERROR": "WrongParam",
    "HAS_EXCEPTION": "WrongParam",
    "INPUT_MISMATCH": "WrongParam",
}
_BY_EVIDENCE = ("OUTPUT_MISMATCH", "INCORRECT", "KEY_ERROR", "CRASH")
CALL_CATEGORIES = (*_BY_CATEGORY, *_BY_EVIDENCE)
"""The error categories of API-Bank's evaluators."""

SelectionError = Literal["no choice", "only mentioned", "without its tool", "invented", "missed", "superfluous"]
_BY_SELECTION: Mapping[SelectionError, FailureLabel] = {
    "no choice": "WrongSyntax",
    "only mentioned": "WrongSyntax",
    "without its tool": "WrongImport",
    "invented": "WrongAPISelection",
    "missed": "WrongAPISelection",
    "superfluous": "WrongAPISelection",
}

_BY_FAULT: Mapping[CallFault, FailureLabel] = {
    "no call": "WrongSyntax",
    "wrong format": "WrongSyntax",
    "hallucinated API": "WrongAPISelection",
    "search not asked": "WrongAPISelection",
    "search asked wrongly": "WrongParam",
    "wrong choice after search": "WrongAPISelection",
    "wrong API": "WrongAPISelection",
    "missing argument": "WrongParam",
    "unknown argument": "WrongParam",
    "wrong type": "WrongParam",
    "wrong value": "WrongParam",
    "missed call": "WrongAPISelection",
    "wrong order": "WrongLogic",
    "superfluous call": "WrongAPISelection",
}


def label_of_call(category: str, *, same_api: bool, same_arguments: bool) -> FailureLabel:
    """The class of a wrong call; `category` is one of `CALL_CATEGORIES`.

    Categories that only say that the outcome is another one leave the cause to be seen from the call: another API than
    the recorded one (`same_api`), other arguments (`same_arguments`), or, with neither, something in the rest.

    Raises:
        ValueError: for another category.
    """
    if category in _BY_CATEGORY:
        return _BY_CATEGORY[category]
    if category not in _BY_EVIDENCE:
        raise ValueError(f"{category} is no error category of API-Bank; they are {', '.join(CALL_CATEGORIES)}")
    if not same_api:
        return "WrongAPISelection"
    return "WrongLogic" if same_arguments else "WrongParam"


def label_of_selection(error: SelectionError) -> FailureLabel:
    """The class of a wrong choice among offered APIs."""
    return _BY_SELECTION[error]


def label_of_fault(fault: CallFault) -> FailureLabel:
    """The class of a call's fault."""
    return _BY_FAULT[fault]
