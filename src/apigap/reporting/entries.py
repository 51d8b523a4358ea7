"""Tasks, answers and verdicts as the entries of a report."""

from collections.abc import Iterable, Mapping
from typing import Any

from apigap.records.knowledge import KnowledgeBundle
from apigap.records.result import Prediction, Result
from apigap.records.task import Task
from apigap.reporting.model import Comparison, SampleEntry, TaskEntry

TITLES = {
    "baseline": "no knowledge",
    "s_name": "name",
    "s": "signature",
    "e": "example",
    "e_masked": "example without the name",
    "m_prose": "prose",
    "m_code": "source code",
    "s_e": "signature + example",
    "s_m_prose": "signature + prose",
    "s_m_code": "signature + source code",
    "s_m_prose_m_code": "signature + prose + source code",
    "s_e_m_code": "signature + example + source code",
    "full": "everything",
}


def quoted_licence(library: str, bundles: Iterable[KnowledgeBundle]) -> tuple[str, str] | None:
    """Under which licence a library is quoted, as a fact of a report; None where no bundle has excerpts."""
    quoted = next((bundle for bundle in bundles if bundle.has_excerpts), None)
    if quoted is None:
        return None
    licence = quoted.licence
    text = licence.text if licence and licence.text else "unknown"
    stays = "; do not pass this page on" if quoted.is_local_only else ""
    return f"licence of what is quoted of {library}", text + stays


def task_entry(task: Task) -> TaskEntry:
    """A task as a report shows it."""
    return TaskEntry(
        task_id=task.task_id,
        api_name=task.api_name,
        library=task.library,
        change=task.change,
        difficulty=task.difficulty,
        description=task.description,
        context_code=task.context_code,
        reference_solution=task.masked_region,
    )


def sample_entry(condition: str, task: Task, prediction: Prediction, result: Result) -> SampleEntry:
    """An answer and its verdict as a report shows them."""
    answer = prediction.samples[result.sample]
    exception = result.detail.get("exception")
    return SampleEntry(
        condition=condition,
        task_id=task.task_id,
        sample=result.sample,
        outcome=result.outcome,
        label=result.label,
        reason=str(result.detail.get("why") or result.detail.get("reason") or ""),
        score=result.score,
        prompt=str((prediction.model_extra or {}).get("prompt", "")),
        answer=answer,
        code=result.judged_text,
        comparisons=tuple(_comparison(difference) for difference in result.detail.get("differences", [])),
        exception=f"{exception['type']}: {exception['message']}" if exception else None,
        refused=bool(exception) and _is_refused(exception["type"], result.detail),
    )


def _is_refused(exception: str, detail: Mapping[str, Any]) -> bool:
    """True where the last call that the answer made of the target raised this, and not for its signature.

    Of a function in C it is only known that it raised (`Exception`).
    """
    calls = [call for call in detail.get("calls", []) if call["caller"] == "candidate"]
    by_signature = "the signature of" in str(detail.get("why", ""))
    return (
        bool(calls)
        and calls[-1]["raised"] in (exception, "Exception")
        and not calls[-1]["rejected"]
        and not by_signature
    )


def _comparison(difference: Mapping[str, Any]) -> Comparison:
    return Comparison(
        what=str(difference.get("path", "")),
        expected=str(difference.get("expected", "")),
        observed=str(difference.get("observed", "")),
    )


def facts_in_words(facts: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Pairs of a name and a value in words, by name."""
    return tuple((key, _plain(value)) for key, value in sorted(facts.items()))


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(entry)}" for key, entry in value.items())  # pyright: ignore
    return str(value)
