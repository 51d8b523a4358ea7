"""The faults of several models, side by side on the page of a study."""

from collections.abc import Mapping
from typing import Any

from apigap.benchmarks.call_faults import by_gravity
from apigap.reporting.markdown import markdown_table

CallFigures = Mapping[str, Any]
"""As `apigap.benchmarks.call_figures.CallFigures` is written."""
_MOST_PAIRS = 5


def fault_table(models: Mapping[str, CallFigures]) -> str:
    """A row per fault, the gravest first: how many answers of each model have it as the gravest, and at all."""
    names = [fault for figures in models.values() for fault in figures["any_of"]]
    columns = ["fault", *(f"{name}: first (in all)" for name in models)]
    rows = [
        [
            fault,
            *(f"{figures['first'].get(fault, 0)} ({figures['any_of'].get(fault, 0)})" for figures in models.values()),
        ]
        for fault in by_gravity(names)
    ]
    wrong = ["*wrong answers*", *(str(figures["wrong"]) for figures in models.values())]
    return markdown_table(columns, [*rows, wrong])


def confusion_lines(models: Mapping[str, CallFigures]) -> list[str]:
    """The most frequent confusions, a line for each model that has any."""
    told = {name: list(map(_pair, figures["confusions"][:_MOST_PAIRS])) for name, figures in models.items()}
    lines = [f"- {name}: {', '.join(pairs)}." for name, pairs in told.items() if pairs]
    return ["Called most often in the place of another:", "", *lines] if lines else []


def _pair(confusion: Mapping[str, Any]) -> str:
    return f"{confusion['called']} for {confusion['expected']} ({confusion['answers']})"
