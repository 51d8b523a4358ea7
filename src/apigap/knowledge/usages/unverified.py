"""Usages that name an API beyond doubt, or call it on an object of its class, and were not seen to: shown as static."""

import re
from collections.abc import Callable, Iterator, Sequence

from apigap.knowledge.usages.names import identifiers
from apigap.knowledge.usages.usage import Usage
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.records.run import RunRecord


class UnverifiedUsage(Record):
    """A usage that names the API and was not seen to call it, with the reason."""

    usage: Usage
    reason: str


def unverified_usages(
    candidate: Candidate,
    usages: Sequence[Usage],
    recorded: Callable[[Usage], RunRecord],
    plain: Callable[[Usage], RunRecord | None],
) -> Iterator[UnverifiedUsage]:
    """Those that name the API; of the built ones those alone that ran. What ran comes first, then what is short.

    `recorded` gives the run under the spy, `plain` one without it, where there was one.
    """
    ranked: list[tuple[bool, UnverifiedUsage]] = []
    for usage in sorted(usages, key=lambda usage: (usage.origin == "built", len(usage.code), usage.source)):
        run, other = recorded(usage), plain(usage)
        ran = "completed" in (run.status, other.status if other else None)
        if ran if usage.origin == "built" else names_api(usage, candidate):
            ranked.append((ran, UnverifiedUsage(usage=usage, reason=_reason(run, ran))))
    yield from (one for _, one in sorted(ranked, key=lambda entry: not entry[0]))


def _reason(run: RunRecord, ran: bool) -> str:
    if run.status == "completed":
        return "it runs, and a call made by it cannot be seen: it leaves no trace, or a class below has its own"
    if ran:
        return f"it runs, and cannot be watched: {run.reason or run.status}"
    if run.exception is not None and run.status != "infra":
        return f"by itself it ends in {run.exception.type}"
    return run.reason or run.status


def names_api(usage: Usage, candidate: Candidate) -> bool:
    """Check that `usage` names the very API.

    It imports it, or writes it after its module, or beside its class, or stands in the API's own docstring.
    """
    if candidate.leaf not in usage.identifiers:
        return False
    if usage.origin == "docstring" and usage.source.partition("#")[0] == _own_docstring(candidate):
        return True
    prelude = "\n".join(usage.prelude)
    owner = candidate.api_name.split(".")[-2]
    top = candidate.api_name.split(".")[0]
    if candidate.kind in ("function", "class"):
        imported = re.search(rf"from {top}[\w.]* import [^\n]*\b{re.escape(candidate.leaf)}\b", prelude)
        dotted = re.search(rf"\b(?:{re.escape(owner)}|np|pd)\.{re.escape(candidate.leaf)}\b", usage.body)
        return bool(imported or (dotted and owner in identifiers(usage.code)))
    return owner in identifiers(usage.code)


def _own_docstring(candidate: Candidate) -> str:
    module = candidate.defined_in or candidate.import_module
    return f"{module.replace('.', '/')}.py:{candidate.leaf}"
